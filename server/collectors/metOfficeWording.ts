/** What we say of a warning of the Met Office. */
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
