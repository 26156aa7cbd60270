/** Passwords of the kind `Manchester2024`: a place near the person, and a year. Everybody's first idea. */
import { readFileSync } from 'node:fs';

const YEAR = /(?:19|20)\d\d/;
const LETTERS_LIKE: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '@': 'a',
  $: 's',
};

/** Read when the first password has a year. */
let names: ReadonlySet<string> | undefined;

export function isPlaceAndYear(password: string): boolean {
  if (!YEAR.test(password)) return false;
  names ??= placeNames();
  const rest = password.replace(YEAR, '').replaceAll(/[01345@$]/g, (sign) => LETTERS_LIKE[sign]!);
  return names.has(lettersOf(rest));
}

function placeNames(): Set<string> {
  const file = readFileSync(new URL('../../geography/names/places.json', import.meta.url), 'utf8');
  const { places } = JSON.parse(file) as { places: [name: string][] };
  return new Set(places.map(([name]) => lettersOf(name)));
}

const lettersOf = (words: string) =>
  words
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{Script=Latin}]/gu, '');
