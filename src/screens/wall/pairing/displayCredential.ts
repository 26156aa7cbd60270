/** The credential of a paired display, stored separately from any user's. It stays even when the server refuses it:
 *  the board is kept (decision 6b), and each refresh tries the credential again. Its owner's account may be enabled
 *  again, and only with it can the display be told to clear its board. */
import { create } from 'zustand';
import { refusalOf, renewCredential } from '../../../api/displays/displays.ts';
import { type Credential, Refused, renewal, standInWith, type TokenPair } from '../../../api/http.ts';
import { newScope } from '../../../api/tokens.ts';
import { serverNow } from '../../../time/freshness.ts';
import { purgeOfflineCopies } from '../../../offline/serviceWorker.ts';
import { keepOnDisk, putBack } from '../../../offline/powerCut.ts';
import { browserStore } from '../../../device/browserStorage.ts';

const STORED_AS = 'clearway_display';

await putBack(STORED_AS);

interface Kept extends Token {
  access: string;
  refresh: string;
  /** It stays the same while this display keeps its board. */
  scope: string;
  /** A new value at each pairing. */
  pairing: string;
  /** ISO 8601, by the server's clock. */
  signedOutAt: string | null;
}

/** Whether this browser is a display: it was never paired, is paired, or was refused. */
export type DisplayState =
  | { state: 'unpaired' }
  | { state: 'paired'; pairing: string }
  | { state: 'signedOut'; pairing: string; at: Date };

export const useDisplay = create<{ display: DisplayState }>(() => ({ display: stateOf(kept()) }));

const renew = renewal({
  lock: 'clearway-display-refresh',
  accessToken: () => kept()?.access ?? null,
  refreshToken: () => kept()?.refresh ?? null,
  save: (pair) => keep({ ...kept()!, ...named(pair), signedOutAt: null }), // there is one, because it was just exchanged
  trade: renewCredential,
  end(refusal) {
    const display = kept();
    if (!display) return;
    if (refusalOf(refusal).blank) void blank(display);
    else if (!display.signedOutAt) keep({ ...display, signedOutAt: serverNow().toISOString() });
  },
});

const credential: Credential = {
  accessToken: () => kept()?.access ?? null,
  scope: () => kept()?.scope ?? null,
  renew,
  async fresh() {
    const display = kept();
    if (!display) return null;
    const { access } = display;
    const life = display.signedOutAt ? 'spent' : tokenLife(display, serverNow());
    if (life === 'use') return access;
    try {
      return await renew(access);
    } catch (error) {
      if (life === 'spent' || error instanceof Refused) throw error;
      return access;
    }
  },
};

standInWith(credential);
addEventListener('storage', ({ key }) => {
  if (key === null || key === STORED_AS) follow();
});

/** Stores the credential of a new pairing. The display keeps its board. */
export function adopt(pair: TokenPair): void {
  keep({ scope: kept()?.scope ?? newScope(), pairing: newScope(), ...named(pair), signedOutAt: null });
}

async function blank({ scope }: Kept): Promise<void> {
  const gone = keepOnDisk(STORED_AS, null);
  follow();
  await gone;
  await purgeOfflineCopies(scope);
}

const named = ({ access_token, refresh_token, expires_in = 0 }: TokenPair) => ({
  access: access_token,
  refresh: refresh_token,
  renewedAt: serverNow().getTime(),
  lastsMs: expires_in * 1000,
});

function keep(display: Kept): void {
  void keepOnDisk(STORED_AS, display);
  follow();
}

function kept(): Kept | null {
  try {
    const found = JSON.parse(browserStore.get(STORED_AS) ?? 'null') as Partial<Kept> | null;
    if (!found?.access || !found.refresh || !found.scope) return null;
    const { access, refresh, scope, pairing = '', renewedAt = 0, lastsMs = 0, signedOutAt = null } = found;
    return { access, refresh, scope, pairing, renewedAt, lastsMs, signedOutAt };
  } catch {
    return null;
  }
}

function follow(): void {
  useDisplay.setState({ display: stateOf(kept()) });
}

function stateOf(display: Kept | null): DisplayState {
  if (!display) return { state: 'unpaired' };
  const { pairing, signedOutAt } = display;
  return signedOutAt
    ? { state: 'signedOut', pairing, at: new Date(signedOutAt) }
    : { state: 'paired', pairing };
}

/** When a display renews its access token: before the token expires, if the display knows when, and not at the same
 *  time as other displays. */

interface Token {
  /** When it was received, in milliseconds, by the server's clock. */
  renewedAt: number;
  /** For how many milliseconds the server accepts it; 0 if the server did not say. */
  lastsMs: number;
}

/** After a quarter of its life, the token is renewed at one call in this many, at random. So displays that started
 *  together, or lost their server together, do not all renew together. */
const RENEWED_ONE_IN = 20;
/** After this share of its life the token counts as expired, because a call takes time. */
const SPENT = 0.98;

/** The step before a call; `now` is by the server's clock. `use` the token; `renew` it first, although it still
 *  works; or it is `spent`, and only a renewal can succeed. After the clock was set back, the token is used until
 *  the server refuses it. */
export function tokenLife({ renewedAt, lastsMs }: Token, now: Date): 'use' | 'renew' | 'spent' {
  const life = lastsMs > 0 ? (now.getTime() - renewedAt) / lastsMs : 0;
  if (life >= SPENT) return 'spent';
  return life >= 0.25 && Math.random() < 1 / RENEWED_ONE_IN ? 'renew' : 'use';
}
