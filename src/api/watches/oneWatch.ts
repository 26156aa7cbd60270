/** One route or area in full, and the actions on it. The board needs none of this. */
import { apiPath } from '#contract/addresses.ts';
import { Disruption, Geometry } from '#contract/incidents/disruptions.ts';
import { TELL_ME, TellMe } from '#contract/watches/tellMe.ts';
import {
  Coverage,
  CoursePart,
  Leg,
  Match as WireMatch,
  MatchFeedback,
  NotOurs,
  type ResolveRequest,
  Resolved as WireResolved,
  RouteProblem,
  RoutePlace,
  Watch as WireWatch,
  type WatchChange,
  WatchPreview,
  type TrialRequest,
  WatchRecord as WireRecord,
  WatchRequest,
  WatchSuggestion,
} from '#contract/watches/watches.ts';
import { z } from 'zod/mini';
import { SourceEntry } from '../alerts/disruptions.ts';
import { MapEvent } from '../places/events.ts';
import { call, read, type Reply, remove } from '../http.ts';
import { makeOnce, sendOnce } from '../makeOnce.ts';
import { items, maybe, tolerant } from '../tolerant.ts';
import { Kilometre, lettingThrough, level, shared, Words } from './watches.ts';

/** The form in which it is sent: fields with a default may be left out. */
export type WatchAsked = z.input<typeof WatchRequest>;

const way = {
  geometry: maybe(Geometry),
  course: z.catch(items(CoursePart), []),
  places: z.catch(items(RoutePlace), []),
  coverage: z.catch(items(Coverage), []),
};

const MatchedAlert = tolerant(z.extend(Disruption, { geometry: z.optional(Geometry) }), 'event_id', {
  geometry: maybe(Geometry),
});

const Match = tolerant(WireMatch, 'subject_id', {
  level,
  why: Words,
  from_km: Kilometre,
  to_km: Kilometre,
  disruption: maybe(MatchedAlert),
  event: maybe(MapEvent),
});
/** Why a route is touched, with the incident or event as read. */
export type Match = z.output<typeof Match>;

/** The settings for messages. A part that cannot be read has its default. */
const Notify = z.object({
  threshold: z.catch(TellMe.shape.threshold, TELL_ME.threshold),
  possible: z.catch(TellMe.shape.possible, TELL_ME.possible),
  around_departures: z.catch(TellMe.shape.around_departures, TELL_ME.around_departures),
});

const Watch = tolerant(WireWatch, 'id', {
  ...shared,
  ...way,
  legs: z.catch(items(Leg), []),
  notify: z.catch(Notify, TELL_ME),
});
export type Watch = z.output<typeof Watch>;

const WatchRecord = tolerant(WireRecord, null, {
  not_ours: z.catch(items(NotOurs), []),
  watch: Watch,
  matches: items(Match),
  sources: z.catch(items(SourceEntry), []),
});
/** One route with everything that touches it. */
export type WatchRecord = z.output<typeof WatchRecord>;

export const watchRecord = (id: string, signal?: AbortSignal): Promise<Reply<WatchRecord>> =>
  read(WatchRecord, apiPath`watches/${id}`, { offlineCopy: true, signal });

const Made = z.looseObject({ id: z.string(), rev: maybe(z.number()) });

/** Promises the id of the new watch. */
export async function createWatch(watch: WatchAsked): Promise<string> {
  return (await createWatchRecord(watch)).id;
}

/** The same, with the revision, so that it can be deleted again. */
export async function createWatchRecord(watch: WatchAsked): Promise<{ id: string; rev: number }> {
  const { id, rev } = (await makeOnce(Made, 'watches/', watch)).data;
  return { id, rev: rev ?? 1 };
}

/** Refused with 409 when somebody else has changed the watch since `rev`. */
export const changeWatch = (id: string, rev: number, change: WatchChange) =>
  call(apiPath`watches/${id}`, { method: 'patch', json: change, ifMatch: rev });

export const deleteWatch = (id: string, rev: number) => remove(apiPath`watches/${id}`, { ifMatch: rev });

/** Undoes a deletion; it can be repeated. */
export const restoreWatch = (id: string) => call(apiPath`watches/${id}/restore`, { method: 'post' });

const Resolved = tolerant(WireResolved, null, {
  ...way,
  length_km: z.catch(z.number(), 0),
  legs: items(Leg),
  problems: z.catch(items(RouteProblem), []),
});
/** The parts that were understood of a text or a line. */
export type Resolved = z.output<typeof Resolved>;

export const resolveWatch = async (asked: ResolveRequest, signal?: AbortSignal): Promise<Resolved> =>
  (await read(Resolved, 'watches/resolve', { method: 'post', json: asked, signal })).data;

const Preview = tolerant(WatchPreview, null, {
  ...way,
  length_km: z.catch(z.number(), 0),
  matches: z.catch(items(Match), []),
  sources: z.catch(items(SourceEntry), []),
  ...lettingThrough,
});
/** The watch that would be made, and what it would let through now; nothing is stored. */
export type Preview = z.output<typeof Preview>;

export const previewWatch = async (watch: WatchAsked, signal?: AbortSignal): Promise<Preview> =>
  (await read(Preview, 'watches/preview', { method: 'post', json: watch, signal })).data;

/** The way that these legs form. */
export async function previewWay(watch: WatchAsked & Pick<Resolved, 'legs'>): Promise<Resolved> {
  return { ...(await previewWatch(watch)), legs: watch.legs, problems: [], name: null };
}

const Trial = z.looseObject({ at_once: z.number(), in_digest: z.number() });

/** Counts of the messages that it would have sent since 06:00 yesterday. */
export const tryWatch = async (id: string, asked: TrialRequest, signal?: AbortSignal) =>
  (await read(Trial, apiPath`watches/${id}/trial`, { method: 'post', json: asked, signal })).data;

/** Stores the team's order, which is the order of its columns. */
export const orderWatches = (ids: readonly string[]) =>
  call('watches/order', { method: 'put', json: { ids } });

const Suggestions = z.looseObject({ results: items(WatchSuggestion) });
export const suggestWatch = async (text: string, signal?: AbortSignal): Promise<WatchSuggestion[]> =>
  (await read(Suggestions, 'watches/suggest', { searchParams: { q: text }, signal })).data.results;

export const sendFeedback = (
  id: string,
  { subject_id, verdict, text = null }: z.input<typeof MatchFeedback>,
): Promise<void> => sendOnce(apiPath`watches/${id}/feedback`, { subject_id, verdict, text });
