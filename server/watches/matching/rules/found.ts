/** The finding of a matcher's rule, and its measurements. */
import type { MatchLevel, RuleName } from '#contract/watches/watches.ts';

export interface Found {
  rule: RuleName;
  level: Exclude<MatchLevel, 'near'>;
  /** Lower case, without a full stop. */
  why: string;
  /** Kilometres of the route; null for areas, and if the place on the route is unknown. */
  from_km: number | null;
  to_km: number | null;
  /** How far its position is from the route. */
  off_m: number | null;
}

export type Numbers = Record<string, number>;

export type Tell = (words: string, numbers: Numbers) => void;

export const shortKm = (km: number) => Math.max(0.1, km).toFixed(1);
