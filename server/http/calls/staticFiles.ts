/** The built app: its files, how long each can be cached, and its page for all addresses of the app. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageAt, SERVER_ADDRESS } from '#contract/addresses.ts';
import { notFound, unavailable, wrongMethod } from '../../refusals.ts';

const YEAR_S = 365 * 24 * 60 * 60;

/** Serves `dist` and, for the app's addresses, its page. Answers all other addresses with 404. */
export function serveApp(app: FastifyInstance, dist: string): void {
  const isBuilt = existsSync(join(dist, 'index.html'));
  if (isBuilt) {
    void app.register(fastifyStatic, {
      root: dist,
      preCompressed: true,
      dotfiles: 'ignore',
      cacheControl: false,
      // Compressed copies are encodings; they have no address of their own.
      allowedPath: (path) => !/\.(br|gz)$/.test(path),
      setHeaders: (reply, path) => {
        reply.header('cache-control', cacheControl(path.slice(dist.length).replaceAll('\\', '/')));
      },
    });
    // Page addresses are not looked up as files, because an id can hold characters that a file name cannot (`..%2F`).
    app.addHook('onRequest', async (request, reply) => {
      if (request.routeOptions.url !== '/*') return;
      if (pageAt(pathOf(request)) && wantsPage(request)) return sendPage(reply);
      // No file and no call has such an address. The library would answer 403, as if there were one.
      if (EMPTY_PART.test(pathOf(request))) return reply.callNotFound();
    });
  } else {
    app.log.warn(`The app is not built: there is no ${join(dist, 'index.html')}. Run "npm run build".`);
  }

  app.setNotFoundHandler((request, reply) => {
    if (!wantsPage(request)) {
      void reply.header('vary', WHO_ASKS);
      const methods = app.methodsAt(pathOf(request));
      // A path that the router refuses, such as one with a control character, does not come here, even with a right
      // method.
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

/** "//api/v1/feeds", "/api//v1/feeds": such an address never counts as the one without the second slash. */
const EMPTY_PART = /(?:\/|%2f){2}/i;

/** The address in a form that the router and the files accept. A person may have typed one that they refuse: "100%"
 *  is not encoded, and "//login" has a slash too many. The app itself reads the address as it was typed. */
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

/** The headers that `wantsPage` reads. The answer depends on them, so `Vary` names them. */
const WHO_ASKS = 'Accept, Sec-Fetch-Mode, Sec-Fetch-Dest';

/** Whether the request opens a page of the app. A browser states what it fetches (on plain http only by `Accept`).
 *  The path does not tell, because an id can end like a file name. A program that accepts anything, such as a link
 *  preview, gets the app's page only at known page addresses. */
function wantsPage(request: FastifyRequest): boolean {
  const { method, headers } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  const path = pathOf(request);
  // At an address of the server, the app's page could be mistaken for its answer.
  if (SERVER_ADDRESS.test(path.replace(/^(?:\/|%2f)+/i, '/'))) return false;

  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, accept = '*/*' } = headers;
  if (mode === 'navigate') return true;
  if (destination !== undefined) return false; // a script, an image or a call
  return accept.includes('text/html') || (accept.startsWith('*/*') && pageAt(path) !== null);
}

/** The links in e-mails work without a sign-in, so the random part after these paths is secret. */
const LINK = /^(.*\/channels\/(?:confirm|unsubscribe)\/)./i;

/** The path for the log: without the secret of a secret address, whatever its spelling. */
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

/** Built assets have a hash of their content in their names. All other files must be revalidated each time:
 *  otherwise a device that was off for weeks would start an app whose parts no longer exist. */
function cacheControl(path: string): string {
  return path.startsWith('/assets/') ? `public, max-age=${YEAR_S}, immutable` : 'no-cache';
}
