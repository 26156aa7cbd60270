import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IncidentList } from '../../../src/map/IncidentList.tsx';
import { incidentsWithin } from '../../../src/map/useIncidents.ts';
import { json, startFakeServer } from '../api/fakeServer.ts';

const UK = { north: 61, south: 49, east: 3, west: -11 };
const FRESH = {
  source: 'tfl',
  state: 'ok',
  freshness: 'fresh',
  last_collected: '2026-11-21T12:00:00.000Z',
};
const STALE = { ...FRESH, source: 'ea-flood', freshness: 'stale' };
const NEVER = { source: 'met-office', state: 'failing', freshness: null, last_collected: null };
const UNSET = { ...NEVER, source: 'national-highways', state: 'not_configured' };

let server: ReturnType<typeof startFakeServer>;
beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
  localStorage.setItem('access_token', server.signedIn().access_token);
  server.answers.set('disruptions/', () => json(200, { events: [], total: 0 }));
});
afterEach(() => vi.unstubAllGlobals());

async function wordsFor(sources: object[]): Promise<string[]> {
  server.answers.set('disruptions/sources', () => json(200, { sources, total: sources.length }));
  const found = await incidentsWithin(UK, new AbortController().signal);
  if (found.state === 'off') throw new Error('It is on');
  const { unmount } = render(<IncidentList found={found} />);
  const words = screen.queryAllByText(/\S/, { selector: 'p, summary' }).map(({ textContent }) => textContent);
  unmount();
  return words;
}

it('reports that there is nothing only where a source was heard of, and names those that were not', async () => {
  expect(await wordsFor([FRESH])).toEqual(['No disruptions reported here']);
  expect(await wordsFor([FRESH, STALE, NEVER, UNSET])).toEqual([
    'No disruptions reported here',
    'No recent information from Environment Agency floods',
    'Not connected: Met Office warnings, National Highways',
  ]);
  expect(await wordsFor([STALE, UNSET])).toEqual([
    'No recent information from Environment Agency floods',
    'Not connected: National Highways',
  ]);
  expect(await wordsFor([NEVER])).toEqual(['Not connected: Met Office warnings']);
});

it('counts many such sources in a line, which opens to their names', async () => {
  const others = ['kb-incidents', 'traffic-wales', 'sepa-flood'].map((source) => ({ ...UNSET, source }));
  expect(await wordsFor([FRESH, UNSET, ...others])).toEqual([
    'No disruptions reported here',
    'Not connected: 4 sources',
    'National Highways, Knowledgebase incidents, Traffic Wales, SEPA floods',
  ]);
});

it('knows nothing against the sources of a server that declares nothing about them', async () => {
  expect(await wordsFor([])).toEqual(['No disruptions reported here']);
  expect(await wordsFor([{ source: 'tfl', event_count: 0 }])).toEqual(['No disruptions reported here']);
});
