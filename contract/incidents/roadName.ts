/** Name of a road, however it is written. */

/** "a1m" and "A1 (M)" are "A1(M)"; "M6Toll" is "M6 Toll". */
export function normalRoad(name: string): string {
  const letters = name.trim().toUpperCase().replaceAll(' ', '');
  if (letters === 'M6TOLL') return 'M6 Toll';
  return letters.replace(/^(A\d{1,4})(?:\(M\)|M)$/, '$1(M)');
}
