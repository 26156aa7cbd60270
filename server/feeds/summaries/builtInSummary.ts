/** The built-in summariser: two to four plain sentences made of counts and of the alerts' own titles. It says only
 *  what the alerts say, and it is calm only when every connected source can be believed. When it stands in for the
 *  model is decided in summarise.ts. Pure. */
import { capital } from '#contract/incidents/titleForms.ts';
import { railStatusText } from '#contract/incidents/railStatus.ts';
import { type Disruption, isPlanned } from '#contract/incidents/disruptions.ts';
import type { Severity } from '#contract/incidents/severity.ts';
import { plainText, summaryLine } from '../../http/documents/plainText.ts';
import { EVENTS_PER_FEED } from '#contract/feeds/feeds.ts';
import { untagged } from '../../incidents/facts/publisherWords.ts';
import { figuresOfAlert } from './grounding.ts';
import type { SourceInput, SummaryInput } from '../readFeeds.ts';

export const EXTRACT_MODEL = 'clearway-extract-1';
export const EXTRACT_VERSION = 'extract-2';

const SENTENCES_MAX = 4;
const TITLES_MAX = 2;
/** Limit in characters for one alert's title, so that no publisher fills the panel alone. */
const TITLE_MAX = 140;

/** The name of a feed's subject in sentences: "2 high alerts on UK roads", "The state of UK roads is not known." */
const SUBJECTS: Readonly<Record<string, { preposition: string; noun: string }>> = {
  'rail-network': { preposition: 'on', noun: 'the rail network' },
  'roads-uk': { preposition: 'on', noun: 'UK roads' },
  aviation: { preposition: 'at', noun: 'UK airports' },
  'weather-flood': { preposition: 'for', noun: 'weather and flooding' },
  'public-safety': { preposition: 'for', noun: 'public safety' },
};

/** Plural names of sources: "Met Office warnings are not connected". */
const PLURAL_NAME = /\b(?:floods|headlines|incidents|indicators|posts|warnings)$/;

export function extractSummary(input: SummaryInput): string {
  const connected = input.sources.filter(({ standing }) => standing !== 'not_connected');
  const isKnown = connected.some(({ standing }) => standing === 'current');
  const sentences = !isKnown ? unknown(input) : input.alert_count > 0 ? busy(input) : quiet(input);
  return sentences.slice(0, SENTENCES_MAX).join(' ');
}

/** The text when no source is recent. The alerts that are left were true once; no part of the text may sound calm. */
function unknown(input: SummaryInput): string[] {
  const stale = input.sources.filter(({ standing }) => standing === 'stale');
  const [newest] = stale
    .filter(({ last_collected }) => last_collected !== null)
    .sort((a, b) => (a.last_collected! < b.last_collected! ? 1 : -1)); // null is filtered out above
  const others = caveat(input.sources.filter(({ standing }) => standing !== 'stale'));
  const first = stale.length ? [`No recent information${since(newest?.since ?? null)}.`] : [];
  if (input.alert_count === 0)
    return [...first, ...others, `The state of ${subject(input).noun} is not known.`];

  const were = input.alert_count === 1 ? 'was' : 'were';
  return [
    ...first,
    `${headline(input)} ${were} in force at the last report.`,
    ...titles(input).slice(0, 1),
    ...others,
  ];
}

function busy(input: SummaryInput): string[] {
  const { preposition, noun } = subject(input);
  const rest = [...others(input), ...caveat(input.sources)];
  const named = titles(input).slice(0, Math.min(TITLES_MAX, SENTENCES_MAX - 1 - rest.length));
  return [`${headline(input)} ${preposition} ${noun}.`, ...named, ...rest, ...planned(input)];
}

/** The text when there are no alerts. It is calm only when the data is complete. */
function quiet(input: SummaryInput): string[] {
  const { preposition, noun } = subject(input);
  const connected = input.sources.filter(({ standing }) => standing !== 'not_connected');
  const doubts = caveat(input.sources);
  if (connected.some(({ standing }) => standing !== 'current')) {
    return [...doubts, `The state of ${noun} is only partly known.`, ...planned(input)];
  }

  const ahead = planned(input);
  const reporting =
    connected.length === 1 ? '1 source is reporting.' : `${number(connected.length)} sources are reporting.`;
  return [
    `No active alerts ${preposition} ${noun}.`,
    ...ahead,
    ...(doubts.length || ahead.length ? doubts : [reporting]),
  ];
}

/** "2 critical and 4 high alerts": the worst two levels, or the other two when there are none of them. */
function headline({ by_severity }: SummaryInput): string {
  const counted = (levels: readonly Severity[]) =>
    levels.filter((level) => by_severity[level] > 0).map((level) => ({ level, count: by_severity[level] }));
  const worst = counted(['critical', 'high']);
  const shown = worst.length ? worst : counted(['medium', 'low']);

  const counts = shown.map(({ level, count }) => `${number(count)} ${level}`);
  return `${list(counts)} ${shown.at(-1)?.count === 1 ? 'alert' : 'alerts'}`;
}

