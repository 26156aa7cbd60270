/** The texts of the specification that no other test of a screen has, read off the screens themselves. */
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saveTokens } from '../../src/api/tokens.ts';
import { DashboardPage } from '../../src/dashboard/DashboardPage.tsx';
import { LandingPage } from '../../src/landing/LandingPage.tsx';
import { START_VIEW } from '../../src/map/basemap.ts';
import type { EventMap } from '../../src/map/EventMap.tsx';
import { resetMapFilters } from '../../src/map/mapFilters.ts';
import { MapPage } from '../../src/map/MapPage.tsx';
import { ANNA, json, startFakeServer } from './api/fakeServer.ts';

// The map itself needs a browser that draws; this one shows the United Kingdom, and its popup.
vi.mock('../../src/map/EventMap.tsx', () => ({
  EventMap({ popup, onMoved }: Parameters<typeof EventMap>[0]) {
    useEffect(() => {
      onMoved({ view: START_VIEW, bounds: { north: 60, south: 50, east: 2, west: -8 }, height: 700 });
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
  saveTokens(server.signedIn(ANNA));
});
afterEach(() => vi.unstubAllGlobals());

it('the landing page makes the claims of the specification, and no others in figures', () => {
  render(<LandingPage />);
  const claims = [...document.querySelectorAll('dl > div')].map((pair) =>
    ['dd', 'dt'].map((part) => pair.querySelector(part)!.textContent).join(' '),
  );
  expect(claims).toEqual([
    '40,000+ potential disruptions',
    '500,000+ crowd surges',
    '80,000+ venues',
    'Since 2017 of data',
    expect.stringMatching(/^99% accuracy target/),
  ]);
  expect(screen.getByText(/^12\+ top-level categories, each with sub-categories and tags/)).toBeTruthy();
  expect(screen.getByText('14 days. No credit card. Full API access.')).toBeTruthy();

  const section = (name: string) => within(screen.getByRole('region', { name }));
  expect(
    section('Categorisation')
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Music', 'Sport', 'Film', 'Theatre', 'Comedy', 'Family', 'Food and drink', 'Festivals']);
  for (const name of ['Scale', 'Data depth', 'Sources', 'Quality', 'Real-world impact', 'Why it matters']) {
    expect(section(name).getByRole('heading', { level: 2 })).toBeTruthy();
  }
  expect(screen.getByText(/^Access is by invitation\./).querySelector('a')!.href).toBe(
    'mailto:hello@clearway.example',
  );
});

it('the dashboard shows its fixed figures, the way to begin and the example request', () => {
  render(<DashboardPage />);
  const figure = (name: string) => screen.getByText(name, { selector: 'dt' }).closest('div')!.textContent;
  expect(figure('Events')).toMatch(/^Events3,183/);
  expect(figure('Cities')).toMatch(/^Cities158/);
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Create an API key',
    'View API docs',
    'Make a first request',
  ]);
  expect(screen.getByLabelText('Example request').textContent).toMatch(
    /^GET \/api\/v1\/events\?venue_town=\w+&limit=10\nAuthorization: Bearer /,
  );
});

describe('the map', () => {
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
  };
  const answer = (events: object[]) => {
    server.answers.set('events/categories', () => json(200, ['Music', 'Sport']));
    server.answers.set('events/viewport', () => json(200, { events }));
  };
  const optionsOf = (name: string) =>
    [...screen.getByLabelText(name).querySelectorAll('option')].map(({ textContent }) => textContent);

  it('offers the categories of the server, and four ranges of dates', async () => {
    answer([]);
    render(<MapPage />);
    await screen.findByRole('option', { name: 'Sport' });
    expect(optionsOf('Category')).toEqual(['All categories', 'Music', 'Sport']);
    expect(optionsOf('Dates')).toEqual(['All dates', 'Next 7 days', 'Next 30 days', 'Next 90 days']);
    expect(screen.getByPlaceholderText('Enter town or postcode')).toBeTruthy();
    for (const name of ['Search', 'Reset']) expect(screen.getByRole('button', { name })).toBeTruthy();
  });

  it('says that it loads, and then that there is nothing', async () => {
    answer([]);
    render(<MapPage />);
    expect(screen.getByText('Loading events…')).toBeTruthy();
    expect(await screen.findByRole('heading', { name: 'No events in view' })).toBeTruthy();
    expect(screen.getByText('Try adjusting the map or updating your filters.')).toBeTruthy();
    expect(screen.queryByText('Loading events…')).toBeNull();
  });

  it('says when the events cannot be loaded, and what may help', async () => {
    server.answers.set('events/viewport', () => json(500, {}));
    render(<MapPage />);
    expect((await screen.findByRole('alert')).textContent).toBe('Unable to load events for this area');
    expect(screen.getByText('Try moving the map or adjusting filters.')).toBeTruthy();
  });

  it('opens an event in the list and on the map, with the ways to its tickets and details', async () => {
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

    await user.click(screen.getByRole('button', { name: /Free brass/ }));
    expect(screen.queryByRole('link', { name: 'Book tickets' })).toBeNull();
  });
});
