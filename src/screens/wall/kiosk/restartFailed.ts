/** Restarts a wall whose page failed or could not be loaded. For that reason it is part of the app's first load. */
import { mayReload, reloadPage } from './reloads.ts';
import { isWall } from '../../../device/address/isWall.ts';

const RETRY_MS = 30_000;
const RELOAD_GAP_MS = 60_000;

/** Whether the page may be reloaded at once: not if it was reloaded within the last minute. */
export const retriesAtOnce = () => mayReload(RELOAD_GAP_MS);

/**
 * Reloads the page at once if it may. Otherwise calls `wait`, and 30 s later reloads the page or calls `redraw`; a
 * page that fails again starts this again. Returns a function that cancels it.
 */
export function retryByItself({ redraw, wait }: { redraw: () => void; wait: () => void }): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const left = async () => stopped || !isWall() || (retriesAtOnce() && (await reloadPage()));

  void (async () => {
    if (await left()) return;
    wait();
    timer = setTimeout(() => void left().then((gone) => gone || redraw()), RETRY_MS);
  })();

  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
