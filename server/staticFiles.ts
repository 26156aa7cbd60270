/** The built app: its files, how long each may be kept, and its page for every address that the app itself routes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound, unavailable } from './errors.ts';

const YEAR_S = 365 * 24 * 60 * 60;

/** Addresses of the service and of built files; a page in their place would pass for an answer. */
const NO_PAGES = /^\/(api|assets|docs|openapi\.json|healthz|readyz|metrics|config\.json)(\/|$)/;

/** Serves `dist` and, where nothing else answers, the app's page; refuses all other addresses with 404. */
export function serveApp(app: FastifyInstance, dist: string): void {
  const isBuilt = existsSync(join(dist, 'index.html'));
  if (isBuilt) {
    void app.register(fastifyStatic, {
      root: dist,
      preCompressed: true,
      dotfiles: 'ignore',
      cacheControl: false,
      // The compressed copies are encodings of a file, not files.
      allowedPath: (path) => !/\.(br|gz)$/.test(path),
      setHeaders: (reply, path) => {
        reply.header('cache-control', cacheControl(path.slice(dist.length).replaceAll('\\', '/')));
      },
    });
  } else {
    app.log.warn(`The app is not built: there is no ${join(dist, 'index.html')}. Run "npm run build".`);
  }

  app.setNotFoundHandler((request, reply) => {
    if (!isNavigation(request)) throw notFound(`${request.method} ${pathOf(request)} does not exist`);
    if (!isBuilt) {
      throw unavailable(
        'The app is not built yet. Run "npm run build" ("npm start" does so by itself) and start again.',
      );
    }
    return sendPage(reply);
  });
}

const sendPage = (reply: FastifyReply) => reply.sendFile('index.html');

/** Whether a person (or the browser for him) opens an address of the app. A name with an extension is a file. */
function isNavigation(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const path = pathOf(request);
  return !NO_PAGES.test(path) && !/\.\w+$/.test(path);
}

export const pathOf = ({ url }: { url: string }) => url.split('?', 1)[0]!;

/** The names of built assets carry a hash of their content. The rest must be asked for each time, or a device
 *  that was off for weeks would start an app whose parts are gone. */
function cacheControl(path: string): string {
  return path.startsWith('/assets/') ? `public, max-age=${YEAR_S}, immutable` : 'no-cache';
}
