/** The feeds' answers: assembled, checked, serialised and compressed once per change, then sent unchanged. */
import { FeedList, type FeedBundle, type Summary } from '#contract/feeds/feeds.ts';
import type { Collector } from '../incidents/collector.ts';
import type { Db } from '../db/open.ts';
import { revision, type Revisions } from '../db/revisions.ts';
import type { SummariesTable } from '../db/schema.ts';
import { summaries, isStale, metadataOf } from './summaries/summaryStore.ts';
import { disruptions } from '../incidents/list/disruptions.ts';
import { leaving } from '../geography/events/crowds.ts';
import { soonest } from './freshness.ts';
import { type Answer, answer } from '../http/answers/readyAnswers.ts';
import { NEXT_UP_MS, nextUp } from './nextUp.ts';
import { type FeedReading, readFeeds } from './readFeeds.ts';

/** The answers of one revision. */
interface FeedAnswerSet {
  /** `{ feeds, total }`; without events each has an empty list. */
  list(withEvents: boolean): Answer;
  /** By slug; undefined for a feed that does not exist. */
  bundle(slug: string, withEvents: boolean): Answer | undefined;
  summary(slug: string): Answer | undefined;
  /** Not serialised: the number of events wanted differs between calls. */
  feed(slug: string): FeedBundle | undefined;
}

export interface FeedAnswers {
  /** The current answers. Requests made during a build share it. Rejects when it fails. */
  current(revisions?: Revisions): Promise<FeedAnswerSet>;
  /** The number of builds since the start. */
  builds(): number;
}

interface Built {
  revision: number;
  /** In ms since 1970: valid from then until a source's freshness changes with time. */
  from: number;
  until: number;
  set: FeedAnswerSet;
}

export function feedAnswers({
  db,
  collectors,
  now,
}: {
  db: Db;
  collectors: readonly Collector[];
  now: () => Date;
}): FeedAnswers {
  let built: Built | null = null;
  let building: { revision: number; done: Promise<Built> } | null = null;
  let builds = 0;

  async function build(newest: number): Promise<Built> {
    builds++;
    const at = now();
    const readings = await readFeeds({ db, collectors }, at);
    const kept = new Map((await summaries(db).all()).map((row) => [row.feed, row]));

    const cited = [...kept.values()].flatMap(citedIn);
    const ended = new Set(await summaries(db).endedOf([...new Set(cited)]));

    const bundles = readings.map(({ feed, events, inputHash }): FeedBundle => {
      const summary = kept.get(feed.slug);
      return { feed, events, summary: summary ? toSummary(summary, inputHash, ended) : null };
    });
    const known = readings.flatMap(({ events }) => events);
    const horizon = new Date(at.getTime() + NEXT_UP_MS);
    const upcoming = await disruptions(db).upcoming(connectedIn(readings), at, horizon);
    const rest = {
      next_up: nextUp([...known, ...upcoming], await leaving(db, at, horizon), at),
      last_critical_cleared: await disruptions(db).lastCriticalEnded(),
    };
    const until = soonest(readings.map(({ nextChangeAt }) => nextChangeAt)) ?? Number.POSITIVE_INFINITY;
    return { revision: newest, from: at.getTime(), until, set: answerSet(bundles, rest) };
  }

  /** Kept unless there is a newer one. A failure is reported to everyone waiting; the next request tries again. */
  async function rebuild(newest: number): Promise<Built> {
    try {
      const fresh = await build(newest);
      if (!built || fresh.revision >= built.revision) built = fresh;
      return fresh;
    } finally {
      if (building?.revision === newest) building = null;
    }
  }

  return {
    async current(revisions) {
      // Read before anything else: a write during the build then only causes another build.
      const newest = await revision(db, 'feeds', revisions);
      const time = now().getTime();
      if (built && built.revision === newest && time >= built.from && time < built.until) return built.set;

      if (!building || building.revision !== newest) {
        building = { revision: newest, done: rebuild(newest) };
      }
      return (await building.done).set;
    },
    builds: () => builds,
  };
}

/** Parts of the board beside its feeds. */
type Beside = Pick<FeedList, 'next_up' | 'last_critical_cleared'>;

function answerSet(bundles: readonly FeedBundle[], beside: Beside): FeedAnswerSet {
  // We are strict in what we send. The parsed value also has the contract's keys and no others.
  const { feeds, ...rest } = FeedList.parse({ ...beside, feeds: bundles, total: bundles.length });
  const bare = feeds.map((bundle) => ({ ...bundle, events: [] }));
  const bySlug = new Map(feeds.map((bundle) => [bundle.feed.slug, bundle]));
  const bySlugBare = new Map(bare.map((bundle) => [bundle.feed.slug, bundle]));

  const ready = new Map<string, Answer>();
  const answerOf = (name: string, value: unknown): Answer => {
    const known = ready.get(name);
    if (known) return known;
    const made = answer(value);
    ready.set(name, made);
    return made;
  };

  return {
    list: (withEvents) => answerOf(`list ${withEvents}`, { feeds: withEvents ? feeds : bare, ...rest }),
    bundle(slug, withEvents) {
      const bundle = (withEvents ? bySlug : bySlugBare).get(slug);
      return bundle && answerOf(`bundle ${withEvents} ${slug}`, bundle);
    },
    summary(slug) {
      const bundle = bySlug.get(slug);
      return bundle && answerOf(`summary ${slug}`, bundle.summary);
    },
    feed: (slug) => bySlug.get(slug),
  };
}

const connectedIn = (readings: readonly FeedReading[]) =>
  readings.flatMap(({ feed }) =>
    feed.sources.filter(({ state }) => state !== 'not_configured').map(({ source }) => source),
  );

const citedIn = (row: SummariesTable) =>
  (metadataOf(row).sentences ?? []).flatMap(({ event_ids }) => event_ids);

/** `inputHash`: of the feed's current input. `ended`: alerts that are no longer in force. */
export function toSummary(row: SummariesTable, inputHash: string, ended: ReadonlySet<string>): Summary {
  const metadata = metadataOf(row);
  return {
    text: row.text,
    model: row.model,
    prompt_version: row.prompt_version,
    generated_at: row.generated_at,
    expires_at: row.expires_at,
    event_ids: JSON.parse(row.event_ids),
    event_count: row.event_count,
    last_event_at: row.last_event_at,
    tokens_prompt: row.tokens_prompt,
    tokens_completion: row.tokens_completion,
    tokens: { prompt: row.tokens_prompt, completion: row.tokens_completion },
    metadata: {
      ...metadata,
      ...(metadata.sentences && {
        ended_event_ids: [...new Set(citedIn(row))].filter((id) => ended.has(id)),
      }),
    },
    stale: isStale(row, inputHash),
  };
}
