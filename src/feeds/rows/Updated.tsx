import { ageText, inSentence } from '../alerts/alerts.ts';
import { useClock } from '../../time/tickingClock.ts';

/** "Updated 2 minutes ago", kept up to date; nothing for an unknown time. */
export function Updated({ at }: { at: Date | null }) {
  const age = useClock((now) => (at ? ageText(at, now) : null));
  return at && <time dateTime={at.toISOString()}>Updated {age && inSentence(age)}</time>;
}
