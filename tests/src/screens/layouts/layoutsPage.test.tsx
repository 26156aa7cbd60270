import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ALL_FEEDS, type Layout, type LayoutRequest } from '#contract/displays/layouts.ts';
import { londonDay } from '#contract/london.ts';
import { LayoutsPage } from '../../../../src/screens/layouts/LayoutsPage.tsx';
import { useSession } from '../../../../src/session/session.ts';
import { BEN, json, startFakeServer } from '../../api/fakeServer.ts';
import { forgetEverything } from '../../offline/fakeStorage.ts';

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const display = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  state: 'paired',
  last_seen_at: ago(1),
  layout_id: null,
  tags: [],
  rev: 1,
  asked_at: ago(20),
  taken_rev: 1,
  taken_at: ago(20),
  page: 'board',
  screen: { width: 1920, height: 1080 },
  ...more,
});

let server: ReturnType<typeof startFakeServer>;
let layouts: Layout[];
let messages: object[];
let displays: object[];

const watches = [
  {
    id: 'w',
    kind: 'route',
    name: 'Leeds to Heathrow',
    length_km: 320,
    sources: [],
    departures: [],
    matches: [],
  },
];
const job = {
  id: 'j',
  day: londonDay(new Date()),
  leaves_at: new Date(Date.now() + 60 * 60_000).toISOString(),
  watch_id: 'w',
  trip: 'Leeds Stn → Heathrow T5',
  driver: 'M. Hussain',
  rev: 1,
};
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const sent = () =>
  server.calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body]);

beforeEach(async () => {
  forgetEverything();
  server = startFakeServer();
  const { access_token } = server.signedIn(BEN);
  localStorage.setItem('access_token', access_token);
  useSession.setState({
    status: 'signedIn',
    user: { id: '2', email: 'ben@example.co.uk', displayName: 'Ben', role: 'admin' },
    offline: false,
  });
  layouts = [
    ALL_FEEDS,
    {
      id: 'gate',
      name: 'Gate',
      rev: 7,
      pin_criticals: true,
      pages: [
        { type: 'routes', dwell_s: 40 },
        { type: 'map', dwell_s: 20 },
      ],
    },
  ];
  displays = [
    display('1', 'Gate 1', { layout_id: 'gate', tags: ['Gate'] }),
    display('2', 'Canteen', { last_seen_at: ago(44) }),
  ];
  messages = [];
  server.answers.set('displays/layouts', ({ method, body }) => {
    if (method === 'GET') return json(200, { layouts, total: layouts.length });
    const made = { ...(body as unknown as LayoutRequest), id: 'new', rev: 1 };
    layouts.push(made);
    return json(201, made);
  });
  server.answers.set('displays/layouts/gate', ({ body, headers }) => {
    const { rev } = layouts[1]!;
    if (headers.get('if-match') !== String(rev))
      return json(409, { detail: 'Somebody else has changed this layout. Load it again.' });
    layouts[1] = { ...(body as unknown as LayoutRequest), id: 'gate', rev: rev + 1 };
    return json(200, layouts[1]);
  });
  server.answers.set('displays/', () => json(200, { displays, total: displays.length }));
  server.answers.set('displays/messages', ({ method, body }) => {
    if (method === 'GET') return json(200, { messages, total: messages.length });
    messages.push({ ...body, id: 'm', at: ago(0), from: 'Ben', displays: 2 });
    return json(201, messages[0]);
  });
  server.answers.set('displays/messages/m', () => {
    messages = [];
    return json(204, null);
  });
  server.answers.set('displays/assignments', () => json(200, { displays: 1 }));
  server.answers.set('feeds/', () => json(200, { feeds: [], total: 0 }));
  server.answers.set('watches/', () => json(200, { watches, total: watches.length }));
  server.answers.set('jobs/', () => json(200, { day: job.day, jobs: [job], total: 1 }));
  render(<LayoutsPage />);
  await screen.findByRole('table', { name: 'Displays' });
});
afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('names a display’s page with the time when the display was last seen', () => {
  expect(screen.getByRole('columnheader', { name: 'Page when seen' })).toBeTruthy();
});

