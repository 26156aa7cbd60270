/** The worker that keeps the app and the board usable without network: registering it, updating it, emptying it. */
import type { Workbox } from 'workbox-window';
import { create } from 'zustand';
import { PRIVATE_CACHES, type WorkerMessage } from '../../sw/messages.ts';
import { forgetAnswers } from '../api/knownAnswers.ts';
import { showBadge } from './appBadge.ts';
import { clearSnapshots } from './snapshot.ts';

const UPDATE_CHECK_MS = 60 * 60_000;
/** After an install that failed, doubled each time up to the longest: bad mobile data loses files for a while. */
const FIRST_INSTALL_RETRY_MS = 5000;
const LONGEST_INSTALL_RETRY_MS = 10 * 60_000;
const PURGE_PATIENCE_MS = 2000;
const TAKEOVER_PATIENCE_MS = 4000;

interface WorkerState {
  /** False on plain http from another machine: the browser allows no worker, so there will be no offline copy. */
  supported: boolean;
  /** A newer version is installed and waits for `applyUpdate`. */
  updateReady: boolean;
}

export const useWorker = create<WorkerState>(() => ({
  supported: 'serviceWorker' in navigator,
  updateReady: false,
}));

let reloading = false;
let takeUpdate: (patienceMs: number) => void = () => location.reload();
let askForUpdate = async () => {};

/** Looks for a new version now; `useWorker` tells when one is ready. Cheap: one small file, asked for by its mark. */
export const lookForUpdate = () => void askForUpdate().catch(() => {});

/** Installs the worker and looks for a new version every hour. Never fails: the app works without it. */
export async function startServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  let controlled = Boolean(navigator.serviceWorker.controller);
  try {
    const { Workbox } = await import('workbox-window');
    const workbox = new Workbox('/sw.js');

    workbox.addEventListener('waiting', () => {
      // Also where another tab has taken one before it.
      takeUpdate = (patienceMs) => {
        workbox.messageSkipWaiting();
        setTimeout(() => location.reload(), patienceMs);
      };
      useWorker.setState({ updateReady: true });
    });
    workbox.addEventListener('controlling', () => {
      if (reloading) return location.reload();
      // The first worker of all takes over the page that installed it, and nothing is out of date.
      if (controlled) {
        // Another tab took the update. Pages of the older version, which this one might still ask for, are gone.
        useWorker.setState({ updateReady: true });
        takeUpdate = () => location.reload();
      }
      controlled = true;
    });

    await installed(workbox);
    askForUpdate = () => workbox.update();
    setInterval(lookForUpdate, UPDATE_CHECK_MS);
    // An active worker's first claim passes over a page that was still loading.
    const { active } = await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
      active?.postMessage({ type: 'CLAIM' } satisfies WorkerMessage, []);
  } catch {
    /* a browser that forbids workers costs the offline copy, nothing else */
  }
}

/** Registers the worker, as often as it takes: one file of the app that is lost on the way undoes the whole install. */
async function installed(workbox: Workbox): Promise<void> {
  for (let wait = FIRST_INSTALL_RETRY_MS; ; wait = Math.min(wait * 2, LONGEST_INSTALL_RETRY_MS)) {
    const registration = await workbox.register().catch(() => undefined);
    if (registration?.active || (await isInstalled(registration?.installing))) return;
    await pause(wait);
  }
}

/** Whether the worker that is being installed got as far as taking over or waiting to. */
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

/** Changes over to the version that waits, and loads the page again when that has taken over, or `patienceMs` later. */
export function applyUpdate(patienceMs = TAKEOVER_PATIENCE_MS) {
  reloading = true;
  takeUpdate(patienceMs);
}

/**
 * Deletes every copy of what a user saw: this page's, the worker's, and the snapshots. `scope` is the session that ended.
 * Waits for the worker, but not for long: nobody stays signed in because a worker is slow.
 */
export async function purgeOfflineCopies(scope: string | null): Promise<void> {
  forgetAnswers();
  await Promise.race([
    Promise.allSettled([
      showBadge(0),
      clearSnapshots(),
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
