import { useSyncExternalStore } from 'react';
import { useSession } from './session.ts';
import { Button } from '../ui/controls/Button.tsx';
import { ProductSign } from '../ui/signs/ProductSign.tsx';
import styles from './OfflineNotice.module.css';
import { applyUpdate, useWorker } from '../offline/serviceWorker.ts';

/** The app's own sign, below the navigation bar. */
export function OfflineNotice() {
  return (
    <div className={styles.place} role="status">
      <AppSign />
    </div>
  );
}

/** Messages of the app about itself, one at a time: it is offline, or an update is ready, or there is no offline
 *  copy. A screen with signs of its own shows this one only while it shows none of them. Such a screen sets
 *  `offlineSaid` if it says itself that the app is offline. */
export function AppSign({ offlineSaid = false }: { offlineSaid?: boolean }) {
  const offline = useOffline();
  const { supported, updateReady } = useWorker();

  if (offline && !offlineSaid) {
    return <ProductSign>Offline. Showing the copy on this device; it may be out of date.</ProductSign>;
  }
  if (updateReady) {
    return (
      <ProductSign>
        A new version is ready{' '}
        <Button kind="quiet" small className={styles.act} onClick={() => applyUpdate()}>
          Reload
        </Button>
      </ProductSign>
    );
  }
  return supported ? null : <ProductSign soft>No offline copy: open this address by https</ProductSign>;
}

/** Whether there is no network, or the server could not be asked about this session. */
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
