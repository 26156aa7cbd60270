/** How much of each feed the board shows: whole rows, or Compact ones that fit on one screen. Kept on this device. */
import { create } from 'zustand';
import { browserStore } from '../../device/browserStorage.ts';

const STORED_AS = 'board_density';

export const useDensity = create(() => ({ compact: browserStore.get(STORED_AS) === 'compact' }));

export function setCompact(compact: boolean): void {
  useDensity.setState({ compact });
  if (compact) browserStore.set(STORED_AS, 'compact');
  else browserStore.remove(STORED_AS);
}
