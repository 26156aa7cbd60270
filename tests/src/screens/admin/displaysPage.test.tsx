import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DisplaysPage } from '../../../../src/screens/admin/DisplaysPage.tsx';
import { useSession } from '../../../../src/session/session.ts';
import { formatDateTime } from '../../../../src/time/london.ts';
import { json, startFakeServer } from '../../api/fakeServer.ts';

const FLEET = 'admin/displays';
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const DEPOT = {
  id: 'd/1',
  name: 'Depot',
  state: 'paired',
  owner: { id: '1', display_name: 'Anna' },
  user_agent: 'A television',
  address: '192.0.2.7',
  paired_at: ago(500),
  last_seen_at: ago(2),
  report: {
    build: 'abc123',
    data_age_seconds: 40,
    screen: { width: 1920, height: 1080, pixel_ratio: 2 },
    wake_lock: 'held',
    visibility: 'visible',
    heap_bytes: 23_000_000,
  },
};
const SILENT = { ...DEPOT, id: 'd2', name: 'Lobby', last_seen_at: ago(20), report: null };
const REVOKED = { ...DEPOT, id: 'd3', name: 'Old wall', state: 'revoked' };

let server: ReturnType<typeof startFakeServer>;

const rowOf = (name: string) => screen.getByRole('row', { name: new RegExp(`^${name}`) });
const escape = () => fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

beforeEach(async () => {
  server = startFakeServer();
  const { access_token } = server.signedIn();
  localStorage.setItem('access_token', access_token);
  useSession.setState({
    status: 'signedIn',
    user: { id: '2', email: 'ben@example.co.uk', displayName: 'Ben', role: 'admin' },
    offline: false,
  });
  server.answers.set(FLEET, () => json(200, { displays: [DEPOT, SILENT, REVOKED], total: 3 }));
  server.answers.set('admin/displays/d%2F1', () => json(200, DEPOT));
  server.answers.set('admin/displays/d%2F1/revoke', () => json(200, { ...DEPOT, state: 'revoked' }));
  render(<DisplaysPage />);
  await screen.findByText('2 displays');
});
afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe('the fleet', () => {
  it('shows the state of each display', () => {
    const depot = rowOf('Depot').textContent;
    for (const words of [
      `${formatDateTime(DEPOT.last_seen_at)} 2 minutes ago`,
      '40 seconds',
      '1920 × 1080 at 2x',
      'Held',
      '23 MB',
      'abc123',
    ])
      expect(depot).toContain(words);
    expect(within(rowOf('Lobby')).getByText('20 minutes ago').closest('[data-status]')).toHaveProperty(
      'dataset.status',
      'severe',
    );
    expect(rowOf('Old wall').textContent).toContain('Revoked');
    expect(within(rowOf('Old wall')).queryByRole('button', { name: /Edit/ })).toBeNull();
  });

  it('gives no tick to the data of a display that was not seen for eleven minutes', async () => {
    const gone = { ...DEPOT, id: 'd4', name: 'Yard', last_seen_at: ago(56) };
    server.answers.set(FLEET, () => json(200, { displays: [DEPOT, gone], total: 2 }));
    cleanup();
    render(<DisplaysPage />);
    const yard = within(await screen.findByRole('row', { name: /^Yard/ }));
    const age = yard.getByText(/40 seconds/);
    expect(age.textContent).toBe('40 seconds when last seen');
    expect(age.closest('[data-status]')).toHaveProperty('dataset.status', 'none');
    expect(within(rowOf('Depot')).getByText('40 seconds').closest('[data-status]')).toHaveProperty(
      'dataset.status',
      'good',
    );
  });

  it('renames a display and takes it over', async () => {
    await press('Edit Depot');
    const name = screen.getByLabelText('Name');
    await userEvent.clear(name);
    await userEvent.type(name, 'West door');
    await userEvent.click(screen.getByRole('checkbox', { name: /Take it over.*Anna/ }));
    await press('Save');
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.callsTo('admin/displays/d%2F1')[0]).toMatchObject({
      method: 'PATCH',
      body: { name: 'West door', owner_id: '2' },
    });
    expect(server.callsTo(FLEET)).toHaveLength(2);
  });

  it('keeps a name typed into a dialog that Back or Escape closes, until Cancel', async () => {
    const name = () => screen.getByLabelText<HTMLInputElement>('Name').value;
    await press('Edit Depot');
    await userEvent.type(screen.getByLabelText('Name'), ', west');
    escape();
    await press('Edit Lobby');
    expect(name()).toBe('Lobby');
    escape();
    await press('Edit Depot');
    expect(name()).toBe('Depot, west');
    await press('Cancel');
    await press('Edit Depot');
    expect(name()).toBe('Depot');
  });

  it('forgets a typed name when another person signs in', async () => {
    const name = () => screen.getByLabelText<HTMLInputElement>('Name').value;
    const signIn = (id: string) =>
      act(() => useSession.setState(({ user }) => ({ user: user && { ...user, id } })));
    await press('Edit Depot');
    await userEvent.type(screen.getByLabelText('Name'), ', west');
    escape();
    signIn('2'); // the same person, read again
    await press('Edit Depot');
    expect(name()).toBe('Depot, west');
    escape();
    signIn('3');
    await press('Edit Depot');
    expect(name()).toBe('Depot');
  });

  it.each([
    ['Revoke', false],
    ['Revoke and blank', true],
  ])('asks first: %s', async (how, blank) => {
    await press('Revoke Depot');
    const dialog = screen.getByRole('dialog', { name: /^Revoke Depot ?\?$/ });
    await press('Cancel');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(dialog.isConnected).toBe(false);

    await press('Revoke Depot');
    const answers = server.hold('admin/displays/d%2F1/revoke', 'POST');
    await press(new RegExp(`^${how}$`));
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    expect(screen.getByRole('dialog', { name: /^Revoke Depot/ })).toBeTruthy();
    answers[0]!();
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.callsTo('admin/displays/d%2F1/revoke').map(({ body }) => body)).toEqual([{ blank }]);
  });

  it('stays in its dialog until the list says so: a late answer then closes no other dialog', async () => {
    const lists = server.hold(FLEET, 'GET');
    await press('Edit Depot');
    await press('Save');
    await vi.waitFor(() => expect(lists).toHaveLength(1));
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    expect(screen.getByRole('dialog', { name: /Edit Depot/ })).toBeTruthy();
    lists[0]!();
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('says why it failed', async () => {
    server.answers.set('admin/displays/d%2F1/revoke', () => json(404, { detail: 'Display not found' }));
    await press('Revoke Depot');
    await press(/^Revoke$/);
    expect((await screen.findByRole('alert')).textContent).toBe('Display not found');
  });
});

