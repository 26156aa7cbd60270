import { STATIONS_ATTRIBUTION } from '#contract/places/events.ts';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Route, Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { EventPage } from '../../../../../src/screens/map/events/EventPage.tsx';
import { keptEvents } from '../../../../../src/screens/map/events/keptEvents.ts';
import { json, startFakeServer } from '../../../api/fakeServer.ts';
import { answerAfter, forgetEverything } from '../../../offline/fakeStorage.ts';

const SHOWN = {
  event_id: 'concert',
  name: 'Town Hall concert',
  category: 'Music',
  venue_name: 'Town Hall',
  venue_town: 'Leeds',
  postcode: 'LS1 1UR',
  description: 'An evening of songs …',
};
const UK = { north: 61, south: 49, east: 3, west: -11 };

let server: ReturnType<typeof startFakeServer>;

beforeEach(async () => {
  localStorage.clear();
  forgetEverything();
  server = startFakeServer();
  localStorage.setItem('access_token', server.signedIn().access_token);
  localStorage.setItem('clearway_scope', 'anna');
  server.answers.set('events/concert', () =>
    json(200, {
      ...SHOWN,
      description: 'An evening of songs old and new.',
      prices: [{ min: 10 }],
      venue: { name: 'Town Hall', town: 'London', region: 'London', country: 'England' },
      nearby_stations: [{ name: 'Leeds', crs: 'LDS', distance_km: 0.6 }],
    }),
  );
  await keptEvents().add({
    bounds: UK,
    category: null,
    dates: null,
    total: 2,
    at: new Date(Date.now() - 60_000),
    events: [
      { ...SHOWN, performance_id: 'second', start_datetime: '2027-01-16T19:30:00.000Z' },
      { ...SHOWN, performance_id: 'first', start_datetime: '2027-01-15T19:30:00.000Z' },
    ],
  });
});
afterEach(() => vi.unstubAllGlobals());

function open(id: string) {
  const { hook, navigate } = memoryLocation({ path: `/events/${id}` });
  render(
    <Router hook={hook}>
      <Route path="/events/:id" component={EventPage} />
    </Router>,
  );
  return navigate;
}

it('shows an event that was never opened from the map’s copy, with its age, until there is a network', async () => {
  server.line = 'cut';
  open('concert');

  expect(await screen.findByRole('heading', { level: 1, name: 'Town Hall concert' })).toBeTruthy();
  expect(
    screen.getByText(
      /^Showing this event as saved from the map at \d\d:\d\d\. The full record needs a connection\.$/,
    ),
  ).toBeTruthy();
  expect(screen.getByText('An evening of songs …')).toBeTruthy();
  expect(screen.getByText('LS1 1UR')).toBeTruthy();
  expect(screen.getAllByText(/Jan 2027/).map(({ textContent }) => textContent)).toEqual([
    '15 Jan 2027, 19:30',
    '16 Jan 2027, 19:30',
  ]);

  server.line = 'good';
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByText('An evening of songs old and new.')).toBeTruthy();
  expect(screen.queryByText(/saved from the map/)).toBeNull();
  expect(screen.getByText('London, England')).toBeTruthy();
  expect(screen.getByText('Leeds (LDS)')).toBeTruthy();
  expect(screen.getByText(STATIONS_ATTRIBUTION)).toBeTruthy(); // as the licence asks
});

it('says that an event cannot be loaded when there is no copy, or the server has no such event', async () => {
  server.line = 'cut';
  open('another');
  expect((await screen.findByRole('alert')).textContent).toContain('Unable to load this event');

  server.line = 'good';
  server.answers.set('events/another', () => json(404, { detail: "Event 'another' not found" }));
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByText("Event 'another' not found")).toBeTruthy();
});

it('shows no copy of an event that the server no longer has, and does not ask for it again', async () => {
  server.answers.set('events/concert', () => json(404, { detail: 'There is no such event.' }));
  open('concert');
  expect(await screen.findByText('There is no such event.')).toBeTruthy();
  expect(screen.queryByText('LS1 1UR')).toBeNull();
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect(server.callsTo('events/concert')).toHaveLength(1);
});

it('asks again for an event that was refused for a moment', async () => {
  const whole = server.answers.get('events/concert')!;
  server.answers.set('events/concert', () => json(429, { detail: 'Wait a moment.' }));
  open('concert');
  expect(await screen.findByText('Wait a moment.')).toBeTruthy();
  server.answers.set('events/concert', whole);
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByText('An evening of songs old and new.')).toBeTruthy();
});

it('shows nothing of the event before, whose copy is found late', async () => {
  server.answers.set('events/match', () => json(200, { ...SHOWN, event_id: 'match', name: 'Cup final' }));
  server.hold('events/concert', 'GET');
  const goTo = open('concert');
  await vi.waitFor(() => expect(server.callsTo('events/concert')).toHaveLength(1));
  let found = () => {};
  answerAfter(new Promise<void>((resolve) => (found = resolve)));
  act(() => goTo('/events/match'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Cup final' })).toBeTruthy();
  await act(async () => found());
  await act(async () => new Promise((resolve) => setTimeout(resolve)));
  expect(screen.getByRole('heading', { level: 1, name: 'Cup final' })).toBeTruthy();
});

it('loads again when the network comes back in the moment of the failure', async () => {
  const whole = server.answers.get('events/concert')!;
  server.answers.set('events/concert', () => {
    window.dispatchEvent(new Event('online'));
    server.answers.set('events/concert', whole);
    throw new TypeError('Failed to fetch');
  });
  open('concert');
  expect(await screen.findByText('An evening of songs old and new.')).toBeTruthy();
});
