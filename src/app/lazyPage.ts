import { lazy, type ComponentType } from 'react';
import { tabStore } from '../device/browserStorage.ts';
import { noteReload } from '../kiosk/reloads.ts';

/**
 * A page whose code is loaded when it is first opened. After a deployment the running app may request files that no
 * longer exist: then it reloads itself once, and shows the error page if that did not help. `name` identifies the
 * page.
 */
export function lazyPage(name: string, load: () => Promise<ComponentType>) {
  const key = `clearway_reloaded_for_${name}`;
  return lazy(async () => {
    try {
      const page = await load();
      tabStore.remove(key);
      return { default: page };
    } catch (error) {
      if (tabStore.get(key) || !tabStore.set(key, 'yes')) throw error;
      noteReload();
      location.reload();
      return new Promise<never>(() => {}); // never resolves: the reload replaces the page
    }
  });
}
