import { afterEach, beforeEach, expect, it } from 'vitest';
import type { NewSharedAddress } from '#contract/watches/sharing.ts';
import type { Watch } from '#contract/watches/watches.ts';
import { matches } from '../../../../../server/watches/matching/matchStore.ts';
import type { EventInput } from '../../../../../server/geography/events/eventInput.ts';
import { events } from '../../../../../server/geography/events/events.ts';
import { leaving } from '../../../../../server/geography/events/crowds.ts';
import { crowds } from '../../../../../server/watches/matching/matchInput.ts';
import { event } from '../import/oneEvent.ts';
import { MINUTE_MS, openFormatsWorld, type FormatsWorld } from '../../../delivery/formats/formatsWorld.ts';
import { poll, record } from '../../../feedsWorld.ts';

const HOUR_MS = 60 * MINUTE_MS;

let world: FormatsWorld;
beforeEach(async () => {
  world = await openFormatsWorld();
  const at = (name: string, venue: string): EventInput => ({
    ...event({ id: name.toLowerCase(), name, place: { venue_id: venue, capacity: 9000 } }),
    performances: [
      {
        performance_id: `${name.toLowerCase()}:1`,
        start_datetime: '2026-11-21T10:00:00.000Z',
        end_datetime: '2026-11-21T11:00:00.000Z',
        booking_url: null,
      },
    ],
  });
  const store = events(world.db).store;
  await store({ source: 'sample', isSample: true, arriving: [at('Invented', 'v1')], now: world.now() });
  await store({ source: 'hall', arriving: [at('Real', 'v2')], now: world.now() });
});
afterEach(() => world.close());

const TEXTS = /Invented|invented/;

it.each(['json', 'geojson', 'csv', 'rss', 'atom', 'ics', 'cap', 'badge'])(
  'no invented event leaves as %s: not with conditions, not of an area that it was matched with, not at a secret address',
  async (form) => {
    const area = {
      kind: 'area',
      made_by: 'circle',
      geometry: { type: 'Point', coordinates: [-1.549, 53.8] },
      reach_m: 25_000,
      place: 'Leeds',
    };
    const made = await world.post('/api/v1/watches', area, world.token);
    const { id } = made.json<Watch>();
    const near = { watch_id: id, subject: 'event', level: 'near', why: '', off_m: null } as const;
    const found = ['invented:1', 'real:1'].map((subject_id) => ({
      ...near,
      subject_id,
      from_km: null,
      to_km: null,
    }));
    await matches(world.db).settle({ subject: 'event', watchIds: [id] }, found, {
      at: world.now(),
      batch: 1,
      endKind: () => 'ended',
    });
    const address = await world.post('/api/v1/addresses', { watch_id: id, form }, world.token);
    const { path } = address.json<NewSharedAddress>();
    for (const reply of [
      await world.ask(`/disruptions.${form}?near=Leeds`),
      await world.ask(`/watches/${id}.${form}`),
      await world.get(path),
    ]) {
      expect(reply.statusCode).toBe(200);
      expect(reply.body).not.toMatch(TEXTS);
      expect(reply.body.includes('SUMMARY:Real')).toBe(form === 'ics');
    }
  },
);

it('none is matched with a route, so none is in messages, on sheets or on displays', async () => {
  const until = new Date(world.now().getTime() + 24 * HOUR_MS);
  const found = await crowds(world.db, world.now(), until);
  expect(found.map(({ performance_id }) => performance_id)).toEqual(['real:1']);
});

it('a sample event that was matched before is no longer read', async () => {
  const read = await events(world.db).performances(['invented:1', 'real:1']);
  expect(read.map(({ performance_id }) => performance_id)).toEqual(['real:1']);
});

it('none is a crowd that goes home in the board’s expected times', async () => {
  const next = await leaving(world.db, world.now(), new Date(world.now().getTime() + 6 * HOUR_MS));
  expect(next.map(({ performance_id }) => performance_id)).toEqual(['real:1']);
});

it('none is named beside an incident', async () => {
  const place = { latitude: 53.8, longitude: -1.55 };
  await poll(world.db, 'tfl', [record('tfl:here', place)], world.now());
  const { body } = await world.ask('/disruptions/tfl:here');
  expect(body).toContain('"Real"');
  expect(body).not.toMatch(TEXTS);
});

it('the map has it, and says that it is a sample', async () => {
  const { body } = await world.ask('/events');
  expect(body).toMatch(/"name":"Invented"[^}]*"is_sample":true/);
});
