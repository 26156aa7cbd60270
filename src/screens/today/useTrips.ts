/** Each different trip of a sheet once, with its route: a known one, or one that can be made from its words. */
import type { Imported as WireImported } from '#contract/watches/jobs.ts';
import { tripKey } from '#contract/watches/jobs.ts';
import { useState } from 'react';
import { useAnswer, useAnswers } from '../../api/useAnswer.ts';
import { tryImport } from '../../api/watches/jobs.ts';
import { type Resolved, resolveWatch } from '../../api/watches/oneWatch.ts';
import { endsOf } from '../watches/making/watchDraft.ts';
import { endsOf as wordsOf } from './sheetCells.ts';

type FoundTrip = WireImported['trips'][number];

/** `new`: a route made from its words; null: no route; otherwise the id of a route. */
export type Chosen = 'new' | null | { id: string };

export interface SheetTrip extends FoundTrip {
  key: string;
  chosen: Chosen;
  /** True if somebody chose it here, false if it is only proposed. */
  isChosen: boolean;
  /** The route that could be made; null: not known yet, or none can be made. */
  made: Resolved | null;
  name: string;
  /** The length of the straight line because of which a new route is not proposed; null: it is proposed, or there is
   *  none. */
  straightKm: number | null;
  isAsking: boolean;
}

const PAUSE_MS = 300;

type Rows = Parameters<typeof tryImport>[0]['rows'];

/** The server's answer to these rows, and their trips; nothing is stored. Null: nothing is asked yet. */
export function useTrips(day: string, rows: Rows | null) {
  const [choices, setChoices] = useState<ReadonlyMap<string, Chosen>>(new Map());
  /** Other ways that were taken for new routes, by key. */
  const [remade, setRemade] = useState<ReadonlyMap<string, Resolved>>(new Map());
  const { data, last, failure } = useAnswer(
    rows && JSON.stringify([day, rows]),
    async (signal) => (await tryImport({ day, rows: rows! }, signal)).data, // it asks only with rows
    'Unable to check this sheet',
    { settleMs: PAUSE_MS },
  );

  const found = (rows && last?.trips) ?? [];
  const made = useAnswers(
    found.flatMap(({ found: how, words }) => (how === 'none' ? words : [])),
    routeOf,
  );

  const trips = found.map((trip): SheetTrip => {
    const key = tripKey(trip.words);
    const route = remade.get(key) ?? made.get(trip.words) ?? null;
    const isOffered = route !== null && straightKm(route) <= STRAIGHT_MAX_KM;
    const offered: Chosen = trip.watch_id === null ? (isOffered ? 'new' : null) : { id: trip.watch_id };
    return {
      ...trip,
      key,
      chosen: choices.has(key) ? choices.get(key)! : offered,
      isChosen: choices.has(key),
      made: route,
      name: route ? nameOf(trip.words, route) : '',
      straightKm: route && !isOffered ? Math.round(straightKm(route)) : null,
      isAsking: trip.found === 'none' && !made.has(trip.words),
    };
  });

  return {
    /** The newest answer; null before the first. While `isAsking`, it is that of earlier rows. */
    answer: last ?? null,
    trips,
    failure,
    isAsking: (rows !== null && data === undefined) || trips.some((trip) => trip.isAsking),
    choose: (key: string, chosen: Chosen) => setChoices((before) => new Map(before).set(key, chosen)),
    /** Takes another way for the new route of a trip. */
    remake: (key: string, way: Resolved) => {
      setRemade((known) => new Map(known).set(key, way));
      setChoices((before) => new Map(before).set(key, 'new'));
    },
  };
}

/** If a straight part of a way is longer than this, it follows no road, so the user decides. */
const STRAIGHT_MAX_KM = 60;

/** The length of the longest straight part of a way, in km. */
export const straightKm = ({ course }: Pick<Resolved, 'course'>): number =>
  Math.max(0, ...course.map(({ line, from_km, to_km }) => (line === 'link' ? to_km - from_km : 0)));

const nameOf = (words: string, route: Resolved): string =>
  (wordsOf(words)?.join(' to ') ?? (endsOf(route.places) || words)).slice(0, 80);

/** The town of an end: "Leeds Stn" is in Leeds. The code of an airport is no town. */
const townOf = (end: string): string =>
  end
    .replaceAll(/,/g, ' ')
    .replace(/\b(?:(?:coach|bus|rail|train) )?(?:stn|sta|station|interchange)\b\.?/i, '')
    .trim() || end;

/** Whether a place differs from the typed words and was only spelt like them: "“Malham” is read as Balham". */
const isOther = ({ text }: { text?: string | null }): boolean => {
  const [, said = '', read = ''] = /^“(.+)” is read as (.+)$/.exec(text ?? '') ?? [];
  const start = (words: string) => words.toLowerCase().slice(0, 4);
  return said !== '' && start(said) !== start(read);
};

/** A route along known roads; a straight line across the country would say nothing. */
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
