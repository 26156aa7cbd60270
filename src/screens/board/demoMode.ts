/** Demo or Live, stored in this browser. While Demo is on the board says so, so that nobody takes its data for live. */
import { create } from 'zustand';
import { browserStore } from '../../device/browserStorage.ts';
import { useCallback, useEffect, useState } from 'react';
import { NO_OUTLOOK } from '../../api/alerts/feeds.ts';
import { serverNow } from '../../time/freshness.ts';
import type { BoardView } from '../../feeds/refresh/useBoard.ts';

const STORED_AS = 'demo_mode';

export const useDemoMode = create(() => ({ demo: browserStore.get(STORED_AS) === 'true' }));

export function setDemo(demo: boolean): void {
  useDemoMode.setState({ demo });
  if (demo) browserStore.set(STORED_AS, 'true');
  else browserStore.remove(STORED_AS);
}

/** `?demo=true` in the board's address switches to Demo, and keeps it. `?demo=false` goes back. */
export function setAskedDemo(asked: string | undefined): void {
  if (asked === 'true') setDemo(true);
  if (asked === 'false') setDemo(false);
}

// The board's sample rows. They are loaded when the user switches to Demo, with times from then on.

/** `again` gives the samples new times; after a failed load it tries again. */
export function useSamples(demo: boolean): { view: BoardView; again: () => void } {
  const [view, setView] = useState<BoardView>({ state: 'loading' });
  const again = useCallback(async () => setView(await loadSamples()), []);

  useEffect(() => {
    if (!demo) return undefined;
    let left = false;
    void loadSamples().then((loaded) => left || setView(loaded));
    return () => {
      left = true;
    };
  }, [demo]);

  return { view, again };
}

async function loadSamples(): Promise<BoardView> {
  try {
    const { demoFeeds } = await import('./demoFeeds.ts');
    const at = serverNow();
    return { state: 'ready', rows: demoFeeds(at), outlook: NO_OUTLOOK, at, changes: new Map() };
  } catch {
    return { state: 'empty', at: null }; // "Please try refreshing."
  }
}
