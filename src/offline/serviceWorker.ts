/** Registers, updates and empties the worker that keeps the app and the board usable offline. */
import { backOff } from '#contract/backOff.ts';
import type { Workbox } from 'workbox-window';
import { create } from 'zustand';
import { PRIVATE_CACHES, type WorkerMessage } from '../../sw/workerMessages.ts';
import { forgetAnswers } from '../api/knownAnswers.ts';
import { tabStore } from '../device/browserStorage.ts';
import { clearActions } from './actionStore.ts';
import { clearSnapshots } from './snapshot.ts';

const UPDATE_CHECK_MS = 60 * 60_000;
const UPDATE_PATIENCE_MS = 15_000;
/** The wait after a failed install, doubled each time up to a limit: bad mobile data loses files for a while. */
const FIRST_INSTALL_RETRY_MS = 5000;
const LONGEST_INSTALL_RETRY_MS = 10 * 60_000;
const PURGE_PATIENCE_MS = 2000;
const TAKEOVER_PATIENCE_MS = 4000;
/** Stored in the tab while it reloads for an update. The page that comes may reload again without a question. */
const AGREED_KEY = 'clearway_update_agreed';

interface WorkerState {
  /** False on plain http from another machine: the browser allows no worker there, so there is no offline copy. */
  supported: boolean;
  /** A newer version is installed and waits for `applyUpdate`. */
  updateReady: boolean;
  /** The newer version has taken over, and this page still belongs to the older one. */
  tookOver: boolean;
}

export const useWorker = create<WorkerState>(() => ({
  supported: 'serviceWorker' in navigator,
  updateReady: false,
  tookOver: false,
}));

declare global {
  /** The worker that controlled the page at its first script (public/first.js). */
  var firstController: ServiceWorker | null | undefined;
}

let reloading = false;
let takeUpdate: (patienceMs: number) => void = () => location.reload();
let askForUpdate = async () => {};

/** Looks for a new version now; `useWorker` shows when one is ready. It costs little: one small file, requested by
 *  its ETag. */
export const lookForUpdate = () => void askForUpdate().catch(() => {});

/** Installs the worker and looks for a new version every hour. Never fails: the app works without it. */
export async function startServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  watchTakeovers();
  try {
    const { Workbox } = await import('workbox-window');
    const workbox = new Workbox('/sw.js');

    const offer = () => {
      // This also works when another tab has applied an update earlier.
      takeUpdate = (patienceMs) => {
        workbox.messageSkipWaiting();
        setTimeout(() => location.reload(), patienceMs);
      };
      useWorker.setState({ updateReady: true, tookOver: false });
    };
    workbox.addEventListener('waiting', offer);

    const registration = await installed(workbox);
    askForUpdate = async () => {
      // On a line that is open but silent the browser's own check never ends, and all later ones would wait for it.
      const signal = AbortSignal.timeout(UPDATE_PATIENCE_MS);
      await (await fetch('/sw.js', { cache: 'no-cache', signal })).text();
      await workbox.update();
      // The library watches only one later version. If its install fails, the library does not report that the next
      // one waits.
      if (registration?.waiting) offer();
    };
    setInterval(lookForUpdate, UPDATE_CHECK_MS);
    // When an active worker first claims pages, it misses a page that is still loading.
    const { active } = await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
      active?.postMessage({ type: 'CLAIM' } satisfies WorkerMessage, []);
  } catch {
    /* By design: a browser that forbids workers has no offline copy, and nothing else is lost. */
  }
}

/** Offers a reload when a newer version takes over this page. The library watches for that only when the page is loaded
 *  whole. After `applyUpdate` has lost its patience, the version may take over a page that is still loading: that page
 *  is the older version's, and no version waits that could be offered. */
function watchTakeovers() {
  const { serviceWorker } = navigator;
  const agreed = tabStore.get(AGREED_KEY) !== null;
  tabStore.remove(AGREED_KEY);
  let controller =
    globalThis.firstController === undefined ? serviceWorker.controller : globalThis.firstController;
  const look = () => {
    if (serviceWorker.controller === controller) return;
    const before = controller;
    controller = serviceWorker.controller;
    if (reloading || (before && agreed && document.readyState !== 'complete')) return location.reload();
    // The very first worker takes over the page that installed it, and nothing is out of date.
    if (!before) return;
    // Files of the older version, which this tab may still request, are gone.
    useWorker.setState({ updateReady: true, tookOver: true });
    takeUpdate = () => location.reload();
  };
  serviceWorker.addEventListener('controllerchange', look);
  look();
}

/** Registers the worker, and tries until it succeeds: one file that fails to load undoes the whole install. */
async function installed(workbox: Workbox): Promise<ServiceWorkerRegistration | undefined> {
  for (let failures = 0; ; failures += 1) {
    const registration = await workbox.register().catch(() => undefined);
    if (registration?.active || (await isInstalled(registration?.installing))) return registration;
    await pause(backOff(failures, FIRST_INSTALL_RETRY_MS, LONGEST_INSTALL_RETRY_MS));
  }
}

/** Whether the installing worker has become active or is waiting. */
function isInstalled(worker: ServiceWorker | null | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      if (!worker || worker.state === 'redundant') resolve(false);
      else if (worker.state !== 'installing') resolve(true);
    };
    worker?.addEventListener('statechange', look);
    look();
  });
}

/** Switches to the waiting version. Reloads the page when that version has taken over, or after `patienceMs`. */
export function applyUpdate(patienceMs = TAKEOVER_PATIENCE_MS) {
  reloading = true;
  tabStore.set(AGREED_KEY, 'yes');
  takeUpdate(patienceMs);
}

/** Deletes every copy of data that a user saw: this page's, the worker's, and the snapshots. `scope` is the session
 *  that ended. Waits only briefly for the worker, so that a slow worker does not delay signing out. */
export async function purgeOfflineCopies(scope: string | null): Promise<void> {
  forgetAnswers();
  await Promise.race([
    Promise.allSettled([
      showBadge(0),
      clearSnapshots(),
      clearActions(),
      deletePrivateCaches(),
      tellWorker({ type: 'PURGE', scope }),
    ]),
    pause(PURGE_PATIENCE_MS),
  ]);
}

async function deletePrivateCaches(): Promise<void> {
  if (!('caches' in globalThis)) return;
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PRIVATE_CACHES)).map((name) => caches.delete(name)),
  );
}

async function tellWorker(message: WorkerMessage): Promise<void> {
  const worker = (await navigator.serviceWorker?.getRegistration())?.active;
  if (!worker) return;

  const { port1, port2 } = new MessageChannel();
  const done = new Promise<void>((resolve) => {
    port1.addEventListener('message', () => resolve());
    port1.start();
  });
  worker.postMessage(message, [port2]);
  await done;
  port1.close();
}

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });

/** Sets the number on the installed app's icon: critical alerts of the board as last loaded. Some systems show none. */

export async function showBadge(criticals: number): Promise<void> {
  try {
    if (criticals > 0) await navigator.setAppBadge?.(criticals);
    else await navigator.clearAppBadge?.();
  } catch {
    /* By design: the app is not installed, or may not do this; the board shows the same number. */
  }
}