it('lists the layouts with their displays, and displays with their proof, those in need first', () => {
  const list = within(screen.getByRole('navigation', { name: 'Layouts' }));
  expect(list.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'All feeds1 displayReady-made · 1 page',
    'Gate1 displayRev 7 · 2 pages',
  ]);
  const rows = screen.getAllByRole('row').slice(1);
  expect(rows[0]?.textContent).toContain('Canteen');
  expect(rows[0]?.textContent).toContain('Not seen for 44 minutes');
  expect(rows[1]?.textContent).toMatch(/Gate 1Gate.*Shows rev 1 since/);
  expect(screen.getByText('2 displays, 1 needs a look')).toBeTruthy();
});

it('changes the order and the seconds of pages and saves them as the next revision', async () => {
  await press(/^Gate 1 display/);
  await press('Page 2 up');
  await userEvent.selectOptions(screen.getByLabelText('Seconds of page 1'), '60');
  expect(screen.getByText('Goes round in 1 min 40 s')).toBeTruthy();
  await press('Save as rev 8');
  await screen.findByText('Saved. 1 display takes it within 65 seconds.');
  expect(sent()).toEqual([
    [
      'PUT',
      'displays/layouts/gate',
      {
        name: 'Gate',
        pin_criticals: true,
        pages: [
          { type: 'map', dwell_s: 60 },
          { type: 'routes', dwell_s: 40 },
        ],
      },
    ],
  ]);
  expect(screen.getByRole('button', { name: 'Save as rev 9' })).toBe(document.activeElement);
});

it('lets a deleted route be taken off its page, which cannot be saved with it', async () => {
  layouts[1] = { ...layouts[1]!, pages: [{ type: 'routes', dwell_s: 40, watch_ids: ['w', 'gone'] }] };
  cleanup();
  render(<LayoutsPage />);
  await screen.findByRole('table', { name: 'Displays' });
  await press(/^Gate 1 display/);
  await press('Change page 1');
  await userEvent.click(await screen.findByRole('checkbox', { name: 'A deleted route' }));
  await press('Done');
  await press('Save as rev 8');
  await screen.findByText(/^Saved\./);
  expect(sent()[0]![2]).toMatchObject({ pages: [{ watch_ids: ['w'] }] });
});

it('keeps changes that are not saved while another layout is looked at', async () => {
  const name = () => screen.getByLabelText<HTMLInputElement>('Name').value;
  await press(/^Gate 1 display/);
  await userEvent.type(screen.getByLabelText('Name'), ' 2');
  await press(/^All feeds/);
  expect(name()).toBe('All feeds');
  await press(/^Gate 1 display/);
  expect(name()).toBe('Gate 2');
  await press('Save as rev 8');
  await press(/^All feeds/);
  await press(/^Gate 2 1 display/);
  expect(name()).toBe('Gate 2');
});

it('keeps a change that somebody else’s came before, until theirs is loaded', async () => {
  const timers = vi.spyOn(globalThis, 'setInterval');
  cleanup();
  render(<LayoutsPage />);
  await screen.findByRole('table', { name: 'Displays' });
  const loadAgain = async (rev: number, name: string) => {
    layouts[1] = { ...layouts[1]!, rev, name };
    for (const [again, ms] of timers.mock.calls) if (ms === 15_000) (again as () => void)();
    await screen.findByText(`Rev ${rev} · 2 pages`);
  };
  const name = () => screen.getByLabelText<HTMLInputElement>('Name').value;
  await press(/^Gate 1 display/);
  await press('Change page 1');
  await loadAgain(8, 'North gate');
  expect(name()).toBe('Gate');
  await press('Cancel');
  expect(name()).toBe('North gate');
  await userEvent.type(screen.getByLabelText('Name'), ' 2');
  await loadAgain(9, 'South gate');
  expect(name()).toBe('North gate 2');
  await press('Save as rev 9');
  expect((await screen.findByRole('alert')).textContent).toContain('Somebody else has changed this layout.');
  await press(/^All feeds/);
  await press(/^South gate 1 display/);
  expect(name()).toBe('North gate 2');
  await press('Save as rev 9');
  layouts[1] = { ...layouts[1]!, rev: 10, name: 'East gate' };
  await userEvent.click(await screen.findByRole('button', { name: 'Load theirs' }));
  await waitFor(() => expect(name()).toBe('East gate'));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.activeElement?.textContent).toContain('East gate');
  await userEvent.type(screen.getByLabelText('Name'), ' 2');
  await press('Save as rev 11');
  await screen.findByText(/^Saved\./);
  expect(layouts[1]).toMatchObject({ rev: 11, name: 'East gate 2' });
});

