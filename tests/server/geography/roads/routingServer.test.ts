import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Resolved } from '#contract/watches/watches.ts';
import { resolveByRouter } from '../../../../server/calls/watches/watchDraftCalls.ts';
import type { FindPlaces } from '../../../../server/watches/typed/typedNames.ts';
import { osrmRouter } from '../../../../server/geography/roads/routingServer.ts';
import { lineBetween, roadTable } from '../../../../server/geography/roads/roadTable.ts';

/** An answer of OSRM: the M62 from J27 to J30. */
const M62 = roadTable().chain('M62')!;
const LINE = lineBetween(M62, 21, 24).points;
const OSRM = {
  code: 'Ok',
  routes: [
    {
      geometry: { type: 'LineString', coordinates: LINE },
      legs: [{ steps: [], distance: 20_000, duration: 900, summary: '', weight: 900 }],
      distance: 20_000,
      duration: 900,
      weight_name: 'routability',
      weight: 900,
    },
  ],
  waypoints: [],
};

let server: Server;
let url: string;
let asked: string[];
let logged: object[];
let answer: { status: number; body: string };

beforeEach(async () => {
  asked = [];
  logged = [];
  answer = { status: 200, body: JSON.stringify(OSRM) };
  server = createServer((request, response) => {
    asked.push(request.url!);
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(answer.body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(() => new Promise((closed) => server.close(closed)));

const PLACES: Record<string, [number, number]> = { Gildersome: [-1.64, 53.75], Castleford: [-1.36, 53.73] };
const findPlaces: FindPlaces = async (name) =>
  PLACES[name] ? [{ name, label: name, point: PLACES[name], isInNorthernIreland: false }] : [];
const resolve = async (text: string) => {
  const router = osrmRouter({
    url,
    contactEmail: 'a@example.org',
    log: { warn: (fields) => logged.push(fields) },
  });
  return Resolved.parse(await resolveByRouter(text, findPlaces, router));
};
const stops = ({ problems }: Resolved) =>
  problems.filter(({ level }) => level === 'stop').map(({ text }) => text);

it('draws an exact line through the places, in their order, with the roads along it', async () => {
  const resolved = await resolve('Gildersome, Castleford');
  expect(asked).toEqual([
    '/route/v1/driving/-1.64,53.75;-1.36,53.73?overview=full&geometries=geojson&steps=false',
  ]);
  expect(resolved.name).toBe('Gildersome to Castleford');
  expect(resolved.legs).toMatchObject([{ type: 'exact', roads: [{ road: 'M62', sense: 1 }] }]);
  expect(stops(resolved)).toEqual([]);
});

it.each([
  ['no way', 400, JSON.stringify({ code: 'NoRoute', message: 'Impossible route between points' })],
  ['an error', 500, 'oops'],
  ['rubbish', 200, '<html>'],
  ['a line of another form', 200, JSON.stringify({ ...OSRM, routes: [{ geometry: 'e~ydIfz`I' }] })],
  ['no route', 200, JSON.stringify({ ...OSRM, routes: [] })],
])('says in words that the router gave %s, and keeps the places out of the log', async (_, status, body) => {
  answer = { status, body };
  const resolved = await resolve('Gildersome, Castleford');
  expect(stops(resolved)).toEqual(['The router did not answer. Draw it, or name the junctions.']);
  expect(resolved.legs).toEqual([]);
  expect(logged).toHaveLength(1);
  expect(JSON.stringify(logged)).not.toContain('53.7');
});

it('is never asked about unknown places, or without a router', async () => {
  expect(stops(await resolve('Gildersome, Nowhere at all'))[0]).toContain('We do not know the place');
  expect(asked).toEqual([]);
  const without = await resolveByRouter('Gildersome, Castleford', findPlaces, null);
  expect(stops(without)).toEqual(['This server has no router. Draw it, or name the junctions.']);
});
