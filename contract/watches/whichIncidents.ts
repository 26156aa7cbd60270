/** The condition by which a route, an area or a feed lets incidents through. Pages, counts,
 *  messages, formats, streams and public pages all use it. Pure: depends only on an incident. */
import { z } from 'zod/mini';
import { Phase } from '../incidents/disruptions.ts';
import { Severity, severityRank } from '../incidents/severity.ts';
import { FEEDS, knownFeed } from '../feeds/feeds.ts';
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

const GRADE_WORDS: Readonly<Record<Severity, string>> = {
  critical: 'critical',
  high: 'high and worse',
  medium: 'medium and worse',
  low: 'all grades',
};

/** "high and worse", "all grades" */
export const gradeWords = ({ min_severity }: Pick<Which, 'min_severity'>): string =>
  GRADE_WORDS[min_severity];
