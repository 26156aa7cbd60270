/** What messages say. Title and text together have at most 160 characters; publishers' words are plain text. */
import type { EndedReason, Severity } from '#contract/disruptions.ts';
import type { Facts } from '#contract/facts.ts';
import { LONDON_CLOCK } from '#contract/london.ts';
import { MESSAGE_LENGTH } from '#contract/messages.ts';
import { isOwn, knownSource } from '#contract/sources.ts';
import { titleForms } from '#contract/titleForms.ts';

export interface Said {
  title: string;
  text: string;
}

/** An incident on a route, as an alert words it. */
export interface AlertIncident {
  id: string;
  severity: Severity;
  title: string;
  facts: Facts | null;
  source: string;
  updated_at: string | null;
  /** When the next vehicle is there. */
  reached: Date | null;
}

const WORDS: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
};

const clock = (at: Date | string) => LONDON_CLOCK.format(new Date(at));
const sourceName = (source: string) => knownSource(source).displayName;

/** "{Severity}: {title}" and "{route}, {road stretch}, reached about {HH:MM}. {Source}, {HH:MM}." */
export function alertWords(route: string, incident: AlertIncident): Said {
  const { severity, facts, title, source, updated_at, reached } = incident;
  const by = `${sourceName(source)}${updated_at ? `, ${clock(updated_at)}` : ''}.`;
  const when = reached ? `reached about ${clock(reached)}` : '';
  const where = stretchOf(facts);
  const line = (parts: readonly string[]) => `${parts.filter(Boolean).join(', ')}. ${by}`;
  return fit(
    titleForms(facts, title).map((form) => `${WORDS[severity]}: ${form}`),
    [line([route, where, when]), line([route, when]), line([route]), `${route}.`],
  );
}

/** "3 on Leeds–Heathrow: 1 critical" and the worst of them. All of one severity at most: those first in the list. */
export function groupWords(route: string, all: readonly AlertIncident[]): Said {
  const [worst] = all;
  if (all.length === 1) return alertWords(route, worst!);
  const { severity, facts, title, source, updated_at, reached } = worst!; // a group has one
  const count = all.filter((one) => one.severity === severity).length;
  const by = `${sourceName(source)}${updated_at ? `, ${clock(updated_at)}` : ''}.`;
  const when = reached ? `Reached about ${clock(reached)}. ` : '';
  const forms = titleForms(facts, title).map((form) => `${WORDS[severity]}: ${form}.`);
  return fit(
    [`${all.length} on ${route}: ${count} ${severity}`],
    forms.flatMap((form) => [`${form} ${when}${by}`, `${form} ${by}`, form]),
  );
}

const ENDS: Readonly<Record<Exclude<EndedReason, 'expired'>, string>> = {
  publisher: 'publisher',
  end_time: 'end time passed',
  absent: 'no longer listed',
};

/** How one that was sent is over. */
export interface Over {
  title: string;
  facts: Facts | null;
  reason: Exclude<EndedReason, 'expired'>;
  at: string;
  source: string;
}

/** "Cleared: {title} (publisher, 09:14)". */
export function clearedWords(route: string, all: readonly Over[]): Said {
  const forms = ({ facts, title, reason, at, source }: Over) => {
    const by = isOwn({ source }) && reason === 'publisher' ? 'ours' : ENDS[reason];
    return titleForms(facts, title).map((form) => `Cleared: ${form} (${by}, ${clock(at)})`);
  };
  if (all.length === 1) return fit(forms(all[0]!), [`${route}.`, '']);
  return fit(
    [`${all.length} cleared on ${route}`],
    [`${all.map((one) => titleForms(one.facts, one.title).at(-1)).join('; ')}.`, forms(all[0]!).at(-1)!, ''],
  );
}

export const reminded = ({ title, text }: Said, isLast: boolean): Said =>
  fit(
    [title],
    [`${text} Not acknowledged${isLast ? ', last reminder' : ''}.`, isLast ? 'Last reminder.' : text],
  );

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
  kind: 'possible' | 'planned' | 'held';
  title: string;
}

export function digestWords(at: Date, all: readonly Digested[]): Said {
  const counts = (['held', 'possible', 'planned'] as const).flatMap((kind) => {
    const count = all.filter((one) => one.kind === kind).length;
    return count ? [`${count} ${kind === 'held' ? 'held back' : kind}`] : [];
  });
  const lines = all.map(({ route, title }) => `${route}: ${title}`);
  const texts = lines.map((_, index) => `${lines.slice(0, lines.length - index).join('. ')}.`);
  return fit([`Digest ${clock(at)}: ${counts.join(', ')}`], [...texts, '']);
}

/** For the lock screen, where somebody else may read it. */
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

/** The fullest that fits; titles get shorter before texts get poorer. */
function fit(titles: readonly string[], texts: readonly string[]): Said {
  for (const text of texts) {
    for (const title of titles)
      if (title.length + text.length + 1 <= MESSAGE_LENGTH) return { title: plain(title), text: plain(text) };
  }
  const title = titles.at(-1) ?? '';
  return { title: cutAtWord(plain(title), MESSAGE_LENGTH), text: '' };
}

const plain = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** A publisher's title without any form: whole words of it. */
function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most + 1);
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), 0) || most);
}
