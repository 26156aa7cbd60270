import { useEffect, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useDisplay } from './pairing/displayCredential.ts';
import { useHeartbeat } from './kiosk/heartbeat.ts';
import { usePairingCode } from './pairing/pairingCode.ts';
import { addressOf, PairingPage } from './pairing/PairingPage.tsx';
import { useScreenCare } from './kiosk/screenCare.ts';
import { WallBoard } from './WallBoard.tsx';
import { loadPlaylist, usePlaylistCode } from './playlist/playlistCode.ts';
import { noteShowing, wasPublic } from './kiosk/takenLayout.ts';
import { serverNow } from '../../time/freshness.ts';
import { useClock } from '../../time/tickingClock.ts';
import { useSeenByTeam } from './words/seenByTeam.ts';
import { useWallRoutes } from './lists/WallRoutes.tsx';
import { reloadAfterStrayErrors } from './kiosk/reloads.ts';
import { takeUpdatesQuietly } from './kiosk/updates.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { leaveWall } from './kiosk/remoteControl.ts';
import { useFacesLoaded } from './words/textFit.ts';
import edge from './ScreenEdge.module.css';
import { sleepWarning, useWakeLockState } from './kiosk/wakeLock.ts';

// The code of the playlist loads while the app finds out whose wall this is.
void loadPlaylist().catch(() => {}); // it is loaded again when it is needed

/** /disruptions?display=wall: the board for a user or a paired display; on any other screen a pairing code. */
export function WallPage() {
  useScreenCare();
  useSelfHealing();
  useFacesLoaded();

  return (
    <>
      <Wall />
      <ScreenEdge />
    </>
  );
}

/**
 * The wall of a signed-in user; otherwise that of this browser's pairing as a display; otherwise the code to pair it.
 */
function Wall() {
  const signedOut = useSession(({ status }) => status === 'signedOut');
  const display = useDisplay((state) => state.display);
  useHeartbeat(signedOut && display.state === 'paired');

  if (!signedOut) return <TeamWall />;
  // The key is the pairing, so that a waiting board loads at once after pairing again.
  if (display.state === 'paired') return <OwnWall key={display.pairing} />;
  if (display.state === 'signedOut') {
    return <SignedOutWall key={display.pairing} at={display.at} />;
  }
  return <PairingPage />;
}

function TeamWall() {
  useSeenByTeam('team');
  return <WallBoard routes={useWallRoutes('team')} />;
}

function OwnWall() {
  useSeenByTeam('display');
  const code = usePlaylistCode();
  if (code.Loaded) return <code.Loaded />;
  return code.isMissed ? <BoardAlone /> : null;
}

/** Shown when the code of layouts and messages has not loaded: a wall shows at least all feeds, and its report gives
 *  the reason. */
function BoardAlone() {
  useEffect(() => noteShowing('board', 'The pages could not be loaded'), []);
  return <WallBoard routes={useWallRoutes('display')} />;
}

/** A display that was signed out keeps its board, and shows the code to pair it again. If people pass by, the code
 *  appears only when somebody presses a key. */
function SignedOutWall({ at }: { at: Date }) {
  const { shown } = usePairingCode();
  const [isPublic] = useState(wasPublic);
  const isAsked = useKeyPressed();
  const code = shown?.user_code ?? null;
  const signedOut = { at, code, address: shown && addressOf(shown.verification_uri) };
  return <WallBoard large={isPublic} signedOut={isPublic && !isAsked ? null : signedOut} />;
}

const ASKED_MS = 2 * 60_000;

/** True for two minutes after a key or the pointer was pressed. */
function useKeyPressed(): boolean {
  const [at, setAt] = useState(0);
  useEffect(() => {
    const press = () => setAt(serverNow().getTime());
    addEventListener('keydown', press);
    addEventListener('pointerdown', press);
    return () => {
      removeEventListener('keydown', press);
      removeEventListener('pointerdown', press);
    };
  }, []);
  return useClock((now) => now.getTime() - at < ASKED_MS);
}

/** Runs a wall unattended: installs a new version at a quiet moment, and restarts a board that failed. */
export function useSelfHealing(): void {
  useEffect(takeUpdatesQuietly, []);
  useEffect(reloadAfterStrayErrors, []);
}

/** At the edges of the board: a way out for anyone who moves the mouse, and a warning when the screen can sleep. */
export function ScreenEdge() {
  const signedIn = useSession((session) => session.status === 'signedIn');
  const warning = useWakeLockState(({ state }) => sleepWarning(state, globalThis.isSecureContext !== false));

  return (
    <aside aria-label="This screen">
      {signedIn && (
        <div className={edge.exit}>
          <Button small onClick={leaveWall}>
            Exit
          </Button>
        </div>
      )}
      {warning && (
        <p className={edge.warning} data-tone="2" data-sleep-warning>
          {warning}
        </p>
      )}
    </aside>
  );
}
