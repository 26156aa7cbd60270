/** How the Met Office grades its warnings, and what weather they are of. */
import type { Severity } from '#contract/incidents/disruptions.ts';

export type Colour = 'red' | 'amber' | 'yellow';

const SEVERITY: Readonly<Record<Colour, Severity>> = {
  // NSWWS "RED", MeteoAlarm "Red … warning" and CAP "Extreme"
  red: 'critical',
  // "AMBER", "Amber … warning" (in the Atom title "Orange") and "Severe"
  amber: 'high',
  // "YELLOW", "Yellow … warning" and "Moderate"
  yellow: 'medium',
};

/** NSWWS gives impact and likelihood, each 1 to 4. A yellow warning with neither above this is low. */
const LOW_MATRIX_MAX = 2;

/** `cap:severity`, used where `cap:event` names no colour. The Met Office issues nothing below yellow. */
const COLOUR_BY_CAP_SEVERITY: Readonly<Record<string, Colour>> = {
  Extreme: 'red',
  Severe: 'amber',
  Moderate: 'yellow',
};

/** Kinds of weather and the words for them; singular, as in titles. */
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

/** MeteoAlarm's own titles say orange where the Met Office says amber. */
export function colourOf(words: string): Colour | null {
  const [, colour] = /\b(red|amber|orange|yellow)\b/i.exec(words) ?? [];
  if (!colour) return null;
  return colour.toLowerCase() === 'orange' ? 'amber' : (colour.toLowerCase() as Colour); // the pattern knows no others
}

export const colourOfCap = (severity: string): Colour | null =>
  Object.hasOwn(COLOUR_BY_CAP_SEVERITY, severity) ? COLOUR_BY_CAP_SEVERITY[severity]! : null;

/** In the order they are named. */
export function kindsOf(words: string): string[] {
  const named = KINDS.map(([kind, pattern]) => ({ kind, at: words.replaceAll('_', ' ').search(pattern) }));
  return named
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ kind }) => kind);
}
