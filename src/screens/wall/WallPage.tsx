import { useSession } from '../../session/session.ts';
import { useDisplay } from './pairing/displayCredential.ts';
import { useHeartbeat } from './kiosk/heartbeat.ts';
import { usePairingCode } from './pairing/pairingCode.ts';
import { addressOf, PairingPage } from './pairing/PairingPage.tsx';
import { useScreenCare } from './kiosk/screenCare.ts';
import { ScreenEdge } from './ScreenEdge.tsx';
import { useSelfHealing } from './kiosk/selfHealing.ts';
import { WallBoard } from './WallBoard.tsx';
import { WallPlaylist } from './playlist/WallPlaylist.tsx';
import { useSeenByTeam } from './words/seenByTeam.ts';
import { useWallRoutes } from './lists/WallRoutes.tsx';

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
  return <WallPlaylist />;
}

/** It keeps what it shows, with the code that pairs it again. */
function SignedOutWall({ at }: { at: Date }) {
  const { shown } = usePairingCode();
  const code = shown?.user_code ?? null;
  return <WallBoard signedOut={{ at, code, address: shown && addressOf(shown.verification_uri) }} />;
}
