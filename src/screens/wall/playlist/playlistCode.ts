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

/** Nothing for the first moments; missed from then on, until it is there. */
export function usePlaylistCode(): { Loaded: ComponentType | null; isMissed: boolean } {
  const [code, setCode] = useState({ Loaded: loaded, isMissed: false });
  useEffect(() => {
    let isGone = false;
    const miss = () => setCode(({ Loaded }) => ({ Loaded, isMissed: true }));
    const ask = async () => {
      try {
        const Loaded = await loadPlaylist();
        if (!isGone) setCode({ Loaded, isMissed: false });
        clearInterval(again);
        clearTimeout(patience);
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
  return code;
}
