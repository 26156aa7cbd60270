import { useEffect } from 'react';
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
import { noteShowing } from './kiosk/takenLayout.ts';
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

/** It keeps what it shows, with the code that pairs it again. */
function SignedOutWall({ at }: { at: Date }) {
  const { shown } = usePairingCode();
  const code = shown?.user_code ?? null;
  return <WallBoard signedOut={{ at, code, address: shown && addressOf(shown.verification_uri) }} />;
}
