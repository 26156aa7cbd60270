import { useEffect } from 'react';
import { listResponses } from '../api/inHand.ts';
import { responsesOf } from '../api/responses.ts';
import { useRefreshed } from '../feeds/useRefreshed.ts';
import { seenWords } from '../shift/inHandWords.ts';
import { useClock } from '../time/clock.ts';
import { useSeen } from './seen.ts';

const MINUTE_MS = 60_000;

/**
 * Keeps a wall's "Seen by Rosa, 06:12" current. A paired display gets first names where its setting allows; whose
 * account somebody else is signed in with says nothing about who may pass the screen, so that wall shows none.
 */
export function useSeenByTeam(of: 'team' | 'display'): void {
  const { data } = useRefreshed('responses', listResponses, 'unattended');
  const minute = useClock((now) => Math.floor(now.getTime() / MINUTE_MS));

  useEffect(() => {
    const now = new Date(minute * MINUTE_MS);
    const seen = (data ? responsesOf(data) : []).flatMap((state) => {
      const words = seenWords(state, now, { names: of === 'display' });
      return words ? [[state.event_id, words] as const] : [];
    });
    useSeen.setState(Object.fromEntries(seen), true);
  }, [data, minute, of]);
}
