/** The words of messages. Title and text together have at most 160 characters, for a group 320; the number of
 *  incidents that cannot be matched to an area comes on top. Publishers' words are plain text. */
import type { EndedReason } from '#contract/incidents/disruptions.ts';
import type { Severity } from '#contract/incidents/severity.ts';
import type { Facts } from '#contract/incidents/facts.ts';
import { type Met, metWords } from '#contract/watches/departures.ts';
import { LONDON_CLOCK } from '#contract/london.ts';
import { GROUP_LENGTH, MESSAGE_LENGTH } from '#contract/messages/messages.ts';
import { isOwn, knownSource } from '#contract/feeds/knownSources.ts';
import { titleForms } from '#contract/incidents/titleForms.ts';
import { unplacedWords } from '#contract/watches/watches.ts';
import { cutAtWord } from '#contract/wholeWords.ts';

export interface Said {
  title: string;
  text: string;
}

/** When the next vehicle reaches the incident. `behind`: by plan all vehicles have passed it, but so recently that
 *  one of them may not have reached it yet. */
export type Reached = (Met & { isOtherDay?: boolean }) | 'behind' | null;

/** An incident on a route, with the fields that the words of an alert need. */
interface AlertIncident {
  id: string;
  severity: Severity;
  title: string;
  facts: Facts | null;
  source: string;
  updated_at: string | null;
  reached: Reached;
}

const WORDS: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
};

const reachedWords = (reached: Reached): string =>
  reached === 'behind'
    ? 'may be behind it'
    : reached
      ? metWords(reached, reached.isOtherDay ? dayAndClock : clock)
      : '';

const clock = (at: Date | string) => LONDON_CLOCK.format(new Date(at));
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'Europe/London' });
/** "Sun 02:34": a message can be read on another day than it was sent. */
const dayAndClock = (at: Date) => `${WEEKDAY.format(at)} ${clock(at)}`;
const sourceName = (source: string) => knownSource(source).displayName;

/** "{Severity}: {title}" and "{route}, {road stretch}, reached about {HH:MM}. {Source}, {HH:MM}."; for an area also
 *  the number of incidents that cannot be matched to it. */
function alertWords(route: string, incident: AlertIncident, unplaced = 0, jobs = ''): Said {
  const { severity, facts, title, source, updated_at, reached } = incident;
  const by = `${sourceName(source)}${updated_at ? `, ${clock(updated_at)}` : ''}.`;
  const when = reachedWords(reached);
  const where = stretchOf(facts);
  const line = (parts: readonly string[]) => `${parts.filter(Boolean).join(', ')}. ${by}`;
  const said = fit(
    titleForms(facts, title).map((form) => `${WORDS[severity]}: ${form}`),
    [
      line([route, where, when]),
      line([route, when]),
      ...(when ? [`${route}, ${when}. ${sourceName(source)}.`] : []),
      line([route]),
      `${route}.`,
    ],
  );
  return { ...said, text: `${said.text}${unplacedSentence(unplaced)}${jobs}`.trim() };
}

/** "3 new on Leeds–Heathrow: 1 critical", then the names of three and "and 2 more". The worst come first; if all
 *  have one severity, the first of the list. */
export function groupWords(
  route: string,
  all: readonly AlertIncident[],
  which: 'new' | 'still',
  unplaced = 0,
  jobs = '',
): Said {
  const [worst] = all;
  if (all.length === 1) return alertWords(route, worst!, unplaced, jobs);
  const { severity, source, updated_at, reached } = worst!; // a group has one
  const count = all.filter((one) => one.severity === severity).length;
  const by = `${sourceName(source)}${updated_at ? `, ${clock(updated_at)}` : ''}.`;
  const when = reachedWords(reached).replace(/^./, (first) => ` ${first.toUpperCase()}`);
  const title = `${all.length} ${which === 'new' ? 'new ' : ''}on ${route}: ${count} ${severity}`;
  const named = all.slice(0, NAMED).map((one) => ({
    forms: titleForms(one.facts, one.title),
    before: `${WORDS[one.severity]}: `,
    after: '',
  }));
  return {
    title: plain(title),
    text: listed(
      named,
      all.length,
      title,
      `.${when && `${when}.`} ${by}${unplacedSentence(unplaced)}${jobs}`,
    ),
  };
}

