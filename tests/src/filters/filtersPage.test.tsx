import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saveTokens } from '../../../src/api/tokens.ts';
import { FiltersPage } from '../../../src/filters/FiltersPage.tsx';
import { useSession } from '../../../src/session/session.ts';
import { json, startFakeServer } from '../api/fakeServer.ts';

const FILTER = {
  id: 'f1',
  name: 'Worst roads',
  query: 'feed=roads-uk&min_severity=high',
  version: 3,
  created_by: null,
  created_at: '2026-11-21T11:58:00.000Z',
  address: null as object | null,
  goes_out: false,
};
const ADDRESS = {
  created_at: '2026-11-21T11:58:00.000Z',
  last_used_at: null,
  dies_at: '2027-02-19T11:58:00.000Z',
};

let server: ReturnType<typeof startFakeServer>;
let user: ReturnType<typeof userEvent.setup>;
let kept: (typeof FILTER)[];
let sent: { method: string; body: Record<string, unknown>; ifMatch: string | null }[];

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '/filters');
  server = startFakeServer();
  saveTokens(server.signedIn());
  useSession.setState({ offline: false });
  user = userEvent.setup();
  kept = [{ ...FILTER }];
  sent = [];
  server.answers.set('filters', ({ method, body, headers }) => {
    if (method === 'GET') return json(200, { filters: kept, total: kept.length });
    sent.push({ method, body, ifMatch: headers.get('if-match') });
    kept = [...kept, { ...FILTER, ...body, id: 'f2' } as typeof FILTER];
    return json(201, kept.at(-1));
  });
  server.answers.set('filters/preview', ({ query }) =>
    json(200, { matching: query.get('hide_unrated') ? 16 : 18, hidden: 12, complete: true, silent: [] }),
  );
  server.answers.set('filters/f1/address', ({ method }) => {
    kept = kept.map((one) => ({ ...one, address: method === 'POST' ? ADDRESS : null }));
    return method === 'POST'
      ? json(201, { ...ADDRESS, path: '/f/s3cret' })
      : new Response(null, { status: 204 });
  });
  server.answers.set('filters/f1', ({ method, body, headers }) => {
    sent.push({ method, body, ifMatch: headers.get('if-match') });
    return json(200, FILTER);
  });
  server.answers.set('watches/', () => json(200, { watches: [], incidents: [], events: [], sources: [] }));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const card = async () => within(await screen.findByRole('region', { name: 'Worst roads' }));

it('shows what a filter lets through and hides, and its address in every format', async () => {
  render(<FiltersPage />);
  const shown = await card();
  expect(await shown.findByText('18 now; 12 hidden by this filter')).toBeTruthy();
  expect(shown.getByText('UK Roads, High or worse')).toBeTruthy();
  const rows = within(shown.getByRole('list')).getAllByRole('listitem');
  expect(rows.map((row) => row.getAttribute('aria-label'))).toEqual([
    'JSON',
    'GeoJSON',
    'CSV',
    'RSS',
    'Atom',
    'iCalendar',
    'CAP 1.2',
    'Event stream',
    'Badge',
  ]);
  expect(shown.getByText(/\/api\/v1\/filters\/f1\.geojson$/)).toBeTruthy();
});

it('makes a filter, and counts while it is written', async () => {
  history.replaceState(null, '', '/filters?new=phase%3Dactive%26position%3Dnone');
  render(<FiltersPage />);
  const form = within(await screen.findByRole('region', { name: 'New filter' }));
  await form.findByText('18 now; 12 hidden by this filter');
  expect(form.getByText(/Also: without a known place/)).toBeTruthy();
  await user.type(form.getByRole('textbox', { name: 'Name' }), 'Rail');
  await user.selectOptions(form.getByRole('combobox', { name: 'Feed' }), 'rail-network');
  await user.selectOptions(form.getByRole('combobox', { name: 'Severity' }), 'High or worse');
  await user.click(form.getByRole('checkbox', { name: 'Also hide unrated' }));
  await form.findByText('16 now; 12 hidden by this filter');
  await user.click(form.getByRole('button', { name: 'Save filter' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'New filter' })).toBeNull());
  expect(sent).toEqual([
    {
      method: 'POST',
      body: {
        name: 'Rail',
        query: 'feed=rail-network&min_severity=high&hide_unrated=true&phase=active&position=none',
      },
      ifMatch: null,
    },
  ]);
  expect(await screen.findByRole('region', { name: 'Rail' })).toBeTruthy();
});

