/** What is said of a closure by National Highways. */
import { fields } from '../reading/json.ts';
import { plainText } from '../reading/plainText.ts';
import type { Extent, Graded } from './nationalHighwaysGrading.ts';
import { asList, type Closure, codeOf } from './nationalHighwaysReading.ts';

const WHAT_IS_CLOSED: Readonly<Record<Extent, string>> = {
  carriageway: 'Carriageway closed',
  most_lanes: 'Lanes closed',
  some_lanes: 'Lanes closed',
  unknown: 'Restrictions in place',
};

export function lanesClosed({ extent, restricted, operational }: Graded['worst']): string {
  return extent !== 'carriageway' && restricted && operational !== null
    ? `${restricted} of ${restricted + operational} lanes closed`
    : WHAT_IS_CLOSED[extent];
}

/** The detailed cause where it says more than "other": `brokenDownVehicle` becomes "broken down vehicle". */
export function causeOf({ cause }: Closure): string {
  const detailed = asList(Object.values(fields(cause?.detailedCauseType))[0]).map(codeOf)[0] ?? '';
  const code = detailed && !/^other/i.test(detailed) ? detailed : (cause?.causeType ?? '');
  if (/^other/i.test(code)) return '';
  return plainText(code)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

/** Whether a text names the road: "M62A" does not name the M62. */
export function names(text: string, road: string | undefined): boolean {
  return text
    .toUpperCase()
    .split(/[^\w()]+/)
    .includes(road?.toUpperCase() ?? '');
}

export function sentences(parts: readonly string[]): string {
  return parts
    .filter(Boolean)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(' ');
}

const PLACES_NAMED = 2;

export function listed(places: readonly string[]): string {
  const more = places.length - PLACES_NAMED;
  return `${places.slice(0, PLACES_NAMED).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
