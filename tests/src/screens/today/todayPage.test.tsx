import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { londonDay } from '#contract/london.ts';
import { saveTokens } from '../../../../src/api/tokens.ts';
import { ImportPage } from '../../../../src/screens/today/ImportPage.tsx';
import { TodayPage } from '../../../../src/screens/today/TodayPage.tsx';
import { clearActions } from '../../../../src/offline/actionStore.ts';
import { formatClock } from '../../../../src/time/london.ts';
import { noteAdded } from '../../../../src/screens/today/lastAdded.ts';
import { useSession } from '../../../../src/session/session.ts';
import { useQueue } from '../../../../src/shift/inHand/sendActions.ts';
import { ANNA, json, startFakeServer } from '../../api/fakeServer.ts';

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const job = (id: string, fields: Record<string, unknown> = {}) => ({
  id,
  day: londonDay(new Date()),
  ref: 'PC-2411',
  leaves_local: '06:10',
  leaves_at: inMinutes(10),
  duration_min: 100,
  watch_id: 'w1',
  trip: 'Leeds → Heathrow T5',
  vehicle: 'YN21 ABC',
  driver: 'M. Hussain',
  people: 38,
  deadline_local: null,
  deadline_at: null,
  deadline_what: null,
  note: null,
  left_at: null,
  left_by: null,
  arrived_at: null,
  arrived_by: null,
  cancelled_at: null,
  cancelled_by: null,
  created_at: inMinutes(-600),
  rev: 1,
  ...fields,
});

let server: ReturnType<typeof startFakeServer>;
let user: ReturnType<typeof userEvent.setup>;
let jobs: Record<string, unknown>[];
let route: Record<string, unknown>;
let sent: { path: string; body: Record<string, unknown> }[];

