/** When a feed's summary is made again: as soon as its input has changed, and when it expires. Also when the built-in
 *  summariser stands in for the model. */
import { type Disruption, isPlanned } from '#contract/incidents/disruptions.ts';
import { backOff } from '#contract/backOff.ts';
import {
  type FeedDefinition,
  feedOf,
  FEEDS,
  type SummaryFallback,
  type SummaryMetadata,
  type SummarySentence,
} from '#contract/feeds/feeds.ts';
import type { Collector } from '../../incidents/collector.ts';
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import { summaries, isRetried, metadataOf } from './summaryStore.ts';
import { LONGEST_WAIT_MS, summaryCalls, type Turn } from './modelTurns.ts';
import { caveat, EXTRACT_MODEL, EXTRACT_VERSION, extractSummary } from './builtInSummary.ts';
import { ground, tellsTheWorst } from './grounding.ts';
import { readFeeds, type FeedReading, type SummaryInput } from '../readFeeds.ts';
import { partsOf } from './summaryParts.ts';
import { ModelFailure, type Model, type Tokens } from './hostedModel.ts';
import { makePrompt, PROMPT_VERSION } from './modelPrompt.ts';
import { CLOCK_SKEW_MS } from '../../db/instant.ts';

/** The life of a summary. A summary of unchanged input is written again after this, so that its time never looks
 *  abandoned. */
export const SUMMARY_LIFE_MS = 15 * 60_000;
/** How often all feeds are checked: freshness changes with time, without any write. */
export const LOOK_EVERY_MS = 30_000;

/** Minimum time between calls about one feed. A call must be shorter than this, because the turn is its lease. */
export const CALL_EVERY_MS = 60_000;
/** Maximum time between calls about a feed while the provider gives no reply. */
const BACK_OFF_MAX_MS = 15 * 60_000;

/** A writer's draft from its input. If the writer throws, the current summary stays, and its hash marks it as stale. */
interface Draft {
  text: string;
  model: string;
  prompt_version: string;
  tokens_prompt: number;
  tokens_completion: number;
  metadata: SummaryMetadata;
}
export type Writer = (input: SummaryInput, now: Date) => Promise<Draft>;

