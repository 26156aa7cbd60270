/** The far end for a display: its codes, who approves them, and its tokens, over the fake line of
 *  ../../../api/fakeServer.ts. */
import { vi } from 'vitest';
import { json } from '../../../api/fakeServer.ts';

export function startDisplayServer() {
  let codes = 0;
  let access: string | null = null;
  const server = {
    /** `cut`: no connection. */
    line: 'good' as 'good' | 'cut',
    /** The answer to the next polls; approved: the credential. */
    verdict: 'authorization_pending',
    /** The answer to the next renewals; null: a new pair. */
    refusal: null as { error: string; detail: string; blank?: true } | null,
    /** Renewing fails, while all other calls succeed. */
    cannotRenew: false,
    /** How many seconds a code is valid. */
    lasts: 600,
    /** If set, answers wait for it. */
    wait: null as Promise<void> | null,
    /** 429 for every request for a code. */
    crowded: false,
    calls: [] as { path: string; at: number; authorization: string | null; body: Record<string, unknown> }[],
    callsTo: (path: string) => server.calls.filter((call) => call.path === path),
    expire: () => (access = null),
  };
  let pairs = 0;
  const pair = () => {
    pairs += 1;
    access = `access-${pairs}`;
    return json(200, {
      access_token: access,
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: `refresh-${pairs}`,
    });
  };

  vi.stubGlobal('fetch', async (input: Request) => {
    const path = new URL(input.url).pathname.replace('/api/v1/', '');
    const text = await input.text();
    const body = text ? (JSON.parse(text) as Record<string, unknown>) : {};
    const authorization = input.headers.get('authorization');
    server.calls.push({ path, at: Date.now(), authorization, body });
    if (server.wait) await server.wait;
    if (server.line === 'cut') throw new TypeError('Failed to fetch');

    if (path === 'displays/device_authorization') {
      if (server.crowded) return json(429, { detail: 'Too many displays wait.' });
      codes += 1;
      return json(200, {
        device_code: `device-${codes}`,
        user_code: `BCDF-GHJ${'KLMNPQRSTV'[codes - 1]}`,
        verification_uri: 'https://clearway.example/pair',
        verification_uri_complete: 'https://clearway.example/pair?user_code=BCDF-GHJK',
        expires_in: server.lasts,
        interval: 5,
      });
    }
    if (path === 'displays/token' && 'device_code' in body) {
      if (server.verdict === 'approved') return pair();
      return json(400, { error: server.verdict, detail: 'Not yet.' });
    }
    if (path === 'displays/token' && server.cannotRenew) return json(503, {});
    if (path === 'displays/token') return server.refusal ? json(400, server.refusal) : pair();
    if (authorization !== `Bearer ${access}`) return json(401, { detail: 'Not paired.' });
    return json(200, { feeds: [], total: 0 });
  });
  return server;
}
