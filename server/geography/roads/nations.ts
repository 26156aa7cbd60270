/** Which nations' publishers report on a place. */
import type { Nation } from '#contract/feeds/knownSources.ts';
import type { LonLat } from './roadTable.ts';

/** The borders, written by hand, at worst about 5 km off: [latitude, longitude] from south to north, with Wales to
 *  the west. */
const WALES_TO: readonly LonLat[] = [
  [51.3, -2.7],
  [51.6, -2.67],
  [51.8, -2.67],
  [51.92, -2.97],
  [52.07, -3.12],
  [52.34, -3.05],
  [52.55, -3.1],
  [52.68, -3.0],
  [52.78, -3.09],
  [52.88, -3.12],
  [52.93, -3.0],
  [52.97, -2.73],
  [53.05, -2.87],
  [53.18, -2.95],
  [53.3, -3.12],
  [53.45, -3.3],
];
/** The Bristol Channel: [longitude, latitude] from west to east, Wales to the north. */
const WALES_FROM: readonly LonLat[] = [
  [-5.5, 51.2],
  [-3.3, 51.3],
  [-3.05, 51.4],
  [-2.85, 51.49],
  [-2.6, 51.6],
];
/** [longitude, latitude] from west to east, Scotland to the north. */
const SCOTLAND_FROM: readonly LonLat[] = [
  [-8, 54.6],
  [-5, 54.6],
  [-4, 54.72],
  [-3.4, 54.93],
  [-3.05, 54.99],
  [-2.82, 55.13],
  [-2.48, 55.35],
  [-2.2, 55.5],
  [-2.19, 55.65],
  [-2.03, 55.81],
  [-1, 56],
];
/** East of this is the sea, then Scotland. */
const IRELAND_TO = -5.42;
const IRELAND_NORTH = 55.45;
const BORDER_SOUTH = 54.02;
const BORDER_WEST = -8.2;

/** How near to a border a place counts for both nations, in degrees: the borders above are no more exact, and
 *  publishers report a little beyond them. */
const EITHER = 0.04;

/** One nation, near a border both. Empty in the Republic of Ireland. */
export function nationsAt([longitude, latitude]: LonLat): Set<Nation> {
  const shifts: LonLat[] = [
    [0, 0],
    [EITHER, 0],
    [-EITHER, 0],
    [0, EITHER],
    [0, -EITHER],
  ];
  const found = shifts.map(([east, north]) => nationAt(longitude + east, latitude + north));
  return new Set(found.filter((nation) => nation !== null));
}

function nationAt(longitude: number, latitude: number): Nation | null {
  if (longitude < IRELAND_TO && latitude < IRELAND_NORTH && latitude > 51.3 + (longitude + 6.5) * -0.5)
    return latitude > BORDER_SOUTH && longitude > BORDER_WEST ? 'northern-ireland' : null;
  if (latitude > between(SCOTLAND_FROM, longitude)) return 'scotland';
  const inWales = latitude > between(WALES_FROM, longitude) && latitude < WALES_TO.at(-1)![0];
  return inWales && longitude < between(WALES_TO, latitude) ? 'wales' : 'england';
}

/** The second value at the first, on straight lines between the rows. */
function between(rows: readonly LonLat[], at: number): number {
  const next = rows.findIndex(([value]) => value >= at);
  if (next <= 0) return (next === 0 ? rows[0] : rows.at(-1))![1];
  const [[from, start], [to, end]] = [rows[next - 1]!, rows[next]!];
  return start + ((at - from) / (to - from)) * (end - start);
}
