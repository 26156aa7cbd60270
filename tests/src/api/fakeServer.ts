/** The far end of the network: a server with rotating tokens, which, like ours, refuses a token that is used twice,
 *  and a line to it that can fail in every way. */
import { vi } from 'vitest';

export type Line =
  | 'good'
  | 'cut' // no connection
  | 'hanging' // accepted, never answered
  | 'portal page' // 200, but a page
  | 'half' // 200, the document stops
  | 'other JSON' // 200, but not what we asked for
  | 'status 503'
  | 'proxy 401'
  | 'proxy 403'
  | 'proxy 404';

export const LINES_THAT_FAIL: Line[] = [
  'cut',
  'portal page',
  'half',
  'other JSON',
  'status 503',
  'proxy 401',
  'proxy 403',
  'proxy 404',
];

export const ANNA = {
  id: '1',
  email: 'anna@example.co.uk',
  display_name: 'Anna',
  role: 'user',
  is_admin: false,
};
export const BEN = {
  id: '2',
  email: 'ben@example.co.uk',
  display_name: 'Ben',
  role: 'admin',
  is_admin: true,
};

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: Record<string, unknown>;
}

type Answer = (call: Call) => Response | Promise<Response>;

export const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

interface Tokens {
  access_token: string;
  refresh_token: string;
}

const REPEATED_FOR_MS = 10_000;

export function startFakeServer() {
  let number = 0;
  let access = new Map<string, typeof ANNA>();
  const refresh = new Map<string, { user: typeof ANNA; spent?: { at: number; successor: Tokens } }>();

  const issue = (user: typeof ANNA) => {
    number += 1;
    access.set(`access-${number}`, user);
    refresh.set(`refresh-${number}`, { user });
    return { access_token: `access-${number}`, refresh_token: `refresh-${number}` };
  };

  const server = {
    line: 'good' as Line,
    /** Overrides `line` for single paths. */
    lines: new Map<string, Line>(),
    calls: [] as Call[],
    answers: new Map<string, Answer>(),
    signedIn: (user = ANNA) => ({ ...issue(user), session_id: `session-${user.id}`, user }),
    /** Every access token runs out, as each does after 15 minutes. */
    expire: () => {
      access = new Map();
    },
    revoke: () => {
      access = new Map();
      refresh.clear();
    },
    /** Answers to this method wait from now on, each until its function in the returned list is called. */
    hold: (path: string, method: string): (() => void)[] => {
      const answer = server.answers.get(path)!;
      const held: (() => void)[] = [];
      server.answers.set(path, async (call) => {
        if (call.method === method) await new Promise<void>((resolve) => held.push(resolve));
        return answer(call);
      });
      return held;
    },
    callsTo: (path: string) => server.calls.filter((call) => call.path === path),
  };

  server.answers.set('auth/login', ({ body }) => {
    const user = [ANNA, BEN].find(({ email }) => email === body['email']);
    return user && body['password'] === 'right'
      ? json(200, server.signedIn(user))
      : json(401, { detail: 'Email or password is wrong.' });
  });
  server.answers.set('auth/refresh', ({ body }) => {
    const token = refresh.get(String(body['refresh_token']));
    if (!token) return json(401, { detail: 'Session is over.' });
    if (token.spent && Date.now() - token.spent.at <= REPEATED_FOR_MS)
      return json(200, token.spent.successor);
    if (token.spent) {
      server.revoke();
      return json(401, { detail: 'Refresh token was used twice.' });
    }
    token.spent = { at: Date.now(), successor: issue(token.user) };
    return json(200, token.spent.successor);
  });
  server.answers.set('auth/logout', () => json(200, {}));

  vi.stubGlobal('fetch', async (input: Request) => {
    const url = new URL(input.url);
    const path = url.pathname.replace(/^\/api\/v1\//, '');
    const text = await input.text();
    const call: Call = {
      method: input.method,
      path,
      query: url.searchParams,
      headers: new Headers(input.headers),
      body: text ? JSON.parse(text) : {},
    };
    server.calls.push(call);

    switch (server.lines.get(path) ?? server.line) {
      case 'cut':
        throw new TypeError('Failed to fetch');
      case 'hanging':
        return new Promise((_, reject) => {
          const abort = () => reject(new DOMException('Aborted', 'AbortError'));
          if (input.signal.aborted) abort();
          input.signal.addEventListener('abort', abort);
        });
      case 'portal page':
        return page(200);
      case 'half':
        return new Response('{"id":"1","email":"an', { headers: { 'content-type': 'application/json' } });
      case 'other JSON':
        return json(200, { portal: 'please sign in' });
      case 'status 503':
        return json(503, { detail: 'Busy' });
      case 'proxy 401':
        return page(401);
      case 'proxy 403':
        return page(403);
      case 'proxy 404':
        return page(404);
      case 'good':
    }

    if (['auth/login', 'auth/refresh'].includes(path)) return server.answers.get(path)!(call);
    const user = access.get((call.headers.get('authorization') ?? '').replace('Bearer ', ''));
    if (!user) return json(401, { detail: 'Not signed in.' });
    const answer = server.answers.get(path);
    if (answer) return answer(call);
    return path === 'auth/me' ? json(200, user) : json(404, { detail: 'Not found' });
  });

  return server;
}

const page = (status: number) =>
  new Response('<!doctype html><title>Welcome</title>', { status, headers: { 'content-type': 'text/html' } });
