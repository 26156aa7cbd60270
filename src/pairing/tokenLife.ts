/** When a display renews its access token: before it expires, as far as the display can know, and not with all the others. */

export interface Token {
  /** When it came, in milliseconds, by the server's clock. */
  renewedAt: number;
  /** For how many milliseconds the server takes it; 0 when the server did not say. */
  lastsMs: number;
}

/** Past a quarter of its life it is renewed with one call in so many: a fleet that was switched on together, or that has lost
 *  its server together, does not come for new ones together. */
const RENEWED_ONE_IN = 20;
/** So much of its life may be gone before it counts as expired: a call takes its time. */
const SPENT = 0.98;

/**
 * What to do before a call, at a time of the server's clock. `use` it; `renew` it first, though it would do for now; it is
 * `spent`, and no call but the renewal is worth making. After a clock was set back it is used, until the server says no.
 */
export function tokenLife({ renewedAt, lastsMs }: Token, now: Date): 'use' | 'renew' | 'spent' {
  const life = lastsMs > 0 ? (now.getTime() - renewedAt) / lastsMs : 0;
  if (life >= SPENT) return 'spent';
  return life >= 0.25 && Math.random() < 1 / RENEWED_ONE_IN ? 'renew' : 'use';
}
