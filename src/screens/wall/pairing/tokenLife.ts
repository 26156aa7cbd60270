/** When a display renews its access token: before it expires, if it knows when, and not at the same time as
 *  others. */

export interface Token {
  /** When it was received, in milliseconds, by the server's clock. */
  renewedAt: number;
  /** How many milliseconds the server accepts it; 0 if the server did not say. */
  lastsMs: number;
}

/** After a quarter of its life it is renewed at one call in this many, at random. Displays that started together, or
 *  lost their server together, then do not all renew together. */
const RENEWED_ONE_IN = 20;
/** After this fraction of its life it counts as expired, because a call takes time. */
const SPENT = 0.98;

/**
 * What to do before a call; `now` is by the server's clock. `use` the token; `renew` it first, although it still
 * works; or it is `spent`, and only the renewal can succeed. After the clock was set back the token is used until the
 * server refuses it.
 */
export function tokenLife({ renewedAt, lastsMs }: Token, now: Date): 'use' | 'renew' | 'spent' {
  const life = lastsMs > 0 ? (now.getTime() - renewedAt) / lastsMs : 0;
  if (life >= SPENT) return 'spent';
  return life >= 0.25 && Math.random() < 1 / RENEWED_ONE_IN ? 'renew' : 'use';
}
