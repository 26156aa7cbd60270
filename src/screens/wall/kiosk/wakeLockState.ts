import { create } from 'zustand';

/** - `refused`: the browser refused this time; `released`: it released the lock, or has not been asked yet
 *  - `unsupported`: an old browser, or plain http */
export type WakeLockState = 'held' | 'refused' | 'unsupported' | 'released';

/** Whether this screen is kept awake. */
export const useWakeLockState = create<{ state: WakeLockState }>(() => ({ state: 'released' }));
