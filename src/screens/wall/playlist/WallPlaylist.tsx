import { useEffect } from 'react';
import { type Self } from '../../../api/displays/displaySelf.ts';
import { useBoard } from '../../../feeds/refresh/useBoard.ts';
import { noteShowing, useTaken } from '../kiosk/takenLayout.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { touchTitle } from '../../../watches/watchState.ts';
import { useWallWatches } from '../../../watches/useWatches.ts';
import { type Playlist, pageNow, playlistOf } from './playlist.ts';
import { useSeen } from '../words/seenByTeam.ts';
import { timeOnWall } from '../words/shownTime.ts';
import { PageOfWall } from './PageOfWall.tsx';
import { type Message, messageBand, MessageScreen, useStands } from './WallMessage.tsx';
import { entryStateOf, useStates } from './WallRoutes.tsx';

const NO_ROUTES = { watches: [], incidents: [], events: [], sources: [], unplaced: 0 };
const LONG_AGO = new Date(0);
const PINNED_MS = 30 * 60_000;

/** What this paired display was asked to show: pages in turn, by cut, and what interrupts them. */
export function WallPlaylist() {
  const self = useTaken((taken) => taken.self);
  const board = useBoard(true, 'unattended');
  const { data, at } = useWallWatches('display');
  const routes = data && at && data.watches.length > 0 ? { data, at } : null;
  const { message, stands } = useMessage(self);
  const covers = stands && message?.cover === 'screen';
  const playlist = playlistOf(self?.layout);
  const { critical, beside } = useCritical(routes);
  const pages = usePinned(playlist, critical, routes !== null);
  const place = useClock((now) => pageNow(pages, now));
  const page = pages[place] ?? pages[0]!; // there is one
  useEffect(
    () => noteShowing(covers ? 'message' : page.type, playlist.problem),
    [covers, page.type, playlist.problem],
  );

  if (covers) return <MessageScreen message={message!} beside={beside} />;
  const band = stands && message ? messageBand(message) : null;
  return <PageOfWall page={page} board={board} routes={routes} band={band} beside={beside} />;
}

function useMessage(self: Self | null): { message: Message | null; stands: boolean } {
  const message = self?.message ?? null;
  return { message, stands: useStands(message) };
}

interface Pinned {
  id: string;
  /** In milliseconds. */
  since: number;
}

/** The critical alert that certainly touches a route of this display. */
function useCritical(routes: { data: Parameters<typeof useStates>[0]; at: Date } | null): {
  critical: Pinned | null;
  beside: string | null;
} {
  const { routes: all, now } = useStates(routes?.data ?? NO_ROUTES, routes?.at ?? LONG_AGO);
  const worst = all.find(({ state }) => entryStateOf(state) === 'critical')?.state.certain[0];
  const alert = worst?.alert;
  return alert
    ? {
        critical: { id: alert.event_id, since: Date.parse(alert.since ?? alert.start_time ?? '') || 0 },
        beside: [touchTitle(worst), timeOnWall(alert, now)].filter(Boolean).join(', '),
      }
    : { critical: null, beside: null };
}

/** A critical of a route interrupts the pages until it is taken in hand, or half an hour has passed; then it comes every
 *  second page. */
function usePinned(
  { pages, pinsCriticals }: Playlist,
  critical: Pinned | null,
  hasRoutes: boolean,
): Playlist['pages'] {
  const seen = useSeen((known) => (critical ? Boolean(known[critical.id]) : false));
  const isNew = useClock((now) => critical !== null && now.getTime() - critical.since < PINNED_MS);
  if (!pinsCriticals || !critical || pages.length < 2) return pages;
  const list = pages.find(({ type }) => type === (hasRoutes ? 'routes' : 'board')) ?? {
    type: 'board',
    dwell_s: 30,
  };
  return isNew && !seen ? [list] : pages.flatMap((page) => (page === list ? [page] : [page, list]));
}
