/**
 * The credential of a paired display, in storage of its own beside any user's. Once the server refuses it, it stays: the
 * board is kept (decision 6b), and each refresh tries it again, for its owner's account may be enabled again, and only
 * by it can the display be told to blank.
 */
import { create } from 'zustand';
import { refusalOf, renewCredential } from '../api/displays.ts';
import { type Credential, renewal, standInWith } from '../api/http.ts';
import { newScope } from '../api/tokens.ts';
import { serverNow } from '../offline/freshness.ts';
import { purgeOfflineCopies } from '../offline/serviceWorker.ts';

const STORED_AS = 'clearway_display';

interface Kept {
  access: string;
  refresh: string;
  /** The same for as long as this display keeps its board. */
  scope: string;
  /** Made anew each time that somebody lets it in. */
  pairing: string;
  /** ISO 8601, by the server's clock. */
  signedOutAt: string | null;
}

interface TokenPair {
  access_token: string;
  refresh_token: string;
}

/** Whether this browser is a display: never let in, let in, or refused by now. */
export type DisplayState =
  | { state: 'unpaired' }
  | { state: 'paired'; pairing: string }
  | { state: 'signedOut'; pairing: string; at: Date };

export const useDisplay = create<{ display: DisplayState }>(() => ({ display: stateOf(kept()) }));

const credential: Credential = {
  accessToken: () => kept()?.access ?? null,
  scope: () => kept()?.scope ?? null,
  renew: renewal({
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
  }),
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
  localStorage.removeItem(STORED_AS);
  follow();
  await purgeOfflineCopies(scope);
}

const named = ({ access_token, refresh_token }: TokenPair) => ({
  access: access_token,
  refresh: refresh_token,
});

function keep(display: Kept): void {
  localStorage.setItem(STORED_AS, JSON.stringify(display));
  follow();
}

function kept(): Kept | null {
  try {
    const found = JSON.parse(localStorage.getItem(STORED_AS) ?? 'null') as Partial<Kept> | null;
    const { access, refresh, scope } = found ?? {};
    if (!access || !refresh || !scope) return null;
    return { access, refresh, scope, pairing: found?.pairing ?? '', signedOutAt: found?.signedOutAt ?? null };
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
