/** Reports of a paired display about itself, for the people who look after all displays. */
import { HEARTBEAT_MINUTES, type Heartbeat } from '#contract/displays/displays.ts';
import { useEffect } from 'react';
import { reportHeartbeat } from '../../../api/displays/displays.ts';
import { BOARD_SNAPSHOT } from '../../../feeds/refresh/useBoard.ts';
import { dataAge } from '../../../time/freshness.ts';
import { loadSnapshot } from '../../../offline/snapshot.ts';
import { BUILD, takeWhatIsAsked, useShowing, useTaken } from './takenLayout.ts';
import { useWakeLockState } from './wakeLock.ts';

const EVERY_MS = HEARTBEAT_MINUTES * 60_000;
/** The first reports come within this time at random, because many displays restart together after a power cut. */
const FIRST_WITHIN_MS = 30_000;
const LOOK_MS = 5000;

/** Reports while `paired`: soon after the start, then every five minutes by the clock, also after a sleep. */
export function useHeartbeat(paired: boolean): void {
  useEffect(() => {
    if (!paired) return;
    let dueAt = Date.now() + Math.random() * FIRST_WITHIN_MS;
    const look = () => {
      const now = Date.now();
      // If the next report is due far ahead, the clock was set back, so it reports now.
      if (now < dueAt && dueAt - now <= EVERY_MS) return;
      dueAt = now + EVERY_MS;
      void beat();
    };
    const timer = setInterval(look, LOOK_MS);
    // Somebody has given it new content, and waits to see that it is shown.
    const stop = takeWhatIsAsked(() => void beat());
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [paired]);
}

async function beat(): Promise<void> {
  try {
    await reportHeartbeat(await report());
  } catch {
    /* By design: the next report has the same content, and the board shows that the server cannot be reached. */
  }
}

async function report(): Promise<Heartbeat> {
  const shown = await loadSnapshot(BOARD_SNAPSHOT);
  return {
    build: BUILD,
    data_age_seconds: shown && Math.max(0, Math.round(dataAge(shown.at) / 1000)),
    screen: { width: innerWidth, height: innerHeight, pixel_ratio: devicePixelRatio },
    wake_lock: useWakeLockState.getState().state,
    visibility: document.visibilityState,
    heap_bytes: heapBytes(),
    ...showing(),
  };
}

/** The revision that the display has taken, and the page on screen. */
function showing(): Pick<Heartbeat, 'showing'> {
  const { showing: shown } = useShowing.getState();
  const rev = useTaken.getState().self?.rev;
  return shown && rev !== undefined ? { showing: { rev, ...shown } } : {};
}

/** The size of the heap; null outside Chromium, because only that reports it. */
function heapBytes(): number | null {
  const { memory } = performance as Performance & { memory?: { usedJSHeapSize: number } };
  return memory?.usedJSHeapSize ?? null;
}
