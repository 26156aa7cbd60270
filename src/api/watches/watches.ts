/** The team's routes, areas and whole feeds, and what touches them. */
import { Severity } from '#contract/incidents/severity.ts';
import {
  BriefMatch,
  Departure,
  ListedWatch as WireListed,
  MatchLevel,
  WatchKind,
  WatchList,
} from '#contract/watches/watches.ts';
import { Which, WHICH } from '#contract/watches/whichIncidents.ts';
import { When } from '#contract/watches/whenWatched.ts';
import { z } from 'zod/mini';
import { Alert, SourceEntry } from '../alerts/disruptions.ts';
import { MapEvent } from '../places/events.ts';
import { read, type Reply } from '../http.ts';
import { items, tolerant } from '../tolerant.ts';

export const Kilometre = z.catch(z.nullable(z.number()), null);
export const Words = z.catch(z.string(), '');

/** A match whose level cannot be read counts as possible: it must not look certain, nor vanish. */
export const level = z.catch(MatchLevel, 'possible');

const Brief = tolerant(BriefMatch, 'subject_id', { level, why: Words, from_km: Kilometre, to_km: Kilometre });
export type Brief = z.output<typeof Brief>;

export const shared = {
  kind: z.catch(WatchKind, 'route'),
  name: z.catch(z.string(), 'Route without a name'),
  named_by_hand: z.catch(z.boolean(), false),
  /**
   * Rules that cannot be read let everything through at all times, so that too much is shown rather than too little.
   */
  which: z.catch(Which, WHICH),
  when: z.catch(When, null),
  length_km: z.catch(z.number(), 0),
  sources: z.catch(z.array(z.string()), []),
  departures: z.catch(items(Departure), []),
  /** False for servers that do not send it. */
  checking: z.catch(z.boolean(), false),
};

/** Counts of alerts that are in force but not named, and of alerts that are left out. */
export const lettingThrough = {
  beyond: z.catch(z.partialRecord(Severity, z.number()), {}),
  left_out: z.catch(z.object({ grade: z.number(), others: z.number() }), { grade: 0, others: 0 }),
};

const Listed = tolerant(WireListed, 'id', {
  ...shared,
  /** Null: the matches could not be read, which is different from no matches. */
  matches: z.catch(z.nullable(items(Brief)), null),
  ...lettingThrough,
});
/** A route, an area or feeds, as in the list. */
export type ListedWatch = z.output<typeof Listed>;

const List = tolerant(WatchList, null, {
  watches: items(Listed),
  incidents: z.catch(items(Alert), []),
  events: z.catch(items(MapEvent), []),
  unplaced: z.catch(z.number(), 0),
  sources: z.catch(items(SourceEntry), []),
});
/** All watches of the team, in its order. */
export type Watches = z.output<typeof List>;

/** Checks a stored copy, which an older version of the app may have made. */
export const readWatches = (data: unknown): Watches | null => List.safeParse(data).data ?? null;

export const listWatches = (signal?: AbortSignal): Promise<Reply<Watches>> =>
  read(List, 'watches/', { searchParams: { summary: true }, offlineCopy: true, signal });

/** The routes that this paired display was given to show. */
export const listDisplayRoutes = (signal?: AbortSignal): Promise<Reply<Watches>> =>
  read(List, 'displays/me/routes', { offlineCopy: true, signal });
