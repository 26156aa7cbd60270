/** The built-in summary in three parts: whom the worst alert affects, what to do, and until when. The parts hold
 *  only what the alert's publisher says; a part is null when the publisher does not say it. Pure. */
import { capital } from '#contract/incidents/titleForms.ts';
import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns/format';
import { isSameDay } from 'date-fns/isSameDay';
import { type Disruption, isPlanned } from '#contract/incidents/disruptions.ts';
import { worstFirst } from '#contract/incidents/worstFirst.ts';
import type { SummaryParts } from '#contract/feeds/feeds.ts';
import { LONDON } from '#contract/london.ts';
import { statedEnd } from '../../incidents/facts/expectedClear.ts';
import type { SummaryInput } from '../readFeeds.ts';
import { plainText } from '../../http/documents/plainText.ts';

/** Most characters of one part: it stands on one line of a wall. */
const PART_MAX = 120;
const NAMES_MAX = 3;
/** A longer text is not a name. */
const NAME_MAX = 50;

/** Null when nothing is in force, nothing recent is known, or the worst alert's publisher states none of the three
 *  parts. */
export function partsOf({ events, sources, alert_count }: SummaryInput, now: Date): SummaryParts | null {
  const isKnown = sources.some(({ standing }) => standing === 'current');
  const [worst] = events.filter((event) => !isPlanned(event) && !event.see).toSorted(worstFirst);
  if (!isKnown || alert_count === 0 || !worst) return null;
  const parts = {
    affected: affected(worst),
    advice: advice(worst),
    until: until(worst, now),
  };
  if (!Object.values(parts).some(Boolean)) return null;
  // A name that only repeats the title is still better than an empty part beside the two others.
  return { event_id: worst.event_id, ...parts, affected: parts.affected ?? everyName(worst) };
}

/** Who or what is affected, beyond the alert's own title: companies and lines, otherwise lanes and delay. */
function affected({ metadata, facts, title }: Disruption): string | null {
  const known = asWords(`${title} ${facts?.place ?? ''}`);
  const shown = companiesAndLines(metadata).filter((name) => !known.includes(asWords(name)));
  if (shown.length > 0) return listed(shown);
  const { lanes, delay_minutes: delay } = facts ?? {};
  // A figure that the effect already states is not repeated.
  const said: readonly string[] = facts?.effect?.match(/\d+/g) ?? [];
  const figures = [
    lanes &&
      lanes.closed > 0 &&
      said.length === 0 &&
      `${lanes.closed}${lanes.of ? ` of ${lanes.of}` : ''} lanes closed`,
    delay && !said.includes(String(delay)) && `delay of ${delay} ${delay === 1 ? 'minute' : 'minutes'}`,
  ].filter((figure) => typeof figure === 'string');
  return figures.length > 0 ? fitting(capital(figures.join(', '))) : null;
}

/** Companies and lines, even if the title names them; otherwise the place. */
function everyName({ metadata, facts }: Disruption): string | null {
  const names = companiesAndLines(metadata);
  return names.length > 0 ? listed(names) : facts?.place ? fitting(facts.place) : null;
}

const companiesAndLines = (metadata: Disruption['metadata']): string[] =>
  [metadata['operators'], metadata['lines']].map(namesIn).find((found) => found.length > 0) ?? [];

function listed(names: readonly string[]): string | null {
  const more = names.length - NAMES_MAX;
  const first = names.slice(0, NAMES_MAX).join(', ');
  return fitting(more > 0 ? `${first} and ${more} more` : first);
}

/** The first sentence that is short enough; no sentence is cut. */
const advice = ({ facts }: Disruption) =>
  facts?.advice.flatMap((sentence) => fitting(sentence) ?? []).at(0) ?? null;

const FURTHER_NOTICE = /\buntil further notice\b/i;

function until(worst: Disruption, now: Date): string | null {
  const end = statedEnd(worst);
  if (!end) return FURTHER_NOTICE.test(worst.summary_line) ? 'Until further notice' : null;
  const then = new TZDate(end, LONDON);
  return `About ${format(then, isSameDay(then, new TZDate(now, LONDON)) ? 'HH:mm' : "HH:mm 'on' d MMM")}`;
}

/** Names as publishers list them: texts, or objects with a name. */
function namesIn(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const names = value
    .slice(0, 20)
    .map((one: unknown) =>
      typeof one === 'string'
        ? one
        : one !== null && typeof one === 'object' && 'name' in one
          ? one.name
          : null,
    );
  return [...new Set(names.flatMap((name) => (typeof name === 'string' ? nameIn(name) : [])))];
}

/** The text in lower case with single spaces around each word, so that only whole names are found. */
const asWords = (text: string) =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

const nameIn = (text: string) => {
  const name = plainText(text);
  return name !== '' && name.length <= NAME_MAX ? [name] : [];
};

/** Feed text on one line; null when it is too long for one line. */
function fitting(text: string): string | null {
  const line = plainText(text).replace(/\s+/g, ' ').trim();
  return line !== '' && line.length <= PART_MAX ? line : null;
}
