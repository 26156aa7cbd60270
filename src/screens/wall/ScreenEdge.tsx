import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { leaveWall } from './kiosk/remoteControl.ts';
import styles from './ScreenEdge.module.css';
import { sleepWarning, useWakeLockState } from './kiosk/wakeLock.ts';

/** At the edges of the board: a way out for anyone who moves the mouse, and a warning when the screen can sleep. */
export function ScreenEdge() {
  const signedIn = useSession((session) => session.status === 'signedIn');
  const warning = useWakeLockState(({ state }) => sleepWarning(state, globalThis.isSecureContext !== false));

  return (
    <aside aria-label="This screen">
      {signedIn && (
        <div className={styles.exit}>
          <Button small onClick={leaveWall}>
            Exit
          </Button>
        </div>
      )}
      {warning && (
        <p className={styles.warning} data-tone="2" data-sleep-warning>
          {warning}
        </p>
      )}
    </aside>
  );
}
