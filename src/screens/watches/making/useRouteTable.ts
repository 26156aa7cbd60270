/** A table of routes while it is checked and saved: each row is read by the server, as one route would be. */
import { type TellMe, TELL_ME } from '#contract/watches/tellMe.ts';
import { tooLong, type WatchRequest } from '#contract/watches/watches.ts';
import { useEffect, useRef, useState } from 'react';
import { failureText } from '../../../api/failureText.ts';
import { createWatch, type Resolved, resolveWatch } from '../../../api/watches/oneWatch.ts';
import { endsOf, typedDeparture } from './watchDraft.ts';
import { readTable, type TableRow } from './routeTable.ts';

const PAUSE_MS = 500;

export interface CheckedRow extends TableRow {
  /** Way as the server resolved it; null: not yet known, or it could not be asked. */
  found: Resolved | null;
  /** Why it cannot be added, in words; null: it can, or is not checked yet. */
  stop: string | null;
}

export interface RouteTable {
  rows: readonly CheckedRow[];
  /** Why the table as a whole cannot be read. */
  failure: string | null;
  checking: boolean;
  ready: readonly CheckedRow[];
  /** Another way for one of its rows. */
  edit: (line: number, way: string) => void;
  /** Adds what is ready, row by row. Promises the id of the last one, null when one was refused: that row says why. */
  save: () => Promise<string | null>;
}

type Answer = { found: Resolved } | { refused: string };

export function useTable(text: string): RouteTable {
  const [edits, setEdits] = useState<{ text: string; ways: ReadonlyMap<number, string> }>({
    text,
    ways: new Map(),
  });
  const ways = edits.text === text ? edits.ways : new Map<number, string>();
  /** By the words of the way: a row that is edited asks only for itself. */
  const [answers, setAnswers] = useState<ReadonlyMap<string, Answer>>(new Map());
  /** Why a row could not be stored; the id of one that was. */
  const [stored, setStored] = useState<ReadonlyMap<number, { id: string } | { refused: string }>>(new Map());
  const saved = useRef(new Map<string, string>());

  let rows: TableRow[] = [];
  let failure: string | null = null;
  try {
    rows = readTable(text).map((row) => ({ ...row, way: ways.get(row.line) ?? row.way }));
  } catch (error) {
    failure = (error as Error).message; // it throws sentences for the user
  }
  const unknown = rows.flatMap(({ way, problem }) => (problem === null && !answers.has(way) ? way : []));
  const asked = unknown.join('\n');

  useEffect(() => {
    if (asked === '') return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      for (const way of new Set(asked.split('\n'))) {
        const answer = await ask(way, stop.signal);
        if (stop.signal.aborted) return;
        setAnswers((known) => new Map(known).set(way, answer));
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked]);

  const checked = rows.map((row): CheckedRow => {
    const answer = answers.get(row.way);
    const kept = stored.get(row.line);
    const found = answer && 'found' in answer ? answer.found : null;
    const refused = kept && 'refused' in kept ? kept.refused : null;
    return {
      ...row,
      name: row.name || (found?.name ?? (found && endsOf(found.places)) ?? ''),
      found,
      stop:
        row.problem ?? (answer && 'refused' in answer ? answer.refused : found && stopOf(found)) ?? refused,
    };
  });
  const ready = checked.filter(({ found, stop }) => found !== null && stop === null);

  return {
    rows: checked,
    failure,
    checking: unknown.length > 0,
    ready,
    edit(line, way) {
      setEdits({ text, ways: new Map(ways).set(line, way) });
      setStored((before) => new Map([...before].filter(([one]) => one !== line)));
    },
    async save() {
      let last: string | null = null;
      let isWhole = true;
      for (const row of ready) {
        const key = JSON.stringify([row.line, row.name, row.way, row.departures]);
        try {
          last = saved.current.get(key) ?? (await createWatch(requestOf(row)));
          saved.current.set(key, last);
        } catch (error) {
          isWhole = false;
          const refused = failureText(error, 'Unable to save this route');
          setStored((before) => new Map(before).set(row.line, { refused }));
        }
      }
      return isWhole ? last : null;
    },
  };
}

async function ask(way: string, signal: AbortSignal): Promise<Answer> {
  try {
    return { found: await resolveWatch({ text: way }, signal) };
  } catch (error) {
    return { refused: failureText(error, 'Unable to read this route') };
  }
}

const stopOf = ({ problems, legs }: Resolved): string | null =>
  problems.find(({ level }) => level === 'stop')?.text ??
  tooLong(legs) ??
  (legs.length === 0 ? 'No way can be read here.' : null);

const requestOf = ({ name, found, departures }: CheckedRow, notify: TellMe = TELL_ME): WatchRequest => ({
  kind: 'route',
  name,
  made_by: 'junctions',
  legs: found!.legs, // a row that is ready was read
  geometry: null,
  reach_m: null,
  departures: departures.map((at_local) => ({ ...typedDeparture([], 0).one, at_local })),
  notify,
});
