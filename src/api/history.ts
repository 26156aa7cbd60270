/** The past, as it was known. */
import { apiPath } from '#contract/addresses.ts';
import { HistoryTimeline, type SourceStats, SourceStatsList, WatchHistory } from '#contract/history.ts';
import { read } from './http.ts';
import { Feeds } from './feeds.ts';

export type Timeline = HistoryTimeline;

/** All feeds as they were known at that time. */
export const pastBoard = async (at: Date, signal?: AbortSignal): Promise<Feeds> =>
  (await read(Feeds, 'history/board', { searchParams: { at: at.toISOString() }, signal })).data;

/** The marks of one day of London, `2026-11-21`. */
export const timelineOf = async (day: string, signal?: AbortSignal): Promise<Timeline> =>
  (await read(HistoryTimeline, 'history/timeline', { searchParams: { from: day, to: day }, signal })).data;

export type RouteHistory = WatchHistory;

/** What touched a route on these days of London, the last included. */
export const watchHistory = async (
  id: string,
  span: { from: string; to: string },
  signal?: AbortSignal,
): Promise<RouteHistory> =>
  (await read(WatchHistory, apiPath`history/watches/${id}`, { searchParams: span, signal })).data;

/** How reliable each source was in the last week. */
export const loadSourceStats = async (signal?: AbortSignal): Promise<SourceStats[]> =>
  (await read(SourceStatsList, 'stats/sources', { searchParams: { days: 7 }, signal })).data.sources;
