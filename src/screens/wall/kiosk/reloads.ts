/** Reloads an unattended page: not too often, and never so that it ends on an error page of the browser. */
import { REQUEST_TIMEOUT_MS } from '../../../api/http.ts';
import { applyUpdate, useWorker } from '../../../offline/serviceWorker.ts';
import { tabStore } from '../../../device/browserStorage.ts';
import { isWall } from '../../../device/address/useAddress.ts';

const KEY = 'clearway_reloaded_at';

/** False within `gapMs` of this tab's last automatic reload, and when that time cannot be stored. */
export function mayReload(gapMs: number): boolean {
  if (!tabStore.keeps()) return false;
  const last = Number(tabStore.get(KEY) ?? Number.NaN);
  return !(Math.abs(Date.now() - last) < gapMs); // if `last` is far in the future, the clock was set back
}

/** Call it at every automatic reload. */
export const noteReload = () => tabStore.set(KEY, String(Date.now()));

/** Reloads the page in its newest version. False when that cannot work now. */
export async function reloadPage(): Promise<boolean> {
  const kept = Boolean(navigator.serviceWorker?.controller);
  if (!kept && (await deployedVersion()) === null) return false;
  noteReload();
  if (useWorker.getState().updateReady) applyUpdate();
  else location.reload();
  return true;
}

/** The version of the app that the server has now; null when the server cannot be asked. It is a hash of the
 *  worker's script, which lists every file of the app with its revision. A page without a worker can read it too. */
export async function deployedVersion(): Promise<string | null> {
  try {
    const answer = await fetch('/sw.js', {
      cache: 'no-cache',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const isScript = answer.headers.get('content-type')?.includes('javascript');
    return answer.ok && isScript ? digest(await answer.text()) : null;
  } catch {
    return null; // asked again later
  }
}

/** FNV-1a. It protects no secret, and on plain http a browser has no `crypto.subtle`. */
export function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return `${(hash >>> 0).toString(36)}-${text.length}`;
}

// Restarts a wall whose page failed or could not be loaded, so it is part of the app's first load.

const RETRY_MS = 30_000;
const RELOAD_GAP_MS = 60_000;

/** Whether the page may be reloaded at once. It may not if it was reloaded within the last minute. */
export const retriesAtOnce = () => mayReload(RELOAD_GAP_MS);

/** Reloads the page at once if it may. Otherwise it calls `wait`, and 30 s later reloads the page or calls `redraw`;
 *  a page that fails again starts this again. Returns a function that cancels it. */
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

/** An uncaught error may have left the page in any state, so the page reloads. If the error comes back after a
 *  reload, it is ignored for this long: a board that still works is better than one that keeps reloading. */
const STRAY_GAP_MS = 10 * 60_000;

export function reloadAfterStrayErrors(): () => void {
  const listeners = new AbortController();
  const heal = (error: unknown) => {
    const isAbort = error instanceof DOMException && error.name === 'AbortError';
    if (error instanceof Error && !isAbort && mayReload(STRAY_GAP_MS)) void reloadPage();
  };
  // React's errors arrive here too if no boundary catches them. A resize observer's warning has no `error`.
  addEventListener('error', ({ error }) => heal(error), { signal: listeners.signal });
  addEventListener('unhandledrejection', ({ reason }) => heal(reason), { signal: listeners.signal });
  return () => listeners.abort();
}
