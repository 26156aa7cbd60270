/** A feed's name, even if the server does not send one. */
import { type FeedCategory, knownFeed } from '#contract/feeds/feeds.ts';
import { knownSource } from '#contract/feeds/sources.ts';
import type { FeedEntry } from '../../api/alerts/feeds.ts';

export function titleOf(feed: FeedEntry): string {
  return feed.title?.trim() || knownFeed(feed.slug)?.title || knownSource(feed.slug).displayName;
}

export function categoryOf(feed: FeedEntry): FeedCategory | null {
  return feed.category ?? knownFeed(feed.slug)?.category ?? null;
}
