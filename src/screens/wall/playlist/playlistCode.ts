/**
 * The pages of a layout and messages are code of their own: a wall without a layout does not run them. It is loaded with the
 * wall, kept by the worker, and asked for again while it does not come; until then a board stands instead of nothing.
 */
import { type ComponentType, useEffect, useState } from 'react';

export const playlistCode = {
  load: async (): Promise<ComponentType> => (await import('./WallPlaylist.tsx')).WallPlaylist,
};

/** Code that the worker has is there sooner. */
const PATIENCE_MS = 3000;
const AGAIN_MS = 30_000;

let loaded: ComponentType | null = null;
let loading: Promise<ComponentType> | null = null;

export async function loadPlaylist(): Promise<ComponentType> {
  if (loaded) return loaded;
  loading ??= playlistCode.load();
  try {
    return (loaded = await loading);
  } finally {
    loading = null;
  }
}

/** Null while it is loaded for the first moments; `missing` from then on, until it is there. */
export function usePlaylistCode(): ComponentType | 'missing' | null {
  const [code, setCode] = useState<{ now: ComponentType | 'missing' | null }>({ now: loaded });
  useEffect(() => {
    let isGone = false;
    const miss = () => setCode(({ now }) => ({ now: now ?? 'missing' }));
    const ask = async () => {
      try {
        const Playlist = await loadPlaylist();
        if (!isGone) setCode({ now: Playlist });
        clearInterval(again);
      } catch {
        if (!isGone) miss();
      }
    };
    const again = setInterval(() => void ask(), AGAIN_MS);
    const patience = setTimeout(miss, PATIENCE_MS);
    void ask();
    return () => {
      isGone = true;
      clearInterval(again);
      clearTimeout(patience);
    };
  }, []);
  return code.now;
}
