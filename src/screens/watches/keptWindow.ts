/** The window that was chosen on the routes' page, kept for the tab: it survives Back and a reload. */
import { londonDay } from '#contract/london.ts';
import { z } from 'zod/mini';
import type { tabStore } from '../../device/browserStorage.ts';
import { serverNow } from '../../time/freshness.ts';
import { NEXT_DEPARTURE, type Window } from '../../watches/timeWindow.ts';

const KEY = 'clearway_routes_window';

const Kept = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('now') }),
  z.object({ kind: z.literal('hours') }),
  z.object({ kind: z.literal('departure'), id: z.nullable(z.string()) }),
  z.object({
    kind: z.literal('date'),
    day: z.iso.date(),
    clock: z.nullable(z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))),
  }),
]);

type Store = Pick<typeof tabStore, 'get' | 'set' | 'remove'>;

/** The kept window. The default if none is kept, or if its day is over. `usual`: always the default. */
export function readWindow(store: Store, usual = false): Window {
  if (usual) return NEXT_DEPARTURE;
  try {
    const kept = Kept.parse(JSON.parse(store.get(KEY) ?? ''));
    return kept.kind === 'date' && kept.day < londonDay(serverNow()) ? NEXT_DEPARTURE : kept;
  } catch {
    return NEXT_DEPARTURE; // there is none, or it is of another version of the app
  }
}

export const writeWindow = (store: Store, window: Window): void =>
  void store.set(KEY, JSON.stringify(window));
