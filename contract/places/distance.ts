/** The distance between two places. WGS84 degrees. */

const RADIANS = Math.PI / 180;
/** Mean radius of the Earth. */
const EARTH_KM = 6371;
/** Length of a degree of latitude. */
export const KM_PER_DEGREE = EARTH_KM * RADIANS;

/** Great-circle distance. */
export function kilometres(fromLat: number, fromLng: number, toLat: number, toLng: number): number {
  const half = (degrees: number) => Math.sin((degrees * RADIANS) / 2) ** 2;
  const square =
    half(toLat - fromLat) + Math.cos(fromLat * RADIANS) * Math.cos(toLat * RADIANS) * half(toLng - fromLng);
  return 2 * EARTH_KM * Math.asin(Math.sqrt(square));
}
