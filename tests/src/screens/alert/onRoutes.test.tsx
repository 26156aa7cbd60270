import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import OnRoutes from '../../../../src/screens/alert/OnRoutes.tsx';
import type { AlertRecord } from '../../../../src/api/alerts/alerts.ts';
import { saveTokens } from '../../../../src/api/tokens.ts';
import { json, startFakeServer } from '../../api/fakeServer.ts';

const TREE = {
  event_id: 'national-highways:1',
  source: 'national-highways',
  severity: 'critical',
  title: 'A64 closed',
  start_time: '2026-11-22T15:49:00.000Z',
  end_time: null,
  metadata: { phase: 'active' },
};
const watch = (
  id: string,
  name: string,
  level: 'certain' | 'possible' | null,
  departures: string[] = [],
) => ({
  id,
  kind: 'route',
  name,
  length_km: 60,
  sources: ['national-highways'],
  departures: departures.map((at_local) => ({
    id: at_local,
    name: null,
    at_local,
    days: 127,
    from_date: null,
    to_date: null,
    except: [],
    duration_min: 60,
  })),
  matches: level
    ? [
        {
          subject: 'disruption',
          subject_id: TREE.event_id,
          level,
          why: 'names the A64',
          from_km: 14,
          to_km: 17,
        },
      ]
    : [],
});

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T16:46:00Z') });
});
afterEach(() => vi.useRealTimers());

it('says which routes and departures an alert touches, certain ones apart from possible', async () => {
  const server = startFakeServer();
  saveTokens(server.signedIn());
  server.answers.set('watches/', () =>
    json(200, {
      watches: [
        watch('w1', 'York to Leeds Bradford', 'certain', ['16:45', '17:30', '06:10']),
        watch('w2', 'York to Hull', 'possible', ['06:30']),
        watch('w3', 'Luton', null),
      ],
      incidents: [TREE],
      events: [],
      sources: [],
      total: 3,
      behind_since: null,
    }),
  );
  render(<OnRoutes alert={TREE as unknown as AlertRecord} />);

  const certain = await screen.findByRole('region', { name: 'Certain' });
  expect(
    within(certain)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'York to Leeds Bradfordkm 14–17 · names the A64 · left 16:45, reached about 16:59; 17:30, reached about 17:44' +
      'Not on our route',
  ]);
  expect(within(certain).getByRole('link').getAttribute('href')).toBe('/routes/w1#national-highways%3A1');
  const possible = screen.getByRole('region', { name: 'Possible' });
  expect(possible.textContent).toContain(
    '06:30 tomorrow, reached about 06:44 tomorrow; its end is not known',
  );
  expect(screen.queryByText('Luton')).toBeNull();
});

it('says from when on an incident is met that begins while the vehicle is on that stretch', async () => {
  const server = startFakeServer();
  saveTokens(server.signedIn());
  const warning = { ...TREE, start_time: '2026-11-22T16:58:00.000Z', metadata: { phase: 'planned' } };
  const route = watch('w1', 'York to Leeds', 'certain', ['16:30', '17:30']);
  server.answers.set('watches/', () =>
    json(200, {
      watches: [{ ...route, matches: [{ ...route.matches[0], from_km: 0, to_km: 60 }] }],
      incidents: [warning],
      events: [],
      sources: [],
      total: 1,
      behind_since: null,
    }),
  );
  render(<OnRoutes alert={warning as unknown as AlertRecord} />);
  expect((await screen.findByRole('region', { name: 'Certain' })).textContent).toContain(
    'left 16:30, from 16:58; 17:30, reached about 17:30',
  );
});

it('takes an alert off a route for the team, and puts it back in the same place', async () => {
  const server = startFakeServer();
  saveTokens(server.signedIn());
  const said: { subject_id: unknown; verdict: unknown }[] = [];
  const isMarked = () => said.at(-1)?.verdict === 'not_ours';
  server.answers.set('watches/', () =>
    json(200, {
      watches: [
        watch('w1', 'York to Leeds', 'certain'),
        watch('w2', 'York to Hull', isMarked() ? null : 'possible'),
      ],
      incidents: [TREE],
      events: [],
      sources: [],
      total: 2,
      behind_since: null,
    }),
  );
  server.answers.set('watches/w2/feedback', ({ body }) => {
    said.push({ subject_id: body['subject_id'], verdict: body['verdict'] });
    return new Response(null, { status: 204 });
  });
  const user = userEvent.setup();
  render(<OnRoutes alert={TREE as unknown as AlertRecord} />);

  await user.click(await screen.findByRole('button', { name: 'Not on our route: York to Hull' }));
  const undo = await screen.findByRole('button', { name: 'Undo, it is on our route: York to Hull' });
  expect(said).toEqual([{ subject_id: TREE.event_id, verdict: 'not_ours' }]);
  // The list without it has arrived, and the focus is at the same place as before.
  await waitFor(() => expect(server.callsTo('watches/')).toHaveLength(2));
  const possible = screen.getByRole('region', { name: 'Possible' });
  expect(possible.textContent).toContain('York to Hull');
  expect(within(possible).getByText('Marked: not on our route')).toBeDefined();

  await user.click(undo);
  await waitFor(() => expect(server.callsTo('watches/')).toHaveLength(3));
  expect(said.map(({ verdict }) => verdict)).toEqual(['not_ours', 'ours']);
  expect(await screen.findByRole('button', { name: 'Not on our route: York to Hull' })).toBeDefined();
});