it('says nothing of conditions that were changed meanwhile, neither a count nor a refusal that came late', async () => {
  let answerFirst = (_: Response) => {};
  const first = new Promise<Response>((resolve) => (answerFirst = resolve));
  kept = []; // a card counts too
  let asked = 0;
  server.answers.set('filters/preview', () =>
    ++asked === 1 ? first : json(200, { matching: 5, hidden: 1, complete: true, silent: [] }),
  );
  history.replaceState(null, '', '/filters?new=');
  render(<FiltersPage />);
  const form = within(await screen.findByRole('region', { name: 'New filter' }));
  await waitFor(() => expect(asked).toBe(1));
  await user.selectOptions(form.getByRole('combobox', { name: 'Feed' }), 'rail-network');
  expect(form.getByText('Counting...')).toBeTruthy();
  await form.findByText('5 now; 1 hidden by this filter');
  answerFirst(json(422, { detail: 'There is no such place.' }));
  await new Promise((resolve) => setTimeout(resolve));
  expect(form.getByText('5 now; 1 hidden by this filter')).toBeTruthy();

  await user.selectOptions(form.getByRole('combobox', { name: 'Feed' }), 'aviation');
  expect(form.getByText('Counting...')).toBeTruthy();
  await form.findByText('5 now; 1 hidden by this filter');
});