it('shows what was saved though it cannot be loaded, and keeps what is typed meanwhile', async () => {
  const name = () => screen.getByLabelText<HTMLInputElement>('Name').value;
  const answer = server.answers.get('displays/layouts/gate')!;
  let answerNow = () => {};
  const waiting = new Promise<void>((resolve) => (answerNow = resolve));
  server.answers.set('displays/layouts/gate', async (call) => {
    await waiting;
    return answer(call);
  });
  server.lines.set('displays/layouts', 'status 503');
  await press(/^Gate 1 display/);
  await userEvent.type(screen.getByLabelText('Name'), ' 2');
  await press('Save as rev 8');
  await userEvent.type(screen.getByLabelText('Name'), '3');
  answerNow();
  await screen.findByText(/^Saved\./);
  expect(screen.getByRole('heading', { name: 'Gate 2' })).toBeTruthy();
  expect(name()).toBe('Gate 23');
  await press('Save as rev 9');
  await screen.findByRole('heading', { name: 'Gate 23' });
  await screen.findByText(/^Saved\./);
  expect(name()).toBe('Gate 23');
  await press('Save as rev 10');
  await screen.findByText(/^Saved\./);
  expect(layouts[1]).toMatchObject({ rev: 10, name: 'Gate 23' });
});

it('shows a display’s own preview with the display’s own routes alone', async () => {
  let given: string[] = [];
  server.answers.set('displays/1/routes', () => json(200, { watch_ids: given }));
  await press(/^Gate 1 display/);
  // The sentence is in the preview of that display, and missing from a preview without a display.
  await waitFor(() => expect(screen.getAllByText('This display was given no routes.')).toHaveLength(1));
  expect(screen.getAllByText('Leeds to Heathrow')).toHaveLength(1);
  given = ['w'];
  await press(/^All feeds/);
  await press(/^Gate 1 display/);
  await waitFor(() => expect(screen.getAllByText('Leeds to Heathrow')).toHaveLength(2));
});

it('says in words what a new layout lacks, sends nothing until then, and goes to the saved one', async () => {
  await press('New layout');
  await press('Save as a new layout');
  expect((await screen.findByRole('alert')).textContent).toBe('Give the layout a name.');
  await press('Add a page');
  const dialog = within(screen.getByRole('dialog', { name: 'Add a page' }));
  await userEvent.selectOptions(dialog.getByLabelText('Shows'), 'message');
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('Write what the page says.');
  await userEvent.type(dialog.getByLabelText('Text'), 'Welcome');
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }));
  await userEvent.type(screen.getByLabelText('Name'), 'Lobby');
  expect(sent()).toEqual([]);
  await press('Save as a new layout');
  await screen.findByRole('heading', { name: 'Lobby' });
  expect(document.activeElement?.textContent).toContain('Lobby');
  expect(sent()).toMatchObject([
    [
      'POST',
      'displays/layouts',
      { name: 'Lobby', pages: [{ type: 'board' }, { type: 'message', text: 'Welcome' }] },
    ],
  ]);
});

