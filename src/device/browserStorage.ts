/**
 * What the browser keeps for the app, and for one tab. Where it forbids that or has no room, the value is remembered as
 * long as the page lives: everything works, and is asked for again once the page is loaded anew.
 */
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
      /* there is nothing then */
    }
  };

  /** False when the value will not outlive the page. */
  const set = (key: string, value: string): boolean => {
    try {
      storage().setItem(key, value);
      remembered.delete(key);
      return true;
    } catch {
      remove(key); // the one before would come back with the next page: a token that was traded, say
      remembered.set(key, value);
      return false;
    }
  };

  /** Whether what is set now would outlive the page. */
  const keeps = (): boolean => {
    const kept = set('clearway_probe', 'yes');
    remove('clearway_probe');
    return kept;
  };

  return { get, set, remove, keeps };
}

export const browserStore = store(() => localStorage);
export const tabStore = store(() => sessionStorage);
