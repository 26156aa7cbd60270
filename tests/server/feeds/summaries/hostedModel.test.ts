import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostedModel, ModelFailure } from '../../../../server/feeds/summaries/hostedModel.ts';
import type { Message } from '../../../../server/feeds/summaries/modelPrompt.ts';
import { startModelServer, type ModelAnswer, type ModelServer } from '../../../support/modelServer.ts';

const KEY = 'sk-very-secret';
const NOW = new Date('2026-11-21T09:00:00.000Z');
const MESSAGES: Message[] = [
  { role: 'system', content: 'Rules' },
  { role: 'user', content: '<alerts>\n{"alerts":[{"id":"a1","title":"M6 closed"}]}\n</alerts>' },
];
const open = new AbortController().signal;

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const model = (changes: object = {}, options: object = {}) =>
  hostedModel(
    { url: server.url, key: KEY, model: 'small-1', dailyTokens: 1000, ...changes },
    { now: () => NOW, ...options },
  );

async function failure(answer: ModelAnswer, options: object = {}): Promise<ModelFailure> {
  server.answer = () => answer;
  const error: unknown = await model({}, options)
    .ask(MESSAGES, open)
    .then(
      () => new Error('It did not fail'),
      (thrown: unknown) => thrown,
    );
  expect(error).toBeInstanceOf(ModelFailure);
  return error as ModelFailure;
}

describe('the hosted model', () => {
  it('is asked for a reply of one form, with its key, and reports its tokens', async () => {
    expect(await model().ask(MESSAGES, open)).toEqual({
      sentences: [{ text: 'M6 closed', event_ids: ['a1'] }],
      tokens: { prompt: 900, completion: 60 },
    });
    expect(server.asked).toMatchObject([
      {
        path: '/v1/chat/completions',
        authorization: `Bearer ${KEY}`,
        body: {
          model: 'small-1',
          messages: MESSAGES,
          max_tokens: 1500,
          response_format: { type: 'json_schema', json_schema: { strict: true } },
        },
      },
    ]);
  });

  it('may need no key, and may be set by its full address', async () => {
    await model({ key: undefined, url: `${server.url}/chat/completions/` }).ask(MESSAGES, open);
    expect(server.asked).toMatchObject([{ path: '/v1/chat/completions', authorization: undefined }]);
  });

  it.each<[string, ModelAnswer, string]>([
    ['a failure', { status: 500 }, 'server_error'],
    ['a gateway page', { status: 502, body: '<html>' }, 'server_error'],
    ['a wrong key', { status: 401 }, 'rejected'],
    ['a wrong name', { status: 404 }, 'rejected'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'unreachable'],
    ['a page', { status: 200, body: '<html>Sign in to the Wi-Fi</html>' }, 'bad_reply'],
    ['half an answer', { status: 200, body: '{"choices":[{"mess' }, 'bad_reply'],
    ['no choices', { status: 200, body: '{"choices":[]}' }, 'bad_reply'],
    ['prose', { content: 'The M6 is closed.' }, 'bad_reply'],
    ['truncated JSON', { content: '{"sentences":[{"text":"M6 clo', finish_reason: 'length' }, 'bad_reply'],
    ['truncated JSON that nobody owns to', { content: '{"sentences":[{"text":"M6 clo' }, 'bad_reply'],
    ['another form', { content: '{"sentences":["M6 closed"]}' }, 'bad_reply'],
    ['a refusal', { content: '', refusal: 'I cannot help with that.' }, 'refused'],
    ['a filtered reply', { content: '', finish_reason: 'content_filter' }, 'refused'],
    ['a flood', { status: 200, body: `"${'x'.repeat(300_000)}"` }, 'bad_reply'],
  ])('fails with its reason after %s, and repeats nothing of the reply', async (_, answer, reason) => {
    const failed = await failure(answer);
    expect(failed.reason).toBe(reason);
    expect(failed.message).not.toMatch(/sk-|html|M6|127\.0/);
  });

  it('fails when it does not answer in time, at an unknown cost', async () => {
    expect(await failure('hangs', { timeoutMs: 30 })).toMatchObject({ reason: 'timeout', tokens: null });
  });

  it('fails without cost when it cannot be reached', async () => {
    await server.close();
    const failed = await failure('hangs');
    expect(failed).toMatchObject({ reason: 'unreachable', tokens: { prompt: 0, completion: 0 } });
    server = await startModelServer();
  });

  it('costs tokens even when its reply cannot be used', async () => {
    expect((await failure({ content: 'Prose' })).tokens).toEqual({ prompt: 900, completion: 60 });
  });

  it.each([
    [{ 'retry-after': '120' }, 120_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 09:05:00 GMT' }, 300_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 08:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, 60_000],
    [{}, 60_000],
  ])('passes on its Retry-After: %j', async (headers, retryAfterMs) => {
    expect(await failure({ status: 429, headers })).toMatchObject({ reason: 'rate_limited', retryAfterMs });
  });

  it('is abandoned at once when the server stops', async () => {
    const stopping = new AbortController();
    server.answer = () => {
      stopping.abort(new Error('stopped'));
      return 'hangs';
    };
    await expect(model().ask(MESSAGES, stopping.signal)).rejects.toThrow('stopped');
  });

  it('is asked with the new name of the token limit if the old one is refused', async () => {
    const one = model();
    const body = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
    server.answer = () => ({ status: 400, body });
    await expect(one.ask(MESSAGES, open)).rejects.toThrow('answered 400');
    server.answer = () => ({ sentences: [] });
    await one.ask(MESSAGES, open);
    expect(server.asked.map((asked) => asked.body.max_completion_tokens)).toEqual([undefined, 1500]);
    expect(server.asked[1]!.body.max_tokens).toBeUndefined();
  });

  it('never costs more than is reserved for it', () => {
    expect(model().tokensAtMost(MESSAGES)).toBeGreaterThan(1500 + 50);
  });
});
