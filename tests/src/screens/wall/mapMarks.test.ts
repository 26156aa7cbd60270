import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../../src/api/alerts/disruptions.ts';
import { labelSpot, mapMarks, nameOnMap, RING } from '../../../../src/screens/wall/mapMarks.ts';
import { PICTURE, spotOf } from '../../../../src/screens/wall/projection.ts';

const at = (
  id: string,
  severity: Alert['severity'],
  latitude: number | null,
  longitude = -2,
  fields: Partial<Alert> = {},
) => ({ event_id: id, severity, latitude, longitude, ...fields }) satisfies Alert;

describe('the picture of the UK', () => {
  it.each([
    ['Land’s End', 50.07, -5.71],
    ['Lowestoft', 52.48, 1.76],
    ['John o’ Groats', 58.64, -3.07],
    ['Lerwick, in its box', 60.15, -1.14],
    ['Derry', 55.0, -7.32],
  ])('holds %s', (_, latitude, longitude) => {
    expect(spotOf({ latitude, longitude })).not.toBeNull();
  });

  it('places nothing that lies elsewhere or has no position', () => {
    expect(spotOf({ latitude: 48.85, longitude: 2.35 })).toBeNull();
    expect(spotOf({ latitude: null, longitude: -2 })).toBeNull();
    expect(spotOf({})).toBeNull();
  });

  it('has Lerwick at the right of Wick, above it, and Penzance below', () => {
    const [lerwick, wick, penzance] = [
      [60.15, -1.14],
      [58.44, -3.09],
      [50.12, -5.54],
    ].map(([latitude, longitude]) => spotOf({ latitude, longitude })!);
    expect(lerwick!.x).toBeGreaterThan(wick!.x);
    expect(lerwick!.y).toBeLessThan(wick!.y);
    expect(penzance!.y).toBeGreaterThan(wick!.y);
  });
});

