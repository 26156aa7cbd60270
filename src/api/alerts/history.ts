/** The past, as it was known. */
import { apiPath } from '#contract/addresses.ts';
import {
  HistoryTimeline,
  JobStats,
  PastJob,
  SourceStatsList,
  WatchHistory,
} from '#contract/history/history.ts';
import { z } from 'zod/mini';
import { Alert } from './disruptions.ts';
import { read } from '../http.ts';
import { items } from '../tolerant.ts';
import { Feeds } from './feeds.ts';

export type Timeline = HistoryTimeline;

export interface PastBoard {
  feeds: Feeds;
  /** The team's own reports. */
  ours: Alert[];
  /** The team's jobs of that day, by the time at which they leave. */
  jobs: PastJob[];
  /** The place that was asked for, and how many alerts had no position at that time. */
  near: { label: string; radius_km: number; without_position: number } | null;
}

const Rest = z.looseObject({
  reports: z.catch(items(Alert), []),
  jobs: z.catch(items(PastJob), []),
  near: z.catch(
    z.nullable(z.object({ label: z.string(), radius_km: z.number(), without_position: z.number() })),
    null,
  ),
});
const PastBoard = z.pipe(
  z.unknown(),
  z.transform((answer, { issues }): PastBoard => {
    const feeds = Feeds.safeParse(answer);
    if (!feeds.success) {
      issues.push({ code: 'custom', input: answer, message: 'Not a list of feeds' });
      return z.NEVER;
    }
    const rest = Rest.safeParse(answer).data;
    return { feeds: feeds.data, ours: rest?.reports ?? [], jobs: rest?.jobs ?? [], near: rest?.near ?? null };
  }),
);

export interface PastPlace {
  near: string;
  radius: number;
}

/** Everything that was known at that time. With a place, only what was near it. */
export const pastBoard = async (
  at: Date,
  place: PastPlace | null,
  signal?: AbortSignal,
): Promise<PastBoard> =>
  (
    await read(PastBoard, 'history/board', {
      searchParams: { at: at.toISOString(), ...(place && { near: place.near, radius_km: place.radius }) },
      signal,
    })
  ).data;

/** The minutes with a change on one day in London, `2026-11-21`. */
export const timelineOf = async (day: string, signal?: AbortSignal): Promise<Timeline> =>
  (await read(HistoryTimeline, 'history/timeline', { searchParams: { from: day, to: day }, signal })).data;

export type RouteHistory = WatchHistory;

/** The alerts that touched a route on these days in London, including the last. */
export const watchHistory = async (
  id: string,
  span: { from: string; to: string },
  signal?: AbortSignal,
): Promise<RouteHistory> =>
  (await read(WatchHistory, apiPath`history/watches/${id}`, { searchParams: span, signal })).data;

/** How reliable each source was in the last week. */
export const loadSourceStats = async (signal?: AbortSignal): Promise<SourceStatsList> =>
  (await read(SourceStatsList, 'stats/sources', { searchParams: { days: 7 }, signal })).data;

/** How often the arrival that was expected when a job left was right, in the last week. */
export const loadJobStats = async (signal?: AbortSignal): Promise<JobStats> =>
  (await read(JobStats, 'stats/jobs', { searchParams: { days: 7 }, signal })).data;
