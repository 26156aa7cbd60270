import { expect, it } from 'vitest';
import {
  boundsAround,
  boundsNear,
  START_VIEW,
  tileAddresses,
  wholeUk,
} from '../../../../../src/maps/basemap.ts';
import { placeZoom } from '../../../../../src/screens/map/marks/placeZoom.ts';

it.each([
  ['city', 11],
  ['administrative', 11],
  ['village', 12],
  ['hamlet', 12],
  ['postcode', 13],
  ['suburb', 13],
  ['town', 10],
  ['station', 10],
  ['airport', 10],
  ['something else', 10],
  [undefined, 10],
])('flies to a %s at zoom %i', (type, zoom) => {
  expect(placeZoom({ type, bounding_box: null }, 700)).toBe(zoom);
  expect(placeZoom({ type, bounding_box: { north: 54 } }, 700)).toBe(zoom);
  expect(placeZoom({ type, bounding_box: { north: 53, south: 54 } }, 700)).toBe(zoom);
});

it.each([
  ['a country', { north: 60, south: 50 }, 8],
  ['a county', { north: 54.1, south: 53.5 }, 9],
  ['a city', { north: 51.6, south: 51.4 }, 11],
  ['a street', { north: 51.5001, south: 51.5 }, 14],
])('fits the box of %s, between 8 and 14', (_, bounding_box, zoom) => {
  expect(placeZoom({ type: 'city', bounding_box }, 700)).toBe(zoom);
});

it('computes the view of a map for times without one', () => {
  const { north, south, east, west } = boundsAround({ ...START_VIEW, longitude: -3 }, 1024, 768);
  expect([north, south, east, west].map(Math.round)).toEqual([59, 49, 8, -14]);
  const near = boundsNear({ latitude: 60, longitude: -1 }, 10);
  expect(near.north - near.south).toBeCloseTo(0.18, 2);
  expect(near.east - near.west).toBeCloseTo(0.36, 2);
});

it.each([
  [390, 286],
  [768, 400],
  [634, 620],
  [890, 640],
  [1463, 860],
  [2500, 1600],
])('starts with the whole UK on a map of %i by %i pixels', (width, height) => {
  const { north, south, east, west } = boundsAround(START_VIEW, width, height);
  expect(north).toBeGreaterThan(60.86); // Shetland
  expect(south).toBeLessThan(49.87); // Scilly
  expect(west).toBeLessThan(-8.17); // Fermanagh
  expect(east).toBeGreaterThan(1.76); // Lowestoft
  expect(wholeUk(width, height).zoom).toBeLessThanOrEqual(6);
});

it('makes full tile addresses from any template', () => {
  expect(tileAddresses('/tiles/{z}/{x}/{y}.png')).toEqual([`${location.origin}/tiles/{z}/{x}/{y}.png`]);
  expect(tileAddresses('https://{s}.tile.example/{z}/{x}/{y}.png')).toHaveLength(3);
});
