/** How bad the weather at an airport is, and how bad its delays are. */
import type { Severity } from '#contract/incidents/severity.ts';

/** The weather that decides the grade. */
export interface Conditions {
  /** One of our categories, or a publisher's word that we do not know; null when nothing gives it. */
  category: string | null;
  /** The strongest wind, including gusts; 0 when none is given. */
  windKt: number;
  /** Present weather at the airport itself; weather in its vicinity is left out. */
  codes: string;
}

/** `fltCat`, worst first: the worse of cloud base (feet) and visibility (statute miles). Older answers lack it. */
const CATEGORIES: readonly { name: string; ceilingBelow: number; visibilityBelow: number }[] = [
  { name: 'LIFR', ceilingBelow: 500, visibilityBelow: 1 },
  { name: 'IFR', ceilingBelow: 1000, visibilityBelow: 3 },
  { name: 'MVFR', ceilingBelow: 3001, visibilityBelow: 5.001 },
  { name: 'VFR', ceilingBelow: Infinity, visibilityBelow: Infinity },
];

/** Without visibility, the airport is at least as bad as its cloud base, and cannot be called better. */
export function categoryOf(visibility: number | null, ceilingFt: number | null): string | null {
  const category = CATEGORIES.find(
    ({ ceilingBelow, visibilityBelow }) =>
      (ceilingFt ?? Infinity) < ceilingBelow || (visibility ?? Infinity) < visibilityBelow,
  );
  return category?.name ?? (visibility === null ? null : 'VFR');
}

/** From this speed on, wind is a risk and is given as a reason. */
export const WINDY_KT = 40;

/** The first match counts; no match means calm. Weather is a risk and not a closure, so none of it is critical. */
const RISKS: readonly { severity: Severity; isMet: (weather: Conditions) => boolean }[] = [
  { severity: 'high', isMet: ({ windKt }) => windKt >= 60 },
  { severity: 'high', isMet: ({ category, codes }) => category === 'LIFR' && /FZ|\+\w*SN/.test(codes) },
  // "Low instrument flight rules": landing needs the best equipment and is slow.
  { severity: 'medium', isMet: ({ category }) => category === 'LIFR' },
  { severity: 'medium', isMet: ({ windKt }) => windKt >= 50 },
  { severity: 'medium', isMet: ({ codes }) => /TS|SN|FZ(?:RA|DZ|UP)/.test(codes) },
  // "Instrument flight rules".
  { severity: 'low', isMet: ({ category }) => category === 'IFR' },
  { severity: 'low', isMet: ({ windKt }) => windKt >= WINDY_KT },
];

/** Undefined: calm. */
export function riskOf(weather: Conditions): { severity: Severity; isUnrated: boolean } | undefined {
  const risk = RISKS.find(({ isMet }) => isMet(weather));
  if (risk) return { severity: risk.severity, isUnrated: false };

  const { category } = weather;
  const isKnown = category === null || category === 'VFR' || CATEGORIES.some(({ name }) => name === category);
  return isKnown ? undefined : { severity: 'medium', isUnrated: true };
}

/** The larger `delayIndex` of both directions, 0 to 5, for delays and cancellations. Below these values nothing is
 *  wrong. */
const DELAYS: readonly { from: number; severity: Severity }[] = [
  { from: 4, severity: 'critical' },
  { from: 3, severity: 'high' },
  { from: 2, severity: 'medium' },
];

export const DELAY_INDEX_MAX = 5;

/** The fewest flights of an index: with fewer, one late flight would decide it. */
export const FLIGHTS_MIN = 5;

export interface Graded {
  name: 'departures' | 'arrivals';
  /** Null: nothing is wrong, or there are too few flights to judge. */
  severity: Severity | null;
  index: number | null;
  indexSaid: string;
  medianMinutes: number | null;
  flights: number | null;
  cancelled: number | null;
}

/** Null: nothing is wrong, or there are too few flights to judge. `flights`: the number of flights that the index is
 *  made from. */
export function delaySeverity(delayIndex: unknown, index: number | null, flights: number): Severity | null {
  // The publisher leaves out the index when there are too few flights for it.
  if (delayIndex === undefined || delayIndex === null || flights < FLIGHTS_MIN) return null;
  return index === null ? 'medium' : (DELAYS.find(({ from }) => index >= from)?.severity ?? null);
}

export const rank = (severity: Severity | null) => DELAYS.findIndex((row) => row.severity === severity);
