/** The board's feeds, the sources of each, and their AI summaries. */
import { z } from 'zod/mini';
import { Disruption, Freshness, Source } from '../incidents/disruptions.ts';
import { Severity } from '../incidents/severity.ts';
import { KNOWN_SOURCES } from './knownSources.ts';

export const FeedCategory = z.enum(['Rail', 'Roads', 'Aviation', 'Weather', 'Safety']);
export type FeedCategory = z.infer<typeof FeedCategory>;

export const Feed = z.object({
  slug: z.string(),
  title: z.string(),
  category: FeedCategory,
  description: z.string(),
  /** Active alerts of all its sources, each incident once. It can be higher than the number of events sent. */
  alert_count: z.int(),
  /** Known, but not begun; never part of `alert_count`. */
  planned_count: z.optional(z.int()),
  /** The number of each grade in `alert_count`. */
  by_severity: z.optional(z.record(Severity, z.int())),
  /** The newest successful collection of its sources; null when there was none. */
  last_updated: z.nullable(z.iso.datetime()),
  /** The oldest successful collection of its connected sources. */
  oldest_collected: z.nullable(z.iso.datetime()),
  /** `stale` if all connected sources are stale; `late` if one is late or stale; null if none was ever collected. */
  freshness: z.nullable(Freshness),
  sources: z.array(Source),
});
export type Feed = z.infer<typeof Feed>;

/** Why a feed's summary is the built-in one, not the hosted model's. */
export const SummaryFallback = z.enum([
  /** No model is configured. */
  'not_configured',
  /** There is no current alert to summarise. */
  'no_alerts',
  /** No source of the feed is recent enough to rely on. */
  'no_recent_information',
  /** The request to the model is running. */
  'pending',
  /** The day's tokens are used up. */
  'budget',
  'rate_limited',
  'timeout',
  'unreachable',
  /** The provider answered with a 5xx. */
  'server_error',
  /** The provider refused the request (another 4xx): the key, the model name or the address is wrong. */
  'rejected',
  /** The reply was incomplete or not in the agreed form. */
  'bad_reply',
  /** The model refused to write a summary. */
  'refused',
  /** Too little of the model's text is supported by the alerts. */
  'not_grounded',
]);
export type SummaryFallback = z.infer<typeof SummaryFallback>;

/** One sentence of a summary and the alerts that support it; none when it is about the sources. */
export const SummarySentence = z.object({ text: z.string(), event_ids: z.array(z.string()) });
export type SummarySentence = z.infer<typeof SummarySentence>;

/** The built-in summary in parts, each as plain text on one line; null: the publisher does not say. */
export const SummaryParts = z.object({
  /** The alert that the parts are about: the worst of the feed. */
  event_id: z.string(),
  affected: z.nullable(z.string()),
  advice: z.nullable(z.string()),
  until: z.nullable(z.string()),
});
export type SummaryParts = z.infer<typeof SummaryParts>;

export const SummaryMetadata = z.looseObject({
  /** Only for the built-in summary, while an alert is in force. */
  parts: z.optional(SummaryParts),
  fallback: z.optional(SummaryFallback),
  /** The whole text, sentence by sentence; only for a model's summary. */
  sentences: z.optional(z.array(SummarySentence)),
  /** How many of the model's sentences were left out. */
  dropped: z.optional(z.int()),
  /** Alerts of the sentences that have ended since. */
  ended_event_ids: z.optional(z.array(z.string())),
});
export type SummaryMetadata = z.infer<typeof SummaryMetadata>;

export const Summary = z.object({
  text: z.string(),
  /** The author of the summary: the model, or the built-in summariser. */
  model: z.string(),
  prompt_version: z.string(),
  generated_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  event_ids: z.array(z.string()),
  event_count: z.int(),
  last_event_at: z.nullable(z.iso.datetime()),
  tokens_prompt: z.int(),
  tokens_completion: z.int(),
  tokens: z.object({ prompt: z.int(), completion: z.int() }),
  metadata: SummaryMetadata,
  /** True if its input has changed since, or if a failed model will soon be asked again. */
  stale: z.boolean(),
});
export type Summary = z.infer<typeof Summary>;

/** One row of the board. */
export const FeedBundle = z.object({
  feed: Feed,
  summary: z.nullable(Summary),
  events: z.array(Disruption),
});
export type FeedBundle = z.infer<typeof FeedBundle>;

/** Something that a source expects at a stated time. */
export const NextUp = z.object({
  at: z.iso.datetime(),
  /** `clears`: an incident ends; `opens`: a line or road opens again; `begins`: a warning or planned work begins;
   *  `leaves`: the people at a big event go home. */
  kind: z.enum(['clears', 'opens', 'begins', 'leaves']),
  /** "M62, J26 to J27", "Leeds First Direct Arena" */
  place: z.string(),
  /** "expected clear", "amber wind warning begins", "9,000 leave" */
  what: z.string(),
  severity: z.nullable(Severity),
  /** The incident, or the event that people leave. */
  event_id: z.string(),
});
export type NextUp = z.infer<typeof NextUp>;

export const FeedList = z.object({
  feeds: z.array(FeedBundle),
  total: z.int(),
  /** The next 24 hours, soonest first. */
  next_up: z.optional(z.array(NextUp)),
  /** When the last known critical alert ended. */
  last_critical_cleared: z.nullish(z.iso.datetime()),
});
export type FeedList = z.infer<typeof FeedList>;
export const FeedEvents = z.object({ events: z.array(Disruption), total: z.int() });

/** The most events per feed. */
export const EVENTS_PER_FEED = 20;

/** The order is fixed, because people remember where Rail is. */
const FEEDS_IN_ORDER: readonly {
  slug: string;
  title: string;
  category: FeedCategory;
  description: string;
}[] = [
  {
    slug: 'rail-network',
    title: 'Rail Network',
    category: 'Rail',
    description: 'National Rail operators and incidents, and Transport for London lines.',
  },
  {
    slug: 'roads-uk',
    title: 'UK Roads',
    category: 'Roads',
    description: 'Motorways, trunk roads and bus services in England, Scotland and Wales.',
  },
  {
    slug: 'aviation',
    title: 'Aviation',
    category: 'Aviation',
    description: 'Delays and weather risk at UK airports.',
  },
  {
    slug: 'weather-flood',
    title: 'Weather & Flood',
    category: 'Weather',
    description: 'Met Office warnings, and flood warnings in England, Scotland and Wales.',
  },
  {
    slug: 'public-safety',
    title: 'Public Safety',
    category: 'Safety',
    description: 'Police notices and news that affect routes.',
  },
];

/** The feeds in their fixed order, each with its sources. A source belongs to one feed. */
export const FEEDS = FEEDS_IN_ORDER.map((feed) => ({
  ...feed,
  sources: Object.keys(KNOWN_SOURCES).filter((source) => KNOWN_SOURCES[source]?.feed === feed.slug),
}));

export type FeedDefinition = (typeof FEEDS)[number];

export const knownFeed = (slug: string): FeedDefinition | undefined =>
  FEEDS.find((feed) => feed.slug === slug);

/** The feed that a source belongs to. */
export const feedOf = (source: string): FeedDefinition | undefined =>
  FEEDS.find(({ sources }) => sources.includes(source));
