/** The disruptions of an area, refreshed as often as the board, and kept through outages. */
import { isOwn } from '#contract/feeds/knownSources.ts';
import { useEffect, useMemo, useState } from 'react';
import {
  type Bounds,
  boundsQuery,
  isWithin,
  overlap,
  type Point,
  touches,
} from '../../../api/alerts/geometry.ts';
import {
  type Alert,
  disruptionsWithin,
  type SourceEntry,
  type DisruptionsOfArea,
} from '../../../api/alerts/disruptions.ts';
import { inOrder } from '../../../feeds/alerts/alerts.ts';
import { useClock } from '../../../time/tickingClock.ts';
import type { Problem, Progress } from '../../../feeds/refresh/refreshSchedule.ts';
import { useRefreshed } from '../../../feeds/refresh/useRefreshed.ts';
import { isSilent } from '../../../feeds/alerts/sourceStatus.ts';
import { useInHand } from '../../../shift/inHand/inHandStore.ts';
import { isStale, serverNow } from '../../../time/freshness.ts';
import { pointOf } from '../clusters.ts';
import { loadSnapshot, saveSnapshot } from '../../../offline/snapshot.ts';

/** An alert, and whether its source is recent enough to be believed. */
export interface Reported {
  alert: Alert;
  /** When its source last reported, if that is too long ago to be believed; null while it is believed. */
  staleSince: Date | null | 'unknown';
}

export interface Incident extends Reported {
  at: Point;
}

/** The state of the refreshing. */
export interface Line extends Progress {
  /** Null while the last refresh has succeeded, or none has ended. */
  problem: Problem | null;
}

export type IncidentsInView =
  | { state: 'off' }
  | ({ state: 'loading' | 'failed' } & Line)
  | (Line & {
      state: 'ready';
      /** In the server's order: worst first. */
      incidents: Incident[];
      /** More than `incidents` when the answer was cut short. */
      total: number;
      /** How many further incidents in any area have no position; null when the server does not say. */
      withoutPosition: number | null;
      sources: SourceEntry[];
      /** When the server sent this answer. */
      at: Date;
      /** True: the answer is so old that a missing disruption means nothing. */
      old: boolean;
      /** Whether the answer covers the whole area; `partYet` while a complete one can still arrive. */
      covers: 'all' | 'part' | 'partYet';
      /** How many incidents are left out because they are snoozed. */
      snoozed?: number;
    });

/** How long the map must rest before it asks, because a pan stops many times. */
const SETTLE_MS = 150;

/** The value when it has been the same for SETTLE_MS; null before, so that what was asked for the last one is given up. */
export function useSettled(value: string | null): string | null {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled === value ? settled : null;
}

/** `bounds` is null while the layer is off. */
export function useIncidents(bounds: Bounds | null): IncidentsInView {
  const [{ known, last, isLoaded }, setKept] = useState<Kept>({ known: [], last: null, isLoaded: false });
  const area = useArea(bounds, known);
  const asked = useSettled(area && JSON.stringify(area));
  const {
    data,
    at: answeredAt,
    ...line
  } = useRefreshed(
    asked,
    (signal) => disruptionsWithin(JSON.parse(asked!) as Bounds, signal), // it asks only with an area
  );
  const answered = useMemo(
    () =>
      asked && data && answeredAt ? { ...data, bounds: JSON.parse(asked) as Bounds, at: answeredAt } : null,
    [asked, data, answeredAt],
  );
  if (answered && answered !== last)
    setKept({ known: withAnswer(known, answered), last: answered, isLoaded });

  const isOn = bounds !== null;
  useEffect(() => {
    const load = async () => {
      const found = await loadIncidents(serverNow());
      setKept((kept) => ({ ...kept, known: found.reduce(withAnswer, kept.known), isLoaded: true }));
    };
    if (isOn) void load();
  }, [isOn]);
  const isNew = !line.problem && last !== null && known[0] === last;
  useEffect(() => {
    if (isNew) void saveIncidents(known);
  }, [isNew, known]);

  const view = bounds && JSON.stringify(boundsQuery(bounds));
  const answer = useMemo(
    () => (view ? answerFor(JSON.parse(view) as Bounds, known, serverNow()) : null),
    [view, known],
  );
  const old = useClock((now) => answer !== null && isStale(answer.at, now));
  const ours = useInHand((state) => state.ours);
  const shown = useMemo(
    () => view && answer && partOf(answer, JSON.parse(view) as Bounds, old, ours),
    [view, answer, old, ours],
  );

  if (!bounds) return { state: 'off' };
  if (!answer || !shown) return { state: line.problem && isLoaded ? 'failed' : 'loading', ...line };
  const covers = shown.isAll ? 'all' : line.problem ? 'part' : 'partYet';
  return { state: 'ready', ...line, ...shown, at: answer.at, old, covers };
}

/** The area to ask for. It stays as long as the view is within it and not much smaller. So a banner that makes the
 *  map a little smaller neither cancels a request nor starts another. */
function useArea(bounds: Bounds | null, known: readonly KeptIncidents[]): Bounds | null {
  const [area, setArea] = useState<Bounds | null>(null);
  if (!bounds) return null;
  const view = boundsQuery(bounds);
  const isCut = known.some((one) => !isWhole(one) && area && isSame(one.bounds, area));
  if (area && (isSame(view, area) || (isWithin(view, area) && isMost(view, area) && !isCut))) return area;
  setArea(view);
  return view;
}

