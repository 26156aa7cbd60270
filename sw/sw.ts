/** The service worker: stores the whole app, answers while the network is down, and updates on request. */
import { clientsClaim } from 'workbox-core';
import {
  addPlugins,
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching';
import { registerRoute, setCatchHandler } from 'workbox-routing';
import { NetworkOnly } from 'workbox-strategies';
import { withoutScope } from './keptAnswers.ts';
import type { WorkerMessage } from './workerMessages.ts';
import { forgetPushes, listenForPushes } from './push.ts';
import { carriesScope, endsInTime, type Kept, keptAs, pages, purge, strategies } from './cachePolicy.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] };
declare global {
  interface ImportMeta {
    readonly env: { readonly VITE_API_BASE_URL?: string };
  }
}

// oxlint-disable-next-line no-underscore-dangle -- the name that the build replaces with the list of files
const files = self.__WB_MANIFEST;
/** The version is read before the library runs, which may change the list. */
const version = JSON.stringify(files);
addPlugins([endsInTime]);
precacheAndRoute(files);
cleanupOutdatedCaches();
registerRoute(pages(createHandlerBoundToURL('/index.html')));

const place = {
  app: self.location.origin,
  api: new URL(import.meta.env.VITE_API_BASE_URL || self.location.origin).origin,
};
const keeping = strategies();
for (const [kept, strategy] of Object.entries(keeping)) {
  registerRoute(
    ({ request }) => keptAs(request, place) === (kept as Kept),
    ({ request, event }) => {
      const [answer, stored] = strategy.handleAll({ request, event });
      stored.catch(() => {}); // for example there is no space: the page has its answer, and the next one may be stored
      return answer;
    },
  );
}
registerRoute(
  ({ request }) => carriesScope(request),
  new NetworkOnly({ plugins: [endsInTime, { requestWillFetch: withoutScope }] }),
);

// Without answer and copy the page sees a network error, and the worker has no uncaught error.
setCatchHandler(async () => Response.error());

// The first page reads its settings before there is a worker to store them.
self.addEventListener('install', (event) => {
  const [, stored] = keeping.settings.handleAll({ event, request: new Request('/config.json') });
  event.waitUntil(stored.catch(() => {}));
});

self.addEventListener('message', (event) => {
  const message = event.data as WorkerMessage | undefined;
  switch (message?.type) {
    case 'SKIP_WAITING':
      void self.skipWaiting();
      break;
    case 'CLAIM':
      event.waitUntil(self.clients.claim().catch(() => {})); // it is not active yet, and claims the page when it activates
      break;
    case 'VERSION':
      event.ports[0]?.postMessage(version);
      break;
    case 'PURGE':
      event.waitUntil(
        Promise.allSettled([purge(message.scope), forgetPushes(self)]).then(() =>
          event.ports[0]?.postMessage('purged'),
        ),
      );
      break;
  }
});

listenForPushes(self);

// Only the first install takes over running pages. An update waits until a person agrees to it.
clientsClaim();
