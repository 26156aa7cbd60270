/** Words on a warning of the Met Office. */
import type { Read, Reported } from '../../incidents/facts/reported.ts';
import { capital, lower, splitOnce, textsIn } from '../../incidents/facts/publisherWords.ts';
import { london, LONDON_CLOCK } from '#contract/london.ts';
import type { Severity } from '#contract/incidents/severity.ts';

export function nameOf(colour: Colour | null, kinds: readonly string[]): string {
  return capital([colour, kinds.join(' and ') || 'weather', 'warning'].filter(Boolean).join(' '));
}

const REGIONS_NAMED = 2;

/** The regions in words; some names of regions contain commas. */
export function listed(regions: readonly string[]): string {
  const more = regions.length - REGIONS_NAMED;
  return `${regions.slice(0, REGIONS_NAMED).join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** "Valid from 13:00 Fri 24 Jan to 06:00 Sat 25 Jan", in the Met Office's own words. */
export function validity({ start, end }: { start: string | null; end: string | null }): string {
  return start && end ? `Valid from ${onLondonClock(start)} to ${onLondonClock(end)}` : '';
}

const WEEKDAY = london({ weekday: 'short', day: 'numeric', month: 'short' });

function onLondonClock(utc: string): string {
  const date = new Date(utc);
  return `${LONDON_CLOCK.format(date)} ${WEEKDAY.format(date).replace(',', '')}`;
}

/** "A, B and C"; with semicolons when a name contains a comma. */
function allOf(names: readonly string[], more: number): string {
  const by = names.some((name) => name.includes(',')) ? '; ' : ', ';
  if (more > 0) return `${names.join(by)} and ${more} more`;
  if (by === '; ') return names.join(by);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(by)} and ${names.at(-1)}`;
}

const REGIONS_MAX = 3;

/** "Amber wind warning: North East England; North West England and 1 more". The fields name all regions. */
export function readWarning({ title, metadata }: Reported): Read | null {
  const [name = '', regions = ''] = splitOnce(title, ': ');
  const all = textsIn(metadata.regions);
  const place =
    all.length > 0
      ? allOf(
          all.slice(0, all.length > REGIONS_MAX ? REGIONS_MAX - 1 : REGIONS_MAX),
          all.length > REGIONS_MAX ? all.length - REGIONS_MAX + 1 : 0,
        )
      : regions.replaceAll('; ', ', ');
  if (place === '' || place.length > 140 || !/\bwarning\b/i.test(name)) return null;
  return {
    place: capital(place),
    effect: lower(name.charAt(0).toLowerCase() + name.slice(1)).replace(/, (?=\w+ warning)/, ' and '),
    cause: null,
  };
}

/** How the Met Office grades its warnings, and their kinds of weather. */
export type Colour = 'red' | 'amber' | 'yellow';

const SEVERITY: Readonly<Record<Colour, Severity>> = {
  // NSWWS "RED", MeteoAlarm "Red … warning" and CAP "Extreme"
  red: 'critical',
  // "AMBER", "Amber … warning" (in the Atom title "Orange") and "Severe"
  amber: 'high',
  // "YELLOW", "Yellow … warning" and "Moderate"
  yellow: 'medium',
};

/** NSWWS gives impact and likelihood, each from 1 to 4. A yellow warning with both at most this is low. */
const LOW_MATRIX_MAX = 2;

/** `cap:severity`, used when `cap:event` names no colour. The Met Office issues nothing below yellow. */
const COLOUR_BY_CAP_SEVERITY: Readonly<Record<string, Colour>> = {
  Extreme: 'red',
  Severe: 'amber',
  Moderate: 'yellow',
};

/** Kinds of weather and the words for them, in the singular as in titles. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['rain', /\brain\b/i],
  ['thunderstorm', /\bthunderstorms?\b/i],
  ['wind', /\bwinds?\b/i],
  ['snow', /\bsnow\b/i],
  ['lightning', /\blightning\b/i],
  ['ice', /\bice\b/i],
  ['fog', /\bfog\b/i],
  ['extreme heat', /\b(?:extreme[ _])?heat\b/i],
];

export function severityOf({
  colour,
  impact,
  likelihood,
}: {
  colour: Colour | null;
  impact: number | null;
  likelihood: number | null;
}): Severity {
  const isLow =
    impact !== null && likelihood !== null && impact <= LOW_MATRIX_MAX && likelihood <= LOW_MATRIX_MAX;
  if (colour === 'yellow' && isLow) return 'low';
  return colour ? SEVERITY[colour] : 'medium';
}

/** The colour in a text. MeteoAlarm's own titles say orange for the Met Office's amber. */
export function colourOf(words: string): Colour | null {
  const [, colour] = /\b(red|amber|orange|yellow)\b/i.exec(words) ?? [];
  if (!colour) return null;
  return colour.toLowerCase() === 'orange' ? 'amber' : (colour.toLowerCase() as Colour); // the pattern knows no other words
}

export const colourOfCap = (severity: string): Colour | null =>
  Object.hasOwn(COLOUR_BY_CAP_SEVERITY, severity) ? COLOUR_BY_CAP_SEVERITY[severity]! : null;

/** Kinds of weather in the order in which they are named. */
export function kindsOf(words: string): string[] {
  const named = KINDS.map(([kind, pattern]) => ({ kind, at: words.replaceAll('_', ' ').search(pattern) }));
  return named
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ kind }) => kind);
}
