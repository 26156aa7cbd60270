/**
 * Actions that wait to be sent, in order, in this browser. They belong to the session that made them, are never given
 * to another session, and are deleted when it ends. If nothing can be stored, they are kept only in this page.
 */
import { clear, createStore, get, update, type UseStore } from 'idb-keyval';
import { offlineScope } from '../api/http.ts';

interface Waiting {
  id: string;
}

interface Kept<T extends Waiting> {
  scope: string | null;
  items: T[];
}

const KEY = 'actions';

let opened: UseStore | undefined;
const store = () => (opened ??= createStore('clearway-actions', 'actions'));

let here: Kept<Waiting> | null = null;

/** The actions of this session, in the order in which they were made. */
export async function waitingActions<T extends Waiting>(): Promise<T[]> {
  try {
    return own((await get<Kept<T>>(KEY, store())) ?? null);
  } catch {
    return own(here as Kept<T> | null);
  }
}

/** Changes the actions, safely also when another tab does. Returns the actions that wait then. */
export async function changeActions<T extends Waiting>(change: (items: T[]) => T[]): Promise<T[]> {
  const scope = offlineScope();
  let items: T[] = [];
  const next = (before: Kept<T> | null): Kept<T> => {
    items = change(own(before));
    return { scope, items };
  };
  try {
    await update<Kept<T>>(KEY, (before) => next(before ?? null), store());
  } catch {
    here = next(here as Kept<T> | null);
  }
  return items;
}

/** The key of a note beside the store, which writes later: a page that is left right after a tap would otherwise
 *  lose the action. */
const AHEAD = 'clearway:actions';

/** Notes an action that is about to be stored. */
export function noteAhead(item: Waiting): void {
  putAhead([...ahead(), item]);
}

/** Stores the actions that an earlier page had only noted, and forgets the notes of stored ones. */
export async function storeAhead<T extends Waiting>(): Promise<T[]> {
  const noted = ahead() as T[];
  const items =
    noted.length > 0
      ? await changeActions<T>((kept) => [
          ...kept,
          ...noted.filter(({ id }) => kept.every((one) => one.id !== id)),
        ])
      : await waitingActions<T>();
  putAhead(ahead().filter(({ id }) => noted.every((one) => one.id !== id)));
  return items;
}

function ahead(): Waiting[] {
  try {
    return own(JSON.parse(localStorage.getItem(AHEAD) ?? 'null') as Kept<Waiting> | null);
  } catch {
    return [];
  }
}

function putAhead(items: Waiting[]): void {
  try {
    if (items.length === 0) localStorage.removeItem(AHEAD);
    else
      localStorage.setItem(AHEAD, JSON.stringify({ scope: offlineScope(), items } satisfies Kept<Waiting>));
  } catch {
    // By design: in a browser that stores nothing, only the page has the action.
  }
}

/** The readable actions. Others, such as one of an older version, are left out, because they would block all actions
 *  behind them. */
const own = <T extends Waiting>(kept: Kept<T> | null): T[] =>
  kept && kept.scope === offlineScope() && Array.isArray(kept.items) ? kept.items.filter(isReadable) : [];

type Stored = Readonly<Record<string, unknown>> | null | undefined;

const isText = (value: unknown) => typeof value === 'string';

/** Whether an action of this kind has all its parts. */
const SAYS: Readonly<Record<string, (doing: NonNullable<Stored>) => boolean>> = {
  acknowledge: ({ disposition }) => isText(disposition),
  snooze: () => true,
  reopen: () => true,
  note: ({ text }) => isText(text),
  strike: ({ note }) => isText(note),
  report: ({ report }) => isText((report as Stored)?.['title']),
  job: ({ mark, undo }) => isText(mark) && typeof undo === 'boolean',
};

/** Whether the action can be shown and sent. */
function isReadable(item: unknown): boolean {
  const stored = item as Stored;
  const doing = stored?.['doing'] as Stored;
  return (
    Boolean(doing && SAYS[String(doing['kind'])]?.(doing)) &&
    ['id', 'event_id', 'title'].every((field) => isText(stored?.[field])) &&
    Number.isInteger(stored?.['rev']) &&
    Number.isFinite(Date.parse(String(stored?.['at']))) &&
    (stored?.['refused'] === null || isText(stored?.['refused']))
  );
}

export async function clearActions(): Promise<void> {
  here = null;
  putAhead([]);
  await clear(store());
}
