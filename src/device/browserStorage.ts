import { useState } from 'react';

/** The browser's storage for the app, and for one tab. If it is forbidden or full, the value stays in memory:
 *  everything works, but a reload loses the value. */
function store(storage: () => Storage) {
  const remembered = new Map<string, string>();

  const get = (key: string): string | null => {
    try {
      return remembered.get(key) ?? storage().getItem(key);
    } catch {
      return null;
    }
  };

  const remove = (key: string): void => {
    remembered.delete(key);
    try {
      storage().removeItem(key);
    } catch {
      /* By design: storage is forbidden, so nothing is stored. */
    }
  };

  /** False if the value is lost when the page is closed. */
  const set = (key: string, value: string): boolean => {
    try {
      storage().setItem(key, value);
      remembered.delete(key);
      return true;
    } catch {
      remove(key); // otherwise the old value, such as a used token, would come back on the next page
      remembered.set(key, value);
      return false;
    }
  };

  /** Whether a value that is set now would outlive the page. */
  const keeps = (): boolean => {
    const kept = set('clearway_probe', 'yes');
    remove('clearway_probe');
    return kept;
  };

  return { get, set, remove, keeps };
}

export const browserStore = store(() => localStorage);
export const tabStore = store(() => sessionStorage);

/** A switch of this device: on until somebody turns it off. */
export function useStoredSwitch(key: string): [isOn: boolean, turn: (on: boolean) => void] {
  const [isOn, setOn] = useState(() => browserStore.get(key) !== 'off');
  const turn = (on: boolean) => {
    browserStore.set(key, on ? 'on' : 'off');
    setOn(on);
  };
  return [isOn, turn];
}
