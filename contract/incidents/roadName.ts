/** The normal form of a road's name, however it is written. */

/** "a1m" and "A1 (M)" are "A1(M)"; "M6Toll" is "M6 Toll". */
export function normalRoad(name: string): string {
  const letters = name.trim().toUpperCase().replaceAll(' ', '');
  if (letters === 'M6TOLL') return 'M6 Toll';
  return letters.replace(/^(A\d{1,4})(?:\(M\)|M)$/, '$1(M)');
}

/** Names that people give to roads, and that are not names of places. */
const ROADS_BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/\bsouthend arterial\b/i, 'A127'],
  [/\bnorth circular\b/i, 'A406'],
  [/\bsouth circular\b/i, 'A205'],
  [/\bkingston bypass\b/i, 'A3'],
  [/\bheads of the valleys\b/i, 'A465'],
  [/\bedinburgh (?:city )?bypass\b/i, 'A720'],
  [/\b(?:north wales|a55) expressway\b/i, 'A55'],
  [/\baston expressway\b/i, 'A38(M)'],
  [/\bmancunian way\b/i, 'A57(M)'],
  [/\bwestlink\b/i, 'A12'],
];
/** In a report these are roads; in a typed route they may be a place, or a road of another town. */
const ALSO_PLACES: readonly (readonly [RegExp, string])[] = [
  [/\bcity bypass\b/i, 'A720'],
  [/\bwestern avenue\b/i, 'A40'],
  [/\bwestway\b/i, 'A40'],
  [/\beastern avenue\b/i, 'A12'],
  [/\bgreat cambridge road\b/i, 'A10'],
  [/\bacle straight\b/i, 'A47'],
  [/\bsnake pass\b/i, 'A57'],
  [/\bwoodhead pass\b/i, 'A628'],
  [/\bcat and fiddle\b/i, 'A537'],
  [/\brest and be thankful\b/i, 'A83'],
  [/\bthanet way\b/i, 'A299'],
  [/\bblackwall tunnel\b/i, 'A102'],
  [/\b(?:dartford|queen elizabeth ii|qe ?(?:2|ii)) (?:river )?(?:crossing|bridge|tunnel)\b/i, 'A282'],
];

/** Roads that a report names by their names: "A406" for "North Circular". */
export const roadsByName = (words: string): string[] => [
  ...new Set([...ROADS_BY_NAME, ...ALSO_PLACES].flatMap(([name, road]) => (name.test(words) ? road : []))),
];

/** The road with whose name these words begin, and the name's length; undefined if they begin with no such name. */
export function roadNameAt(words: string): { road: string; length: number } | undefined {
  for (const [name, road] of ROADS_BY_NAME) {
    const match = name.exec(words);
    if (match?.index === 0) return { road, length: match[0].length };
  }
  return undefined;
}