/** The number of jobs that are named by their times. */
const JOBS_NAMED = 2;
const DESTINATION_MAX = 30;

/** " 06:10, 07:40 and 2 more for Heathrow T5.", in the order of leaving; '' without jobs. It may exceed the text's
 *  length. */
export function jobsWords(jobs: readonly { leaves_at: string; trip: string }[]): string {
  if (jobs.length === 0) return '';
  const more = jobs.length - JOBS_NAMED;
  const times = jobs.slice(0, JOBS_NAMED).map(({ leaves_at }) => clock(leaves_at));
  const ends = new Set(
    jobs.map(
      ({ trip }) =>
        trip
          .split(/→|⇒|->|=>| to /i)
          .at(-1)
          ?.trim() ?? '',
    ),
  );
  const [end = ''] = ends;
  const where = ends.size === 1 && end !== '' && end.length <= DESTINATION_MAX ? ` for ${end}` : '';
  return ` ${plain(`${times.join(', ')}${more > 0 ? ` and ${more} more` : ''}${where}`)}.`;
}

const unplacedSentence = (count: number) => (count > 0 ? ` ${unplacedWords(count)}.` : '');

/** The number of incidents of a group that are named. */
const NAMED = 3;

/** The fullest form in which all named incidents fit. A publisher's title that has no shorter form is cut. */
function listed(
  named: readonly { forms: readonly string[]; before: string; after: string }[],
  count: number,
  title: string,
  tail: string,
): string {
  const more = count > named.length ? `; and ${count - named.length} more` : '';
  const textOf = (form: (forms: readonly string[]) => string) =>
    plain(
      `${named.map(({ forms, before, after }) => `${before}${form(forms)}${after}`).join('; ')}${more}${tail}`,
    );
  const fits = (text: string) => title.length + text.length + 1 <= GROUP_LENGTH;
  const most = Math.max(...named.map(({ forms }) => forms.length));
  for (let level = 0; level < most; level++) {
    const text = textOf((forms) => forms[Math.min(level, forms.length - 1)] ?? '');
    if (fits(text)) return text;
  }
  const room = (GROUP_LENGTH - title.length - 1 - textOf(() => '').length) / named.length;
  return textOf((forms) => shortened(forms.at(-1) ?? '', Math.max(Math.floor(room), 20)));
}

const ENDS: Readonly<Record<EndedReason, string>> = {
  publisher: 'publisher',
  end_time: 'end time passed',
  absent: 'no longer listed',
  expired: 'source silent',
};

const OWN_ENDS: Readonly<Partial<Record<EndedReason, string>>> = {
  publisher: 'ours',
  expired: 'not confirmed',
};

/** An incident that was sent and is over, or no longer known. */
export interface Over {
  title: string;
  facts: Facts | null;
  reason: EndedReason;
  at: string;
  source: string;
}

/** "Open again: {title} (National Highways, 18:48)"; "Eased: …" if it was not a closure. */
export function easedWords(
  route: string,
  all: readonly (Omit<Over, 'reason'> & { isOpen: boolean })[],
  at: Date,
): Said {
  const named = all.slice(0, all.length === 1 ? 1 : NAMED).map((one) => ({
    forms: titleForms(one.facts, one.title),
    before: one.isOpen ? 'Open again: ' : 'Eased: ',
    after: ` (${sourceName(one.source)}, ${clock(one.at)})`,
  }));
  if (all.length === 1) {
    const [{ forms, before, after }] = named as [(typeof named)[number]];
    return fit(
      forms.map((form) => `${before}${form}${after}`),
      [`${route}.`, ''],
    );
  }
  const title = `${all.length} eased on ${route}, ${clock(at)}`;
  return { title: plain(title), text: listed(named, all.length, title, '.') };
}

/** "Cleared: {title} (publisher, 09:14)", "No longer known: {title} (source silent, 09:14)". All incidents in `all`
 *  are over in the same way. */