describe('the routes of a display', () => {
  const ROUTES = 'displays/d%2F1/routes';
  const watch = (id: string, name: string) => ({ id, kind: 'route', name, sources: [], matches: [] });
  let given: string[];

  beforeEach(() => {
    given = ['w2'];
    server.answers.set('watches/', () =>
      json(200, { watches: [watch('w1', 'York to Bristol'), watch('w2', 'Leeds to Hull')], total: 2 }),
    );
    server.answers.set(ROUTES, ({ method, body }) => {
      if (method === 'PUT') given = body['watch_ids'] as string[];
      return json(200, { watch_ids: given });
    });
  });

  it('are chosen among the team’s, by keyboard', async () => {
    const button = screen.getByRole('button', { name: 'Routes Depot' });
    button.focus();
    await userEvent.keyboard('{Enter}');
    const boxes = await screen.findAllByRole<HTMLInputElement>('checkbox');
    expect(boxes.map(({ checked, labels }) => [labels![0]!.textContent, checked])).toEqual([
      ['Leeds to Hull', true],
      ['York to Bristol', false],
    ]);
    boxes[0]!.focus();
    await userEvent.keyboard(' {Tab} ');
    expect(screen.getByText('1 route chosen')).toBeTruthy();
    await userEvent.keyboard('{Enter}');
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(given).toEqual(['w1']);
  });

  it('stay as they were chosen when Back or Escape closes the dialog, until Cancel', async () => {
    const chosen = async () => {
      await press('Routes Depot');
      const boxes = await screen.findAllByRole<HTMLInputElement>('checkbox');
      return boxes.filter(({ checked }) => checked).length;
    };
    expect(await chosen()).toBe(1);
    await userEvent.click(screen.getByRole('checkbox', { name: 'York to Bristol' }));
    escape();
    expect(await chosen()).toBe(2);
    await press('Cancel');
    expect(await chosen()).toBe(1);
  });

  it('say why they were not saved, and keep what was chosen', async () => {
    await press('Routes Depot');
    await screen.findAllByRole('checkbox');
    server.answers.set(ROUTES, () => json(400, { detail: 'Only routes of your own team' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'York to Bristol' }));
    await press('Save');
    expect((await screen.findByRole('alert')).textContent).toBe('Only routes of your own team');
    expect(screen.getByText('2 routes chosen')).toBeTruthy();
  });

  it('are not sent to the server when there are too many', async () => {
    const many = Array.from({ length: 51 }, (_, index) => watch(`m${index}`, `Route ${index}`));
    server.answers.set('watches/', () => json(200, { watches: many, total: 51 }));
    given = many.map(({ id }) => id);
    await press('Routes Depot');
    await userEvent.type(await screen.findByLabelText('Find a route'), 'route 50');
    expect(screen.getAllByRole('checkbox')).toHaveLength(1);
    await press('Save');
    expect((await screen.findByRole('alert')).textContent).toContain('at most 50 routes');
    expect(server.callsTo(ROUTES)).toHaveLength(1);
  });

  it('say that a display belongs to another team', async () => {
    server.answers.set(ROUTES, () => json(404, { detail: 'Display not found' }));
    await press('Routes Depot');
    expect((await screen.findByRole('alert')).textContent).toBe('Display not found');
    await press('Close');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('say where routes are made when the team has none', async () => {
    server.answers.set('watches/', () => json(200, { watches: [], total: 0 }));
    await press('Routes Depot');
    expect(await screen.findByText(/^Your team has no routes yet/)).toBeTruthy();
  });
});
