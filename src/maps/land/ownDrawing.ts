/** The project's own drawing of the country, for maps without a street map: its largest towns and its motorways. */
import names from './names.json' with { type: 'json' };

/** WGS84 degrees, as in GeoJSON. */
export type Position = [longitude: number, latitude: number];

/** `from`: the zoom from which the name is drawn, in the zooms of street maps. */
export const TOWNS = (names.towns as [string, number, number, number][]).map(
  ([name, longitude, latitude, from]) => ({ name, at: [longitude, latitude] as Position, from }),
);

export const ROADS = (names.roads as unknown as [string, ...Position[]][]).map(([name, ...line]) => ({
  name,
  line,
}));

/** Must be shown wherever the names of towns are shown. */
export const TOWNS_ATTRIBUTION = 'Town names: GeoNames, CC BY 4.0';