it('changes a filter from the version that was loaded', async () => {
  render(<FiltersPage />);
  await user.click((await card()).getByRole('button', { name: 'Change Worst roads' }));
  const form = within(await screen.findByRole('region', { name: 'Change filter' }));
  await user.type(form.getByRole('textbox', { name: 'Words' }), 'flood');
  await user.click(form.getByRole('button', { name: 'Save filter' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    method: 'PATCH',
    ifMatch: '3',
    body: { name: 'Worst roads', query: 'feed=roads-uk&min_severity=high&q=flood' },
  });
});

it('takes a severity alone, in the place of a lowest one, and an area with all its edges', async () => {
  render(<FiltersPage />);
  await user.click((await card()).getByRole('button', { name: 'Change Worst roads' }));
  const form = within(await screen.findByRole('region', { name: 'Change filter' }));
  await user.selectOptions(form.getByRole('combobox', { name: 'Severity' }), 'Only Medium');
  const area = within(form.getByRole('group', { name: 'Within an area, in degrees' }));
  const edges = { North: '53.9', South: '53.6', West: '-1.8', East: '-1.4' };
  for (const [edge, degrees] of Object.entries(edges))
    await user.type(area.getByRole('textbox', { name: edge }), degrees);
  await user.click(form.getByRole('button', { name: 'Save filter' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]!.body).toMatchObject({
    query: 'feed=roads-uk&severity=medium&north=53.9&south=53.6&west=-1.8&east=-1.4',
  });
});

it('keeps what was typed when the server refuses, with its words', async () => {
  server.answers.set('filters/f1', () =>
    json(409, { detail: 'Somebody else has changed this filter. Load it again.' }),
  );
  render(<FiltersPage />);
  await user.click((await card()).getByRole('button', { name: 'Change Worst roads' }));
  const form = within(await screen.findByRole('region', { name: 'Change filter' }));
  await user.type(form.getByRole('textbox', { name: 'Road' }), 'M62');
  await user.click(form.getByRole('button', { name: 'Save filter' }));
  expect((await form.findByRole('alert')).textContent).toContain('Somebody else');
  expect(form.getByRole<HTMLInputElement>('textbox', { name: 'Road' }).value).toBe('M62');
});

it('shows a secret address once, and revokes it after a question', async () => {
  render(<FiltersPage />);
  await user.click((await card()).getByRole('button', { name: /Make a secret address/ }));
  const made = within(await screen.findByRole('region', { name: 'Secret address of Worst roads' }));
  expect(made.getByText(/\/f\/s3cret\.ics$/)).toBeTruthy();
  await user.selectOptions(made.getByRole('combobox', { name: 'Format' }), 'RSS');
  expect(made.getByText(/\/f\/s3cret\.rss$/)).toBeTruthy();
  await user.click(made.getByRole('button', { name: 'Dismiss' }));
  expect(document.body.textContent).not.toContain('s3cret');
  expect((await card()).getByText(/It has a secret address, made 21 Nov 2026, never used/)).toBeTruthy();
  await user.click((await card()).getByRole('button', { name: /Revoke/ }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Revoke' }));
  expect(await (await card()).findByRole('button', { name: /Make a secret address/ })).toBeTruthy();
});

describe('on a slow network', () => {
  const open = async (held: (() => void)[]) => {
    await waitFor(() => expect(held).not.toHaveLength(0));
    await act(async () => held.shift()!());
  };

  it('shows a secret address, which is said only once, before the list is read again', async () => {
    render(<FiltersPage />);
    await card();
    const lists = server.hold('filters', 'GET');
    await user.click((await card()).getByRole('button', { name: /Make a secret address/ }));
    expect(await screen.findByText(/\/f\/s3cret\.ics$/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Make a secret address/ })).toBeNull();
    await open(lists);
    expect(screen.getByText(/\/f\/s3cret\.ics$/)).toBeTruthy();
  });

  it('asks about a filter until the list is without it, and takes what is gone for deleted', async () => {
    render(<FiltersPage />);
    await user.click((await card()).getByRole('button', { name: 'Delete Worst roads' }));
    const lists = server.hold('filters', 'GET');
    // The answer to a first try was lost.
    server.answers.set('filters/f1', () => json(404, { detail: 'Filter not found.' }));
    kept = [];
    const question = within(screen.getByRole('alertdialog'));
    await user.click(question.getByRole('button', { name: 'Delete filter' }));
    await waitFor(() => expect(lists).toHaveLength(1));
    expect(question.getByRole('button', { name: 'Cancel' }).getAttribute('aria-disabled')).toBe('true');
    await open(lists);
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Worst roads' })).toBeNull());
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('leaves a form alone that was opened after the one that is saved', async () => {
    kept.push({ ...FILTER, id: 'f2', name: 'Rail' });
    render(<FiltersPage />);
    const saves = server.hold('filters/f1', 'PATCH');
    await user.click((await card()).getByRole('button', { name: 'Change Worst roads' }));
    await user.click(screen.getByRole('button', { name: 'Save filter' }));
    await user.click(screen.getByRole('button', { name: 'Change Rail' }));
    const name = within(screen.getByRole('region', { name: 'Change filter' })).getByLabelText('Name');
    await user.type(name, ' of the north');
    await open(saves);
    await waitFor(() => expect(server.callsTo('filters').length).toBe(2));
    expect(screen.getByDisplayValue('Rail of the north')).toBe(name);
  });
});

it('says what is not known', async () => {
  server.answers.set('filters/preview', () =>
    json(200, {
      matching: 0,
      hidden: 3,
      complete: false,
      silent: [{ source: 'tfl', name: 'Transport for London' }],
    }),
  );
  render(<FiltersPage />);
  expect(
    await (await card()).findByText('Not all is known: no recent information from Transport for London.'),
  ).toBeTruthy();
});

it('says that filters are not kept on this device', async () => {
  server.answers.set('filters', () => new Response('no', { status: 503 }));
  render(<FiltersPage />);
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load filters');
  expect(screen.getByText(/never stored on this device/)).toBeTruthy();
});

it('offers secret addresses and webhooks to the leads of the team alone, and says so to its members', async () => {
  const posted = { ...FILTER, id: 'f2', name: 'Posted', goes_out: true };
  kept = [{ ...FILTER, address: ADDRESS, goes_out: true }, posted, { ...FILTER, id: 'f3', name: 'Plain' }];
  const role = { name: 'Leeds', shift_starts: ['06:00'], id: 't' };
  server.answers.set('team/', () => json(200, { ...role, role: 'member' }));
  const { unmount } = render(<FiltersPage />);
  expect(
    await screen.findByText(
      /^It has a secret address, made .*\. Secret addresses and webhooks are made by the leads/,
    ),
  ).toBeTruthy();
  expect(screen.queryByRole('button', { name: /secret address/ })).toBeNull();
  expect(screen.queryByText(/^Webhooks: /)).toBeNull();
  const changing = () =>
    screen
      .getAllByRole('button', { name: /^(Change|Delete) / })
      .map((button) => button.getAttribute('aria-label'));
  expect(changing()).toEqual(['Change Plain', 'Delete Plain']);
  expect(screen.getByText(/With a secret address, it is changed and deleted by them alone\.$/)).toBeTruthy();
  expect(screen.getByText(/With webhooks, it is changed and deleted by them alone\.$/)).toBeTruthy();
  unmount();

  server.answers.set('team/', () => json(200, { ...role, role: 'lead' }));
  render(<FiltersPage />);
  expect(
    await screen.findByRole('button', { name: 'Revoke the secret address of Worst roads' }),
  ).toBeTruthy();
  expect(screen.getAllByText(/^Webhooks: /)).toHaveLength(3);
  expect(changing()).toHaveLength(6);
});
