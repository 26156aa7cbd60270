/** The condition by which a route, an area or a feed lets incidents through, and when it is watched. Pages, counts,
 *  messages, formats, streams and public pages all use it. Pure: depends only on an incident and a time. */
import { DAY_MS, HOUR_MS } from '../durations.ts';
import { z } from 'zod/mini';
import { Phase, Severity, severityRank } from '../incidents/disruptions.ts';
import { FEEDS, knownFeed } from '../feeds/feeds.ts';
import { fromLondonClock, LONDON_CLOCK, londonDay } from '../london.ts';
import { isOneLine, keepsItsDirection } from '../names.ts';

const WORDS_MAX = 200;
const CHOSEN_MAX = 60;

const isFeed = (slug: string) => knownFeed(slug) !== undefined;

export const Which = z.object({
  /** The mildest grade that is let through. */
  min_severity: z._default(Severity, 'low'),
  /** Whether incidents count that their publisher does not rate, whatever `min_severity` is. */
  unrated: z._default(z.boolean(), true),
  /** Only incidents that have begun, or only planned ones; null: both. */
  phase: z._default(z.nullable(Phase), null),
  /** Words that follow each other in a title or a summary; empty: any title. */
  words: z._default(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(WORDS_MAX),
        z.refine(isOneLine, 'must be one line of text'),
        z.refine(keepsItsDirection, 'must not contain characters that change the text direction'),
      ),
    '',
  ),
  /** `possible`: also incidents that only possibly touch a route or an area. Without effect for feeds. */
  level: z._default(z.enum(['certain', 'possible']), 'possible'),
  /** The feeds, by slug, and the sources to which it is limited; both empty: all. */
  feeds: z._default(
    z
      .array(
        z
          .string()
          .check(z.refine(isFeed, { error: `must be one of ${FEEDS.map(({ slug }) => slug).join(', ')}` })),
      )
      .check(z.maxLength(CHOSEN_MAX)),
    [],
  ),
  sources: z._default(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(CHOSEN_MAX)), []),
});
export type Which = z.infer<typeof Which>;

/** Everything. */
export const WHICH: Which = Which.parse({});

/** If a condition cannot be read, it lets everything through: too much is shown rather than too little. */
export function whichOf(said: unknown): Which {
  const read = Which.safeParse(said);
  return read.success ? read.data : WHICH;
}

const Clock = z
  .string()
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time such as 06:00' }));

/** London's clock. If `to` is before `from`, it is on the next day. */
export const Hours = z
  .object({
    /** Bit 0 is Monday, bit 6 Sunday: the day on which they begin. */
    days: z.int().check(z.minimum(1), z.maximum(127)),
    from: Clock,
    to: Clock,
  })
  .check(z.refine(({ from, to }) => from !== to, { error: 'must end at another time', path: ['to'] }));
export type Hours = z.infer<typeof Hours>;

/** Null: always. */
export const When = z.nullable(Hours);
export type When = z.infer<typeof When>;

export function whenOf(said: unknown): When {
  const read = When.safeParse(said);
  return read.success ? read.data : null;
}

/** Fields of an incident that the condition reads. The app reads answers leniently, so anything can be missing. */
export interface Judged {
  source?: string | null;
  severity?: Severity | null;
  title?: string | null;
  summary_line?: string | null;
  metadata?: {
    phase?: string | null;
    severity_unrated?: boolean | null;
    also_reported_by?: readonly { source?: string | null; title?: string | null }[] | null;
  } | null;
}

/** The reason why an incident is not let through; `null`: it is let through. The first reason that applies, in this
 *  order. */
export type LeftOut = 'level' | 'source' | 'phase' | 'words' | 'grade';

/** Several reports of one incident count as one: a condition on sources or words is met if one of its reports meets
 *  it. `level`: how it touches the route or the area; null for feeds, which have no place. */
