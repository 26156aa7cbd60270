/** Checks and saves a table of routes. The server reads each row like a single route. */
import { type TellMe, TELL_ME } from '#contract/watches/tellMe.ts';
import { tooLong, type WatchRequest } from '#contract/watches/watches.ts';
import { useState } from 'react';
import { failureText } from '../../../api/http.ts';
import { useAnswers } from '../../../api/useAnswer.ts';
import { createWatch, type Resolved, resolveWatch } from '../../../api/watches/oneWatch.ts';
import { endsOf, typedDeparture } from './watchDraft.ts';
import { readTable, type TableRow, withoutRows } from './routeTable.ts';

const PAUSE_MS = 500;

export interface CheckedRow extends TableRow {
  /** The way as the server resolved it; null: not known yet, or the server could not be asked. */
  found: Resolved | null;
  /** Why the row cannot be added, in words; null: it can, or it is not checked yet. */
  stop: string | null;
}

export interface RouteTable {
  rows: readonly CheckedRow[];
  /** Why the table as a whole cannot be read. */
  failure: string | null;
  checking: boolean;
  ready: readonly CheckedRow[];
  /** Sets another way for one of its rows. */
  edit: (line: number, way: string) => void;
  /** Adds the rows that are ready, one by one. Promises the id of the last one, and the text of the rows that are
   *  left, each with its reason; '' when none is left. */
  save: () => Promise<{ last: string | null; left: string }>;
}

type Answer = { found: Resolved } | { refused: string };

export function useTable(text: string): RouteTable {
  /** Another way for a row, by the row's text. */
  const [edits, setEdits] = useState<ReadonlyMap<string, string>>(new Map());
  /** Why a row could not be stored, by row. */
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map());

  let typed: TableRow[] = [];
  let failure: string | null = null;
  try {
    typed = readTable(text);
  } catch (error) {
    failure = (error as Error).message; // it throws sentences for the user
  }
  const typedKeys = keysOf(typed);
  const rows = typed.map((row, index) => ({ ...row, way: edits.get(typedKeys[index]!) ?? row.way }));
  // Answers are kept by the words of the way, so that a change to one row loads only that row.
  const ways = rows.flatMap(({ way, problem }) => (problem === null ? way : []));
  const answers = useAnswers(ways, ask, PAUSE_MS);

  const keys = keysOf(rows);
  const checked = rows.map((row, index): CheckedRow => {
    const answer = answers.get(row.way);
    const found = answer && 'found' in answer ? answer.found : null;
    const refused = refusals.get(keys[index]!) ?? null;
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
    checking: ways.some((way) => !answers.has(way)),
    ready,
    edit(line, way) {
      const key = typedKeys[typed.findIndex((row) => row.line === line)]!; // one of the rows
      setEdits((before) => new Map(before).set(key, way));
    },
    async save() {
      let last: string | null = null;
      const added = new Set<number>();
      for (const row of ready) {
        try {
          last = await createWatch(requestOf(row));
          added.add(row.line);
        } catch (error) {
          const refused = failureText(error, 'Unable to save this route');
          const key = keys[checked.indexOf(row)]!; // one of the rows
          setRefusals((before) => new Map(before).set(key, refused));
        }
      }
      return { last, left: added.size === rows.length ? '' : withoutRows(text, added) };
    },
  };
}

/** A key for each row: its words, and its number among equal rows. Its line number would change when the text is
 *  corrected. */
function keysOf(rows: readonly TableRow[]): string[] {
  const before = new Map<string, number>();
  return rows.map(({ name, way, departures }) => {
    const words = JSON.stringify([name, way, departures]);
    const count = (before.get(words) ?? 0) + 1;
    before.set(words, count);
    return `${count} ${words}`;
  });
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
  legs: found!.legs, // a row that is ready has been read
  geometry: null,
  reach_m: null,
  departures: departures.map((at_local) => ({ ...typedDeparture([], 0).one, at_local })),
  notify,
});
