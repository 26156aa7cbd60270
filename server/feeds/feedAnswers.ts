/** The feeds' answers: assembled, checked, serialised and compressed once per change, then sent unchanged. */
import { FeedList, type FeedBundle, type Summary, type NextUp } from '#contract/feeds/feeds.ts';
import type { Collector } from '../incidents/collector.ts';
import type { Db } from '../db/open.ts';
import { revision, type Revisions } from '../db/revisions.ts';
import type { RowOf } from '../db/schema.ts';
import { summaries, isStale, metadataOf } from './summaries/summaryStore.ts';
import { disruptions } from '../incidents/list/disruptions.ts';
import { leaving, type Leaving } from '../geography/events/crowds.ts';
import { soonest } from './sourceCondition.ts';
import { type Answer, answer } from '../http/answers/readyAnswers.ts';
import { type FeedReading, readFeeds } from './readFeeds.ts';
import { type Disruption, isPlanned, plannedStart } from '#contract/incidents/disruptions.ts';
import { statedEnd } from '../incidents/facts/expectedClear.ts';

/** The answers of one revision. */
interface FeedAnswerSet {
  /** `{ feeds, total }`; without events each has an empty list. */
  list(withEvents: boolean): Answer;
  /** By slug. Undefined when no feed has this slug. */
  bundle(slug: string, withEvents: boolean): Answer | undefined;
  summary(slug: string): Answer | undefined;
  /** The feed before it is serialised, because calls differ in the number of events that they want. */
  feed(slug: string): FeedBundle | undefined;
}

export interface FeedAnswers {
  /** The current answers. Requests made during a build wait for that build. Rejects when the build fails. */
  current(revisions?: Revisions): Promise<FeedAnswerSet>;
  /** The number of builds since the start. */
  builds(): number;
}

interface Built {
  revision: number;
  /** In ms since 1970: the answers are valid from then until a source's freshness changes with time. */
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

  /** Builds the answers and keeps them, unless newer ones are kept already. A failure is reported to every caller
   *  that waits; the next request tries again. */
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
      // The revision is read before anything else: a write during the build then only causes another build.
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

/** Parts of the board that stand beside its feeds. */
type Beside = Pick<FeedList, 'next_up' | 'last_critical_cleared'>;

function answerSet(bundles: readonly FeedBundle[], beside: Beside): FeedAnswerSet {
  // Answers are checked strictly before they are sent. The parsed value has the contract's keys and no others.
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

const citedIn = (row: RowOf<'summaries'>) =>
  (metadataOf(row).sentences ?? []).flatMap(({ event_ids }) => event_ids);

/** `inputHash`: the hash of the feed's current input. `ended`: alerts that are no longer in force. */
export function toSummary(row: RowOf<'summaries'>, inputHash: string, ended: ReadonlySet<string>): Summary {
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

// Changes that sources expect at a stated time in the next hours: incidents that end or begin, and crowds that go
// home.

/** How far ahead we look. It is a whole day, so that a board that was loaded hours ago still knows what comes next. */
const NEXT_UP_MS = 24 * 60 * 60_000;

/** The next changes, soonest first. `incidents` can hold the same incident twice. An incident without a stated time
 *  is left out, because nothing is guessed. */
export function nextUp(incidents: readonly Disruption[], events: readonly Leaving[], now: Date): NextUp[] {
  const byId = new Map(incidents.map((incident) => [incident.event_id, incident]));
  const until = now.getTime() + NEXT_UP_MS;
  const isSoon = ({ at }: NextUp) => Date.parse(at) > now.getTime() && Date.parse(at) <= until;
  return [...[...byId.values()].flatMap(ofIncident), ...events.map(ofEvent)]
    .filter(isSoon)
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at) || (one.place < other.place ? -1 : 1));
}

function ofIncident(incident: Disruption): NextUp[] {
  // Another feed's alert already says the same.
  if (incident.see) return [];
  const { event_id, severity, facts, title } = incident;
  const common = { event_id, severity, place: facts?.place ?? title };
  if (isPlanned(incident)) {
    const start = plannedStart(incident);
    return start ? [{ ...common, at: start, kind: 'begins', what: beginning(incident) }] : [];
  }
  const at = statedEnd(incident);
  if (!at) return [];
  return [
    isOfRail(incident)
      ? { ...common, at, kind: 'opens', what: 'expected open' }
      : { ...common, at, kind: 'clears', what: 'expected clear' },
  ];
}

const isOfRail = ({ event_type, facts }: Disruption) =>
  event_type.startsWith('rail.') && /^(?:closed|no trains)\b/.test(facts?.effect ?? '');

/** The words for a beginning. They name its kind: "Wales begins" would leave a reader asking what begins. */
function beginning({ event_type, facts }: Disruption): string {
  const { effect, cause } = facts ?? {};
  if (/^(?:weather|flood)\./.test(event_type))
    return effect && /\b(?:warning|alert)$/.test(effect) ? `${effect} begins` : 'warning begins';
  if (event_type === 'road.roadworks') return 'roadworks begin';
  if (/work|maintenance|resurfacing/.test(cause ?? ''))
    return event_type.startsWith('road.') ? 'roadworks begin' : 'works begin';
  if (cause === 'demonstration') return 'demonstration begins';
  return /^(?:part )?closed\b|^no (?:service|trains)\b/.test(effect ?? '') ? 'closure begins' : 'begins';
}

const ofEvent = ({ event_id, end_datetime, capacity, venue_name, name }: Leaving): NextUp => ({
  event_id,
  severity: null,
  at: end_datetime,
  kind: 'leaves',
  place: venue_name ?? name,
  what: `${capacity.toLocaleString('en-GB')} leave`,
});
