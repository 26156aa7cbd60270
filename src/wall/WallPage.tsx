import { useSession } from '../session/session.ts';
import { PairingPage } from './PairingPage.tsx';
import { useScreenCare } from './screenCare.ts';
import { ScreenEdge } from './ScreenEdge.tsx';
import { useSelfHealing } from './selfHealing.ts';
import { WallBoard } from './WallBoard.tsx';

/** /disruptions?display=wall: the board for whoever may see it, a pairing code for a screen that nobody has let in. */
export function WallPage() {
  const status = useSession((session) => session.status);
  useScreenCare();
  useSelfHealing();

  return (
    <>
      {status === 'signedOut' ? <PairingPage /> : <WallBoard />}
      <ScreenEdge />
    </>
  );
}
