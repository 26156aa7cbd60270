import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent } from 'react';
import type { Alert } from '../api/alerts/disruptions.ts';
import { listResponses } from '../api/shift/inHand.ts';
import { useRefreshed } from '../feeds/refresh/useRefreshed.ts';
import { waitingActions } from '../offline/actionStore.ts';
import { NOTHING_IN_HAND, useInHand, wantAnswers } from './inHand/inHandStore.ts';

const InHandFull = lazy(() => import('./InHandFull.tsx'));

/** Which of these alerts the team has in hand: their marks, the number of snoozed ones, and actions that are not
 *  sent yet. Only the request for this is loaded at first. The rest is loaded when there is something to show, when
 *  somebody looks closer, or at once with `full`. */
export default function InHand({
  alerts,
  asked = 0,
  changed = 0,
  full = false,
  onBoard = false,
}: {
  alerts: ReadonlyMap<string, Alert>;
  /** How often somebody has asked for a refresh by hand. */
  asked?: number;
  /** How often something was added on this page. */
  changed?: number;
  full?: boolean;
  onBoard?: boolean;
}): ReactNode {
  const { data, at, refresh, renew } = useRefreshed('responses', listResponses);
  const again = useEffectEvent(refresh);
  useEffect(() => {
    if (asked > 0) again();
  }, [asked]);
  const afterChange = useEffectEvent(() => void renew());
  useEffect(() => {
    if (changed > 0) afterChange();
  }, [changed]);
  const isWanted = useInHand((state) => state.isWanted);
  const hasSome = full || (data?.responses.length ?? 0) > 0 || (data?.reports?.length ?? 0) > 0;

  useEffect(() => {
    const look = async () => {
      if (hasSome || (await waitingActions()).length > 0) wantAnswers();
    };
    void look();
  }, [hasSome]);
  useEffect(() => () => useInHand.setState(NOTHING_IN_HAND), []);

  return (
    isWanted && (
      <Suspense fallback={null}>
        <InHandFull alerts={alerts} data={data} at={at} refresh={renew} onBoard={onBoard} />
      </Suspense>
    )
  );
}
