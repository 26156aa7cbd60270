/** Gets a wall going again whose page failed, or could not even be loaded. Part of the app's first load for that. */
import { mayReload, reloadPage } from './reloads.ts';
import { isWall } from '../addresses/isWall.ts';

const RETRY_MS = 30_000;
const RELOAD_GAP_MS = 60_000;

/** Whether the page may be loaded again at once: it was not within the last minute. */
export const retriesAtOnce = () => mayReload(RELOAD_GAP_MS);

/**
 * Loads the page again at once, or tells `wait` that it cannot yet, and 30 s later loads it or has it drawn again: a
 * page that fails anew begins anew. Returns how to call it off.
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
