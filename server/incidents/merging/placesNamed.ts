/** The names of places in a report: "Chain Bar", "Skeldergate". Each word of them, lower case. */

/** Beside one of these a word is the name: "Humber Bridge". */
const KINDS =
  'avenue|bridge|bypass|centre|crossing|cross|drive|embankment|flyover|gardens|hill|interchange|lane|park|place|road|roundabout|services|square|station|street|tunnel|viaduct|way';
const NO_NAMES: ReadonlySet<string> = new Set(
  `${KINDS}|north|south|east|west|both|toll|exit|entry|jct|junction|lane|lanes|line|bus|buses|tube|underground|overground|police|traffic|monday|tuesday|wednesday|thursday|friday|saturday|sunday|november|january|february|april|june|july|august|september|october|december|network|rail|highways|london|the|and|airport|international|hgv|lorry`.split(
    '|',
  ),
);

/** Capitals inside a sentence, or before another: "Skeldergate" of "at Skeldergate", both words of "Humber Bridge". */
const IN_TITLE =
  /(?<!^|[.:!?] )\b\p{Lu}\p{Ll}[\p{L}'’-]+|(?:^|(?<=[.:!?] ))\p{Lu}\p{Ll}[\p{L}'’-]+(?= \p{Lu}\p{Ll})/gu;
/** In the text, names after these words are where it is; others are where the queue or the diversion ends. */
const IN_TEXT =
  /\b(?:at|near|in|on|between|outside|J\d{1,2}[A-Z]? \(|and(?: J\d{1,2}[A-Z]? \()?) ?((?:\p{Lu}\p{Ll}[\p{L}'’-]+ ?){1,4})/gu;

const READ_MAX = 300;
const NAMES_MAX = 12;

export function namesIn({
  title,
  summary_line,
  place,
}: {
  title: string;
  summary_line: string;
  place: string;
}): ReadonlySet<string> {
  const text = summary_line
    .slice(0, READ_MAX)
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => !/\b(?:divert|diversion|sent|run by|go by|instead)/i.test(sentence))
    .join(' ');
  const words = [
    ...place
      .slice(0, READ_MAX)
      .split(/[^\p{L}'’-]+/u)
      .filter((word) => /^\p{Lu}\p{Ll}/u.test(word)),
    ...Array.from(
      title
        .slice(0, READ_MAX)
        .replace(/\btowards (?:\p{Lu}[\p{L}'’-]+ ?)+/gu, '')
        .matchAll(IN_TITLE),
      ([word]) => word,
    ),
    ...Array.from(text.matchAll(IN_TEXT)).flatMap(([, name = '']) => name.trim().split(' ')),
  ].map((word) => word.toLowerCase().replace(/['’]s$/, ''));
  return new Set(
    [...new Set(words)].filter((word) => word.length > 2 && !NO_NAMES.has(word)).slice(0, NAMES_MAX),
  );
}
