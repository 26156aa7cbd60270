/** What to do, in the publisher's own whole sentences: diversions, tickets, replacement buses, warnings to travellers. */
import { capital, quiet, sentencesOf, untagged } from './publisherWords.ts';

const SENTENCES_MAX = 6;
const LENGTH_MAX = 400;

const TO_DO =
  /\bdivert(?:ed|s)?\b|\bdiversions?\b|\btickets?\b|\breplacement\b|\bbus(?:es)? (?:replace|run|call|are|leave|turn|will|use|services?)|\btrains (?:start and end|are diverted)|\balternative (?:route|transport|travel)|\bdo not (?:travel|drive|enter|use)\b|\bdon['’]t (?:travel|drive)\b|\bavoid\b|\ballow (?:extra|more|plenty|additional|\d)|\bstay away\b|\bkeep away\b|\bact now\b|\bmove vehicles\b|\badvised to\b|\btake care\b|\bcheck before\b|\buse other routes\b|\bplan ahead\b|\bapproach with caution\b|\bare sent (?:over|by|via)\b|\bexpect (?:long |severe )?delays\b|\bas stops\b|\bstops .{0,80} not served\b/i;

/** Words of a title that are advice, as a sentence. */
const IN_TITLE = /\bdiversions? in (?:place|operation)\b/i;

export function adviceIn(title: string, text: string): string[] {
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