it('sends a message to those that it names, says whom it reaches, and withdraws it', async () => {
  await press('Send a message');
  const dialog = within(screen.getByRole('dialog', { name: 'Message to displays' }));
  expect(document.activeElement?.textContent).toBe('Cancel');
  expect(dialog.getByText('Reaches 1 display within 65 seconds.')).toBeTruthy();
  expect(dialog.getByText(/^Canteen was last seen at .* and gets it when it is back before/)).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Show on 2 displays' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('Write a message.');
  await userEvent.type(dialog.getByLabelText('Text'), 'Use gate 2.');
  await userEvent.selectOptions(dialog.getByLabelText('To'), 'Tag: Gate (1)');
  await userEvent.click(dialog.getByLabelText('Critical'));
  await userEvent.click(dialog.getByLabelText('Band'));
  await userEvent.click(dialog.getByRole('button', { name: 'Show on 1 display' }));
  await screen.findByText('1 message on screens now');
  expect(sent()).toMatchObject([
    [
      'POST',
      'displays/messages',
      { to: { tags: ['Gate'] }, text: 'Use gate 2.', look: 'critical', cover: 'band' },
    ],
  ]);
  await press('Withdraw');
  await waitFor(() => expect(screen.queryByText('1 message on screens now')).toBeNull());
  expect(document.activeElement?.textContent).toBe('Send a message');
});

it('keeps what was typed in a dialog when Back or Escape closes it, until Cancel', async () => {
  const escape = () => fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
  await press(/^Gate 1 display/);
  for (const [open, label, choice, option] of [
    [/^Add a page$/, 'Text', 'Shows', 'message'],
    [/^Change page 2$/, 'Text', 'Shows', 'message'],
    [/^Canteen$/, 'Tags', 'Layout', 'gate'],
    [/^Send a message$/, 'Text', 'To', 'tag:Gate'],
  ] as const) {
    await press(open);
    const before = field(choice).value;
    await userEvent.selectOptions(field(choice), option);
    await userEvent.type(field(label), 'Yard, Gate');
    escape();
    expect(screen.queryByRole('dialog')).toBeNull();
    await press(open);
    expect([field(choice).value, field(label).value]).toEqual([option, 'Yard, Gate']);
    await press('Cancel');
    await press(open);
    expect(field(choice).value).toBe(before);
    escape();
  }
  expect(sent()).toEqual([]);
});

it('comes back from a display’s routes with the layout and the tags chosen before', async () => {
  const ofCanteen = () => within(screen.getByRole('dialog', { name: 'Canteen' }));
  server.answers.set('displays/2/routes', () => json(200, { watch_ids: [] }));
  server.answers.set('displays/2/tags', () => json(200, {}));
  await press(/^Canteen$/);
  await userEvent.selectOptions(ofCanteen().getByLabelText('Layout'), 'gate');
  await userEvent.type(ofCanteen().getByLabelText('Tags'), 'Yard');
  await press('Routes');
  await userEvent.click(await screen.findByLabelText('Leeds to Heathrow'));
  await userEvent.click(
    within(screen.getByRole('dialog', { name: 'Routes on Canteen' })).getByRole('button', { name: 'Save' }),
  );
  await waitFor(() => ofCanteen());
  await userEvent.click(ofCanteen().getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent()).toEqual([
    ['PUT', 'displays/2/routes', { watch_ids: ['w'] }],
    ['PUT', 'displays/2/tags', { tags: ['Yard'] }],
    ['POST', 'displays/assignments', { to: { displays: ['2'] }, layout_id: 'gate' }],
  ]);
});

it('assigns a layout to displays that do not show it', async () => {
  await press(/^Gate 1 display/);
  await press('Assign');
  const dialog = within(screen.getByRole('dialog', { name: 'Show Gate on' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Show on 0 more displays' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('Choose a display that does not show it yet.');
  await userEvent.click(dialog.getByLabelText('Canteen'));
  await userEvent.click(dialog.getByRole('button', { name: 'Show on 1 more display' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent()).toEqual([['POST', 'displays/assignments', { to: { displays: ['2'] }, layout_id: 'gate' }]]);
});

it('draws today’s jobs on a new page as displays show them, lying and upright, without the driver', async () => {
  await press(/^Gate 1 display/);
  await press('Add a page');
  const dialog = within(screen.getByRole('dialog', { name: 'Add a page' }));
  await userEvent.selectOptions(dialog.getByLabelText('Shows'), 'Jobs');
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(screen.getAllByText('Leeds Stn to Heathrow T5')).toHaveLength(2));
  expect(document.body.textContent).not.toContain('Hussain');
});
