import type { WorkboxPlugin } from 'workbox-core/types.js';
import { Strategy, type StrategyHandler } from 'workbox-strategies';

/** After this time without an answer the network counts as down; a late answer is still stored. */
const NETWORK_PATIENCE_MS = 3000;

/** How long a request may take before it is ended, even if a page still waits for it. */
const NETWORK_END_MS = 30_000;

/** Ends a request in time. A line can be open but silent for ever. A request that outlives its copy would hold its
 *  connection for ever, and a browser opens only six for an origin. The signal also ends an answer that stops
 *  half-way. */
export const endsInTime: WorkboxPlugin = {
  requestWillFetch: async ({ request }) => {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(NETWORK_END_MS)]);
    return new Request(request, { signal });
  },
};

/** The network's answer if it comes in time, otherwise the stored copy; without a copy, the network's answer however
 *  long it takes. Workbox's NetworkFirst does the same, but there a late answer that cannot be stored is an uncaught
 *  error, and the worker is not kept awake for it. Here a failing storage costs the copy, never the answer. */
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
