/** Northern Ireland, whose roads have the same numbers as roads elsewhere. WGS84 degrees. */
export const NORTHERN_IRELAND = { south: 54, west: -8.2, north: 55.4, east: -5.4 } as const;
/** The south of Kintyre, which is in the same box. */
const KINTYRE = { south: 55.25, west: -5.95 } as const;

export const isInNorthernIreland = (longitude: number, latitude: number): boolean =>
  longitude > NORTHERN_IRELAND.west &&
  longitude < NORTHERN_IRELAND.east &&
  latitude > NORTHERN_IRELAND.south &&
  latitude < NORTHERN_IRELAND.north &&
  !(longitude > KINTYRE.west && latitude > KINTYRE.south);
