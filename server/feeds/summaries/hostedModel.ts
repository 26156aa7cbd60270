/** The only file that knows the AI provider: it asks one question by OpenAI's chat completions and reads one reply
 *  in the agreed form. */
import { z } from 'zod';
import { SummarySentence, type SummaryFallback } from '#contract/feeds/feeds.ts';
import type { SummarySettings } from '../../config.ts';
import { REPLY_SCHEMA, type Message } from './modelPrompt.ts';

/** Shorter than the minute for which a feed's turn is held, with a margin. */
export const ASK_TIMEOUT_MS = 25_000;
/** The most tokens of a reply, with the hidden tokens of models that reason first. */
const REPLY_TOKENS_MAX = 1500;
/** The most bytes of a reply. A genuine reply has a hundredth of this. */
const REPLY_BYTES_MAX = 256 * 1024;
/** How long we wait when a provider limits our rate without saying for how long. */
const REST_MS = 60_000;
/** English has about four characters for each token; figures and ids have fewer. */
const CHARACTERS_PER_TOKEN = 3;

interface ModelReply {
  /** The sentences as the model wrote them; they cite the short ids of the prompt. */
  sentences: SummarySentence[];
  tokens: Tokens;
}

export interface Tokens {
  prompt: number;
  completion: number;
}

export interface Model {
  name: string;
  dailyTokens: number;
  /** The most tokens that a call can cost. */
  tokensAtMost(messages: readonly Message[]): number;
  /** Throws ModelFailure, or the reason of `signal` if it was aborted. */
  ask(messages: readonly Message[], signal: AbortSignal): Promise<ModelReply>;
}

/** A failed call. The message contains no text of the provider, because some providers repeat the key in theirs. */
export class ModelFailure extends Error {
  readonly reason: SummaryFallback;
  /** Null: not known, and the call may have been charged. */
  readonly tokens: Tokens | null;
  /** Only for `rate_limited`: how long the provider asks us to wait. */
  readonly retryAfterMs: number | null;

  constructor(
    reason: SummaryFallback,
    message: string,
    { tokens = null, retryAfterMs = null }: { tokens?: Tokens | null; retryAfterMs?: number | null } = {},
  ) {
    super(message);
    this.reason = reason;
    this.tokens = tokens;
    this.retryAfterMs = retryAfterMs;
  }
}

const NO_TOKENS: Tokens = { prompt: 0, completion: 0 };

const count = z.number().int().min(0).max(10_000_000).catch(0);
const Completion = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.string().nullish(),
        message: z.looseObject({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
});
const Usage = z.looseObject({ usage: z.looseObject({ prompt_tokens: count, completion_tokens: count }) });
const Content = z.object({ sentences: z.array(SummarySentence).max(50) });

export function hostedModel(
  settings: SummarySettings,
  { now = () => new Date(), timeoutMs = ASK_TIMEOUT_MS }: { now?: () => Date; timeoutMs?: number } = {},
): Model {
  const address = `${settings.url.replace(/(?<!\/)\/+$/, '').replace(/\/chat\/completions$/, '')}/chat/completions`;
  /** The name of the token limit. Newer OpenAI models refuse the old name; other engines know only the old one. */
  let limitName = 'max_tokens';

  function request(messages: readonly Message[]): RequestInit {
    return {
      method: 'POST',
      // A redirect could carry the key to another host.
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(settings.key && { authorization: `Bearer ${settings.key}` }),
      },
      body: JSON.stringify({
        model: settings.model,
        messages,
        [limitName]: REPLY_TOKENS_MAX,
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'summary', strict: true, schema: REPLY_SCHEMA },
        },
      }),
    };
  }

  async function exchange(messages: readonly Message[], signal: AbortSignal): Promise<ModelReply> {
    const response = await fetch(address, { ...request(messages), signal });
    const body = await readBody(response);
    if (response.ok) return readReply(body);

    if ((response.status === 400 || response.status === 422) && body.includes('max_completion_tokens')) {
      limitName = limitName === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    }
    throw refusalOf(response, now());
  }

  return {
    name: settings.model,
    dailyTokens: settings.dailyTokens,
    tokensAtMost: (messages) => promptTokens(messages) + REPLY_TOKENS_MAX,

    async ask(messages, signal) {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), timeoutMs);
      try {
        return await exchange(messages, AbortSignal.any([signal, late.signal]));
      } catch (error) {
        if (error instanceof ModelFailure) throw error;
        signal.throwIfAborted();
        if (late.signal.aborted) {
          throw new ModelFailure('timeout', `No reply within ${timeoutMs / 1000} s.`);
        }
        throw new ModelFailure('unreachable', `The provider cannot be reached (${codeOf(error)}).`, {
          tokens: NO_TOKENS,
        });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

const promptTokens = (messages: readonly Message[]) =>
  Math.ceil(JSON.stringify([messages, REPLY_SCHEMA]).length / CHARACTERS_PER_TOKEN);

/** The body as text, up to the size limit of a reply. */
async function readBody({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > REPLY_BYTES_MAX) throw new ModelFailure('bad_reply', 'The reply is far too long.');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function readReply(body: string): ModelReply {
  const answer = json(body);
  const usage = Usage.safeParse(answer).data?.usage;
  const tokens = usage && { prompt: usage.prompt_tokens, completion: usage.completion_tokens };
  const fail = (reason: SummaryFallback, message: string) =>
    new ModelFailure(reason, message, { tokens: tokens ?? null });

  const [choice] = Completion.safeParse(answer).data?.choices ?? [];
  if (!choice) throw fail('bad_reply', 'The reply is not a chat completion.');
  const { finish_reason, message } = choice;
  if (message.refusal || finish_reason === 'content_filter') throw fail('refused', 'The model refused.');
  if (finish_reason === 'length') throw fail('bad_reply', 'The reply was cut off at its maximum length.');

  const content = Content.safeParse(json(message.content ?? ''));
  if (!content.success) throw fail('bad_reply', 'The reply is not of the agreed form.');
  // A local engine that does not count tokens costs nothing.
  return { sentences: content.data.sentences, tokens: tokens ?? NO_TOKENS };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // By design: text that is not JSON then fails the check of the reply's form.
    return undefined;
  }
}

function refusalOf({ status, headers }: Response, now: Date): ModelFailure {
  const message = `The provider answered ${status}.`;
  const tokens = NO_TOKENS;
  if (status === 429) {
    const retryAfterMs = retryAfter(headers.get('retry-after'), now) ?? REST_MS;
    return new ModelFailure('rate_limited', message, { tokens, retryAfterMs });
  }
  if (status >= 500) return new ModelFailure('server_error', message, { tokens });
  return new ModelFailure('rejected', message, { tokens });
}

/** The wait that the header asks for, in ms. The header holds seconds or a date (RFC 9110, 10.2.3). */
function retryAfter(value: string | null, now: Date): number | null {
  if (!value) return null;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** Only the code of an error, such as "ECONNREFUSED": its message can contain the address. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no connection';
}
