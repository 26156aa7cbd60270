import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { NearbyStation } from '#contract/places/events.ts';
import { kilometres } from '#contract/places/distance.ts';
import { nearbyStations, stations } from '../../../../server/geography/names/stations.ts';

const names = (latitude: number, longitude: number) =>
  nearbyStations(latitude, longitude).map(({ name }) => name);

describe('the stations near a place', () => {
  it('are the nearest three within three kilometres, with their distance', () => {
    // First Direct Arena, Leeds.
    const near = nearbyStations(53.8027, -1.5427);
    expect(near.map(({ name, crs }) => [name, crs])).toEqual([
      ['Leeds', 'LDS'],
      ['Burley Park', 'BUY'],
    ]);
    expect(near[0]!.distance_km).toBeGreaterThan(0.6);
    expect(near[0]!.distance_km).toBeLessThan(1.1);
    for (const station of near)
      expect(z.strictObject(NearbyStation.shape).safeParse(station).success).toBe(true);
  });

  it('are never more than three, in central London either', () => {
    expect(names(51.5113, -0.1198)).toHaveLength(3);
  });

  it('include those of Northern Ireland, which have no letters', () => {
    expect(nearbyStations(54.5968, -5.92)[0]).toMatchObject({ name: 'Belfast Lanyon Place', crs: null });
  });

  it.each([
    ['at sea', 54, 3],
    ['in the Highlands', 57.5, -5],
    ['at 0,0', 0, 0],
    ['at a pole', 90, 0],
    ['nowhere', NaN, NaN],
  ])('are none %s', (_where, latitude, longitude) => {
    expect(nearbyStations(latitude, longitude)).toEqual([]);
  });

  it('are the same as by checking every station', () => {
    for (const [latitude, longitude] of [
      [51.5, -0.1],
      [55.86, -4.25],
      [60.1, -1.2],
      [53.4805, -2.2426],
    ] as const) {
      const all = stations()
        .map(({ name, ...at }) => ({ name, km: kilometres(latitude, longitude, at.latitude, at.longitude) }))
        .filter(({ km }) => km <= 3)
        .sort((a, b) => a.km - b.km);
      expect(names(latitude, longitude)).toEqual(all.slice(0, 3).map(({ name }) => name));
    }
  });
});
