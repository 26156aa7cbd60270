/** The board's sample rows: they are loaded when somebody switches to Demo, with times as of then. */
import { useCallback, useEffect, useState } from 'react';
import { NO_OUTLOOK } from '../../api/alerts/feeds.ts';
import { serverNow } from '../../time/freshness.ts';
import type { BoardView } from '../../feeds/refresh/useBoard.ts';

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
