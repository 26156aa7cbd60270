declare global {
  var keptStores: Map<string, Map<string, unknown>> | undefined;
  var storesAnswer: Promise<unknown> | undefined;
}

// One browser's storage, however many tabs load this module.
const stores = (globalThis.keptStores ??= new Map<string, Map<string, unknown>>());

export type UseStore = () => Map<string, unknown>;

export function createStore(database: string, name: string): UseStore {
  const key = `${database}/${name}`;
  if (!stores.has(key)) stores.set(key, new Map());
  return () => stores.get(key)!;
}

const usual = createStore('keyval-store', 'keyval');

/** Answers wait for this, in every tab; undefined: they come at once again. */
export const answerAfter = (wait: Promise<unknown> | undefined) => void (globalThis.storesAnswer = wait);

export const get = async (key: string, store: UseStore = usual) => {
  if (globalThis.storesAnswer) await globalThis.storesAnswer;
  return structuredClone(store().get(key));
};
export const set = async (key: string, value: unknown, store: UseStore = usual) => {
  store().set(key, structuredClone(value));
};
export const update = async <T>(
  key: string,
  change: (before: T | undefined) => T,
  store: UseStore = usual,
) => {
  if (globalThis.storesAnswer) await globalThis.storesAnswer;
  store().set(key, structuredClone(change(structuredClone(store().get(key)) as T | undefined)));
};
export const del = async (key: string, store: UseStore = usual) => {
  store().delete(key);
};
export const clear = async (store: UseStore = usual) => store().clear();

/** Everything that this browser still keeps, as text. */
export const everythingKept = () =>
  JSON.stringify([...stores.values()].flatMap((store) => [...store.values()]));
export const forgetEverything = () => {
  answerAfter(undefined);
  stores.forEach((store) => store.clear());
};
