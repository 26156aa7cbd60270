import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useBoardNews } from '../../../../../src/feeds/refresh/boardNews.ts';
import { useWorker } from '../../../../../src/offline/serviceWorker.ts';
import { takeUpdatesQuietly } from '../../../../../src/screens/wall/kiosk/updates.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The server's files: the worker's script and the page; null when the server is away. */
let deployed: { worker: string; page: string } | null;
let reloads: number[];
let stop: () => void;

const page = (script: string) =>
  `<!doctype html><script type="module" crossorigin src="${script}"></script><div id="root"></div>`;

const answer = (text: string, type: string) => new Response(text, { headers: { 'content-type': type } });

beforeEach(() => {
  sessionStorage.clear();
  vi.useFakeTimers();
  vi.setSystemTime('2026-11-21T12:00:00Z');
  reloads = [];
  vi.spyOn(location, 'reload').mockImplementation(() => {
    reloads.push(Date.now());
    // The page that comes instead of this one.
    stop();
    stop = takeUpdatesQuietly();
  });
  deployed = { worker: 'version 1', page: page('/assets/index-1.js') };
  vi.stubGlobal('fetch', async (path: string) => {
    if (!deployed) throw new TypeError('Failed to fetch');
    return path === '/sw.js'
      ? answer(deployed.worker, 'text/javascript')
      : answer(deployed.page, 'text/html');
  });
  document.head.innerHTML = '';
  useWorker.setState({ supported: true, updateReady: false, tookOver: false });
  useBoardNews.setState(useBoardNews.getInitialState(), true);
  stop = takeUpdatesQuietly();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** Waits until everything that was begun has settled, the time that a worker has to take over included. */
const settle = () => pass(5 * SECOND);

function ready(worker: string) {
  deployed = { worker, page: page('/assets/index-1.js') };
  useWorker.setState({ updateReady: true });
}

it('installs a ready version within a minute or two, and tries again only if that failed', async () => {
  ready('version 2');
  await pass(MINUTE);
  await settle();
  expect(reloads).toHaveLength(1);

  // The version is still said to be ready: something is wrong with it, and more reloads would not mend it.
  await pass(58 * MINUTE);
  expect(reloads).toHaveLength(1);
  await pass(22 * HOUR);
  expect(reloads).toHaveLength(2);
});

it('reloads once more when the worker took over only after the page was reloaded for it', async () => {
  ready('version 2');
  await pass(MINUTE);
  await settle();
  expect(reloads).toHaveLength(1);
  // It did not take over: the page that came is still the first version's, and no version waits.
  useWorker.setState({ updateReady: false });
  await pass(3 * MINUTE);
  vi.mocked(location.reload).mockImplementationOnce(() => {
    reloads.push(Date.now());
    useWorker.setState({ updateReady: false, tookOver: false });
  });
  useWorker.setState({ updateReady: true, tookOver: true });
  await pass(58 * MINUTE);
  expect(reloads).toHaveLength(2);
  expect(reloads[1]! - reloads[0]!).toBeLessThan(6 * MINUTE);
});

it('soon takes a version that was deployed while another waited', async () => {
  let waiting = 'files of version 2';
  const worker = {
    postMessage: (_: unknown, [port]: MessagePort[]) => port!.postMessage(waiting, []),
  };
  vi.stubGlobal('navigator', {
    ...navigator,
    serviceWorker: { controller: worker, getRegistration: async () => ({ waiting: worker }) },
  });
  useBoardNews.setState({ criticals: new Map([['c', Date.now()]]) });
  ready('version 2');
  await pass(5 * MINUTE);
  deployed = { worker: 'version 3', page: page('/assets/index-1.js') };
  await pass(6 * MINUTE);
  await settle();
  expect(reloads).toHaveLength(1);

  waiting = 'files of version 3';
  await pass(2 * MINUTE);
  await settle();
  expect(reloads).toHaveLength(2);
  // A fault of the version must not cause a loop of reloads.
  await pass(56 * MINUTE);
  expect(reloads).toHaveLength(2);
});

it('takes the server’s version if the worker does not say which version it holds', async () => {
  const silent = { postMessage: () => {} };
  vi.stubGlobal('navigator', {
    ...navigator,
    serviceWorker: { controller: silent, getRegistration: async () => ({ waiting: silent }) },
  });
  const patience = new AbortController();
  const real = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (ms === 5000 ? patience.signal : real(ms)));
  ready('version 2');
  await pass(2 * MINUTE);
  expect(reloads).toHaveLength(0);
  patience.abort();
  await settle();
  expect(reloads).toHaveLength(1);
});

it('waits while a critical alert is newer than 10 minutes', async () => {
  useBoardNews.setState({ criticals: new Map([['c', Date.now()]]) });
  ready('version 2');
  await pass(10 * MINUTE - 10);
  expect(reloads).toHaveLength(0);
  await pass(MINUTE);
  await settle();
  expect(reloads).toHaveLength(1);
});

it('waits until nothing has been new for 60 s, but never beyond 04:00 in London', async () => {
  ready('version 2');
  const busy = setInterval(() => useBoardNews.setState({ changedAt: Date.now() }), 30 * SECOND);
  useBoardNews.setState({ changedAt: Date.now(), criticals: new Map([['c', Date.now()]]) });
  await pass(15 * HOUR + 39 * MINUTE);
  expect(reloads).toHaveLength(0);
  await pass(21 * MINUTE);
  await settle();
  clearInterval(busy);
  expect(reloads).toHaveLength(1);
});

it('does not reload while the server is away', async () => {
  ready('version 2');
  deployed = null;
  await pass(HOUR);
  expect(reloads).toHaveLength(0);
  ready('version 2');
  await pass(MINUTE);
  await settle();
  expect(reloads).toHaveLength(1);
});

it('does not alternate between two servers of different versions', async () => {
  for (let turn = 0; turn < 60; turn += 1) {
    ready(`version ${1 + (turn % 2)}`);
    await pass(5 * MINUTE);
  }
  expect(reloads.length).toBeLessThanOrEqual(4);
});

it('goes back to an older version that it left more than a day ago', async () => {
  for (const version of ['version 2', 'version 3']) {
    ready(version);
    await pass(25 * HOUR);
  }
  const before = reloads.length;
  ready('version 2');
  await pass(MINUTE);
  await settle();
  expect(reloads).toHaveLength(before + 1);
});

it('finds a new version without a worker, by the script in the page', async () => {
  useWorker.setState({ supported: false });
  document.head.append(document.createRange().createContextualFragment(page('/assets/index-1.js')));
  await pass(30 * MINUTE);
  expect(reloads).toHaveLength(0);

  deployed = { worker: 'version 2', page: '<h1>Hotel Wi-Fi</h1>' };
  await pass(30 * MINUTE);
  expect(reloads).toHaveLength(0);

  deployed = { worker: 'version 2', page: page('/assets/index-2.js') };
  await pass(7 * MINUTE);
  expect(reloads).toHaveLength(1);
});

it('looks again within minutes when the clock was set back, without waiting for it to catch up', async () => {
  useWorker.setState({ supported: false });
  document.head.append(document.createRange().createContextualFragment(page('/assets/index-1.js')));
  await pass(MINUTE);
  vi.setSystemTime(Date.now() - HOUR);
  deployed = { worker: 'version 2', page: page('/assets/index-2.js') };
  await pass(7 * MINUTE);
  expect(reloads).toHaveLength(1);
});

it('reloads two hundred displays at different times', async () => {
  stop();
  const loads: number[] = [];
  vi.mocked(location.reload).mockImplementation(() => void loads.push(Date.now()));
  useBoardNews.setState({ criticals: new Map([['c', Date.now()]]) });
  ready('version 2');
  // None of the two hundred tabs has taken it before.
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {} });
  const displays = Array.from({ length: 200 }, takeUpdatesQuietly);
  await pass(11 * MINUTE);
  displays.forEach((end) => end());
  const within5s = loads.map((at) => loads.filter((other) => other >= at && other < at + 5 * SECOND).length);
  expect(loads.length).toBeGreaterThanOrEqual(200);
  expect(Math.max(...within5s)).toBeLessThan(60); // a sixth of a minute's reloads, with room for chance
});

it.each(['{"half', 'null', '{}', '[null, 3, ["version 2"], ["version 2", "now"]]'])(
  'takes a version where its note in the tab’s store cannot be read: %s',
  async (note) => {
    sessionStorage.setItem('clearway_taken_versions', note);
    ready('version 2');
    await pass(MINUTE);
    await settle();
    expect(reloads).toHaveLength(1);
    await pass(30 * MINUTE);
    expect(reloads).toHaveLength(1);
  },
);
