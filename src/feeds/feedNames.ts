/** What a feed is called, also where the server does not say. */
import { type FeedCategory, FEEDS } from '#contract/feeds.ts';
import { knownSource } from '#contract/sources.ts';
import type { FeedEntry } from '../api/feeds.ts';

export function titleOf(feed: FeedEntry): string {
  return feed.title?.trim() || known(feed)?.title || knownSource(feed.slug).displayName;
}

export function categoryOf(feed: FeedEntry): FeedCategory | null {
  return feed.category ?? known(feed)?.category ?? null;
}

const known = (feed: FeedEntry) => FEEDS.find(({ slug }) => slug === feed.slug);
