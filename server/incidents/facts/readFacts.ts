/** Facts about an incident from the fields and words of its publisher: where, what, why, what to do, until when.
 *  Nothing is guessed: for an unknown form place and effect are null, and the publisher's title is shown. */
import type { Facts } from '#contract/incidents/facts.ts';
import { knownSource, type Subject } from '#contract/feeds/knownSources.ts';
import { roadsOfReport } from '../../geography/roads/roadsOfReport.ts';
import { inStep, type Steps } from './inStep.ts';
import { expectedClear } from './expectedClear.ts';
import { delayIn, lanesIn } from './lanesAndMinutes.ts';
import { readTitle } from './readTitle.ts';
import type { Read, Reported, Reader } from './reported.ts';
import { READ_MAX, capital, quiet, sentencesOf, untagged } from './publisherWords.ts';

const sourceOf = ({ event_id }: Reported) => event_id.slice(0, Math.max(0, event_id.indexOf(':')));

/** Sources whose texts name no roads: an airport's "A320" is an aircraft, and a line or a region is not a road. */
const WITHOUT_ROADS: ReadonlySet<Subject | null> = new Set(['trains', 'airports', 'weather']);

const NO_ROADS = {
  roads: [],
  aside: [],
  stretch: [],
  direction: null,
  slip: null,
  closed: 'unknown',
} as const satisfies Partial<Facts>;

/** `reader`: how its source states these facts; by default like a headline. */
export const readFacts = (record: Reported, reader?: Reader): Facts =>
  inStep([factsInSteps(record, reader)])[0]!; // one result each

export function* factsInSteps(record: Reported, reader: Reader = {}): Steps<Facts> {
  const source = sourceOf(record);
  const { place, effect, cause, lanes, delay_minutes } = whole((reader.read ?? readTitle)(record));
  yield;
  const { said = [record.summary_line], advice: told = said } = reader.texts?.(record) ?? {};
  const words = [record.title, ...said].map((text) => text.slice(0, READ_MAX));
  const advice = adviceIn(record.title, told.join(' '));
  const figures = {
    lanes: lanes ?? [effect ?? '', ...words].map(lanesIn).find((found) => found !== null) ?? null,
    ...delayOf(delay_minutes, words),
  };
  yield;
  const roads = WITHOUT_ROADS.has(knownSource(source).subject) ? NO_ROADS : roadsOf(record);
  yield;
  const end = expectedClear(source, record, words);

  return {
    place,
    effect,
    cause,
    advice,
    expected_clear: end?.at ?? null,
    expected_clear_from: end?.from ?? null,
    ...figures,
    ...roads,
  };
}

/** The delay. A publisher's field is exact. */
function delayOf(field: number | null | undefined, words: readonly string[]) {
  const said = field ? null : words.map(delayIn).find((delay) => delay !== null);
  const delay_minutes = field ?? said?.most ?? null;
  return { delay_minutes, ...(said && said.least < said.most && { delay_least: said.least }) };
}

const UNKNOWN: Read = { place: null, effect: null, cause: null };

/** Place and effect, both or neither. A form with only one of them counts as unknown, and so does a text that was
 *  cut off. */
function whole(read: Read | null): Read {
  const tidied = (text: string | null | undefined) =>
    text
      ?.replace(/\s+/g, ' ')
      .replace(/^[ ,;:.–-]+/, '')
      .trim() || null;
  const [place, effect, cause] = [tidied(read?.place), tidied(read?.effect), tidied(read?.cause)];
  const isWhole = [place, effect].every((text) => text && /[\p{L}\d]/u.test(text) && !text.includes('…'));
  const { lanes, delay_minutes } = read ?? {};
  const figures = { ...(lanes && { lanes }), ...(delay_minutes && { delay_minutes }) };
  if (!isWhole) return { ...UNKNOWN, ...figures };
  return { place, effect, cause: cause?.includes('…') ? null : cause, ...figures };
}

/** The roads in the publisher's fields, title and text, read as one text. */
function roadsOf(
  record: Reported,
): Pick<Facts, 'roads' | 'aside' | 'stretch' | 'direction' | 'slip' | 'closed'> {
  const uses = roadsOfReport({ ...record, source: sourceOf(record) });
  const affected = uses.filter(({ role }) => role === 'affected');
  const [first] = affected;
  return {
    roads: affected.map(({ road }) => road),
    aside: [
      ...new Set(uses.filter(({ role }) => role !== 'affected' && role !== 'name').map(({ road }) => road)),
    ],
    stretch: affected.flatMap(({ road, stretch }) => stretch.map((part) => ({ road, ...part }))),
    direction: !first || first.direction === 'both' ? null : first.direction,
    slip: first?.slip ?? null,
    closed: first?.closed ?? 'unknown',
  };
}

// Advice in whole sentences of the publisher: diversions, tickets, replacement buses, warnings to travellers.

const SENTENCES_MAX = 6;
const LENGTH_MAX = 400;

const TO_DO =
  /\bdivert(?:ed|s)?\b|\bdiversions?\b|\btickets?\b|\breplacement\b|\bbus(?:es)? (?:replace|run|call|are|leave|turn|will|use|services?)|\btrains (?:start and end|are diverted)|\balternative (?:route|transport|travel)|\bdo not (?:travel|drive|enter|use)\b|\bdon['’]t (?:travel|drive)\b|\bavoid\b|\ballow (?:extra|more|plenty|additional|\d)|\bstay away\b|\bkeep away\b|\bact now\b|\bmove vehicles\b|\badvised to\b|\btake care\b|\bcheck before\b|\buse other routes\b|\bplan ahead\b|\bapproach with caution\b|\bare sent (?:over|by|via)\b|\bexpect (?:long |severe )?delays\b|\bas stops\b|\bstops .{0,80} not served\b/i;

/** Words of a title that are advice, turned into a sentence. */
const IN_TITLE = /\bdiversions? in (?:place|operation)\b/i;

function adviceIn(title: string, text: string): string[] {
  const said = sentencesOf(text)
    .filter(
      (sentence) =>
        TO_DO.test(sentence) &&
        !/^(?:trains|services|flights) may be /i.test(sentence) &&
        sentence.length <= LENGTH_MAX,
    )
    .map((sentence) => ended(capital(quiet(untagged(sentence)))));
  const short = IN_TITLE.exec(title)?.[0];
  const all =
    short && !said.some((sentence) => /\bdiver/i.test(sentence))
      ? [...said, `${capital(short.toLowerCase())}.`]
      : said;
  return [...new Set(all)].slice(0, SENTENCES_MAX);
}

const ended = (sentence: string) => (/[.!?]["”)]?$/.test(sentence) ? sentence : `${sentence}.`);
