/** Demo or Live, kept in this browser. Demo data can never pass for live: the board says so as long as it is on. */
import { create } from 'zustand';

const STORED_AS = 'demo_mode';

export const useDemoMode = create<{ demo: boolean }>(() => ({ demo: stored() }));

export function setDemo(demo: boolean): void {
  useDemoMode.setState({ demo });
  try {
    if (demo) localStorage.setItem(STORED_AS, 'true');
    else localStorage.removeItem(STORED_AS);
  } catch {
    /* A browser that keeps nothing still switches for this visit. */
  }
}

/** `?demo=true` in the board's address switches to Demo, and keeps it. `?demo=false` goes back. */
export function readDemoAddress(search: string): void {
  const asked = new URLSearchParams(search).get('demo');
  if (asked === 'true') setDemo(true);
  if (asked === 'false') setDemo(false);
}

function stored(): boolean {
  try {
    return localStorage.getItem(STORED_AS) === 'true';
  } catch {
    return false;
  }
}