interface Log {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface Summaries {
  /** Checks one feed, or all, and settles when that is done. Never rejects. */
  remake(feed?: string): Promise<void>;
  /** Checks all feeds, because a report that was merged into another feed's alert changes what that feed says. Does
   *  nothing for a source without a feed. */
  sourceChanged(source: string): Promise<void>;
  /** Starts no new work; settles when the work under way is done. */
  stop(): Promise<void>;
}

/** The built-in writer: it answers at once and costs nothing, and the summary says who wrote it. */
export const extract: Writer = async (input, now) => {
  const parts = partsOf(input, now);
  return {
    text: extractSummary(input),
    model: EXTRACT_MODEL,
    prompt_version: EXTRACT_VERSION,
    tokens_prompt: 0,
    tokens_completion: 0,
    metadata: parts ? { parts } : {},
  };
};

export function startSummaries({
  db,
  collectors,
  now,
  log,
  write = extract,
  model,
}: {
  db: Db;
  collectors: readonly Collector[];
  now: () => Date;
  log: Log;
  /** The built-in writer. */
  write?: Writer;
  /** Without a model the built-in writer writes every summary. */
  model?: Model;
}): Summaries {
  const feeds = new Map(FEEDS.map((feed) => [feed.slug, coalesced(() => look(feed))]));
  const stopping = new AbortController();
  const calls = summaryCalls(db);
  let isStopped = false;

  async function look(definition: FeedDefinition): Promise<void> {
    try {
      await remakeIfChanged(definition);
    } catch (error) {
      // By design: one feed's failure does not affect the others, and the next look tries again.
      log.error({ err: error, feed: definition.slug }, 'Could not make the summary');
    }
  }

  async function readFeed(definition: FeedDefinition): Promise<FeedReading> {
    const [reading] = await readFeeds({ db, collectors }, now(), [definition]);
    return reading!; // one definition, one reading
  }

  async function remakeIfChanged(definition: FeedDefinition): Promise<void> {
    const reading = await readFeed(definition);
    const { input, inputHash } = reading;
    const kept = await summaries(db).of(definition.slug);
    const metadata = kept && metadataOf(kept);
    const isCurrent = kept?.input_hash === inputHash && !isFromFuture(kept, now());
    const isFresh = isCurrent && Date.parse(kept.expires_at) > now().getTime();

    const unasked = model ? whyNotAsked(input) : 'not_configured';
    if (!model || unasked) {
      if (isFresh && metadata?.fallback === unasked) return;
      return void (await summaries(db).put(rowOf(reading, await builtIn(input, unasked!)))); // never null here
    }

    const isModels =
      !metadata?.fallback && kept?.model === model.name && kept.prompt_version === PROMPT_VERSION;
    if (isCurrent && isModels) {
      // The input is the same, so the summary is still true: only its expiry changes, not its time of writing.
      if (!isFresh) await summaries(db).put({ ...kept, expires_at: expiryOf(now()) });
      return;
    }
    if (isCurrent && metadata?.fallback && ANSWERED.has(metadata.fallback)) {
      if (!isFresh) await summaries(db).put(rowOf(reading, await builtIn(input, metadata.fallback, kept)));
      return;
    }
    if (isFresh && metadata?.fallback && PATIENT.has(metadata.fallback)) return;

    await ask(model, definition, reading, kept, isFresh && metadata?.fallback !== undefined);
  }

  /** `isBuiltIn`: the current summary is a built-in one of the same input. */
  async function ask(
    asked: Model,
    definition: FeedDefinition,
    reading: FeedReading,
    kept: RowOf<'summaries'> | undefined,
    isBuiltIn: boolean,
  ): Promise<void> {
    const { input } = reading;
    const { messages, events } = makePrompt(input);
    const at = now();
    const reserved = asked.tokensAtMost(messages);
    const { turn, failures } = await calls.take({
      feed: definition.slug,
      now: at,
      nextAt: later(at, CALL_EVERY_MS),
      tokens: reserved,
      dailyTokens: asked.dailyTokens,
    });
    // A text that is no longer true is never shown, not even for a short wait: the built-in summary is ready at once.
    // Between two tries the reason is that of the last failed try.
    const lastReason = kept && metadataOf(kept).fallback;
    const isBetweenTries = turn === 'too_soon' && isRetried(lastReason);
    const standIn = isBetweenTries ? lastReason : TURN_FALLBACK[turn];
    const stands = turn !== 'budget' && (isBuiltIn || (kept !== undefined && stillStands(kept, input)));
    if (!stands) {
      await summaries(db).putInsteadOf(kept, rowOf(reading, await builtIn(input, standIn)));
    }
    if (turn !== 'taken') return;

    try {
      const { sentences, tokens } = await asked.ask(messages, stopping.signal);
      await calls.settle(definition.slug, { takenAt: at, tokens: costOf(tokens) - reserved, failures: 0 });
      const { kept: grounded, dropped } = ground(sentences, events);
      const isEnough = tellsTheWorst(grounded, input.events);
      if (dropped > 0) {
        log.warn({ feed: definition.slug, dropped, of: sentences.length }, 'Dropped sentences of the model');
      }
      const draft = isEnough
        ? modelDraft(asked, grounded, input, { dropped, tokens })
        : await builtIn(input, 'not_grounded', { tokens, dropped });
      await putIfTrue(definition, rowOf(reading, draft));
    } catch (error) {
      // The turn ends by itself, and the reserved tokens count as spent.
      if (stopping.signal.aborted) return;
      if (!(error instanceof ModelFailure)) throw error;
      await noteFailure(definition, reading, error, { failures, reserved, takenAt: at });
    }
  }

  async function noteFailure(
    definition: FeedDefinition,
    reading: FeedReading,
    { reason, message, tokens, retryAfterMs }: ModelFailure,
    { failures, reserved, takenAt }: { failures: number; reserved: number; takenAt: Date },
  ): Promise<void> {
    const at = now();
    log.warn({ feed: definition.slug, reason, fault: message }, 'The model wrote no summary');
    const backOffMs = backOff(failures, CALL_EVERY_MS, BACK_OFF_MAX_MS);
    await calls.settle(definition.slug, {
      takenAt,
      tokens: tokens ? costOf(tokens) - reserved : 0,
      failures: ANSWERED.has(reason) ? 0 : failures + 1,
      // After a reply the model is not asked about the same input again, and a new input need not wait.
      nextAt: ANSWERED.has(reason) ? undefined : later(at, backOffMs),
    });
    if (retryAfterMs !== null) await calls.rest(later(at, Math.min(retryAfterMs, LONGEST_WAIT_MS)));
    const cost = tokens ? { tokens } : {};
    await putIfTrue(definition, rowOf(reading, await builtIn(reading.input, reason, cost)));
  }

  /** Stores a summary if it is still true: the feed may have changed while the model wrote. */
  async function putIfTrue(definition: FeedDefinition, row: RowOf<'summaries'>): Promise<void> {
    const { input, inputHash } = await readFeed(definition);
    if (inputHash === row.input_hash || (whyNotAsked(input) === null && stillStands(row, input))) {
      await summaries(db).put(row);
    }
  }

  async function builtIn(
    input: SummaryInput,
    fallback: SummaryFallback,
    cost: { tokens?: Tokens; dropped?: number } | RowOf<'summaries'> = {},
  ): Promise<Draft> {
    const draft = await write(input, now());
    if ('feed' in cost) {
      const { dropped } = metadataOf(cost);
      return {
        ...draft,
        tokens_prompt: cost.tokens_prompt,
        tokens_completion: cost.tokens_completion,
        metadata: { ...draft.metadata, fallback, dropped },
      };
    }
    return {
      ...draft,
      // The provider was also paid for a reply that could not be shown.
      tokens_prompt: cost.tokens?.prompt ?? draft.tokens_prompt,
      tokens_completion: cost.tokens?.completion ?? draft.tokens_completion,
      metadata: { ...draft.metadata, fallback, dropped: cost.dropped },
    };
  }

  function rowOf({ feed, events, inputHash }: FeedReading, draft: Draft): RowOf<'summaries'> {
    const at = now();
    return {
      ...draft,
      feed: feed.slug,
      generated_at: at.toISOString(),
      expires_at: expiryOf(at),
      event_ids: JSON.stringify(events.map(({ event_id }) => event_id)),
      event_count: events.length,
      last_event_at: newest(events, at),
      metadata: JSON.stringify(draft.metadata),
      input_hash: inputHash,
    };
  }

  async function remake(feed?: string): Promise<void> {
    if (isStopped) return;
    const wanted = feed === undefined ? [...feeds.keys()] : [feed];
    await Promise.all(wanted.map((slug) => feeds.get(slug)?.run()));
  }

  async function sourceChanged(source: string): Promise<void> {
    if (feedOf(source)) await remake();
  }

  const timer = setInterval(() => void remake(), LOOK_EVERY_MS);
  void remake();

  return {
    remake,
    sourceChanged,
    async stop() {
      isStopped = true;
      stopping.abort(new Error('The summaries were stopped.'));
      clearInterval(timer);
      await Promise.all([...feeds.values()].map((feed) => feed.idle()));
    },
  };
}

/** Replies that could not be used: the same question would get the same reply again. */
const ANSWERED: ReadonlySet<SummaryFallback> = new Set(['bad_reply', 'refused', 'not_grounded']);
/** Failures that last longer than a minute: the model is asked again when the summary expires. */
const PATIENT: ReadonlySet<SummaryFallback> = new Set(['budget', 'rejected']);
const TURN_FALLBACK: Readonly<Record<Turn, SummaryFallback>> = {
  taken: 'pending',
  too_soon: 'pending',
  resting: 'rate_limited',
  budget: 'budget',
};

/** Why the model must not be asked: no source is current, or no active alert could be cited. */
function whyNotAsked({ sources, events }: SummaryInput): SummaryFallback | null {
  if (!sources.some(({ standing }) => standing === 'current')) return 'no_recent_information';
  return events.every(isPlanned) ? 'no_alerts' : null;
}

/** The model's draft with a last sentence by the server. The server knows which sources are silent, and a model
 *  might forget to say it. */
function modelDraft(
  { name }: Model,
  sentences: readonly SummarySentence[],
  { sources }: SummaryInput,
  { dropped, tokens }: { dropped: number; tokens: Tokens },
): Draft {
  const all = [...sentences, ...caveat(sources).map((text) => ({ text, event_ids: [] }))];
  return {
    text: all.map(({ text }) => text).join(' '),
    model: name,
    prompt_version: PROMPT_VERSION,
    tokens_prompt: tokens.prompt,
    tokens_completion: tokens.completion,
    metadata: { sentences: all, dropped },
  };
}

/** Whether a model's summary can be shown for this newer input until there is a better one. Each of its sentences
 *  must still be true, or rest only on alerts that have ended, which the app marks. The summary must cover the worst
 *  alerts and name the same silent sources. */
function stillStands(row: RowOf<'summaries'>, { events, sources }: SummaryInput): boolean {
  const { sentences = [] } = metadataOf(row);
  const inForce = new Map(events.map((event) => [event.event_id, event]));
  const cited = sentences.filter(({ event_ids }) => event_ids.length > 0);
  const alive = cited.filter(({ event_ids }) => event_ids.some((id) => inForce.has(id)));
  const own = sentences.filter(({ event_ids }) => event_ids.length === 0).map(({ text }) => text);
  return (
    ground(alive, inForce).dropped === 0 &&
    tellsTheWorst(alive, events) &&
    own.join(' ') === caveat(sources).join(' ')
  );
}

const costOf = ({ prompt, completion }: Tokens) => prompt + completion;

const later = (time: Date, ms: number) => new Date(time.getTime() + ms);

const expiryOf = (at: Date) => later(at, SUMMARY_LIFE_MS).toISOString();

/** Whether the summary's time is in the future: the clock of its writer was wrong. */
const isFromFuture = ({ generated_at }: RowOf<'summaries'>, at: Date) =>
  Date.parse(generated_at) > at.getTime() + CLOCK_SKEW_MS;

/** The publisher's latest time among these events. Times ahead of our clock are ignored. */
function newest(events: readonly Disruption[], at: Date): string | null {
  const now = at.toISOString();
  return (
    events
      .flatMap(({ updated_at, start_time }) => updated_at ?? start_time ?? [])
      .filter((time) => time <= now)
      .sort()
      .at(-1) ?? null
  );
}

/** Runs the work once at a time. Callers during a run share the next run, which sees their changes. So a burst of
 *  collections costs two runs, and no caller sees "done" for a run that began before their change. */
function coalesced(work: () => Promise<void>): { run(): Promise<void>; idle(): Promise<void> } {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function start(): Promise<void> {
    try {
      await work();
    } finally {
      running = null;
    }
  }

  async function startAfter(one: Promise<void>): Promise<void> {
    await one;
    next = null;
    running = start();
    await running;
  }

  return {
    run() {
      if (next) return next;
      if (!running) return (running = start());
      return (next = startAfter(running));
    },
    async idle() {
      // The caller has stopped accepting new runs, so the run that is waiting now is the last.
      await (next ?? running);
    },
  };
}
