import { useSession } from '../session/session.ts';
import { Button } from '../ui/Button.tsx';
import { leaveWall } from '../kiosk/remoteControl.ts';
import styles from './ScreenEdge.module.css';
import { sleepWarning } from '../kiosk/wakeLock.ts';
import { useWakeLockState } from '../kiosk/wakeLockState.ts';

/** Round the board, in nobody's way: the way out for a hand on the mouse, and a warning of a screen that may sleep. */
export function ScreenEdge() {
  const signedIn = useSession((session) => session.status === 'signedIn');
  const warning = useWakeLockState(({ state }) => sleepWarning(state, globalThis.isSecureContext !== false));

  return (
    <>
      {signedIn && (
        <div className={styles.exit}>
          <Button small onClick={leaveWall}>
            Exit
          </Button>
        </div>
      )}
      {warning && <p className={styles.warning}>{warning}</p>}
    </>
  );
}
