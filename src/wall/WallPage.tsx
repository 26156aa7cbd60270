import { useSession } from '../session/session.ts';
import { useDisplay } from '../pairing/displayCredential.ts';
import { useHeartbeat } from '../kiosk/heartbeat.ts';
import { PairingCorner } from '../pairing/PairingCorner.tsx';
import { PairingPage } from '../pairing/PairingPage.tsx';
import { useScreenCare } from '../kiosk/screenCare.ts';
import { ScreenEdge } from './ScreenEdge.tsx';
import { useSelfHealing } from '../kiosk/selfHealing.ts';
import { WallBoard } from './WallBoard.tsx';

/** /disruptions?display=wall: the board for whoever may see it, a pairing code for a screen that nobody has let in. */
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

/** Whoever is signed in here comes first; then the display that this browser is; then the code that makes it one. */
function Wall() {
  const signedOut = useSession(({ status }) => status === 'signedOut');
  const display = useDisplay((state) => state.display);
  useHeartbeat(signedOut && display.state === 'paired');

  if (!signedOut) return <WallBoard />;
  // By the pairing: let in anew, a board that waited asks at once.
  if (display.state === 'paired') return <WallBoard key={display.pairing} />;
  if (display.state === 'signedOut') {
    return <WallBoard key={display.pairing} signedOutAt={display.at} corner={<PairingCorner />} />;
  }
  return <PairingPage />;
}
