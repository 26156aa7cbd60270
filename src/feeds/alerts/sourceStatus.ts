/** The sources of a feed, and its status line. */
import { knownFeed } from '#contract/feeds/feeds.ts';
import { knownSource, shortNameOf } from '#contract/feeds/knownSources.ts';
import type { SourceEntry } from '../../api/alerts/disruptions.ts';
import type { FeedEntry } from '../../api/alerts/feeds.ts';
import { counted } from '#contract/numbers.ts';
import type { Status } from '../../ui/signs/StatusLine.tsx';
import { dateOf, isAhead, sinceText } from './alerts.ts';

/**
 * The sources of a feed as the server names them, otherwise those of the known feed. The most important comes first.
 */
export function sourcesOf(feed: FeedEntry): string[] {
  const named = feed.sources?.map(({ source }) => source);
  return [...new Set(named ?? knownFeed(feed.slug)?.sources)].sort(
    (a, b) => knownSource(a).priority - knownSource(b).priority,
  );
}

export interface StatusWords {
  status: Status;
  text: string;
}

export const NOT_CONNECTED: StatusWords = { status: 'none', text: 'Not connected' };

/** "No recent information", with the time if it is known. A collection time in the future does not count. */
export function notRecentText(since: Date | null, now: Date): string {
  const isKnown = since && !isAhead(since, now);
  return isKnown ? `No recent information since ${sinceText(since, now)}` : 'No recent information';
}

/** The same words for a board of the past. */
const notAnsweredText = (since: Date | null, now: Date) =>
  `Had not answered${since ? ` since ${sinceText(since, now)}` : ''}`;

export const notRecent = (time: string | null | undefined, now: Date, past = false): StatusWords => ({
  status: 'none',
  text: (past ? notAnsweredText : notRecentText)(dateOf(time), now),
});

/** Sources that were collected before but are no longer current, so that their present alerts are missing. */
export const silentSources = (feed: FeedEntry): SourceEntry[] => connectedSources(feed).filter(isSilent);

/** The short names of the silent sources of these feeds. */
export const silentNames = (rows: readonly { feed: FeedEntry }[]): string[] =>
  rows.flatMap(({ feed }) => silentSources(feed).map(({ source }) => shortNameOf(source)));

/** Whether the server says that the last report of a feed or source is too old to rely on. */
export const isSilent = ({ freshness }: Pick<FeedEntry | SourceEntry, 'freshness'>): boolean =>
  freshness === 'stale';

/** Since when every feed of the board has been silent; null while at least one is not. It is the newest of their
 *  last reports, or `at` when none has a time. */
export function allSilentSince(rows: readonly { feed: FeedEntry }[], at: Date | null): Date | null {
  if (rows.length === 0 || !rows.every(({ feed }) => isSilent(feed))) return null;
  const [newest] = rows
    .flatMap(({ feed }) => dateOf(feed.last_updated) ?? [])
    .toSorted((a, b) => Number(b) - Number(a));
  return newest ?? at;
}

/** The sources without recent information: "Heathrow: no recent information since 05:06", or "Silent, 2 sources"
 *  with their names. The fullest form comes first. Null when no source is silent. */
export function silentWords(
  feed: FeedEntry,
  now: Date,
  /** True for a board of the past: "Heathrow had not answered since 05:06". */
  past = false,
): { label: string; forms: string[] } | null {
  const silent = silentSources(feed);
  const names = silent.map(({ source }) => knownSource(source).displayName);
  if (silent.length > 1)
    return { label: `Silent, ${counted(silent.length, 'source')}`, forms: [names.join('; ')] };
  if (silent.length === 0 && !isSilent(feed)) return null;
  const last = dateOf(silent[0]?.last_collected ?? feed.last_updated);
  const [name] = names;
  if (past) {
    const words = notAnsweredText(last, now);
    return { label: 'Silent', forms: [name ? `${name} ${words.replace(/^H/, 'h')}` : words] };
  }
  const since = notRecentText(last, now);
  return {
    label: 'Silent',
    forms: name ? [`${name}: ${since.replace(/^N/, 'n')}`, `${name}: silent`] : [since],
  };
}

const connectedSources = (feed: FeedEntry): SourceEntry[] => (feed.sources ?? []).filter(isConnected);

/**
 * Whether the source is set up and was collected before. A server that sends no states counts all sources as set up.
 */
export const isConnected = (entry: SourceDeclaration): boolean =>
  entry.state !== 'not_configured' && !isWaiting(entry);

/** Whether the source is set up but was never collected. A source with an unknown collection time is stale, not
 *  waiting. */
const isWaiting = ({ state, last_collected, freshness }: SourceDeclaration) =>
  state != null && state !== 'not_configured' && !last_collected && freshness == null;

type SourceDeclaration = Pick<SourceEntry, 'state' | 'last_collected' | 'freshness'>;

/** The line for a feed without alerts. It says "No active alerts" only if the sources were really collected. `at`:
 *  the time of the board's data. */
export function quietLine(
  feed: FeedEntry,
  { boardStale, at, now, past }: { boardStale: boolean; at: Date; now: Date; past?: boolean },
): StatusWords & { note?: string } {
  const sources = feed.sources ?? [];
  const connected = connectedSources(feed);
  const neverCollected = feed.freshness === null && !feed.last_updated;
  if (neverCollected || (sources.length > 0 && connected.length === 0)) return NOT_CONNECTED;

  if (isSilent(feed)) return notRecent(feed.last_updated, now, past);
  if (boardStale) return notRecent(feed.last_updated ?? at.toISOString(), now);

  const names = (some: readonly SourceEntry[]) =>
    some.map(({ source }) => knownSource(source).displayName).join(', ');
  const silent = silentSources(feed);
  if (silent.length > 0) {
    // An unknown time is an empty string, which sorts first.
    const [oldest] = silent.map(({ last_collected }) => last_collected ?? '').toSorted();
    return { ...notRecent(oldest, now, past), note: names(silent) };
  }
  // A waiting source may have alerts. A source that is not set up is not expected to.
  const waiting = sources.filter(isWaiting);
  if (waiting.length > 0) return { ...NOT_CONNECTED, note: names(waiting) };
  const late = connected.filter(isLate);
  const notes = [
    late.length > 0 && `Late: ${names(late)}`,
    connected.length < sources.length && `${connected.length} of ${sources.length} sources connected`,
  ].filter(Boolean);
  return { status: 'good', text: 'No active alerts', note: notes.join('; ') || undefined };
}

/** Whether the data is less recent than it should be, or was read only in part, but is not yet too old to rely on. */
export const isLate = ({ freshness }: Pick<SourceEntry, 'freshness'>): boolean => freshness === 'late';