beforeEach(async () => {
  await clearActions(); // an action of the test before may still be unsent
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/today');
  server = startFakeServer();
  saveTokens(server.signedIn());
  useSession.setState({ status: 'signedIn', user: { ...ANNA, is_active: true } as never, offline: false });
  useQueue.setState({ items: [], taken: [] });
  user = userEvent.setup();
  sent = [];
  jobs = [
    job('j1'),
    job('j2', { trip: 'Morley → Malham', watch_id: null, leaves_at: inMinutes(20), ref: null }),
  ];
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  route = {
    id: 'w1',
    kind: 'route',
    name: 'Leeds to Heathrow',
    length_km: 330,
    sources: [],
    departures: [],
    matches: [],
    rev: 1,
  };
  server.answers.set('watches/', () =>
    json(200, { watches: [route], total: 1, incidents: [], events: [], sources: [], behind_since: null }),
  );
  server.answers.set('responses/', () => json(200, { responses: [], reports: [] }));
  server.answers.set('jobs/', ({ query }) => {
    const day = query.get('day');
    // The server adds jobs of days before that still run.
    const own = jobs.filter((one) => String(one['day']) <= String(day));
    return json(200, { day, jobs: own, total: own.length });
  });
  server.answers.set('jobs/j1/left', ({ body }) => {
    sent.push({ path: 'left', body });
    jobs = jobs.map((one) =>
      one['id'] === 'j1' ? { ...one, left_at: body['undo'] ? null : body['at'] } : one,
    );
    return json(200, jobs[0]);
  });
  server.answers.set('jobs/sheet', () => json(200, { columns: {}, last_day: null }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const rowNames = () =>
  screen
    .getAllByRole('link')
    .flatMap((link) => (link.hasAttribute('data-entry') ? [link.getAttribute('aria-label')] : []));

describe('the jobs of today', () => {
  it('are in their groups, and a job without a route is never clear', async () => {
    render(<TodayPage />);
    await screen.findByRole('heading', { name: /Leaves soon 2/ });
    expect(rowNames().join('\n')).toMatch(/Morley to Malham, No route: we cannot say/);
    expect(rowNames().join('\n')).not.toMatch(/Morley to Malham, .*lear/);
  });

  it('are shown for today if the address names no day', async () => {
    for (const day of ['rubbish', '2026-02-30', '2026-13-01', '99999-01-01', '']) {
      history.replaceState(null, '', `/today?day=${day}`);
      render(<TodayPage />);
      await screen.findByRole('heading', { name: /Leaves soon 2/ });
      cleanup();
      history.replaceState(null, '', `/today/import?day=${day}`);
      render(<ImportPage />);
      expect(screen.getByLabelText(/^For/)).toHaveProperty('value', londonDay(new Date()));
      cleanup();
    }
  });

  it('include jobs of the night before that are still on the way', async () => {
    const yesterday = new Date(Date.parse(`${londonDay(new Date())}T12:00:00Z`) - 24 * 3_600_000);
    const day = yesterday.toISOString().slice(0, 10);
    jobs = [
      ...jobs,
      job('night', { day, leaves_at: inMinutes(-60), left_at: inMinutes(-58), trip: 'Hull → Leeds' }),
      // The server knows the length of its route: only the server can tell that it may still run.
      job('far', { day, leaves_at: inMinutes(-1441), duration_min: null, trip: 'Hull → Turin' }),
    ];
    render(<TodayPage />);
    await screen.findByRole('heading', { name: /On the way 2/ });
    expect(rowNames().join('\n')).toMatch(/Hull to Leeds/);
    expect(rowNames().join('\n')).toMatch(/Hull to Turin/);
  });

  it('show changes on their way within 65 s', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    render(<TodayPage />);
    await screen.findByRole('heading', { name: /Leaves soon 2/ });
    expect(rowNames().join('\n')).not.toMatch(/M62/);
    const closed = {
      event_id: 'nh:1',
      source: 'national-highways',
      severity: 'critical',
      title: 'M62 eastbound closed J26 to J27',
      metadata: { phase: 'active' },
    };
    const match = {
      subject: 'disruption',
      subject_id: 'nh:1',
      level: 'certain',
      why: '',
      from_km: 23,
      to_km: 30,
    };
    server.answers.set('watches/', () =>
      json(200, {
        watches: [{ ...route, matches: [match] }],
        total: 1,
        incidents: [closed],
        events: [],
        sources: [],
        behind_since: null,
      }),
    );
    await act(() => vi.advanceTimersByTimeAsync(65_000));
    expect(rowNames().join('\n')).toMatch(/Leeds to Heathrow T5, Critical: M62 eastbound closed J26 to J27/);
  });

  it('are found by every word of their row', async () => {
    render(<TodayPage />);
    await screen.findByRole('heading', { name: /Leaves soon 2/ });
    await user.type(screen.getByRole('searchbox'), 'pc-2411');
    await waitFor(() => expect(rowNames()).toHaveLength(1));
  });

  it('"Left" is one tap, with the present minute, and is taken back', async () => {
    history.replaceState(null, '', '/today/j1');
    render(<TodayPage />);
    await user.click(await screen.findByRole('button', { name: /^Left \d\d:\d\d$/ }));
    await screen.findByRole('heading', { name: /On the way 1/ });
    await waitFor(() => expect(sent).toHaveLength(1));
    const undo = await screen.findByRole('button', { name: 'Undo' });
    expect(document.activeElement).toBe(undo); // not lost with the button that was pressed
    await user.click(undo);
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ undo: true }));
    await screen.findByRole('heading', { name: /Leaves soon 2/ });
  });

  it('can be taken back by keyboard later too, and the first button of a job keeps the focus', async () => {
    history.replaceState(null, '', '/today/j1');
    jobs = [job('j1', { cancelled_at: inMinutes(-5), cancelled_by: 'Anna' })];
    server.answers.set('jobs/j1/cancel', () => {
      jobs = [job('j1')];
      return json(200, jobs[0]);
    });
    render(<TodayPage />);
    (await screen.findByRole('button', { name: 'Undo' })).focus();
    await user.keyboard('{Enter}');
    const left = await screen.findByRole('button', { name: /^Left \d\d:\d\d$/ });
    await waitFor(() => expect(document.activeElement).toBe(left));
  });

  it('keeps the place of the keyboard if an older list comes after the mark was taken back', async () => {
    history.replaceState(null, '', '/today/j1');
    const cancelled = job('j1', { cancelled_at: inMinutes(-5), cancelled_by: 'Anna' });
    jobs = [cancelled];
    server.answers.set('jobs/j1/cancel', ({ body }) => {
      sent.push({ path: 'cancel', body });
      return json(200, job('j1'));
    });
    render(<TodayPage />);
    (await screen.findByRole('button', { name: 'Undo' })).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ undo: true }));
    const undo = await screen.findByRole('button', { name: 'Undo' }); // the list is the one of before
    await waitFor(() => expect(document.activeElement).toBe(undo));
    jobs = [job('j1')];
    // A refresh that was in progress may have read the older list: then the page asks for another.
    await waitFor(
      () => {
        act(() => void globalThis.dispatchEvent(new Event('online')));
        expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Left \d\d:\d\d$/ }));
      },
      { interval: 500 },
    );
  });

  it('has another time of "Left" under Edit, on the same day', async () => {
    const left_at = `${londonDay(new Date(Date.now() - 24 * 3_600_000))}T12:05:00.000Z`;
    jobs = [job('j1', { left_at })];
    history.replaceState(null, '', '/today/j1');
    server.answers.set('jobs/j1', ({ body }) => {
      sent.push({ path: 'change', body });
      return json(200, jobs[0]);
    });
    render(<TodayPage />);
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    const box = screen.getByLabelText(/^Left at/);
    await user.clear(box);
    await user.type(box, '1150');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(formatClock(sent[0]!.body['left_at'] as string)).toBe('11:50');
    expect(sent[0]!.body).not.toHaveProperty('arrived_at');
  });

  it('offline, "Left" is shown, waits, and is sent when the connection is back', async () => {
    history.replaceState(null, '', '/today/j1');
    render(<TodayPage />);
    const button = await screen.findByRole('button', { name: /^Left \d\d:\d\d$/ });
    server.lines.set('jobs/j1/left', 'cut');
    await user.click(button);
    await screen.findByText('Not sent yet');
    expect(sent).toEqual([]);
    server.lines.delete('jobs/j1/left');
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  it('offline, "Left" that is taken back before it was sent goes nowhere', async () => {
    history.replaceState(null, '', '/today/j1');
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    server.lines.set('jobs/j1/left', 'cut');
    render(<TodayPage />);
    await user.click(await screen.findByRole('button', { name: /^Left \d\d:\d\d$/ }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await screen.findByRole('heading', { name: /Leaves soon 2/ });
    expect(useQueue.getState().items).toEqual([]);
    online.mockRestore();
  });

  it('takes "Left" back with the server if the server may have it, even if its answer was lost', async () => {
    history.replaceState(null, '', '/today/j1');
    render(<TodayPage />);
    const button = await screen.findByRole('button', { name: /^Left \d\d:\d\d$/ });
    server.lines.set('jobs/j1/left', 'half');
    await user.click(button);
    await screen.findByText('Not sent yet');
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(useQueue.getState().items).toHaveLength(2));
    server.lines.delete('jobs/j1/left');
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(sent.map(({ body }) => body['undo'])).toEqual([false, true]));
  });

  it('offers to take "Left" back for ten seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    history.replaceState(null, '', '/today/j1');
    render(<TodayPage />);
    fireEvent.click(await screen.findByRole('button', { name: /^Left \d\d:\d\d$/ }));
    await screen.findByRole('button', { name: 'Undo' });
    await act(() => vi.advanceTimersByTimeAsync(11_000));
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('are as old as the older of their two answers, and say so', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-12-04T12:00:30Z') });
    jobs = [job('j1')];
    const stamped = (path: string) => {
      const answer = server.answers.get(path)!;
      server.answers.set(path, async (call) => {
        const reply = await answer(call);
        reply.headers.set('date', new Date().toUTCString());
        return reply;
      });
    };
    stamped('jobs/');
    stamped('watches/');
    render(<TodayPage />);
    await screen.findByRole('heading', { name: /Leaves soon 1/ });
    server.lines.set('watches/', 'status 503');
    await act(() => vi.advanceTimersByTimeAsync(4 * 60_000));
    expect(screen.getByText('No answer: showing jobs from 12:00')).toBeTruthy();
  });

  it('leave a sheet for another day alone, and say why a sheet cannot be taken back', async () => {
    const today = londonDay(new Date());
    noteAdded(null, '2026-01-01', { added: 2, updated: 0, cancelled: 0 });
    render(<TodayPage />);
    await screen.findByRole('heading', { name: /Leaves soon 2/ });
    expect(screen.queryByText('2 jobs added')).toBeNull();
    act(() => void noteAdded(null, today, { added: 2, updated: 0, cancelled: 0 }));
    server.answers.set('jobs/import/undo', () => json(409, { detail: 'Sam Lee has added a sheet since.' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await screen.findByText('Sam Lee has added a sheet since.');
    server.answers.set('jobs/import/undo', () => json(200, { removed: 2, restored: 0, kept: 0 }));
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await screen.findByText('2 jobs removed');
    expect(screen.queryByText('Sam Lee has added a sheet since.')).toBeNull();
  });

  it('keep the result of a newer sheet when the older one was taken back late', async () => {
    const today = londonDay(new Date());
    server.answers.set('jobs/import/undo', () => json(200, { removed: 2, restored: 0, kept: 0 }));
    noteAdded('s1', today, { added: 2, updated: 0, cancelled: 0 });
    render(<TodayPage />);
    const undos = server.hold('jobs/import/undo', 'POST');
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(undos).toHaveLength(1));
    act(() => void noteAdded('s2', today, { added: 5, updated: 0, cancelled: 0 }));
    await act(async () => undos[0]!());
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Undo' }).getAttribute('aria-disabled')).toBeNull(),
    );
    expect(screen.getByText('5 jobs added')).toBeTruthy();
  });

  it('keep the form of a job open while it is saved, and typed text when there is no network', async () => {
    render(<TodayPage />);
    await user.click(await screen.findByRole('button', { name: 'New job' }));
    const form = within(screen.getByRole('dialog', { name: 'New job' }));
    await user.type(form.getByLabelText(/^Leaves at/), '06:40');
    await user.type(form.getByLabelText(/^From and to/), 'Leeds → York');
    const escape = () => fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    const asked = server.answers.get('jobs/')!;
    server.answers.set('jobs/', (call) => (call.method === 'POST' ? json(201, job('j9')) : asked(call)));
    const posts = server.hold('jobs/', 'POST');
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void globalThis.dispatchEvent(new Event('offline')));
    await user.click(form.getByRole('button', { name: 'Save' }));
    await form.findByText('You are offline. Jobs can be changed when the connection is back.');
    online.mockRestore();
    act(() => void globalThis.dispatchEvent(new Event('online')));
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(posts).toHaveLength(1));
    escape();
    await user.click(form.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('dialog', { name: 'New job' })).toBeTruthy();
    expect((form.getByLabelText(/^Leaves at/) as HTMLInputElement).value).toBe('06:40');
    posts[0]!();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'New job' }));
    expect((screen.getByLabelText(/^Leaves at/) as HTMLInputElement).value).toBe('');
  });

  it('ask again for a deadline that is before the job leaves', async () => {
    render(<TodayPage />);
    await user.click(await screen.findByRole('button', { name: 'New job' }));
    const form = within(screen.getByRole('dialog', { name: 'New job' }));
    const added = job('j9', { leaves_local: '18:10', deadline_local: '41:10' });
    const asked = server.answers.get('jobs/')!;
    server.answers.set('jobs/', (call) => (call.method === 'POST' ? json(201, added) : asked(call)));
    await user.type(form.getByLabelText(/^Leaves at/), '18:10');
    await user.type(form.getByLabelText(/^From and to/), 'Leeds → York');
    await user.type(form.getByLabelText('Deadline'), '17:10');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await form.findByText('The deadline 17:10 is before it leaves at 18:10. Write 41:10 for the next day.');
    await user.clear(form.getByLabelText('Deadline'));
    await user.type(form.getByLabelText('Deadline'), '41:10');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('are taken back at once if their sheet was just added', async () => {
    server.answers.set('jobs/import/undo', () => {
      jobs = [];
      return json(200, { removed: 2, restored: 0, kept: 0 });
    });
    noteAdded('s1', londonDay(new Date()), { added: 2, updated: 0, cancelled: 0 });
    render(<TodayPage />);
    await screen.findByText('2 jobs added');
    const undos = server.hold('jobs/import/undo', 'POST');
    for (const _ of [1, 2]) await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(undos).toHaveLength(1));
    expect(server.callsTo('jobs/import/undo')[0]!.query.get('sheet')).toBe('s1');
    undos[0]!();
    await screen.findByText('2 jobs removed');
    await screen.findByText('No jobs today.');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('without any, show the way to the first sheet', async () => {
    jobs = [];
    render(<TodayPage />);
    await screen.findByText('No jobs today.');
    expect(screen.getByRole('link', { name: 'Import day sheet' }).getAttribute('href')).toBe('/today/import');
  });

  it('keep a job of the night before that has just arrived, so that it can be taken back', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-12-05T00:20:00Z') });
    const day = '2026-12-04';
    const left = { leaves_at: '2026-12-04T22:30:00.000Z', left_at: '2026-12-04T22:31:00.000Z' };
    jobs = [job('now', { day, ...left, arrived_at: '2026-12-05T00:15:00.000Z', trip: 'Hull → Leeds' })];
    render(<TodayPage />);
    await screen.findByRole('button', { name: /Done 1 arrived/ });
    expect(rowNames().join('\n')).toMatch(/Hull to Leeds/);
  });

  it('name the day of the time of yesterday’s night job', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-12-05T00:10:00Z') });
    jobs = [
      job('night', { day: '2026-12-04', leaves_at: '2026-12-04T23:30:00.000Z', trip: 'Hull → Leeds' }),
      job('late', { day: '2026-12-04', leaves_at: '2026-12-05T00:40:00.000Z', trip: 'Hull → York' }),
      job('next', { day: '2026-12-05', leaves_at: '2026-12-05T23:30:00.000Z', trip: 'Hull → Selby' }),
    ];
    render(<TodayPage />);
    await screen.findByRole('heading', { name: /On the way 1/ });
    const names = rowNames();
    fireEvent.click(screen.getByRole('link', { name: /^Fri 23:30 / }));
    await screen.findByRole('heading', { name: 'Fri 23:30 Hull to Leeds' });
    expect(names.find((name) => name?.includes('Hull to Leeds'))).toMatch(/^Fri 23:30 /);
    expect(names.find((name) => name?.includes('Hull to York'))).toMatch(/^00:40 /);
    expect(names.find((name) => name?.includes('Hull to Selby'))).toMatch(/^23:30 /);
  });

  it('show late in the evening jobs of the next day that leave within two hours', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-12-04T23:50:00Z') });
    jobs = [
      job('today', { day: '2026-12-04', leaves_at: '2026-12-04T23:55:00.000Z', trip: 'Hull → Leeds' }),
      job('soon', { day: '2026-12-05', leaves_at: '2026-12-05T00:10:00.000Z', trip: 'Hull → York' }),
      job('later', { day: '2026-12-05', leaves_at: '2026-12-05T02:10:00.000Z', trip: 'Hull → Selby' }),
    ];
    render(<TodayPage />);
    await screen.findByRole('heading', { name: /Leaves soon 2/ });
    const names = rowNames().join('\n');
    expect(names).toMatch(/Sat 00:10 Hull to York/);
    expect(names).not.toMatch(/Selby/);
  });
});

