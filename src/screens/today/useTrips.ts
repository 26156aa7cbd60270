/** Each different trip of a sheet once: the route that it takes, or one that is made of its words. */
import type { Imported as WireImported } from '#contract/watches/jobs.ts';
import { tripKey } from '#contract/watches/jobs.ts';
import { useEffect, useState } from 'react';
import { failureText } from '../../api/http.ts';
import { type Imported, tryImport } from '../../api/watches/jobs.ts';
import { type Resolved, resolveWatch } from '../../api/watches/oneWatch.ts';
import { endsOf } from '../watches/making/watchDraft.ts';
import { endsOf as wordsOf } from './sheetCells.ts';

type FoundTrip = WireImported['trips'][number];

/** `new`: made of its words; null: no route; else the id of one. */
export type Chosen = 'new' | null | { id: string };

export interface SheetTrip extends FoundTrip {
  key: string;
  chosen: Chosen;
  /** The route that could be made; null: not yet known, or none can be. */
  made: Resolved | null;
  name: string;
  /** Why the new route is not proposed: so much of it is a straight line; null: it is proposed, or there is none. */
  straightKm: number | null;
  isAsking: boolean;
}

const PAUSE_MS = 300;

type Rows = Parameters<typeof tryImport>[0]['rows'];

/** Answer of the server to these rows, and to their trips; nothing is stored. */
export function useTrips(day: string, rows: Rows) {
  const [answer, setAnswer] = useState<{ key: string; data: Imported } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [choices, setChoices] = useState<ReadonlyMap<string, Chosen>>(new Map());
  /** By key; null: no route can be made of its words. */
  const [made, setMade] = useState<ReadonlyMap<string, Resolved | null>>(new Map());
  const asked = JSON.stringify([day, rows]);

  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const { data } = await tryImport({ day, rows }, stop.signal);
        if (stop.signal.aborted) return;
        setFailure(null);
        setAnswer({ key: asked, data });
      } catch (error) {
        if (!stop.signal.aborted) setFailure(failureText(error, 'Unable to check this sheet'));
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `asked` is both of them
  }, [asked]);

  const found = answer?.data.trips ?? [];
  const unknown = found
    .filter((trip) => trip.found === 'none' && !made.has(tripKey(trip.words)))
    .map(({ words }) => words)
    .join('\n');

  useEffect(() => {
    if (unknown === '') return undefined;
    const stop = new AbortController();
    const ask = async () => {
      for (const words of unknown.split('\n')) {
        const route = await routeOf(words, stop.signal);
        if (stop.signal.aborted) return;
        setMade((known) => new Map(known).set(tripKey(words), route));
      }
    };
    void ask();
    return () => stop.abort();
  }, [unknown]);

  const trips = found.map((trip): SheetTrip => {
    const key = tripKey(trip.words);
    const route = made.get(key) ?? null;
    const isOffered = route !== null && straightKm(route) <= STRAIGHT_MAX_KM;
    const offered: Chosen = trip.watch_id === null ? (isOffered ? 'new' : null) : { id: trip.watch_id };
    return {
      ...trip,
      key,
      chosen: choices.has(key) ? choices.get(key)! : offered,
      made: route,
      name: route ? nameOf(trip.words, route) : '',
      straightKm: route && !isOffered ? Math.round(straightKm(route)) : null,
      isAsking: trip.found === 'none' && !made.has(key),
    };
  });

  return {
    /** Null before the first answer, and while a newer is on its way. */
    answer: answer?.key === asked ? answer.data : null,
    trips,
    failure,
    isAsking: answer?.key !== asked || unknown !== '',
    choose: (key: string, chosen: Chosen) => setChoices((before) => new Map(before).set(key, chosen)),
    /** Takes another way for the new route of a trip. */
    remake: (key: string, way: Resolved) => {
      setMade((known) => new Map(known).set(key, way));
      setChoices((before) => new Map(before).set(key, 'new'));
    },
  };
}

/** A way that is straight for longer goes along no road that anybody drives: the person decides. */
const STRAIGHT_MAX_KM = 60;

/** Length of the longest part of a way that is a straight line. */
export const straightKm = ({ course }: Pick<Resolved, 'course'>): number =>
  Math.max(0, ...course.map(({ line, from_km, to_km }) => (line === 'link' ? to_km - from_km : 0)));

const nameOf = (words: string, route: Resolved): string =>
  (wordsOf(words)?.join(' to ') ?? (endsOf(route.places) || words)).slice(0, 80);

/** "Leeds Stn" is in Leeds; the code of an airport it is not. */
const townOf = (end: string): string =>
  end
    .replaceAll(/,/g, ' ')
    .replace(/\b(?:(?:coach|bus|rail|train) )?(?:stn|sta|station|interchange)\b\.?/i, '')
    .trim() || end;

/** A place that was not said so, but is spelt like it: "“Malham” is read as Balham". */
const isOther = ({ text }: { text?: string | null }): boolean => {
  const [, said = '', read = ''] = /^“(.+)” is read as (.+)$/.exec(text ?? '') ?? [];
  const start = (words: string) => words.toLowerCase().slice(0, 4);
  return said !== '' && start(said) !== start(read);
};

/** Along roads that are known; a line across the country would say nothing. */
async function routeOf(words: string, signal: AbortSignal): Promise<Resolved | null> {
  const ends = wordsOf(words);
  if (!ends) return null;
  try {
    const first = await resolveWatch({ text: ends.map(townOf).join(', ') }, signal);
    const repair = first.problems.find(({ level }) => level === 'proposal')?.repairs?.[0]?.text;
    const route = repair ? await resolveWatch({ text: repair }, signal) : first;
    const isStopped = route.problems.some(({ level }) => level === 'stop');
    if (first.problems.some(isOther)) return null;
    return !isStopped && route.legs.length > 0 && route.course.some(({ road }) => road) ? route : null;
  } catch {
    return null; // it can be made later, under Routes
  }
}