/** The severities that the headline left out. */
function others({ by_severity }: SummaryInput): string[] {
  const { critical, high, medium, low } = by_severity;
  const count = medium + low;
  if (critical + high === 0 || count === 0) return [];
  const levels = medium && low ? 'medium or low' : medium ? 'medium' : 'low';
  return [count === 1 ? `1 other is ${levels}.` : `${number(count)} others are ${levels}.`];
}

/** One sentence for each alert counted in the headline, worst first, in the publisher's own words. */
function titles({ events, by_severity }: SummaryInput): string[] {
  const levels: Severity[] =
    by_severity.critical + by_severity.high > 0 ? ['critical', 'high'] : ['medium', 'low'];
  const active = events.filter((event) => !isPlanned(event) && levels.includes(event.severity));
  const sentences = new Map<string, string>();
  for (const event of active) {
    // Later sentences are cut off anyway, and each one costs time.
    if (sentences.size === SENTENCES_MAX) break;
    const title = titleOf(event);
    const key = title?.toLowerCase();
    if (title && key && !sentences.has(key)) sentences.set(key, title);
  }
  return [...sentences.values()].map((title) => (/[!?…]$/.test(title) ? title : `${title}.`));
}

function planned({ events, alert_count }: SummaryInput): string[] {
  const ahead = events.filter(isPlanned);
  // A full list may have been cut, so its length is not the total.
  const isCut = events.length >= EVENTS_PER_FEED;
  if (ahead.length === 0 || (isCut && alert_count > 0)) return [];

  const count = `${isCut ? 'At least ' : ''}${number(ahead.length)} ${ahead.length === 1 ? 'incident is' : 'incidents are'} planned`;
  const [title] = ahead.flatMap((event) => titleOf(event) ?? []);
  if (!title) return [`${count}.`];
  return [
    `${count}${ahead.length === 1 ? ':' : ', among them:'} ${/[!?…]$/.test(title) ? title : `${title}.`}`,
  ];
}

/** Plain words on one line without an end mark; null when nothing readable is left. */
function titleOf(event: Disruption): string | null {
  const { title, metadata } = event;
  // A rail operator's title is only its name, so its status is added.
  const status = metadata.nsi ? railStatusText(metadata.nsi.status) : '';
  const words = [title, status].map(harmless).filter(Boolean).join(': ');
  // The beginning is enough: a title of 20,000 characters need not be read to its end, and each reading costs time.
  const beginning = { ...event, title: words.slice(0, 2 * TITLE_MAX), summary_line: '' };
  const line = summaryLine(words, TITLE_MAX);
  return (line === words ? line : wholeFigures(line, figuresOfAlert(beginning))) || null;
}

/** A title is cut before a figure, never within it: "45" of "45 minutes" means nothing, or something else. */
function wholeFigures(line: string, holds: (text: string) => boolean): string {
  if (holds(line)) return line;
  const shorter = line.replace(/(?<![\s,;:.–-])[\s,;:.–-]+(?:[^\s…,;:.–-][^\s…]*)?…$/u, '…');
  return shorter.length < line.length ? wholeFigures(shorter, holds) : '';
}

/** Makes a publisher's text safe to show: no markup, hashtags, addresses, control or direction characters, and no
 *  second end mark. */
function harmless(text: string): string {
  return untagged(plainText(text))
    .replace(/\b(?:https?:\/\/|www\.)\S+/gi, '')
    .replace(/[<>]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(?<![\s.,;:–-])[\s.,;:–-]+$/, '')
    .trim();
}

/** One sentence that says which sources are missing, and since when. Empty when no source is missing. */
export function caveat(sources: readonly SourceInput[]): string[] {
  const those = (standing: SourceInput['standing']) =>
    sources.filter((source) => source.standing === standing);
  const [stale, waiting, absent] = [those('stale'), those('waiting'), those('not_connected')];

  const parts = [
    ...(stale.length ? [`no recent information from ${sinceWhen(stale)}`] : []),
    ...(waiting.length ? [`no information from ${list(names(waiting))} yet`] : []),
    ...(absent.length ? [`${list(names(absent))} ${isPlural(absent) ? 'are' : 'is'} not connected`] : []),
  ];
  const [first, ...more] = parts;
  if (first === undefined) return [];
  return [`${[capital(first), ...more].join('; ')}.`];
}

const names = (sources: readonly SourceInput[]) => sources.map(({ displayName }) => displayName);

const isPlural = (sources: readonly SourceInput[]) =>
  sources.length > 1 || PLURAL_NAME.test(sources[0]?.displayName ?? '');

/** "A and B since 11:48", or each with its own time. */
function sinceWhen(sources: readonly SourceInput[]): string {
  const times = new Set(sources.map(({ since }) => since));
  if (times.size === 1) return `${list(names(sources))}${since(sources[0]!.since)}`; // size 1: not empty
  return list(sources.map((source) => `${source.displayName}${since(source.since)}`));
}

const since = (time: string | null) => (time === null ? '' : ` since ${time}`);

const subject = ({ slug, title }: SummaryInput) =>
  Object.hasOwn(SUBJECTS, slug) ? SUBJECTS[slug]! : { preposition: 'in', noun: title }; // hasOwn: it exists

const number = (value: number) => value.toLocaleString('en-GB');

/** "a", "a and b", "a, b and c". */
function list(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
