/** The wait after no answer, unless the network comes back earlier. */
const RETRY_MS = 30_000;

/**
 * Loads at once or after `afterMs`, and again every 30 s and when the network comes back, while `load` says that
 * another attempt can bring more. A network that comes back in the moment of the failure is not missed. Returns what
 * ends it.
 */
export function keepTrying(
  load: (signal: AbortSignal, shown: (mayBringMore: boolean) => void) => Promise<void>,
  afterMs = 0,
): () => void {
  const stop = new AbortController();
  let state: 'loading' | 'mayBringMore' | 'done' = 'loading';
  let cameBack = false;

  const start = () => {
    state = 'loading';
    cameBack = false;
    void load(stop.signal, (mayBringMore) => {
      state = mayBringMore ? 'mayBringMore' : 'done';
      if (cameBack) again();
    });
  };
  const again = () => {
    if (state === 'mayBringMore' && !stop.signal.aborted) start();
  };
  const whenOnline = () => {
    cameBack = state === 'loading';
    again();
  };

  const waiting = afterMs > 0 ? setTimeout(start, afterMs) : void start();
  const retrying = setInterval(again, RETRY_MS);
  window.addEventListener('online', whenOnline);
  return () => {
    clearTimeout(waiting);
    clearInterval(retrying);
    window.removeEventListener('online', whenOnline);
    stop.abort();
  };
}
