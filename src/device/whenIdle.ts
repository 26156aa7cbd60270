/** At the latest then: a browser that is never idle. */
const PATIENCE_MS = 2000;

/** Settles when the browser has nothing to do for what is on the screen. Safari does not say, and is given a moment. */
export const whenIdle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: PATIENCE_MS });
    else setTimeout(resolve, 200);
  });
