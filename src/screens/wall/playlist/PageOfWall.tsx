import type { ReactNode } from 'react';
import type { ShownPage as Page } from '../../../api/displays/displaySelf.ts';
import type { Watches } from '../../../api/watches/watches.ts';
import { type Board, Unanswered, useUnanswered } from '../../../feeds/refresh/useBoard.ts';
import { FeedsPage } from '../WallBoard.tsx';
import { ChangesPage } from '../lists/WallChanges.tsx';
import { JobsPage, type KnownJobs } from '../lists/WallJobs.tsx';
import { MapPage, RoutesPage } from '../lists/WallLists.tsx';
import { type Beside, MessageScreen, PAGE } from './WallMessage.tsx';
import { EmptyPage } from '../lists/WallList.tsx';
import { RoutePage } from '../lists/WallStrip.tsx';
import { WallRoutes } from '../lists/WallRoutes.tsx';
import { lacksRoutes } from './playlist.ts';

/** One page of a layout, on a wall and in the preview for the person who makes the layout. */
export const PageOfWall = (page: PageProps) => (
  <Unanswered value={useUnanswered(page.board)}>
    <ShownPage {...page} />
  </Unanswered>
);

interface PageProps {
  page: Page;
  board: Board;
  /** Null: not known. */
  routes: { data: Watches; at: Date } | null;
  /** Null: no jobs are known yet. */
  jobs: KnownJobs | null;
  of: 'team' | 'display';
  /** How often all pages have been shown, which decides the visible part of a long list. */
  turn: number;
  /** True: a critical alert interrupts the other pages. */
  pinned?: boolean;
  /** A message above the page's own content, with its height in units. */
  band: { height: number; message: ReactNode } | null;
  /** The critical alerts shown beside a message that takes the whole screen: on a route, otherwise new in a feed. */
  beside: Beside | null;
}

/** The titles of pages that show nothing without routes, and the names of their data. */
const OF_ROUTES: Readonly<Record<string, readonly [title: string, what: string]>> = {
  routes: ['Our routes', 'Routes'],
  route: ['Route', 'Route'],
  jobs: ['Jobs today', 'Jobs'],
};

function ShownPage({ page, board, routes, jobs, of, turn, pinned = false, band, beside }: PageProps) {
  const { watch_ids } = page;
  const empty = ([title, what]: readonly [string, string], words: string) => (
    <EmptyPage board={board} band={band} title={title} what={what}>
      {words}
    </EmptyPage>
  );
  if (routes && lacksRoutes(page, routes.data.watches))
    return empty(['Our routes', 'Routes'], 'The routes of this page are no longer on this display.');
  const chosen = routes && {
    ...routes,
    data: watch_ids
      ? { ...routes.data, watches: routes.data.watches.filter(({ id }) => watch_ids.includes(id)) }
      : routes.data,
  };
  const head = OF_ROUTES[page.type];
  if (head) {
    if (!chosen) return empty(head, 'Our routes are not known yet.');
    if (chosen.data.watches.length === 0) return empty(head, 'This display was given no routes.');
    if (page.type === 'routes')
      return <RoutesPage board={board} known={chosen} band={band} turn={turn} pinned={pinned} />;
    if (page.type === 'route') return <RoutePage board={board} known={chosen} band={band} />;
    if (!jobs) return empty(head, 'The jobs have not been received yet.');
    return (
      <JobsPage
        board={board}
        jobs={jobs}
        routes={chosen}
        watchIds={watch_ids ?? null}
        band={band}
        turn={turn}
        pinned={pinned}
      />
    );
  }
  switch (page.type) {
    case 'changes':
      return (
        <ChangesPage
          board={board}
          band={band}
          of={of}
          watchIds={watch_ids ?? null}
          isKnown={routes !== null || !watch_ids}
        />
      );
    case 'map':
      return <MapPage board={board} band={band} />;
    case 'message':
      return (
        <MessageScreen
          message={{ id: PAGE, text: page.text ?? '' }}
          board={board}
          beside={beside}
          band={band}
        />
      );
    default:
      return (
        <FeedsPage
          board={board}
          feeds={page.feeds ?? null}
          band={band}
          large={page.large ?? false}
          routes={
            routes && routes.data.watches.length > 0 && !page.without_routes ? (
              <WallRoutes {...routes} />
            ) : null
          }
        />
      );
  }
}
