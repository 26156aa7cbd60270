import { browserStore } from '../device/browserStorage.ts';

const KEY = 'theme';

/** The user's own choice of light or dark, when this browser keeps one; otherwise the system's. */
export function applyTheme() {
  const chosen = browserStore.get(KEY);
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
}
