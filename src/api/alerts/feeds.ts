/** The board's feeds with their summaries and alerts. */
import { Feed, FeedList, NextUp as NextUpSchema, Summary as SummarySchema } from '#contract/feeds/feeds.ts';
import { z } from 'zod/mini';
import { Alert, SourceEntry } from './disruptions.ts';
import { read, type Reply } from '../http.ts';
import { items, list, maybe, tolerant } from '../tolerant.ts';

const Summary = tolerant(SummarySchema);
/** An AI summary as read: any field may be missing. */
export type Summary = z.output<typeof Summary>;

const FeedEntry = tolerant(Feed, 'slug', { sources: maybe(items(SourceEntry)) });
/** A feed as read: only `slug` is guaranteed. Other implementations of the API send no `freshness` or `sources`. */
export type FeedEntry = z.output<typeof FeedEntry>;

const Row = z.looseObject({
  feed: FeedEntry,
  summary: maybe(Summary),
  events: z.catch(items(Alert), []),
});
/** One row of the board. An empty `events` means calm only when `feed.alert_count` is 0 as well. */
export type Row = z.output<typeof Row>;

const NextUp = tolerant(NextUpSchema);
/** Something that a source expects at a stated time, as read. */
export type NextUp = z.output<typeof NextUp>;

/** The board's data beside its rows. */
export interface Outlook {
  /** Soonest first; null: the server does not send it. */
  nextUp: NextUp[] | null;
  /** When the last known critical alert ended; null if there is none. */
  lastCriticalCleared: string | null;
}

export interface Feeds {
  rows: Row[];
  outlook: Outlook;
}

export const NO_OUTLOOK: Outlook = { nextUp: null, lastCriticalCleared: null };

const Rows = list(Row, 'feeds');
const Beyond = tolerant(z.pick(FeedList, { next_up: true, last_critical_cleared: true }), null, {
  next_up: maybe(items(NextUp)),
});

/** Each answer is read once: an unchanged answer gives identical rows. */
export const Feeds = z.pipe(
  z.unknown(),
  z.transform((answer, { issues }): Feeds => {
    const rows = Rows.safeParse(answer);
    if (!rows.success) {
      issues.push({ code: 'custom', input: answer, message: 'Not a list of feeds' });
      return z.NEVER;
    }
    const { next_up, last_critical_cleared } = Beyond.safeParse(answer).data ?? {};
    return {
      rows: rows.data.items,
      outlook: { nextUp: next_up ?? null, lastCriticalCleared: last_critical_cleared ?? null },
    };
  }),
);

/** All feeds in the server's order, with at most 20 alerts each, worst first. `fetchedAt` is by the server's clock. */
export const listFeeds = (signal?: AbortSignal): Promise<Reply<Feeds>> =>
  read(Feeds, 'feeds/', { searchParams: { include_events: true }, offlineCopy: true, signal });
