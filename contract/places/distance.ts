/** How far two places are from each other. WGS84 degrees. */

const RADIANS = Math.PI / 180;

/** Great-circle distance, with the mean radius of the Earth. */
export function kilometres(fromLat: number, fromLng: number, toLat: number, toLng: number): number {
  const half = (degrees: number) => Math.sin((degrees * RADIANS) / 2) ** 2;
  const square =
    half(toLat - fromLat) + Math.cos(fromLat * RADIANS) * Math.cos(toLat * RADIANS) * half(toLng - fromLng);
  return 2 * 6371 * Math.asin(Math.sqrt(square));
}
