import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

type Code = typeof import('../../../../../src/screens/wall/playlist/playlistCode.ts');
let code: Code;
const Playlist = () => null;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  code = await import('../../../../../src/screens/wall/playlist/playlistCode.ts');
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('is there from the first picture once it was loaded', async () => {
  code.playlistCode.load = async () => Playlist;
  await code.loadPlaylist();
  expect(renderHook(() => code.usePlaylistCode()).result.current.Loaded).toBe(Playlist);
});

it('is missed at once if it cannot be loaded, and requested again until it is there', async () => {
  let isThere = false;
  code.playlistCode.load = async () => {
    if (!isThere) throw new Error('The file is gone');
    return Playlist;
  };
  const { result } = renderHook(() => code.usePlaylistCode());
  await pass(0);
  expect(result.current).toEqual({ Loaded: null, isMissed: true });
  isThere = true;
  await pass(30_000);
  expect(result.current).toEqual({ Loaded: Playlist, isMissed: false });
});

it('is waited for only a few seconds if it hangs, and taken whenever it comes', async () => {
  let come: (of: typeof Playlist) => void;
  code.playlistCode.load = () => new Promise((resolve) => (come = resolve));
  const { result } = renderHook(() => code.usePlaylistCode());
  await pass(2900);
  expect(result.current).toEqual({ Loaded: null, isMissed: false });
  await pass(200);
  expect(result.current).toEqual({ Loaded: null, isMissed: true });
  come!(Playlist);
  await pass(0);
  expect(result.current).toEqual({ Loaded: Playlist, isMissed: false });
});