describe('the marks on it', () => {
  const ids = (alerts: Alert[], lead: string | null = null) =>
    mapMarks(alerts, lead)
      .others.map(({ id }) => id)
      .join(' ');

  it('are at most twelve, the worst first, for active alerts of their own feed with a place', () => {
    const many = Array.from({ length: 20 }, (_, index) => at(`m${index}`, 'medium', 51 + index / 4));
    expect(mapMarks([...many, at('h', 'high', 57)], null).others).toHaveLength(12);
    expect(ids([...many, at('h', 'high', 57)])).toMatch(/^h /);
    expect(
      ids([
        at('p', 'critical', 54, -2, { metadata: { phase: 'planned' } }),
        at('s', 'critical', 54, -2, { see: { event_id: 'x', feed: 'roads-uk' } }),
        at('n', 'critical', null),
        at('m', 'medium', 54),
      ]),
    ).toBe('m');
  });

  it('are low only if nothing worse is active', () => {
    expect(ids([at('l', 'low', 52), at('m', 'medium', 54)])).toBe('m');
    expect(ids([at('l', 'low', 52), at('m', 'medium', null)])).toBe('');
    expect(ids([at('l', 'low', 52)])).toBe('l');
  });

  it('count those under the ring, which are not drawn', () => {
    const marks = mapMarks(
      [at('t', 'critical', 53.7), at('a', 'high', 53.8), at('b', 'low', 53.6), at('c', 'high', 51)],
      't',
    );
    expect([marks.lead?.id, marks.near, marks.others.map(({ id }) => id)]).toEqual(['t', 2, ['c']]);
  });

  it.each<[string, Partial<Alert>]>([
    [
      'Leeds',
      { latitude: 53.74, longitude: -1.7, facts: { place: 'M62 eastbound, J26 to J27', roads: ['M62'] } },
    ],
    ['Hawick', { latitude: 55.43, longitude: -2.79, facts: { place: 'River Teviot at Hawick', roads: [] } }],
    ['Cardiff', { latitude: 51.48, longitude: -3.18 }],
    ['Vauxhall Cross', { facts: { place: 'Vauxhall Cross, A3036', roads: ['A3036'] } }],
    ['Leeds Bradford', { facts: { place: 'Leeds Bradford Airport' } }],
    ['', { facts: { place: 'Yorkshire and the Humber region' } }],
    ['', {}],
  ])('the lead is named by the largest town near it, otherwise by its words: %s', (name, fields) => {
    expect(nameOnMap({ event_id: 'a', ...fields })).toBe(name);
  });

  it('are named by the nearest town if their words name a road alone', () => {
    const facts = { place: 'M74 northbound, J14 to J13' } as never;
    const name = nameOnMap(at('m74', 'critical', 55.45, -3.66, { facts }));
    expect(name).toMatch(/^[A-Z][a-z]/);
    expect(name).not.toMatch(/M74/);
    expect(nameOnMap({ event_id: 'a', facts })).toBe('M74 northbound'); // nobody says where that is
    // A river is as long.
    const wye = { place: 'River Wye, Hay to Glasbury' } as never;
    expect(nameOnMap(at('wye', 'critical', 52.08, -3.3, { facts: wye }))).not.toMatch(/Wye|^$/);
  });

  it('never lie on each other or on the ring, and hardly beside their place: the worst are drawn', () => {
    const towns = [51.5, 51.55, 51.6, 52.4, 53.5, 53.55];
    const { lead, others } = mapMarks(
      [
        at('t', 'critical', 53.7),
        ...towns.flatMap((latitude, index) => [
          at(`m${index}`, 'medium', latitude, -0.1),
          at(`h${index}`, 'high', latitude + 0.02, -0.2),
        ]),
      ],
      't',
    );
    for (const [index, one] of others.entries()) {
      expect(Math.hypot(one.x - lead!.x, one.y - lead!.y)).toBeGreaterThanOrEqual(RING + one.size / 2 + 10);
      for (const other of others.slice(index + 1)) {
        const between = Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y));
        expect(between).toBeGreaterThanOrEqual((one.size + other.size) / 2 - 0.02);
      }
    }
    expect(others.filter(({ grade }) => grade === 'high').length).toBeGreaterThanOrEqual(3);
    expect(others.length).toBeLessThan(12);
    const spots = new Map(
      towns.map((latitude, index) => [`h${index}`, spotOf({ latitude: latitude + 0.02, longitude: -0.2 })!]),
    );
    for (const { id, x, y } of others.filter(({ grade }) => grade === 'high'))
      expect(Math.hypot(x - spots.get(id)!.x, y - spots.get(id)!.y)).toBeLessThanOrEqual(24.01);
  });

  it('never give a milder one the place of a worse one that found no room', () => {
    const near = Array.from({ length: 14 }, (_, index) => at(`h${index}`, 'high', 52 + index / 100, -1));
    const { others } = mapMarks([...near, at('m', 'medium', 52.05, -1.02)], null);
    expect(others.some(({ id }) => id === 'm')).toBe(false);
    expect(others.length).toBeLessThan(near.length);
  });

  it('keep clear of the name at the ring', () => {
    const alerts = [at('t', 'critical', 53.7), at('e', 'high', 53.7, -0.4)];
    const label = { x: 400, y: 560, width: 150, height: 84 };
    expect(mapMarks(alerts, 't').others).toHaveLength(1);
    const beside = labelSpot(mapMarks(alerts, 't').lead!, { width: 100, lines: 2 });
    expect(mapMarks(alerts, 't', { label: beside }).others).toHaveLength(0);
    expect(mapMarks(alerts, 't', { label: { ...label, y: 0 } }).others).toHaveLength(1);
  });

  it('leave room for the name: right of the ring, else above it, and never outside', () => {
    const lead = { x: 300, y: 500 };
    const label = (spot: { x: number; y: number }) => labelSpot(spot, { width: 100, lines: 2 });
    expect(label(lead).x).toBeGreaterThan(lead.x + RING);
    const east = label({ x: 560, y: 500 });
    expect(east.x + 100).toBeLessThanOrEqual(PICTURE.width);
    expect(east.y).toBeLessThan(500 - RING);
    const northEast = label({ x: 560, y: 130 });
    expect(northEast.y).toBeGreaterThan(130 + RING);
  });
});
