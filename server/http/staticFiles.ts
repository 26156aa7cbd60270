/** The built app: its files, how long each may be kept, and its page for every address that the app itself routes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageAt, SERVER_ADDRESS } from '#contract/addresses.ts';
import { notFound, unavailable } from '../refusals.ts';

const YEAR_S = 365 * 24 * 60 * 60;

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
    // An id may hold what no file's name may (`..%2F`): a page is not looked for among the files.
    app.addHook('onRequest', async (request, reply) => {
      const isFile = request.routeOptions.url === '/*';
      if (isFile && pageAt(pathOf(request)) && wantsPage(request)) return sendPage(reply);
    });
  } else {
    app.log.warn(`The app is not built: there is no ${join(dist, 'index.html')}. Run "npm run build".`);
  }

  app.setNotFoundHandler((request, reply) => {
    if (!wantsPage(request)) {
      void reply.header('vary', WHO_ASKS);
      throw notFound(`${request.method} ${pathOf(request)} does not exist`);
    }
    if (!isBuilt) {
      throw unavailable(
        'The app is not built yet. Run "npm run build" ("npm start" does so by itself) and start again.',
      );
    }
    return sendPage(reply);
  });
}

const sendPage = (reply: FastifyReply) => reply.header('vary', WHO_ASKS).sendFile('index.html');

/** The headers that `wantsPage` reads, for caches: another caller gets another answer. */
const WHO_ASKS = 'Accept, Sec-Fetch-Mode, Sec-Fetch-Dest';

/**
 * Whether somebody opens an address of the app. A browser says what it fetches (by plain http only in what it accepts);
 * the path cannot tell, for an id may end like the name of a file. A program that accepts anything, such as the preview of
 * a link, gets the pages that there are.
 */
function wantsPage(request: FastifyRequest): boolean {
  const { method, headers } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  const path = pathOf(request);
  if (SERVER_ADDRESS.test(path)) return false; // a page in its place would pass for an answer

  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, accept = '*/*' } = headers;
  if (mode === 'navigate') return true;
  if (destination !== undefined) return false; // a script, a picture, a call
  return accept.includes('text/html') || (accept.startsWith('*/*') && pageAt(path) !== null);
}

export const pathOf = ({ url }: { url: string }) => url.split('?', 1)[0]!;

/** The names of built assets carry a hash of their content. The rest must be asked for each time, or a device
 *  that was off for weeks would start an app whose parts are gone. */
function cacheControl(path: string): string {
  return path.startsWith('/assets/') ? `public, max-age=${YEAR_S}, immutable` : 'no-cache';
}
