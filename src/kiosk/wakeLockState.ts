import { create } from 'zustand';

/** - `refused`: the browser would not, this time; `released`: it took the lock back, or has not been asked yet
 *  - `unsupported`: it never will here: an old browser, or plain http */
export type WakeLockState = 'held' | 'refused' | 'unsupported' | 'released';

/** Whether this screen is kept from going to sleep. */
export const useWakeLockState = create<{ state: WakeLockState }>(() => ({ state: 'released' }));
