import { feedOf } from '#contract/feeds/feeds.ts';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { ShownPage } from '../../../api/displays/displaySelf.ts';
import { dateOf, isCritical } from '../../../feeds/alerts/alerts.ts';
import type { Watches } from '../../../api/watches/watches.ts';
import { useBoard, useShown } from '../../../feeds/refresh/useBoard.ts';
import { isHeld, useHeldFeed } from '../kiosk/remoteControl.ts';
import { noteShowing, useTaken } from '../kiosk/takenLayout.ts';
import { worstFirst } from '#contract/incidents/worstFirst.ts';
import type { Row } from '../../../api/alerts/feeds.ts';
import { useUnsnoozed } from '../../../shift/inHand/inHandStore.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { useWallJobs, useWallWatches } from '../../../watches/useWatches.ts';
import { useForm } from '../words/wallMeasures.ts';
import {
  feedsOf,
  hasRoute,
  hasRoutesOf,
  lacksRoutes,
  pageNow,
  pageShowing,
  pagesWith,
  playlistOf,
  type Touched,
  isNewCritical,
} from './playlist.ts';
import { useSeen } from '../words/seenByTeam.ts';
import { timeOnWall } from '../words/shownTime.ts';
import { PageOfWall } from './PageOfWall.tsx';
import { messageBand, MessageScreen, useStanding } from './WallMessage.tsx';
import { useStates } from '../lists/WallRoutes.tsx';

const NO_ROUTES: Watches = { watches: [], incidents: [], events: [], sources: [], unplaced: 0 };
const LONG_AGO = new Date(0);

/** The playlist that this paired display was asked to show: pages in turn, and what interrupts them. */
export function WallPlaylist() {
  const self = useTaken((taken) => taken.self);
  const board = useBoard(true, 'unattended');
  const { routes, isNew } = useGivenRoutes(self?.rev);
  const message = useStanding(self);
  const form = useForm();
  const covers = message?.cover === 'screen';
  const playlist = playlistOf(self?.layout);
  const jobs = useWallJobs(playlist.pages.some(({ type }) => type === 'jobs') ? 'display' : null);
  const onRoutes = useCriticalsOnRoutes(routes, playlist.pages);
  const { rows, at, boardStale } = useShown(board.view);
  const awake = useUnsnoozed(rows);
  const inFeed = useMemo(() => criticalsOf(awake, feedsOf(playlist.pages)), [awake, playlist.pages]);
  const withPage = (criticals: readonly Critical[]): Interrupting[] =>
    criticals.flatMap((one) => {
      const page = pageShowing(playlist.pages, one, jobs?.data.jobs ?? []);
      return page ? [{ ...one, page }] : [];
    });
  const byRoute = withPage(onRoutes);
  const pinned = byRoute.length > 0 ? byRoute : withPage(inFeed);
  const { critical, news } = useNews(pinned);
  // In a lobby nobody drives the routes.
  const isPinned = playlist.pinsCriticals && !playlist.pages.some(({ large }) => large);
  const stays = onRoutes.length > 0 || !isPinned ? onRoutes : news;
  const time = useClock((now) => (stays[0] ? timeOnWall(stays[0].alert, boardStale && at ? at : now) : ''));
  const beside = stays[0] ? { criticals: stays, time } : null;
  const pages = playlist.pinsCriticals ? pagesWith(playlist.pages, critical) : playlist.pages;
  // Behind a message stays the page at which it was sent, the same on displays side by side; otherwise a board with a
  // held feed.
  const sent = dateOf(message?.at);
  const hold = useHeldFeed((state) => state.hold);
  const place = useClock((now) => {
    const held = hold && isHeld(hold, now) ? pageNow(pages, new Date(hold.at)).place : -1;
    return !sent && pages[held]?.type === 'board' ? held : pageNow(pages, sent ?? now).place;
  });
  const turn = useClock((now) => pageNow(pages, now).turn);
  const page = pages[place] ?? pages[0]!; // there is one
  const problem =
    playlist.problem ??
    (routes && isNew && playlist.pages.some((one) => lacksRoutes(one, routes.data.watches))
      ? 'A page names only routes that this display was not given'
      : null);
  useEffect(() => noteShowing(covers ? 'message' : page.type, problem), [covers, page.type, problem]);

  if (covers) return <MessageScreen message={message} board={board} beside={beside} />;
  return (
    <PageOfWall
      page={page}
      board={board}
      routes={routes && (isNew || hasRoutesOf(page, routes.data.watches)) ? routes : null}
      jobs={jobs}
      of="display"
      turn={turn}
      pinned={playlist.pinsCriticals && critical?.is === 'new'}
      band={message ? messageBand(message, { form, large: page.large ?? false }) : null}
      beside={beside}
    />
  );
}

