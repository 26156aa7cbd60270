/** Words on a warning of the Met Office. */
import type { Read, Reported } from '../../incidents/facts/reported.ts';
import { capital, lower, splitOnce, textsIn } from '../../incidents/facts/publisherWords.ts';
import { london, LONDON_CLOCK } from '#contract/london.ts';
import type { Colour } from './metOfficeGrading.ts';

export function nameOf(colour: Colour | null, kinds: readonly string[]): string {
  return capitalised([colour, kinds.join(' and ') || 'weather', 'warning'].filter(Boolean).join(' '));
}

export const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

const REGIONS_NAMED = 2;

/** Some names of regions contain commas. */
export function listed(regions: readonly string[]): string {
  const more = regions.length - REGIONS_NAMED;
  return `${regions.slice(0, REGIONS_NAMED).join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** "Valid from 13:00 Fri 24 Jan to 06:00 Sat 25 Jan", the Met Office's own wording. */
export function validity({ start, end }: { start: string | null; end: string | null }): string {
  return start && end ? `Valid from ${onLondonClock(start)} to ${onLondonClock(end)}` : '';
}

const WEEKDAY = london({ weekday: 'short', day: 'numeric', month: 'short' });

function onLondonClock(utc: string): string {
  const date = new Date(utc);
  return `${LONDON_CLOCK.format(date)} ${WEEKDAY.format(date).replace(',', '')}`;
}

/** "A, B and C"; with semicolons where a name holds a comma. */
function allOf(names: readonly string[], more: number): string {
  const by = names.some((name) => name.includes(',')) ? '; ' : ', ';
  if (more > 0) return `${names.join(by)} and ${more} more`;
  if (by === '; ') return names.join(by);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(by)} and ${names.at(-1)}`;
}

const REGIONS_MAX = 3;

/** "Amber wind warning: North East England; North West England and 1 more"; the fields name all regions. */
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
