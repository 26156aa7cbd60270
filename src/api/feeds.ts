/** The board's feeds with their summaries and alerts. */
import { Feed, Summary as SummarySchema } from '#contract/feeds.ts';
import { z } from 'zod/mini';
import { Alert, SourceEntry } from './disruptions.ts';
import { read, type Reply } from './http.ts';
import { items, list, maybe, tolerant } from './tolerant.ts';

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

const Rows = list(Row, 'feeds');

/** All feeds in the server's order, at most 20 alerts each, worst first. `fetchedAt` is by the server's clock. */
export async function listFeeds(signal?: AbortSignal): Promise<Reply<Row[]>> {
  const reply = await read(Rows, 'feeds/', {
    searchParams: { include_events: true },
    offlineCopy: true,
    signal,
  });
  return itemsOf(reply);
}

function itemsOf({ data, late, ...reply }: Reply<z.output<typeof Rows>>): Reply<Row[]> {
  return { ...reply, data: data.items, late: late?.then((answer) => answer && itemsOf(answer)) };
}
