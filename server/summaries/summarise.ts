/** When a feed's summary is made again: as soon as what it rests on has changed, and when it expires. */
import type { Disruption } from '#contract/disruptions.ts';
import { FEEDS } from '#contract/feeds.ts';
import type { Collector } from '../collectors/collector.ts';
import type { Db } from '../db/open.ts';
import { summaries } from '../db/summaries.ts';
import { CLOCK_SKEW_MS } from '../freshness.ts';
import { EXTRACT_MODEL, EXTRACT_VERSION, extractSummary } from './extract.ts';
import { readFeeds, type FeedDefinition, type SummaryInput } from './input.ts';

/** A summary of unchanged input is written anew after this, so that "updated" never looks abandoned. */
export const SUMMARY_LIFE_MS = 15 * 60_000;
/** Freshness passes without anybody writing anything. */
export const LOOK_EVERY_MS = 30_000;

/** What a writer makes of its input. It may throw: the summary that stands then stays, marked stale by its hash. */
export interface Draft {
  text: string;
  model: string;
  prompt_version: string;
  tokens_prompt: number;
  tokens_completion: number;
  metadata: Record<string, unknown>;
}
export type Writer = (input: SummaryInput) => Promise<Draft>;

interface Log {
  error(fields: object, message: string): void;
}

export interface Summaries {
  /** Looks at one feed, or at all, and settles when that is done. Never rejects. */
  remake(feed?: string): Promise<void>;
  /** The same for the feeds that this source belongs to. */
  sourceChanged(source: string): Promise<void>;
  /** No new ones begin; settles when those under way are done. */
  stop(): Promise<void>;
}

/** The built-in writer: at once, free of charge, and honest about what it is. */
export const extract: Writer = async (input) => ({
  text: extractSummary(input),
  model: EXTRACT_MODEL,
  prompt_version: EXTRACT_VERSION,
  tokens_prompt: 0,
  tokens_completion: 0,
  metadata: {},
});

export function startSummaries({
  db,
  collectors,
  now,
  log,
  write = extract,
}: {
  db: Db;
  collectors: readonly Collector[];
  now: () => Date;
  log: Log;
  write?: Writer;
}): Summaries {
  const feeds = new Map(FEEDS.map((feed) => [feed.slug, coalesced(() => look(feed))]));
  let isStopped = false;

  async function look(definition: FeedDefinition): Promise<void> {
    try {
      await remakeIfChanged(definition);
    } catch (error) {
      // By design: one feed's trouble is its own, and the next look tries again.
      log.error({ err: error, feed: definition.slug }, 'Could not make the summary');
    }
  }

  async function remakeIfChanged(definition: FeedDefinition): Promise<void> {
    const at = now();
    const [reading] = await readFeeds({ db, collectors }, at, [definition]);
    if (!reading) return;

    const { input, inputHash, events } = reading;
    const kept = await summaries(db).of(definition.slug);
    if (kept && kept.input_hash === inputHash && !isOver(kept, at)) return;

    const draft = await write(input);
    await summaries(db).put({
      ...draft,
      feed: definition.slug,
      generated_at: at.toISOString(),
      expires_at: new Date(at.getTime() + SUMMARY_LIFE_MS).toISOString(),
      event_ids: JSON.stringify(events.map(({ event_id }) => event_id)),
      event_count: events.length,
      last_event_at: newest(events),
      metadata: JSON.stringify(draft.metadata),
      input_hash: inputHash,
    });
  }

  async function remake(feed?: string): Promise<void> {
    if (isStopped) return;
    const wanted = feed === undefined ? [...feeds.keys()] : [feed];
    await Promise.all(wanted.map((slug) => feeds.get(slug)?.run()));
  }

  async function sourceChanged(source: string): Promise<void> {
    const touched = FEEDS.filter(({ sources }) => sources.includes(source));
    await Promise.all(touched.map(({ slug }) => remake(slug)));
  }

  const timer = setInterval(() => void remake(), LOOK_EVERY_MS);
  void remake();

  return {
    remake,
    sourceChanged,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await Promise.all([...feeds.values()].map((feed) => feed.idle()));
    },
  };
}

/** Also over when it claims to come from the future: that clock was wrong. */
function isOver(
  { generated_at, expires_at }: { generated_at: string; expires_at: string },
  at: Date,
): boolean {
  return Date.parse(expires_at) <= at.getTime() || Date.parse(generated_at) > at.getTime() + CLOCK_SKEW_MS;
}

/** The publisher's last word on any of them. */
function newest(events: readonly Disruption[]): string | null {
  return (
    events
      .flatMap(({ updated_at, start_time }) => updated_at ?? start_time ?? [])
      .sort()
      .at(-1) ?? null
  );
}

/**
 * One at a time: whoever asks while one runs shares the next run, which sees what they saw. So a burst of
 * collections costs two runs, and nobody is told "done" about a run that began before their change.
 */
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
      // Whatever waits now is the last: its caller lets nobody in any more.
      await (next ?? running);
    },
  };
}