export function leftOutBy(which: Which, incident: Judged, level: string | null = null): LeftOut | null {
  if (level !== null && level !== 'certain' && (level !== 'possible' || which.level === 'certain'))
    return 'level';
  const { metadata, source, severity } = incident;
  const others = metadata?.also_reported_by ?? [];
  const wanted = chosenSources(which);
  if (wanted && ![source, ...others.map((other) => other.source)].some((one) => one && wanted.has(one)))
    return 'source';
  const phase = metadata?.phase === 'planned' ? 'planned' : 'active';
  if (which.phase && which.phase !== phase) return 'phase';
  if (which.words) {
    const words = spoken(which.words);
    const texts = [incident.title, incident.summary_line, ...others.map(({ title }) => title)];
    if (!texts.some((text) => spoken(text ?? '').includes(words))) return 'words';
  }
  if (metadata?.severity_unrated) return which.unrated ? null : 'grade';
  // An incident without a known grade is shown.
  return severity && severityRank(severity) > severityRank(which.min_severity) ? 'grade' : null;
}

export const letsThrough = (which: Which, incident: Judged, level: string | null = null): boolean =>
  leftOutBy(which, incident, level) === null;

/** Whether the condition lets everything through: then no field of an incident needs to be read. */
export const isEverything = ({
  min_severity,
  unrated,
  phase,
  words,
  level,
  feeds,
  sources,
}: Which): boolean =>
  min_severity === 'low' &&
  unrated &&
  phase === null &&
  words === '' &&
  level === 'possible' &&
  feeds.length + sources.length === 0;

/** The chosen sources, with the sources of the chosen feeds; null: all. */
export function chosenSources({
  feeds,
  sources,
}: Pick<Which, 'feeds' | 'sources'>): ReadonlySet<string> | null {
  if (feeds.length + sources.length === 0) return null;
  return new Set([...feeds.flatMap((slug) => knownFeed(slug)?.sources ?? []), ...sources]);
}

const spoken = (text: string) => text.normalize('NFC').toLowerCase();

/** By London's clock: an hour that occurs twice is watched twice, and one that does not occur is not watched. */
export function isWatching(when: When, at: Date): boolean {
  if (when === null) return true;
  const { days, from, to } = when;
  const clock = LONDON_CLOCK.format(at);
  const today = weekdayOf(londonDay(at));
  const isDay = (weekday: number) => (days & (1 << weekday)) !== 0;
  if (from < to) return isDay(today) && clock >= from && clock < to;
  return (isDay(today) && clock >= from) || (isDay((today + 6) % 7) && clock < to);
}

/** Monday is 0. */
const weekdayOf = (day: string) => (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7;

/** The next time after this at which its hours begin or end; null: never. */
export function watchingChangesAt(when: When, at: Date): Date | null {
  if (when === null) return null;
  const present = isWatching(when, at);
  const first = Date.parse(`${londonDay(at)}T12:00:00Z`);
  const times: number[] = [];
  for (let ahead = -1; ahead <= 8; ahead++) {
    const day = new Date(first + ahead * DAY_MS).toISOString().slice(0, 10);
    for (const clock of [when.from, when.to]) {
      const once = fromLondonClock(Date.parse(`${day}T${clock}:00Z`));
      // The second occurrence of an hour that occurs twice.
      times.push(once, once + HOUR_MS);
    }
    // London's clocks go forward and back at this instant.
    times.push(Date.parse(`${day}T01:00:00Z`));
  }
  const next = times
    .filter((time) => time > at.getTime())
    .sort((one, other) => one - other)
    .find((time) => isWatching(when, new Date(time)) !== present);
  return next === undefined ? null : new Date(next);
}

/** Whether it is watched at some time of this span. */
export function isWatchedWithin(when: When, from: Date, to: Date): boolean {
  if (isWatching(when, from)) return true;
  const next = watchingChangesAt(when, from);
  return next !== null && next < to;
}

const GRADE_WORDS: Readonly<Record<Severity, string>> = {
  critical: 'critical',
  high: 'high and worse',
  medium: 'medium and worse',
  low: 'all grades',
};

/** "high and worse", "all grades" */
export const gradeWords = ({ min_severity }: Pick<Which, 'min_severity'>): string =>
  GRADE_WORDS[min_severity];