/** The routes of this display; null: not known. `isNew`: the server gave them after the last change to the display's
 *  content, so a route that is not among them was not given. */
function useGivenRoutes(rev: number | undefined): {
  routes: { data: Watches; at: Date } | null;
  isNew: boolean;
} {
  const { data, at, problem, renew } = useWallWatches('display');
  const [asked, setAsked] = useState<{ rev: number | undefined; before: Watches | null }>({
    rev,
    before: null,
  });
  if (asked.rev !== rev) setAsked({ rev, before: data });
  // A stored copy comes with a problem.
  else if (asked.before && data !== asked.before && !problem) setAsked({ rev, before: null });
  const askAgain = useEffectEvent(() => void renew());
  useEffect(() => {
    if (rev !== undefined) askAgain();
  }, [rev]);
  return { routes: data && at && { data, at }, isNew: asked.before === null };
}

interface Critical extends Touched {
  alert: Alert;
  /** The names of its routes. */
  names: readonly string[];
}
type Interrupting = Critical & { page: ShownPage };

/** The critical alerts that certainly touch a route of these pages. */
function useCriticalsOnRoutes(
  routes: { data: Watches; at: Date } | null,
  pages: readonly ShownPage[],
): readonly Critical[] {
  const shown = useMemo(() => {
    const data = routes?.data ?? NO_ROUTES;
    return { ...data, watches: data.watches.filter(({ id }) => hasRoute(pages, id)) };
  }, [routes?.data, pages]);
  const { routes: all } = useStates(shown, routes?.at ?? LONG_AGO);
  const found = new Map<string, Critical & { watchIds: string[]; names: string[] }>();
  for (const { watch, state } of all)
    for (const { alert } of state.certain) {
      if (!alert || !isCritical(alert)) continue;
      const feed = feedOf(alert.source ?? '')?.slug ?? null;
      const known = found.get(alert.event_id) ?? { alert, feed, watchIds: [], names: [] };
      known.watchIds.push(watch.id);
      known.names.push(watch.name);
      found.set(alert.event_id, known);
    }
  return [...found.values()];
}

/** The critical alerts of the display's feeds, when no route of it is touched. */
const criticalsOf = (rows: readonly Row[], feeds: readonly string[] | null): Critical[] =>
  rows
    .filter(({ feed }) => feeds?.includes(feed.slug) ?? true)
    .flatMap(({ feed, events }) =>
      events.filter(isCritical).map((alert) => ({ alert, feed: feed.slug, watchIds: [], names: [] })),
    )
    .toSorted((a, b) => worstFirst(a.alert, b.alert));

/** `news`: the critical alerts that nobody has in hand and that are less than half an hour old. */
function useNews(criticals: readonly Interrupting[]): {
  critical: Parameters<typeof pagesWith>[1];
  news: readonly Interrupting[];
} {
  const seen = useSeen();
  const ids = useClock((now) =>
    criticals
      .filter(({ alert }) => !seen[alert.event_id] && isNewCritical(alert, now))
      .map(({ alert }) => alert.event_id)
      .join('\n'),
  ).split('\n');
  const news = criticals.filter(({ alert }) => ids.includes(alert.event_id));
  const one = news[0] ?? criticals[0];
  return { critical: one ? { is: news.length > 0 ? 'new' : 'known', page: one.page } : null, news };
}
