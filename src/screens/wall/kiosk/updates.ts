/** Installs a new version of the app at a quiet moment, because nobody is there to press Reload. */
import { REQUEST_TIMEOUT_MS } from '../../../api/http.ts';
import type { WorkerMessage } from '../../../../sw/workerMessages.ts';
import { isQuiet, useBoardNews } from '../../../feeds/refresh/boardNews.ts';
import { serverNow } from '../../../time/freshness.ts';
import { applyUpdate, lookForUpdate, useWorker } from '../../../offline/serviceWorker.ts';
import { tabStore } from '../../../device/browserStorage.ts';
import { formatClock } from '../../../time/london.ts';
import { deployedVersion, digest, noteReload } from './reloads.ts';

const LOOK_MS = 60_000;
const CHECK_MS = 5 * 60_000;
/** It is long, because nobody waits. A page that is reloaded too soon still has the old version, and the new one is
 *  not tried again. */
const TAKEOVER_PATIENCE_MS = 60_000;

/** An update is installed by 04:00 in London, even on the busiest day. Each display picks a minute of its own. */
const NIGHT_FROM_MINUTES = 3 * 60 + 40;
const NIGHT_LAST_MINUTES = 3 * 60 + 58;
const NIGHT_TO_MINUTES = 4 * 60;

/** Within a day a version is installed once, and once more an hour later if that did not help. Otherwise two servers
 *  with different versions would keep a screen reloading. After a day an older version may return, so that an
 *  operator can roll back. */
const TAKEN_FOR_MS = 24 * 60 * 60_000;
const SECOND_TRY_MS = 60 * 60_000;
const TAKEN_KEY = 'clearway_taken_versions';
const MOST_REMEMBERED = 20;

/** How long a worker has to answer: it may have to be started first. */
const SAYS_WITHIN_MS = 5000;

/** Looks for new versions and installs them, until the returned function is called. */
export function takeUpdatesQuietly(): () => void {
  const nightly = NIGHT_FROM_MINUTES + Math.random() * (NIGHT_LAST_MINUTES - NIGHT_FROM_MINUTES);
  let checkedAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  const look = async () => {
    const now = Date.now();
    if (Math.abs(now - checkedAt) >= CHECK_MS) {
      checkedAt = now;
      lookForUpdate();
      if (!navigator.serviceWorker?.controller) await lookWithoutWorker();
    }
    if (useWorker.getState().updateReady && mayTake(nightly)) await take();
    if (!stopped) timer = setTimeout(() => void look(), LOOK_MS);
  };
  // A new version appears for all displays at once, so each looks at a second of its own.
  timer = setTimeout(() => void look(), Math.random() * LOOK_MS);

  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

function mayTake(nightly: number): boolean {
  const now = serverNow();
  const [hours, minutes] = formatClock(now).split(':').map(Number);
  const minuteOfDay = hours! * 60 + minutes!;
  const isNight = minuteOfDay >= nightly && minuteOfDay <= NIGHT_TO_MINUTES;
  return isNight || isQuiet(useBoardNews.getState(), now.getTime());
}

async function take(): Promise<void> {
  const deployed = await deployedVersion();
  // If the server does not answer, a reload might fail.
  if (deployed === null) return;
  // While it waited, a still newer version may have been deployed. That one comes next, and must not count as
  // installed.
  const { serviceWorker } = navigator;
  const worker = (await serviceWorker?.getRegistration())?.waiting ?? serviceWorker?.controller;
  const version = (worker && (await versionOf(worker))) ?? deployed;
  // A worker that took over after the page was reloaded still has that version: it needs one more reload, but no
  // other install.
  if (!remember(version) && !useWorker.getState().tookOver) return;
  noteReload();
  applyUpdate(TAKEOVER_PATIENCE_MS);
}

/** The version that a worker holds; null for a worker that does not answer, such as one of an older version. */
async function versionOf(worker: ServiceWorker): Promise<string | null> {
  const { port1, port2 } = new MessageChannel();
  const said = new Promise<string | null>((resolve) => {
    port1.addEventListener('message', ({ data }) => resolve(digest(String(data))));
    port1.start();
    AbortSignal.timeout(SAYS_WITHIN_MS).addEventListener('abort', () => resolve(null));
  });
  worker.postMessage({ type: 'VERSION' } satisfies WorkerMessage, [port2]);
  const version = await said;
  port1.close();
  return version;
}

/** Notes an install. False when the version was installed often enough, or when that cannot be stored, because it
 *  could then be installed for ever. */
function remember(version: string): boolean {
  const now = Date.now();
  const since = (at: number) => Math.abs(now - at);
  const taken = takenVersions().filter(([, at]) => since(at) < TAKEN_FOR_MS);
  const before = taken.filter(([name]) => name === version);
  if (before.length > 1 || before.some(([, at]) => since(at) < SECOND_TRY_MS)) return false;
  const kept = [...taken, [version, now]].slice(-MOST_REMEMBERED);
  return tabStore.set(TAKEN_KEY, JSON.stringify(kept));
}

type Taken = [name: string, at: number];

/** Empty if the stored value is not valid: an older app or another script of this origin may have written it. */
function takenVersions(): Taken[] {
  try {
    const found: unknown = JSON.parse(tabStore.get(TAKEN_KEY) ?? '[]');
    return Array.isArray(found) ? found.filter(isTaken) : [];
  } catch {
    return [];
  }
}

const isTaken = (entry: unknown): entry is Taken =>
  Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number';

/** On plain http no worker finds a new version. Instead, the page of a new version names another script. */
async function lookWithoutWorker(): Promise<void> {
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  try {
    const answer = await fetch('/', { cache: 'no-cache', signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    const page = await answer.text();
    const isOurs = answer.ok && page.includes('id="root"');
    if (own && isOurs && !page.includes(`"${own}"`)) useWorker.setState({ updateReady: true });
  } catch {
    /* By design: it asks again in five minutes. */
  }
}
