/** An effect in the words of a dispatcher. */
import { isCommon, lower, uncapital } from './publisherWords.ts';

const DELAYED_THINGS = / to (?:all )?(?:trains|train services|services|journeys|traffic)\b/;

/** The effect in short words: "the road is closed" on a road becomes "closed". */
export function effectWords(
  said: string,
  { place, isRail }: { place: string | null; isRail: boolean },
): string {
  const [first = ''] = /^\p{L}+/u.exec(said) ?? [];
  let words = (isCommon(first) ? uncapital(lower(said)) : lower(said))
    .replace(/^(?:the|a|an) (?=\S)/i, '')
    .replace(/\b(?:is|are|was|were|has been|have been|has|have|had to be|to be|being) (?=\S)/g, '')
    .replace(/^(?:now|currently|also|again|all) (?=(?:closed|blocked|open|restricted))/, '')
    .replace(
      / in (?:place|force|operation)\b|(?<=timetable|service) (?:applies|operates|operating|running)$/g,
      '',
    )
    .replace(/\bshut\b/g, 'closed')
    .replace(/\bre-open/g, 'reopen')
    .replace(DELAYED_THINGS, (things) => (/\bdelays\b/i.test(said) ? '' : things))
    .replace(/^reopens$/, 'reopened')
    .replace(/^queue$/, 'queues')
    .replace(/^delayed by ((?:up to |about |around |over )?\d{1,3} min(?:ute)?s?)$/, '$1 late')
    .replace(/^closes$/, 'closed')
    .replace(/(\d{1,3})[ -]min(?:ute)?s?(?= delays?\b)/, '$1 minute')
    .replace(/(\d{1,3}) mins?\b/g, '$1 minutes')
    .replace(/^(24)[- ]hour (.*)$/, '$2 24 hours')
    .replace(/\b(?:static|full) (?=lanes?|road|carriageway|closure)/g, '')
    .replace(
      /\b(lanes? [\d, and&to]+?|line|station|bridge|tunnel|airport|hard shoulder|stop) closure\b/g,
      '$1 closed',
    )
    .replace(/^planned (?=roadworks|works|closure|engineering)/, '')
    .replace(/^(?:total )?(?:road |carriageway )?closure\b/, 'closed')
    .replace(/^part closure\b/, 'part closed')
    .replace(/^lane closure\b/, 'lane closed')
    .replace(/^(?:rail )?replacement buses?$|^bus(?:es)? replaces? trains?$/, 'buses replace trains')
    .replace(/^(?:replacement )?bus service(?: replaces?)?(?= |$)/, 'bus service');
  // "A9 Kessock Bridge: bridge closed"
  const thing =
    /^(bridge|tunnel|station|airport|street|road) (?=closed|blocked|evacuated|flooded|reopened|restricted)/.exec(
      words,
    );
  if (thing && place?.toLowerCase().includes(thing[1]!)) words = words.slice(thing[0].length);
  if (/^(?:[AMB]\d|M6 Toll)/.test(place ?? ''))
    words = words.replace(
      /^(?:main )?(?:road|carriageway|motorway)s? (?=(?:remains? |stays? )?(?:closed|blocked|flooded|impassable|shut))/,
      '',
    );
  if (isRail) {
    words = words
      .replace(/^(?:trains |services )?delayed by /, '')
      .replace(/^(?:residual )?delays of /, (kind) => (kind.startsWith('res') ? 'residual delays, ' : ''))
      .replace(
        /^((?:up to |about |around |over )?\d{1,3}(?: to \d{1,3})? minutes|an hour|half an hour)$/,
        '$1 late',
      );
  }
  return words.trim();
}
