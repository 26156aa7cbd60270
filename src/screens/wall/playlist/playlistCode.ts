/** The pages of a layout and its messages are loaded as separate code, because a wall without a layout does not need
 *  them. The code is loaded with the wall, kept by the worker, and requested again until it comes. Until then a
 *  board is shown. */
import { type ComponentType, useEffect, useState } from 'react';

export const playlistCode = {
  load: async (): Promise<ComponentType> => (await import('./WallPlaylist.tsx')).WallPlaylist,
};

/** How long to wait before the code counts as missing. Code that the worker has comes sooner. */
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

/** Nothing in the first moments; after that `isMissed`, until the code is there. */
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
