/** The places that people name in a route, found in the embedded gazetteer. */
import { setImmediate } from 'node:timers/promises';
import { embeddedPlaces, searchEmbedded } from './embedded.ts';

/** More would be further and further from what was typed. */
const CANDIDATES = 5;

export interface RoutePlace {
  /** "Leeds" */
  name: string;
  /** "Leeds, West Yorkshire" */
  label: string;
  point: [longitude: number, latitude: number];
  isInNorthernIreland: boolean;
}

/** Best first, at most five. */
export async function findRoutePlaces(name: string): Promise<RoutePlace[]> {
  await embeddedPlaces();
  // A search takes some milliseconds, and a route has many places.
  await setImmediate();
  const { results } = searchEmbedded(name, CANDIDATES);
  return results.map(({ label, latitude, longitude, raw: { address } }) => ({
    name: label.split(/, | \(/)[0]!, // a label is not empty
    label,
    point: [longitude, latitude],
    isInNorthernIreland: address.state === 'Northern Ireland',
  }));
}