export function endWords(route: string, all: readonly Over[], at: Date): Said {
  const isLost = all.some(({ reason }) => reason === 'expired');
  const end = isLost ? 'No longer known' : 'Cleared';
  const named = all.slice(0, all.length === 1 ? 1 : NAMED).map((one) => {
    const by = (isOwn(one) && OWN_ENDS[one.reason]) || ENDS[one.reason];
    return {
      forms: titleForms(one.facts, one.title),
      before: '',
      after: ` (${by}, ${clock(one.at)})`,
    };
  });
  if (all.length === 1) {
    const [{ forms, after }] = named as [(typeof named)[number]];
    return fit(
      forms.map((form) => `${end}: ${form}${after}`),
      [`${route}.`, ''],
    );
  }
  const title = `${all.length} ${end.toLowerCase()} on ${route}, ${clock(at)}`;
  return { title: plain(title), text: listed(named, all.length, title, '.') };
}

/** The same words were sent before, and are true again. */
export const repeated = ({ title, text }: Said, at: Date): Said => ({
  title,
  text: plain(`${text} Again from ${clock(at)}.`),
});

export const reminded = ({ title, text }: Said, isLast: boolean, at: Date): Said => {
  const words = `Not acknowledged by ${clock(at)}${isLast ? ', last reminder' : ''}.`;
  return fit([title], [`${text} ${words}`, words], GROUP_LENGTH);
};

/** "No information from National Highways since 08:10. 4 of your routes depend on it." */
export const blindWords = (source: string, since: string, routes: number): Said => ({
  title: `No information from ${sourceName(source)} since ${clock(since)}.`,
  text: `${routes} of your routes ${routes === 1 ? 'depends' : 'depend'} on it.`,
});

export const seenAgainWords = (source: string, since: string): Said => ({
  title: `${sourceName(source)} answers again.`,
  text: `Its information is from ${clock(since)}.`,
});

export interface Digested {
  route: string;
  kind: 'certain' | 'possible' | 'planned' | 'held';
  title: string;
}

const DIGEST_WORDS: Readonly<Record<Digested['kind'], string>> = {
  certain: 'now',
  held: 'held back',
  possible: 'possible',
  planned: 'planned',
};

export function digestWords(at: Date, all: readonly Digested[]): Said {
  const counts = (['certain', 'held', 'possible', 'planned'] as const).flatMap((kind) => {
    const count = all.filter((one) => one.kind === kind).length;
    return count ? [`${count} ${DIGEST_WORDS[kind]}`] : [];
  });
  const lines = all.map(({ route, title }) => `${route}: ${title}`);
  const texts = lines.map((_, index) => `${lines.slice(0, lines.length - index).join('. ')}.`);
  return fit([`Digest ${clock(at)}: ${counts.join(', ')}`], [...texts, '']);
}

/** Words for the lock screen, which somebody else may read. */
export function hiddenWords(severities: readonly Severity[]): string {
  const [worst] = severities;
  if (!worst) return 'News of your routes';
  const count = severities.filter((one) => one === worst).length;
  return `${count} ${worst} on one of your routes`;
}

function stretchOf(facts: Facts | null): string {
  const [stretch] = facts?.stretch ?? [];
  if (!stretch) return facts?.roads[0] ?? '';
  const { road, from, to } = stretch;
  return from === to ? `${road} ${from}` : `${road} ${from} to ${to}`;
}

/** The fullest form that fits: titles are shortened before anything is left out of the text. */
function fit(titles: readonly string[], texts: readonly string[], most = MESSAGE_LENGTH): Said {
  for (const text of texts) {
    for (const title of titles)
      if (title.length + text.length + 1 <= most) return { title: plain(title), text: plain(text) };
  }
  const title = titles.at(-1) ?? '';
  return { title: shortened(plain(title), most), text: '' };
}

const plain = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** A publisher's title that has no shorter form, cut to whole words; a single endless word is cut anywhere. */
const shortened = (text: string, most: number): string => cutAtWord(text, most) || text.slice(0, most);
