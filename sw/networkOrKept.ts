import type { WorkboxPlugin } from 'workbox-core/types.js';
import { Strategy, type StrategyHandler } from 'workbox-strategies';

/** After this time without an answer the network counts as down; a late answer is still stored. */
const NETWORK_PATIENCE_MS = 3000;

/** How long a request may take before it is ended, even if a page still waits for it. */
const NETWORK_END_MS = 30_000;

/**
 * A line can be open and silent for good. A request that outlives its copy would hold its connection for ever, and a
 * browser opens six to an origin. The signal also ends an answer that stops half-way.
 */
export const endsInTime: WorkboxPlugin = {
  requestWillFetch: async ({ request }) => {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(NETWORK_END_MS)]);
    return new Request(request, { signal });
  },
};

/**
 * The network if it answers in time, else the stored copy, else the network however long it takes. Workbox's
 * NetworkFirst does the same, but a late answer that cannot be stored becomes an uncaught error, and the worker is
 * not kept awake for it. Here a failing storage costs the copy, never the answer.
 */
export class NetworkOrKept extends Strategy {
  protected override async _handle(
    request: Request,
    handler: StrategyHandler,
  ): Promise<Response | undefined> {
    const kept = () => handler.cacheMatch(request).catch(() => undefined);
    const network = handler.waitUntil(askAndKeep(request, handler));

    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, NETWORK_PATIENCE_MS)));
    const first = await Promise.race([network, patience.then(kept)]);
    clearTimeout(timer);
    return first ?? (await network) ?? kept();
  }
}

/** Undefined when there is no answer, or the plugins reject it. */
async function askAndKeep(request: Request, handler: StrategyHandler): Promise<Response | undefined> {
  try {
    const answer = await handler.fetch(request);
    void handler.waitUntil(handler.cachePut(request, answer.clone()).catch(() => false));
    return answer;
  } catch {
    return undefined;
  }
}
