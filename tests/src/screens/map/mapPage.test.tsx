import { STATIONS_ATTRIBUTION } from '#contract/places/events.ts';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { saveTokens } from '../../../../src/api/tokens.ts';
import { START_VIEW } from '../../../../src/maps/basemap.ts';
import type { EventMap } from '../../../../src/screens/map/marks/EventMap.tsx';
import { resetMapFilters } from '../../../../src/screens/map/mapFilters.ts';
import { MapPage } from '../../../../src/screens/map/MapPage.tsx';
import { ANNA, json, startFakeServer } from '../../api/fakeServer.ts';

// A real map needs a browser that draws: this one shows the United Kingdom, and its popup.
vi.mock('../../../../src/screens/map/marks/EventMap.tsx', () => ({
  EventMap({ popup, onMoved }: Parameters<typeof EventMap>[0]) {
    useEffect(() => {
      onMoved({
        view: START_VIEW,
        zoom: 6,
        bounds: { north: 60, south: 50, east: 2, west: -8 },
        height: 700,
      });
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, as a map does that nobody moves
    }, []);
    return <div data-testid="popup">{popup?.content}</div>;
  },
}));

let server: ReturnType<typeof startFakeServer>;

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '/map');
  resetMapFilters();
  server = startFakeServer();
  server.answers.set('disruptions/', () => json(200, { events: [], total: 0, sources: [] }));
  saveTokens(server.signedIn(ANNA));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const CONCERT = {
  performance_id: 'perf-1',
  event_id: 'event-1',
  name: 'Brass in the park',
  category: 'Music',
  start_datetime: '2026-12-01T19:30:00Z',
  end_datetime: '2026-12-01T22:00:00Z',
  venue_name: 'Roundhay Park',
  venue_town: 'Leeds',
  postcode: 'LS8 1ER',
  capacity: 4000,
  booking_url: 'https://tickets.example/1',
  description: 'Four bands.',
  latitude: 53.84,
  longitude: -1.5,
  nearby_stations: [{ name: 'Leeds', crs: 'LDS', distance_km: 1.2 }],
};
const answer = (events: object[]) => {
  server.answers.set('events/categories', () => json(200, ['Music', 'Sport']));
  server.answers.set('events/viewport', () => json(200, { events }));
};
const optionsOf = (name: string) =>
  [...screen.getByLabelText(name).querySelectorAll('option')].map(({ textContent }) => textContent);

it('offers the server’s categories, and four date ranges', async () => {
  answer([]);
  render(<MapPage />);
  await screen.findByRole('option', { name: 'Sport' });
  expect(optionsOf('Category')).toEqual(['All categories', 'Music', 'Sport']);
  expect(optionsOf('Dates')).toEqual(['All dates', 'Next 7 days', 'Next 30 days', 'Next 90 days']);
  expect(screen.getByPlaceholderText('Enter town or postcode')).toBeTruthy();
  for (const name of ['Search', 'Reset']) expect(screen.getByRole('button', { name })).toBeTruthy();
});

it('asks for a category as the server names it, spaces included', async () => {
  answer([]);
  server.answers.set('events/categories', () => json(200, ['Rock  & Pop', 'Rock & Pop']));
  render(<MapPage />);
  const [twoSpaces] = await screen.findAllByRole<HTMLOptionElement>('option', { name: /Rock/ });
  expect(twoSpaces!.getAttribute('value')).toBe('Rock  & Pop'); // without it, a browser gives the text tidied
});

it('says that it is loading, and then that there is nothing', async () => {
  answer([]);
  render(<MapPage />);
  expect(screen.getByText('Loading events…')).toBeTruthy();
  expect(await screen.findByRole('heading', { name: 'No events in view' })).toBeTruthy();
  expect(screen.getByText('Try adjusting the map or updating your filters.')).toBeTruthy();
  expect(screen.queryByText('Loading events…')).toBeNull();
});

it('says when the events cannot be loaded, and what to try', async () => {
  server.answers.set('events/viewport', () => json(500, {}));
  render(<MapPage />);
  expect((await screen.findByRole('alert')).textContent).toBe('Unable to load events for this area');
  expect(screen.getByText('Try moving the map or adjusting filters.')).toBeTruthy();
});

it('gives the year of a date in the list that is not in this year', async () => {
  vi.useFakeTimers({ now: new Date('2026-12-31T23:30:00Z'), toFake: ['Date'] });
  const events = [
    ['this', '2026-12-01T19:30:00Z', '1 Dec19:30'],
    ['next', '2027-01-01T00:30:00Z', '1 Jan 202700:30'],
    ['former', '2025-12-31T20:00:00Z', '31 Dec 202520:00'],
  ] as const;
  answer(
    events.map(([id, start_datetime]) => ({ ...CONCERT, performance_id: id, name: id, start_datetime })),
  );
  render(<MapPage />);
  for (const [id, , words] of events) {
    const row = await screen.findByRole('button', { name: new RegExp(id) });
    expect(row.querySelector('time')!.textContent).toBe(words);
  }

  await userEvent.click(screen.getByRole('button', { name: /this/ }));
  expect(screen.getByTestId('popup').textContent).toContain('1 Dec 2026, 19:30');
});

it('opens an event in the list and on the map, with links to its tickets and details', async () => {
  answer([CONCERT, { ...CONCERT, performance_id: 'perf-2', name: 'Free brass', booking_url: null }]);
  const user = userEvent.setup();
  render(<MapPage />);
  await user.click(await screen.findByRole('button', { name: /Brass in the park/ }));
  expect(screen.getByRole('link', { name: 'Book tickets' }).getAttribute('href')).toBe(CONCERT.booking_url);
  expect(screen.getByRole('link', { name: 'View full details' }).getAttribute('href')).toBe(
    '/events/event-1',
  );
  const popup = within(screen.getByTestId('popup'));
  expect(popup.getByRole('link', { name: 'View details' }).getAttribute('href')).toBe('/events/event-1');
  expect(screen.getByText('Leeds (1.2 km)')).toBeTruthy();
  expect(screen.getByText(STATIONS_ATTRIBUTION)).toBeTruthy(); // as the licence asks

  await user.click(screen.getByRole('button', { name: /Free brass/ }));
  expect(screen.queryByRole('link', { name: 'Book tickets' })).toBeNull();
});
