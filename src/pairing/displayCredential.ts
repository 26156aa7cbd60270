/**
 * The credential of a paired display, in storage of its own beside any user's. Once the server refuses it, it stays: the
 * board is kept (decision 6b), and each refresh tries it again, for its owner's account may be enabled again, and only
 * by it can the display be told to blank.
 */
import { create } from 'zustand';
import { refusalOf, renewCredential } from '../api/displays.ts';
import { type Credential, Refused, renewal, standInWith, type TokenPair } from '../api/http.ts';
import { newScope } from '../api/tokens.ts';
import { serverNow } from '../time/freshness.ts';
import { purgeOfflineCopies } from '../offline/serviceWorker.ts';
import { browserStore } from '../device/browserStorage.ts';
import { type Token, tokenLife } from './tokenLife.ts';

const STORED_AS = 'clearway_display';

interface Kept extends Token {
  access: string;
  refresh: string;
  /** The same for as long as this display keeps its board. */
  scope: string;
  /** Made anew each time that somebody lets it in. */
  pairing: string;
  /** ISO 8601, by the server's clock. */
  signedOutAt: string | null;
}

/** Whether this browser is a display: never let in, let in, or refused by now. */
export type DisplayState =
  | { state: 'unpaired' }
  | { state: 'paired'; pairing: string }
  | { state: 'signedOut'; pairing: string; at: Date };

export const useDisplay = create<{ display: DisplayState }>(() => ({ display: stateOf(kept()) }));

const renew = renewal({
  lock: 'clearway-display-refresh',
  accessToken: () => kept()?.access ?? null,
  refreshToken: () => kept()?.refresh ?? null,
  save: (pair) => keep({ ...kept()!, ...named(pair), signedOutAt: null }), // it is the pair that was traded
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

/** Somebody has let this display in; what it showed before stays its own. */
export function adopt(pair: TokenPair): void {
  keep({ scope: kept()?.scope ?? newScope(), pairing: newScope(), ...named(pair), signedOutAt: null });
}

async function blank({ scope }: Kept): Promise<void> {
  browserStore.remove(STORED_AS);
  follow();
  await purgeOfflineCopies(scope);
}

const named = ({ access_token, refresh_token, expires_in = 0 }: TokenPair) => ({
  access: access_token,
  refresh: refresh_token,
  renewedAt: serverNow().getTime(),
  lastsMs: expires_in * 1000,
});

function keep(display: Kept): void {
  browserStore.set(STORED_AS, JSON.stringify(display));
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