const isSame = (a: Bounds, b: Bounds) => isWithin(a, b) && isWithin(b, a);

const isMost = (part: Bounds, of: Bounds) =>
  part.north - part.south >= (of.north - of.south) / 2 && part.east - part.west >= (of.east - of.west) / 2;

/** `ours`: the team's own reports, which are not in the answers about an area. */
function partOf(answer: KeptIncidents, bounds: Bounds, old: boolean, ours: readonly Alert[]) {
  const { events, total, withoutPosition, sources, at: answered } = answer;
  const known = ours.length > 0 ? inOrder([...ours, ...events]) : events;
  const incidents = known.flatMap((alert): Incident[] => {
    const at = pointOf(alert);
    if (!at || !touches(bounds, at, alert.metadata?.location_reach_km ?? 0)) return [];
    return [{ alert, at, staleSince: staleSince(alert, { sources, old, at: answered }) }];
  });
  const isAll = knowsAllOf(bounds, answer);
  const isCut = isAll && !isWhole(answer);
  return {
    incidents,
    total: isCut ? total + incidents.filter(({ alert }) => isOwn(alert)).length : incidents.length,
    withoutPosition,
    sources,
    isAll,
  };
}

/** The incidents without snoozed ones; the selected one always stays. */
export function useAwake(found: IncidentsInView, selected: string | undefined): IncidentsInView {
  const asleep = useInHand((state) => state.snoozed);
  return useMemo(() => {
    if (found.state !== 'ready') return found;
    const incidents = found.incidents.filter(
      ({ alert: { event_id } }) => !asleep.has(event_id) || event_id === selected,
    );
    const snoozed = found.incidents.length - incidents.length;
    return snoozed === 0 ? found : { ...found, incidents, total: found.total - snoozed, snoozed };
  }, [found, asleep, selected]);
}

/** Since when an alert is not confirmed: its source has stopped reporting, or the answer itself is old. */
export function staleSince(
  alert: Alert,
  { sources, old, at }: { sources: readonly SourceEntry[]; old: boolean; at: Date },
): Reported['staleSince'] {
  const source = sources.find((one) => one.source === alert.source);
  if (!source || !isSilent(source)) return old ? at : null;
  return source.last_collected ? new Date(source.last_collected) : 'unknown';
}

// The last answers about the disruptions of areas, and the choice of the one for the area on screen.

/** One answer of the server: the disruptions, the area, and the time. */
interface KeptIncidents extends DisruptionsOfArea {
  bounds: Bounds;
  at: Date;
}

interface Kept {
  known: readonly KeptIncidents[];
  /** The last answer of the server, or of the worker. */
  last: KeptIncidents | null;
  /** True: the answers on this device were read. */
  isLoaded: boolean;
}

/** The name includes the version of the shape, so a copy in another shape is not found. */
const SNAPSHOT = 'map-incidents-1';

/** Up to 250 kB each. */
const MOST_AREAS = 4;
const LONGEST_KEPT_MS = 7 * 24 * 60 * 60_000;

/** True when nothing was left out of the answer. */
const isWhole = ({ events, total }: DisruptionsOfArea) => total <= events.length;

/** The answers, newest first, without those that a newer one has made redundant. */
function withAnswer(known: readonly KeptIncidents[], answer: KeptIncidents): readonly KeptIncidents[] {
  return [answer, ...known]
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .filter((one, place, all) => !all.slice(0, place).some((newer) => replaces(newer, one)))
    .slice(0, MOST_AREAS);
}

const replaces = (newer: KeptIncidents, older: KeptIncidents) =>
  isWithin(older.bounds, newer.bounds) && (isWhole(newer) || isWithin(newer.bounds, older.bounds));

/** The one answer to show, so that everything on screen has one age. Current answers come before old ones, then
 *  those for the whole area before those for a part. Null when nothing is known about the area. */
function answerFor(bounds: Bounds, known: readonly KeptIncidents[], now: Date): KeptIncidents | null {
  const near = known.filter((one) => overlap(one.bounds, bounds));
  const current = near.filter(({ at }) => !isStale(at, now));
  const all = (some: readonly KeptIncidents[]) => some.find((one) => knowsAllOf(bounds, one));
  return all(current) ?? current[0] ?? all(near) ?? near[0] ?? null;
}

/** Whether an answer knows everything about an area. One that was cut short is valid only for exactly its own area,
 *  because nobody knows which parts were cut. */
const knowsAllOf = (bounds: Bounds, answer: KeptIncidents) =>
  isWithin(bounds, answer.bounds) && (isWhole(answer) || isWithin(answer.bounds, bounds));

async function loadIncidents(now: Date): Promise<readonly KeptIncidents[]> {
  const data = (await loadSnapshot(SNAPSHOT))?.data;
  if (!areIncidents(data)) return [];
  return data.filter(({ at }) => now.getTime() - at.getTime() < LONGEST_KEPT_MS);
}

const saveIncidents = (known: readonly KeptIncidents[]) =>
  saveSnapshot(SNAPSHOT, known, known[0]?.at ?? new Date(0));

/** Checks stored answers, because an older version of the app may have stored them. */
const areIncidents = (data: unknown): data is KeptIncidents[] =>
  Array.isArray(data) &&
  data.every(
    (one) => one?.bounds && one.at instanceof Date && Array.isArray(one.events) && Array.isArray(one.sources),
  );
