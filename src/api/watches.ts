/** The team's routes and areas, and what touches them. */
import { apiPath } from '#contract/addresses.ts';
import { Disruption, Geometry } from '#contract/disruptions.ts';
import { TELL_ME, TellMe } from '#contract/tellMe.ts';
import {
  BriefMatch,
  Coverage,
  CoursePart,
  Departure,
  Leg,
  ListedWatch as WireListed,
  Match as WireMatch,
  MatchFeedback,
  MatchLevel,
  type ResolveRequest,
  Resolved as WireResolved,
  RouteProblem,
  RoutePlace,
  Watch as WireWatch,
  type WatchChange,
  WatchKind,
  WatchList,
  WatchPreview,
  WatchRecord as WireRecord,
  type WatchRequest,
  WatchSuggestion,
} from '#contract/watches.ts';
import { z } from 'zod/mini';
import { Alert, SourceEntry } from './disruptions.ts';
import { MapEvent } from './events.ts';
import { call, read, type Reply } from './http.ts';
import { remove } from './remove.ts';
import { items, maybe, tolerant } from './tolerant.ts';

const Kilometre = z.catch(z.nullable(z.number()), null);
const Words = z.catch(z.string(), '');

/** Without its level a match is nothing: it must not pass for certain, nor vanish. */
const level = z.catch(MatchLevel, 'possible');

const Brief = tolerant(BriefMatch, 'subject_id', { level, why: Words, from_km: Kilometre, to_km: Kilometre });
export type Brief = z.output<typeof Brief>;

const shared = {
  kind: z.catch(WatchKind, 'route'),
  name: z.catch(z.string(), 'Route without a name'),
  length_km: z.catch(z.number(), 0),
  sources: z.catch(z.array(z.string()), []),
  departures: z.catch(items(Departure), []),
};

const Listed = tolerant(WireListed, 'id', {
  ...shared,
  /** Null: they could not be read, which is not the same as none. */
  matches: z.catch(z.nullable(items(Brief)), null),
});
/** A route or area as it stands in the list. */
export type ListedWatch = z.output<typeof Listed>;

const List = tolerant(WatchList, null, {
  watches: items(Listed),
  incidents: z.catch(items(Alert), []),
  events: z.catch(items(MapEvent), []),
  sources: z.catch(items(SourceEntry), []),
});
/** All routes and areas of the team, in the order in which they were made. */
export type Watches = z.output<typeof List>;

export const listWatches = (signal?: AbortSignal): Promise<Reply<Watches>> =>
  read(List, 'watches/', { searchParams: { summary: true }, offlineCopy: true, signal });

/** Those that this paired display was given to show. */
export const listDisplayRoutes = (signal?: AbortSignal): Promise<Reply<Watches>> =>
  read(List, 'displays/me/routes', { offlineCopy: true, signal });

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

/** A part that cannot be read is the standard one. */
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
  watch: Watch,
  matches: items(Match),
  sources: z.catch(items(SourceEntry), []),
});
/** One route with all that touches it. */
export type WatchRecord = z.output<typeof WatchRecord>;

export const watchRecord = (id: string, signal?: AbortSignal): Promise<Reply<WatchRecord>> =>
  read(WatchRecord, apiPath`watches/${id}`, { offlineCopy: true, signal });

const Made = z.looseObject({ id: z.string(), rev: maybe(z.number()) });

/** Promises the id of the new one. */
export async function createWatch(watch: WatchRequest): Promise<string> {
  return (await read(Made, 'watches/', { method: 'post', json: watch })).data.id;
}

/** Refused with 409 when somebody else changed it since `rev`. */
export async function changeWatch(id: string, rev: number, change: WatchChange): Promise<void> {
  await call(apiPath`watches/${id}`, { method: 'patch', json: change, ifMatch: rev });
}

export async function deleteWatch(id: string, rev: number): Promise<void> {
  await remove(apiPath`watches/${id}`, { ifMatch: rev });
}

const Resolved = tolerant(WireResolved, null, {
  ...way,
  length_km: z.catch(z.number(), 0),
  legs: items(Leg),
  problems: z.catch(items(RouteProblem), []),
});
/** What was understood of a text or a line. */
export type Resolved = z.output<typeof Resolved>;

export const resolveWatch = async (asked: ResolveRequest, signal?: AbortSignal): Promise<Resolved> =>
  (await read(Resolved, 'watches/resolve', { method: 'post', json: asked, signal })).data;

const Preview = tolerant(WatchPreview, null, { ...way, length_km: z.catch(z.number(), 0) });

/** The way that these legs make, and nothing is stored. */
export async function previewWatch(watch: WatchRequest, signal?: AbortSignal): Promise<Resolved> {
  const { data } = await read(Preview, 'watches/preview', { method: 'post', json: watch, signal });
  return { ...data, legs: watch.legs, problems: [], name: null };
}

const Suggestions = z.looseObject({ results: items(WatchSuggestion) });
export const suggestWatch = async (text: string, signal?: AbortSignal): Promise<WatchSuggestion[]> =>
  (await read(Suggestions, 'watches/suggest', { searchParams: { q: text }, signal })).data.results;

export async function sendFeedback(
  id: string,
  { subject_id, verdict, text = null }: z.input<typeof MatchFeedback>,
): Promise<void> {
  const json = { subject_id, verdict, text };
  await call(apiPath`watches/${id}/feedback`, { method: 'post', json });
}
