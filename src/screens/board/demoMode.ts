/** Demo or Live, kept in this browser. Demo data cannot pass for live: the board says so while it is on. */
import { create } from 'zustand';
import { browserStore } from '../../device/browserStorage.ts';

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
