import { useSyncExternalStore } from 'react';
import { useSession } from './session.ts';
import { Button } from '../ui/Button.tsx';
import { TempSign } from '../ui/TempSign.tsx';
import styles from './OfflineNotice.module.css';
import { applyUpdate, useWorker } from '../offline/serviceWorker.ts';

/** The app's own sign in its place under the fascia. */
export function OfflineNotice() {
  return (
    <div className={styles.place} role="status">
      <AppSign />
    </div>
  );
}

/**
 * What the app has to say about itself, one thing at a time: that it is offline, then that an update is ready, then
 * that there is no offline copy. A screen with signs of its own shows this one in their place when it has none up,
 * with `offlineSaid` if it speaks of the first itself.
 */
export function AppSign({ offlineSaid = false }: { offlineSaid?: boolean }) {
  const offline = useOffline();
  const { supported, updateReady } = useWorker();

  if (offline && !offlineSaid) {
    return <TempSign>Offline. Showing what this device has kept; it may be out of date.</TempSign>;
  }
  if (updateReady) {
    return (
      <TempSign>
        A new version is ready{' '}
        <Button kind="quiet" small className={styles.act} onClick={() => applyUpdate()}>
          Reload
        </Button>
      </TempSign>
    );
  }
  return supported ? null : <TempSign soft>No offline copy: open this address by https</TempSign>;
}

/** No network, or no word from the server about this session. */
function useOffline(): boolean {
  const unanswered = useSession((session) => session.offline);
  const online = useSyncExternalStore(watchNetwork, () => navigator.onLine);
  return unanswered || !online;
}

function watchNetwork(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
