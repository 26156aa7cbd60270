import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/api/disruptions.ts';
import { labelSpot, mapMarks, nameOnMap, RING } from '../../../src/wall/mapMarks.ts';
import { PICTURE, spotOf } from '../../../src/wall/projection.ts';

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

  it('are at most twelve, the worst first, and none of what is planned, counted elsewhere or without a place', () => {
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

  it('are low only where nothing worse has a place', () => {
    expect(ids([at('l', 'low', 52), at('m', 'medium', 54)])).toBe('m');
    expect(ids([at('l', 'low', 52), at('m', 'medium', null)])).toBe('l');
  });

  it('count those under the ring, which are not drawn', () => {
    const marks = mapMarks(
      [at('t', 'critical', 53.7), at('a', 'high', 53.8), at('b', 'low', 53.6), at('c', 'high', 51)],
      't',
    );
    expect([marks.lead?.id, marks.near, marks.others.map(({ id }) => id)]).toEqual(['t', 2, ['c']]);
  });

  it.each<[string, Partial<Alert>]>([
    ['M62', { facts: { place: 'M62 eastbound, J26 to J27', roads: ['M62'] } }],
    ['Hawick', { facts: { place: 'River Teviot at Hawick', roads: [] } }],
    ['Leeds', { facts: { place: 'Leeds to Huddersfield' } }],
    ['Cardiff', { metadata: { location_names: ['Cardiff'] } }],
    ['South Wales', { facts: { place: 'South Wales' }, metadata: { location_names: ['Cardiff'] } }],
    ['Carmarthen Quay', { facts: { place: 'River Towy at Carmarthen Quay', roads: ['A484'] } }],
    ['York', { facts: { place: 'River Ouse at York' }, metadata: { location_names: ['River Ouse'] } }],
    ['Vauxhall Cross', { facts: { place: 'Vauxhall Cross, A3036', roads: ['A3036'] } }],
    ['A65', { facts: { place: 'A65 Kirkstall Road', roads: ['A6', 'A65'] } }],
    ['A1(M)', { facts: { place: 'A1(M) northbound, J47', roads: ['A1', 'A1(M)'] } }],
    ['Leeds Bradford', { facts: { place: 'Leeds Bradford Airport' } }],
    ['', { facts: { place: 'Yorkshire and the Humber region' } }],
    ['', {}],
  ])('the lead is named: %s', (name, fields) => {
    expect(nameOnMap({ event_id: 'a', ...fields })).toBe(name);
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
      expect(Math.hypot(one.x - lead!.x, one.y - lead!.y)).toBeGreaterThanOrEqual(RING + one.size / 2);
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
      expect(Math.hypot(x - spots.get(id)!.x, y - spots.get(id)!.y)).toBeLessThanOrEqual(30.01);
  });

  it('leave room for the name: right of the ring, else above it, and never outside', () => {
    const lead = { x: 300, y: 500 };
    const label = (others: { x: number; y: number }[], spot = lead) =>
      labelSpot(spot, {
        width: 100,
        lines: 2,
        others: others.map((other) => ({ id: '', grade: 'high', size: 54, ...other })),
      });
    expect(label([]).x).toBeGreaterThan(lead.x + RING);
    expect(label([{ x: 400, y: 500 }]).y).toBeLessThan(lead.y - RING);
    // Left of it the line from the band would run through the name.
    const below = label([
      { x: 400, y: 500 },
      { x: 300, y: 400 },
    ]);
    expect(below.y).toBeGreaterThan(lead.y + RING);
    const east = label([], { x: 560, y: 500 });
    expect(east.x + 100).toBeLessThanOrEqual(PICTURE.width);
    // Nor through the name of a place in the west, below that line.
    const west = label([{ x: 140, y: 500 }], { x: 40, y: 500 });
    expect(west.x).toBeGreaterThan(10);
  });
});