describe('a day sheet', () => {
  const SHEET = [
    'Dep\tRef\tFrom\tTo\tVeh',
    '06:10\tPC-1\tLeeds\tHeathrow T5\tYN21 ABC',
    'TBC\tPC-2\tLeeds\tYork\tYN21 ABD',
  ].join('\n');
  const paste = async (text: string) => {
    history.replaceState(null, '', '/today/import');
    render(<ImportPage />);
    const box = await screen.findByRole('textbox', { name: /Paste from your spreadsheet/ });
    await user.click(box);
    await user.paste(text);
  };

  it('is looked at first, row by row and trip by trip, and then added as it was understood', async () => {
    server.answers.set('jobs/import', ({ body }) => {
      sent.push({ path: 'import', body });
      return json(200, {
        added: 1,
        updated: 0,
        cancelled: 0,
        problems: [],
        trips: [
          { words: 'Leeds → Heathrow T5', jobs: 1, watch_id: 'w1', found: 'same words' },
          { words: 'Leeds → Foo', jobs: 1, watch_id: null, found: 'none' },
          { words: 'Leeds → Bar', jobs: 1, watch_id: null, found: 'none' },
        ],
        missing: [],
        ids: body['dry_run'] ? [] : ['j9'],
      });
    });
    await paste(SHEET);
    await screen.findByText(/2 rows, 5 columns/);
    await user.click(screen.getByRole('button', { name: 'See what was understood' }));
    await screen.findByText('Row 3: no time in “TBC”. Left out.');
    const trip = await screen.findByRole('combobox', { name: 'Route of Leeds → Heathrow T5' });
    expect((trip as HTMLSelectElement).value).toBe('w1');
    const none = screen.getByRole('combobox', { name: 'Route of Leeds → Bar' });
    await user.selectOptions(none, 'w1');
    await user.selectOptions(none, '');
    expect(sent.every(({ body }) => body['dry_run'] === true)).toBe(true);
    const add = screen.getByRole('button', { name: 'Add 1 job' });
    await waitFor(() => expect((add as HTMLButtonElement).disabled).toBe(false));
    await user.click(add);
    await waitFor(() => expect(location.pathname).toBe('/today'));
    expect(sent.at(-1)!.body).toMatchObject({
      rows: [{ ref: 'PC-1', leaves_local: '06:10', trip: 'Leeds → Heathrow T5' }],
      // Only what somebody chose is remembered: that no route was found for a trip is no choice.
      trips: [
        { words: 'Leeds → Heathrow T5', watch_id: 'w1' },
        { words: 'Leeds → Bar', watch_id: null },
      ],
      columns: { dep: 'time', ref: 'ref', from: 'from', to: 'to', veh: 'vehicle' },
      cancel: [],
    });
  });

  it('from a file is the one that was chosen last', async () => {
    await paste('');
    const slow = new File(['06:10\tLeeds\tYork'], 'slow.csv');
    const bytes = await slow.arrayBuffer();
    let give!: (bytes: ArrayBuffer) => void;
    const given = new Promise<ArrayBuffer>((resolve) => (give = resolve));
    slow.arrayBuffer = () => given;
    const choose = (file: File) =>
      fireEvent.change(document.querySelector('input[type=file]')!, { target: { files: [file] } });
    const text = () => screen.getByRole<HTMLTextAreaElement>('textbox').value;
    choose(slow);
    choose(new File([], 'empty.csv'));
    expect(await screen.findByText('This file is empty.')).toBeTruthy();
    choose(new File(['07:20\tHull\tSelby'], 'quick.csv'));
    await waitFor(() => expect(text()).toBe('07:20\tHull\tSelby'));
    await act(async () => give(bytes));
    expect(text()).toBe('07:20\tHull\tSelby');
    expect(screen.queryByText('This file is empty.')).toBeNull();
  });

  it('whose answer comes after the page was left opens no other page', async () => {
    const trips = [{ words: 'Leeds → York', jobs: 1, watch_id: 'w1', found: 'same words' }];
    server.answers.set('jobs/import', () =>
      json(200, { added: 1, updated: 0, cancelled: 0, problems: [], trips, missing: [], ids: ['j9'] }),
    );
    await paste('Dep\tFrom\tTo\n06:10\tLeeds\tYork');
    await user.click(await screen.findByRole('button', { name: 'See what was understood' }));
    const add = await screen.findByRole<HTMLButtonElement>('button', { name: 'Add 1 job' });
    await waitFor(() => expect(add.disabled).toBe(false));
    const adds = server.hold('jobs/import', 'POST');
    await user.click(add);
    await waitFor(() => expect(adds).toHaveLength(1));
    cleanup();
    history.replaceState(null, '', '/dashboard');
    adds[0]!();
    render(<TodayPage />);
    await screen.findByText('1 job added');
    expect(location.pathname).toBe('/dashboard');
  });

  it('ends on its day, even if its answer comes after its step was left', async () => {
    const trips = [{ words: 'Leeds → York', jobs: 1, watch_id: 'w1', found: 'same words' }];
    server.answers.set('jobs/import', () =>
      json(200, { added: 1, updated: 0, cancelled: 0, problems: [], trips, missing: [], ids: ['j9'] }),
    );
    await paste('Dep\tFrom\tTo\n06:10\tLeeds\tYork');
    await user.click(await screen.findByRole('button', { name: 'See what was understood' }));
    const add = await screen.findByRole<HTMLButtonElement>('button', { name: 'Add 1 job' });
    await waitFor(() => expect(add.disabled).toBe(false));
    const adds = server.hold('jobs/import', 'POST');
    await user.click(add);
    await waitFor(() => expect(adds).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await screen.findByText('Nothing is stored yet');
    adds[0]!();
    await waitFor(() => expect(location.pathname).toBe('/today'));
  });

  it('stores a new route only as it was last changed, and leaves no unused route behind', async () => {
    const way = (road: string) => ({
      places: [
        { km: 0, name: 'Leeds', junctions: [], minor: false },
        { km: 40, name: road, junctions: [], minor: false },
      ],
      course: [{ road, from_km: 0, to_km: 40, from: null, to: null, direction: null, line: 'chain' }],
      length_km: 40,
      legs: [{ type: 'road', road, from: 'J1', to: 'J9', sense: 1 }],
      problems: [],
    });
    server.answers.set('watches/suggest', () => json(200, { results: [] }));
    server.answers.set('watches/resolve', ({ body }) =>
      json(200, way(String(body['text']).includes('M1') ? 'M1' : 'M62')),
    );
    const routes: { id: string; road: string }[] = [];
    let number = 0;
    const asked = server.answers.get('watches/')!;
    server.answers.set('watches/', (call) => {
      if (call.method !== 'POST') return asked(call);
      const legs = call.body['legs'] as { road: string }[];
      const made = { id: `made${number}`, rev: 1, road: legs[0]!.road };
      number += 1;
      routes.push(made);
      server.answers.set(`watches/${made.id}`, () => {
        routes.splice(routes.indexOf(made), 1);
        return new Response(null, { status: 204 });
      });
      return json(201, { ...route, ...made });
    });
    server.answers.set('jobs/import', ({ body }) => {
      if (body['dry_run'] !== true) sent.push({ path: 'import', body });
      if (sent.length === 1) return json(422, { detail: 'Row 2 has no day.' });
      if (sent.length === 2 || sent.length === 3) throw new TypeError('Failed to fetch'); // the answer is lost
      const trips = [{ words: 'Leeds → Heathrow T5', jobs: 1, watch_id: null, found: 'none' }];
      return json(200, { added: 1, updated: 0, cancelled: 0, problems: [], trips, missing: [], ids: [] });
    });
    await paste(SHEET);
    await user.click(await screen.findByRole('button', { name: 'See what was understood' }));
    const add = () => screen.getByRole('button', { name: 'Add 1 job' }) as HTMLButtonElement;
    await waitFor(() => expect(add().disabled).toBe(false));
    await user.click(add());
    // The job was not added, so no trace is left.
    await screen.findByText('Row 2 has no day.');
    await waitFor(() => expect(routes).toEqual([]));
    for (const time of [2, 3]) {
      await user.click(add());
      await waitFor(() => expect(sent).toHaveLength(time));
      await screen.findByText(/^Unable to add these jobs|Failed/);
      // The sheet may have been added with its route, so the next try uses the same route.
      expect(routes.map(({ road }) => road)).toEqual(['M62']);
    }

    await user.click(screen.getByRole('button', { name: 'Change' }));
    const typed = () => screen.getByRole<HTMLTextAreaElement>('textbox');
    await user.clear(typed());
    await user.type(typed(), 'Leeds, M1, Heathrow');
    // The dialog was closed by mistake, and its text is there again.
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    await user.click(screen.getByRole('button', { name: 'Change' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Leeds to Heathrow T5' }));
    expect(typed().value).toBe('Leeds, M1, Heathrow');
    const use = dialog.getByRole('button', { name: 'Use this way' }) as HTMLButtonElement;
    await waitFor(() => expect(use.disabled).toBe(false));
    await user.click(use);
    await user.click(add());
    await waitFor(() => expect(location.pathname).toBe('/today'));
    expect(routes).toEqual([{ id: 'made2', rev: 1, road: 'M1' }]);
    expect(sent.at(-1)!.body['trips']).toEqual([{ words: 'Leeds → Heathrow T5', watch_id: 'made2' }]);
  });

  it('keeps jobs that the sheet no longer has, unless they are to be cancelled', async () => {
    server.answers.set('jobs/import', ({ body }) => {
      if (body['dry_run'] !== true) sent.push({ path: 'import', body });
      const missing = [job('gone', { trip: 'Leeds → Selby' })];
      return json(200, { added: 1, updated: 0, cancelled: 0, problems: [], trips: [], missing, ids: [] });
    });
    for (const cancels of [false, true]) {
      await paste(SHEET);
      await user.click(await screen.findByRole('button', { name: 'See what was understood' }));
      await screen.findByRole('heading', { name: 'Not on this sheet' });
      if (cancels) await user.click(screen.getByRole('button', { name: 'Cancel it?' }));
      const add = screen.getByRole('button', { name: 'Add 1 job' }) as HTMLButtonElement;
      await waitFor(() => expect(add.disabled).toBe(false));
      await user.click(add);
      await waitFor(() => expect(location.pathname).toBe('/today'));
      expect(sent.at(-1)!.body['cancel']).toEqual(cancels ? ['gone'] : []);
      cleanup();
    }
  });

  it('can be added only after the answer to its newest rows; an older answer that comes later is ignored', async () => {
    const held: { trip: string; answer: () => void }[] = [];
    server.answers.set('jobs/import', async ({ body }) => {
      const [{ trip }] = body['rows'] as [{ trip: string }];
      await new Promise<void>((answer) => held.push({ trip, answer }));
      const trips = [{ words: trip, jobs: 1, watch_id: 'w1', found: 'same words' }];
      return json(200, { added: 1, updated: 0, cancelled: 0, problems: [], trips, missing: [], ids: [] });
    });
    await paste('Dep\tFrom\tTo\tNotes\n06:10\tLeeds\tYork\trtn 18:15');
    await user.click(await screen.findByRole('button', { name: 'See what was understood' }));
    await waitFor(() => expect(held).toHaveLength(1));
    await user.click(await screen.findByRole('button', { name: 'Do not add them' }));
    await waitFor(() => expect(held).toHaveLength(2));
    expect(screen.queryByText('Unable to check this sheet')).toBeNull();
    const add = () => screen.getByRole('button', { name: /^Add \d jobs?$/ }) as HTMLButtonElement;
    await act(async () => held[0]!.answer());
    expect(add().disabled).toBe(true);
    await act(async () => held[1]!.answer());
    await waitFor(() => expect(add().disabled).toBe(false));
  });

  it('that is like the last one is added by one button, which says what it will do', async () => {
    const columns = { dep: 'time', ref: 'ref', from: 'from', to: 'to', veh: 'vehicle' };
    server.answers.set('jobs/sheet', () => json(200, { columns, last_day: '2026-11-23' }));
    let counts: Record<string, unknown> = { added: 0, updated: 1 };
    let trip = { words: 'Leeds → Heathrow T5', jobs: 1, watch_id: 'w1', found: 'as last time' };
    server.answers.set('jobs/import', ({ body }) => {
      sent.push({ path: 'import', body });
      return json(200, { ...counts, cancelled: 0, problems: [], trips: [trip], missing: [], ids: [] });
    });
    const known = SHEET.split('\n').slice(0, 2).join('\n');
    const button = (name: string) => screen.findByRole('button', { name });
    await paste(known);
    await button('Update 1 job');
    await screen.findByText(/The headings are those of Monday’s sheet\. Each trip is as last time\./);
    expect(sent.every(({ body }) => body['dry_run'] === true)).toBe(true);
    await user.click(await button('Update 1 job'));
    await waitFor(() => expect(location.pathname).toBe('/today'));
    expect(sent.at(-1)!.body).toMatchObject({ columns, cancel: [], rows: [{ ref: 'PC-1' }] });
    cleanup();

    // A trip that is new is looked at first, and so is a row that is left out, or that has a remark: 25:15 is of the
    // next day.
    counts = { added: 2, updated: 1 };
    trip = { ...trip, found: 'same words' };
    await paste(known);
    await user.click(await button('See what was understood'));
    await button('Add 2 jobs, update 1');
    cleanup();
    trip = { ...trip, found: 'as last time' };
    counts = { added: 0, updated: 1, stays_cancelled: [job('off', { ref: 'C1' })] };
    await paste(known);
    await button('Update 1 job, 1 stays cancelled');
    await screen.findByText(/1 job stays cancelled: C1\./);
    await user.click(await button('See what was understood'));
    await screen.findByText(/^1 job stays cancelled: C1\. Undo on/);
    await user.click(await button('Update 1 job, 1 stays cancelled'));
    await waitFor(() => expect(location.pathname).toBe('/today'));
    cleanup();
    render(<TodayPage />);
    await screen.findByText('1 job as the sheet has them now, 1 job still cancelled');
    cleanup();
    counts = { added: 2, updated: 1 };
    vi.useFakeTimers({ shouldAdvanceTime: true });
    for (const sheet of [SHEET, known.replace('06:10', '25:15')]) {
      sent = [];
      await paste(sheet);
      await screen.findByText(/The headings are those of Monday’s sheet/);
      await act(() => vi.advanceTimersByTimeAsync(1000));
      expect(sent).toEqual([]);
      await user.click(await button('See what was understood'));
      await button('Add 2 jobs, update 1');
      expect(sent).toHaveLength(1);
      cleanup();
    }
  });

  it('names jobs that the server leaves out', async () => {
    const problems = [{ row: 1, text: 'Row 1: ref must be one line of text. Left out.' }];
    server.answers.set('jobs/import', () =>
      json(200, { added: 1, updated: 0, cancelled: 0, problems, trips: [], missing: [], ids: [] }),
    );
    await paste('Dep\tFrom\tTo\nTBC\tLeeds\tEly\n06:10\tLeeds\tYork\n07:10\tLeeds\tHull');
    await user.click(await screen.findByRole('button', { name: 'See what was understood' }));
    await screen.findByText('Row 3: ref must be one line of text. Left out.');
    await screen.findByRole('button', { name: 'Add 1 job' });
  });

  it('with a doubt is asked about, and cannot be added before the answer', async () => {
    server.answers.set('jobs/import', () =>
      json(200, { added: 2, updated: 0, cancelled: 0, problems: [], trips: [], missing: [], ids: [] }),
    );
    await paste('Time\tFrom\tFor\n06:10\tLeeds\tYork Minster\n07:10\tLeeds\tHull Docks');
    await user.click(await screen.findByRole('button', { name: 'See what was understood' }));
    const list = await screen.findByRole('list', { name: 'Questions' });
    const add = screen.getByRole('button', { name: 'Add 2 jobs' }) as HTMLButtonElement;
    expect(add.disabled).toBe(true);
    expect(list.textContent).toMatch(/Is column 3 “To”\? It holds “York Minster”, “Hull Docks”\./);
    await user.click(within(list).getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(add.disabled).toBe(false));
  });

  it('asks once, with one button for each answer, about words that have two meanings', async () => {
    server.answers.set('jobs/import', ({ body }) => {
      const rows = body['rows'] as { trip: string }[];
      const trips = rows.map(({ trip }) => ({ words: trip, jobs: 1, watch_id: null, found: 'none' }));
      return json(200, {
        added: rows.length,
        updated: 0,
        cancelled: 0,
        problems: [],
        trips,
        missing: [],
        ids: [],
      });
    });
    await paste('Dep\tFrom\tTo\tNotes\n06:10\tLeeds\tYork\trtn 18:15');
    await user.click(await screen.findByRole('button', { name: 'See what was understood' }));
    const questions = within(await screen.findByRole('list', { name: 'Questions' }));
    expect(
      questions.getByText(/^A way back is said in words, in 1 row, as row 2 “rtn 18:15”\.$/),
    ).toBeTruthy();
    // The answer that is nearly always right counts at once; the other is one tap away.
    const isReady = (jobs: string) =>
      waitFor(() => {
        const add = screen.getByRole('button', { name: `Add ${jobs}` });
        expect((add as HTMLButtonElement).disabled).toBe(false);
      });
    await isReady('2 jobs');
    expect(questions.getByRole('button', { name: 'Add the ways back' }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await user.click(questions.getByRole('button', { name: 'Do not add them' }));
    await isReady('1 job');
  });

  it('with sentences becomes one trip a line when asked, and back again', async () => {
    const chat = 'Dave - 16 seater - 6.10am Leeds to York, 11 pax\nThen 8.50 York to Hull, back 10.15\nJo';
    await paste(chat);
    await screen.findByText('The times stand within sentences or lists.');
    await user.click(screen.getByRole('button', { name: 'See what was understood' }));
    await screen.findByText('Read as one trip a line.');
    await user.click(screen.getByRole('button', { name: 'Paste again' }));
    const box = screen.getByRole('textbox') as HTMLTextAreaElement;
    expect(box.value.split('\n')).toEqual([
      'Time\tFrom and to\tVia\tArrives\tDriver\tVehicle\tPeople\tNote',
      '6.10am\tLeeds → York\t\t\tDave\t16 seater\t11\t',
      '8.50\tYork → Hull\t\t\tDave\t16 seater\t\t',
      '10.15\tHull → York\t\t\tDave\t16 seater\t\tback',
      '',
      'Jo',
    ]);
    await screen.findByText(/^One trip a line, and the rest below\./);
    await user.click(screen.getByRole('button', { name: 'As it was pasted' }));
    expect(box.value).toBe(chat);
  });

  it('whose times cannot be read is refused with the words of one of them', async () => {
    await paste('Dep\tFrom\tTo\nearly\tLeeds\tEly\nlate\tLeeds\tYork');
    await screen.findByText('“early” below “Dep” is no time. Write it as 06:10.');
  });

  it('with nonsense is refused in words', async () => {
    await paste('lorem ipsum '.repeat(1700));
    await screen.findByText(/^No times found in 20,400 characters\. Paste the rows with their headings\.$/);
    expect(
      (screen.getByRole('button', { name: 'See what was understood' }) as HTMLButtonElement).disabled,
    ).toBe(true);
  });
});
