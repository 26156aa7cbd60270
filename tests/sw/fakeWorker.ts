/** Parts that a worker has and Node lacks: a cache storage in memory, and events that outlive their answer. */

class MemoryCache {
  readonly kept = new Map<string, Response>();

  async put(request: Request, response: Response) {
    this.kept.delete(request.url); // the newest is the last, as in a browser
    this.kept.set(request.url, new Response(await response.arrayBuffer(), response));
  }
  async match(request: Request) {
    return this.kept.get(request.url)?.clone();
  }
  async delete(request: Request) {
    return this.kept.delete(request.url);
  }
  async keys() {
    return [...this.kept.keys()].map((url) => new Request(url));
  }
}

export class MemoryCaches {
  readonly caches = new Map<string, MemoryCache>();

  async open(name: string) {
    if (!this.caches.has(name)) this.caches.set(name, new MemoryCache());
    return this.caches.get(name)!;
  }
  async match(request: Request, { cacheName }: { cacheName: string }) {
    return this.caches.get(cacheName)?.match(request);
  }
  async delete(name: string) {
    return this.caches.delete(name); // writes to a deleted cache are lost, as in a browser
  }
  async keys() {
    return [...this.caches.keys()];
  }
  /** Everything that is kept, as address and text. */
  async everything(): Promise<string[]> {
    const all = [...this.caches.values()].flatMap((cache) => [...cache.kept]);
    return Promise.all(all.map(async ([url, response]) => `${url} ${await response.clone().text()}`));
  }
}

class Lasting extends Event {
  readonly lasting: Promise<unknown>[] = [];
  waitUntil(promise: Promise<unknown>) {
    this.lasting.push(promise);
  }
}

export const newEvent = (request: Request) =>
  Object.assign(new Lasting('fetch'), { request, clientId: PAGE }) as unknown as ExtendableEvent;

const PAGE = 'page';

/** Must be called before workbox is loaded. `tellPage` hears what the worker says to the page that asked. */
export function becomeWorker(tellPage: (message: unknown) => void = () => {}): MemoryCaches {
  const caches = new MemoryCaches();
  Object.assign(globalThis, {
    self: globalThis,
    location: new URL('https://clearway.example/'),
    caches,
    clients: { get: async (id: string) => (id === PAGE ? { postMessage: tellPage } : undefined) },
    ExtendableEvent: Lasting,
    FetchEvent: class extends Lasting {},
    __WB_DISABLE_DEV_LOGS: true,
  });
  return caches;
}
