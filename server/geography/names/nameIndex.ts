/** Finds things by name with little memory: 8 bytes a name, and nothing that the garbage collector must visit. */
import { words } from './abbreviations.ts';

/** The most things. One entry holds the hash of a name and the number of the thing. */
const THINGS_MAX = 2 ** 20;

/** The words of a name as one text: "King's Lynn" is "kings lynn". */
export const keyOf = (name: string): string => words(name).join(' ');

/** Things that are indexed in one step: some 20 ms of processor time. */
const STEP = 2000;

type Find = (key: string) => number[];

/** `namesOf` is called again at each search, so the index keeps no names. A thing that is found has a name with
 *  exactly this key. */
export function nameIndex(count: number, namesOf: (thing: number) => readonly string[]): Find {
  const making = nameIndexInSteps(count, namesOf);
  for (;;) {
    const { done, value } = making.next();
    if (done) return value;
  }
}

export function* nameIndexInSteps(
  count: number,
  namesOf: (thing: number) => readonly string[],
): Generator<void, Find> {
  const list: number[] = [];
  for (let thing = 0; thing < count; thing++) {
    if (thing % STEP === STEP - 1) yield;
    for (const name of namesOf(thing)) list.push(hash(keyOf(name)) * THINGS_MAX + thing);
  }
  yield;
  const entries = Float64Array.from(list).sort();

  return (key) => {
    const first = hash(key) * THINGS_MAX;
    const found: number[] = [];
    for (let at = lowerBound(entries, first); at < entries.length; at++) {
      const thing = entries[at]! - first;
      if (thing >= THINGS_MAX) break;
      if (found.at(-1) !== thing && namesOf(thing).some((name) => keyOf(name) === key)) found.push(thing);
    }
    return found;
  };
}

/** FNV-1a, 32 bits. */
function hash(key: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) value = Math.imul(value ^ key.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

function lowerBound(entries: Float64Array, wanted: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
