declare global {
  var keptStores: Map<string, Map<string, unknown>> | undefined;
}

// One browser, however many tabs load this module.
const stores = (globalThis.keptStores ??= new Map<string, Map<string, unknown>>());

export type UseStore = () => Map<string, unknown>;

export function createStore(database: string, name: string): UseStore {
  const key = `${database}/${name}`;
  if (!stores.has(key)) stores.set(key, new Map());
  return () => stores.get(key)!;
}

const usual = createStore('keyval-store', 'keyval');

let answering: Promise<unknown> | undefined;
/** It answers nothing before this; undefined: at once again. */
export const answerAfter = (wait: Promise<unknown> | undefined) => void (answering = wait);

export const get = async (key: string, store: UseStore = usual) => {
  if (answering) await answering;
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
  if (answering) await answering;
  store().set(key, structuredClone(change(structuredClone(store().get(key)) as T | undefined)));
};
export const del = async (key: string, store: UseStore = usual) => {
  store().delete(key);
};
export const clear = async (store: UseStore = usual) => store().clear();

/** Everything that this browser still keeps, as text. */
export const everythingKept = () =>
  JSON.stringify([...stores.values()].flatMap((store) => [...store.values()]));
export const forgetEverything = () => stores.forEach((store) => store.clear());
