import { useEffect, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useDisplay } from './pairing/displayCredential.ts';
import { useHeartbeat } from './kiosk/heartbeat.ts';
import { usePairingCode } from './pairing/pairingCode.ts';
import { addressOf, PairingPage } from './pairing/PairingPage.tsx';
import { useScreenCare } from './kiosk/screenCare.ts';
import { ScreenEdge } from './ScreenEdge.tsx';
import { useSelfHealing } from './kiosk/selfHealing.ts';
import { WallBoard } from './WallBoard.tsx';
import { loadPlaylist, usePlaylistCode } from './playlist/playlistCode.ts';
import { noteShowing, wasPublic } from './kiosk/takenLayout.ts';
import { serverNow } from '../../time/freshness.ts';
import { useClock } from '../../time/tickingClock.ts';
import { useSeenByTeam } from './words/seenByTeam.ts';
import { useWallRoutes } from './lists/WallRoutes.tsx';

// While it is found out whose wall it is.
void loadPlaylist().catch(() => {}); // asked for again where it is needed

/** /disruptions?display=wall: the board for a user or a paired display; on any other screen a pairing code. */
export function WallPage() {
  useScreenCare();
  useSelfHealing();

  return (
    <>
      <Wall />
      <ScreenEdge />
    </>
  );
}

/** A signed-in user comes first, then this browser's pairing as a display, then the code that pairs it. */
function Wall() {
  const signedOut = useSession(({ status }) => status === 'signedOut');
  const display = useDisplay((state) => state.display);
  useHeartbeat(signedOut && display.state === 'paired');

  if (!signedOut) return <TeamWall />;
  // Keyed by the pairing: after pairing again, a board that was waiting asks at once.
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

/** Where the code of layouts and messages did not come: never less than all feeds, and the heartbeat says why. */
function BoardAlone() {
  useEffect(() => noteShowing('board', 'The pages could not be loaded'), []);
  return <WallBoard routes={useWallRoutes('display')} />;
}

/** It keeps what it shows, with the code that pairs it again; where people pass by only once somebody asks for it. */
function SignedOutWall({ at }: { at: Date }) {
  const { shown } = usePairingCode();
  const [isPublic] = useState(wasPublic);
  const isAsked = useKeyPressed();
  const code = shown?.user_code ?? null;
  const signedOut = { at, code, address: shown && addressOf(shown.verification_uri) };
  return <WallBoard large={isPublic} signedOut={isPublic && !isAsked ? null : signedOut} />;
}

const ASKED_MS = 2 * 60_000;

/** For two minutes after a key or the pointer was pressed. */
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
