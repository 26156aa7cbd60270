import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { tabStore } from '../device/browserStorage.ts';
import { noteReload } from '../screens/wall/kiosk/reloads.ts';
import styles from './lazyPage.module.css';
import { useSession } from '../session/session.ts';

export interface LazyPage {
  /** `children` are shown together with the page, not before it. */
  (props: { children?: ReactNode }): ReactNode;
  /** Loads the page's code ahead. If that fails, the page itself handles it later. */
  preload(): void;
}

/**
 * A page whose code is loaded when it is first opened. After a deployment the running app may request files that no
 * longer exist: then it reloads itself once, and shows the error page if that did not help. `name` identifies the
 * page. React's `lazy` is not used, because once its fallback is drawn, React keeps it for 300 ms, however soon the
 * page is there.
 */
export function lazyPage<Name extends string>(
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
): LazyPage {
  const key = `clearway_reloaded_for_${name}`;
  let loaded: ComponentType | null = null;
  let loading: Promise<ComponentType> | null = null;

  const get = async (): Promise<ComponentType> => {
    try {
      loaded = (await load())[name];
      tabStore.remove(key);
      return loaded;
    } catch (error) {
      loading = null;
      if (tabStore.get(key) || !tabStore.set(key, 'yes')) throw error;
      noteReload();
      location.reload();
      return new Promise<never>(() => {}); // never resolves: the reload replaces the page
    }
  };
  const getOnce = () => (loading ??= get());

  function Page({ children }: { children?: ReactNode }) {
    const [state, setState] = useState<{ Loaded: ComponentType | null; failure?: unknown }>({
      Loaded: loaded,
    });
    useEffect(() => {
      let isGone = false;
      getOnce().then(
        (Loaded) => isGone || setState({ Loaded }),
        (failure: unknown) => isGone || setState({ Loaded: null, failure }),
      );
      return () => {
        isGone = true;
      };
    }, []);

    // The error page shows this failure.
    if (state.failure) throw state.failure;
    if (!state.Loaded) return <Loading />;
    return (
      <>
        <state.Loaded />
        {children}
      </>
    );
  }

  return Object.assign(Page, { preload: () => void getOnce().catch(() => {}) });
}

/** Shown until it is known who is signed in, or while a page's code loads. */
export function Loading() {
  const offline = useSession((session) => session.offline);

  return (
    <div className={styles.loading} data-stack data-text="lead" role="status">
      <p>Loading...</p>
      {offline && (
        <p data-text="line" data-tone="2">
          The server cannot be reached. Trying again.
        </p>
      )}
    </div>
  );
}
