/** The built app: its files, how long each can be cached, and its page for every address that the app routes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageAt, SERVER_ADDRESS } from '#contract/addresses.ts';
import { notFound, unavailable, wrongMethod } from '../../refusals.ts';

const YEAR_S = 365 * 24 * 60 * 60;

/** Serves `dist` and, for the app's addresses, its page; answers all others with 404. */
export function serveApp(app: FastifyInstance, dist: string): void {
  const isBuilt = existsSync(join(dist, 'index.html'));
  if (isBuilt) {
    void app.register(fastifyStatic, {
      root: dist,
      preCompressed: true,
      dotfiles: 'ignore',
      cacheControl: false,
      // Compressed copies are encodings, not files with addresses.
      allowedPath: (path) => !/\.(br|gz)$/.test(path),
      setHeaders: (reply, path) => {
        reply.header('cache-control', cacheControl(path.slice(dist.length).replaceAll('\\', '/')));
      },
    });
    // An id can hold what a file name cannot (`..%2F`), so page addresses are not looked up as files.
    app.addHook('onRequest', async (request, reply) => {
      if (request.routeOptions.url !== '/*') return;
      if (pageAt(pathOf(request)) && wantsPage(request)) return sendPage(reply);
      // The library would answer 403, as if there were something. No file and no call has such an address.
      if (EMPTY_PART.test(pathOf(request))) return reply.callNotFound();
    });
  } else {
    app.log.warn(`The app is not built: there is no ${join(dist, 'index.html')}. Run "npm run build".`);
  }

  app.setNotFoundHandler((request, reply) => {
    if (!wantsPage(request)) {
      void reply.header('vary', WHO_ASKS);
      const methods = app.methodsAt(pathOf(request));
      // A call whose method is right and whose path the router refuses, such as one with a control character, is not here.
      if (methods.length > 0 && !methods.includes(request.method)) throw wrongMethod(request.method, methods);
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

/** "//api/v1/feeds", "/api//v1/feeds": never taken for the address without the second slash. */
const EMPTY_PART = /(?:\/|%2f){2}/i;

/**
 * The address, changed where the router or the files would refuse the path of a page that somebody has typed: "100%"
 * is not encoded, and "//login" has a slash too many. The app reads the address as it was typed.
 */
export function readableUrl({ url = '/' }: { url?: string | undefined }): string {
  const path = pathOf({ url });
  const readable = (isEncoded(path) ? path : path.replaceAll('%', '%25')).replace(/^\/+/, '/');
  if (readable === path || SERVER_ADDRESS.test(readable)) return url;
  return readable + url.slice(path.length);
}

function isEncoded(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const sendPage = (reply: FastifyReply) => reply.header('vary', WHO_ASKS).sendFile('index.html');

/** The headers that `wantsPage` reads, for `Vary`: the answer depends on them. */
const WHO_ASKS = 'Accept, Sec-Fetch-Mode, Sec-Fetch-Dest';

/**
 * Whether the request opens a page of the app. A browser states what it fetches (on plain http only by `Accept`). The
 * path is no guide, as an id can end like a file name. A program that accepts anything, such as a link preview, gets
 * the app's page for known page addresses.
 */
function wantsPage(request: FastifyRequest): boolean {
  const { method, headers } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  const path = pathOf(request);
  // A page could be mistaken for the server's answer.
  if (SERVER_ADDRESS.test(path.replace(/^(?:\/|%2f)+/i, '/'))) return false;

  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, accept = '*/*' } = headers;
  if (mode === 'navigate') return true;
  if (destination !== undefined) return false; // a script, an image or a call
  return accept.includes('text/html') || (accept.startsWith('*/*') && pageAt(path) !== null);
}

/** The links in e-mails act without a sign-in. */
const LINK = /^(.*\/channels\/(?:confirm|unsubscribe)\/)./i;

/** The path as the log has it: without the secret of an address that is one, however it is written. */
export function loggedPath(request: { url: string; routeOptions?: { url?: string | undefined } }): string {
  const path = pathOf(request);
  const shared =
    /^\/([fp])\//.exec(request.routeOptions?.url ?? '') ?? /^[/\\]+(f|p|%66|%70)[/\\%]/i.exec(path);
  if (shared) {
    const isPage = /p|%70/i.test(shared[1]!); // the pattern has it
    return isPage ? '/p/[hidden]' : `/f/[hidden]${/\.[a-z]{1,10}(?=\/|$)/.exec(path)?.[0] ?? ''}`;
  }
  const before = LINK.exec(request.routeOptions?.url ?? '') ?? LINK.exec(path);
  return before ? `${before[1]}[hidden]` : path;
}

export const pathOf = ({ url }: { url: string }) => url.split('?', 1)[0]!;

/** The names of built assets carry a hash of their content. The rest must be revalidated each time: otherwise a
 *  device that was off for weeks would start an app whose parts no longer exist. */
function cacheControl(path: string): string {
  return path.startsWith('/assets/') ? `public, max-age=${YEAR_S}, immutable` : 'no-cache';
}
