import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { incidentInWords } from '../../../../../src/screens/map/incidents/incidentWords.ts';
import type { Alert, SourceEntry } from '../../../../../src/api/alerts/disruptions.ts';
import { IncidentList } from '../../../../../src/screens/map/incidents/IncidentList.tsx';
import type { Incident } from '../../../../../src/screens/map/incidents/useIncidents.ts';

const NO_LINE = { problem: null, refreshing: false, askedAt: null, nextTryAt: null };

const FRESH: SourceEntry = {
  source: 'tfl',
  state: 'ok',
  freshness: 'fresh',
  last_collected: '2026-11-21T12:00:00.000Z',
};
const STALE: SourceEntry = { ...FRESH, source: 'ea-flood', freshness: 'stale' };
const NEVER: SourceEntry = {
  ...FRESH,
  source: 'met-office',
  state: 'failing',
  freshness: null,
  last_collected: null,
};
const UNSET: SourceEntry = { ...NEVER, source: 'national-highways', state: 'not_configured' };

beforeEach(() => localStorage.clear());

/** Words on an area in which nothing is reported. */
function wordsFor(sources: SourceEntry[]): string[] {
  const empty = { incidents: [], total: 0, withoutPosition: 0, old: false, covers: 'all' } as const;
  const { unmount } = render(
    <IncidentList found={{ state: 'ready', ...NO_LINE, ...empty, incidents: [], sources, at: new Date() }} />,
  );
  const words = screen
    .queryAllByText(/\S/, { selector: 'p, summary, div' })
    .map(({ textContent }) => textContent)
    .filter((text) => !text.includes('Last refresh'));
  unmount();
  return words;
}

it('says that nothing is reported only if a source is fresh, and names the others', () => {
  expect(wordsFor([FRESH])).toEqual(['No disruptions reported here']);
  expect(wordsFor([FRESH, STALE, NEVER, UNSET])).toEqual([
    'No disruptions reported here',
    'No recent information from Environment Agency floods',
    'Not connected: Met Office warnings, National Highways',
  ]);
  expect(wordsFor([STALE, UNSET])).toEqual([
    'No recent information from Environment Agency floods',
    'Not connected: National Highways',
  ]);
  expect(wordsFor([NEVER])).toEqual(['Not connected: Met Office warnings']);
});

it('counts many such sources in one line, which opens to their names', () => {
  const others = ['kb-incidents', 'traffic-wales', 'sepa-flood'].map((source) => ({ ...UNSET, source }));
  expect(wordsFor([FRESH, UNSET, ...others])).toEqual([
    'No disruptions reported here',
    'Not connected: 4 sources',
    'National Highways, Knowledgebase incidents, Traffic Wales, SEPA floods',
  ]);
});

it('takes sources as fresh if the server says nothing about them', () => {
  expect(wordsFor([])).toEqual(['No disruptions reported here']);
  expect(wordsFor([{ source: 'tfl', event_count: 0 }])).toEqual(['No disruptions reported here']);
});

const incident = (id: string, alert: Partial<Alert> = {}): Incident => ({
  alert: { event_id: id, source: 'tfl', severity: 'high', title: `Title of ${id}`, ...alert },
  at: { latitude: 51.5, longitude: -0.1 },
  staleSince: null,
});

it('names a mark to a screen reader with its grade, and since when its source is silent', () => {
  const m62 = incident('m62', { severity: 'critical', title: 'M62 closed' });
  const now = new Date();
  expect(incidentInWords(m62, now)).toMatch(/^Critical: M62 closed/);
  expect(incidentInWords(m62, now)).not.toContain('No recent information');
  const silent = { ...m62, staleSince: now };
  expect(incidentInWords(silent, now)).toMatch(/^Critical: M62.*No recent information since \d\d:\d\d$/);
});

const listOf = (incidents: Incident[]) => (
  <IncidentList
    found={{
      state: 'ready',
      ...NO_LINE,
      incidents,
      total: incidents.length,
      withoutPosition: 0,
      old: false,
      covers: 'all',
      sources: [FRESH],
      at: new Date(),
    }}
    worst={2}
  />
);

it('says where and what in the words of the facts, how exact the place is, and links to the alert', () => {
  render(
    listOf([
      incident('tfl:piccadilly/1', {
        facts: { place: 'Piccadilly line, Hammersmith to Heathrow', effect: 'severe delays', cause: null },
        metadata: {
          location_method: 'line_section',
          location_names: ['Hammersmith', 'Heathrow Terminals 2 & 3'],
        },
      }),
      incident('exact', { metadata: { location_method: 'publisher' } }),
    ]),
  );
  const [line, exact] = screen.getAllByRole('listitem');
  expect(line!.textContent).toContain('Piccadilly line, Hammersmith to HeathrowSevere delays');
  expect(line!.textContent).toContain('Approximate: between Hammersmith and Heathrow Terminals 2 & 3');
  expect(within(line!).getByRole('link').getAttribute('href')).toBe('/disruptions/tfl%3Apiccadilly%2F1');
  expect(exact!.textContent).toContain('Title of exact');
  expect(exact!.textContent).not.toContain('Approximate');
});

it('lists the worst first, and all on request', async () => {
  render(listOf(['a', 'b', 'c'].map((id) => incident(id))));
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  await userEvent.click(screen.getByRole('button', { name: 'Show all 3' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
});
