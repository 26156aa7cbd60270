import type { Alert } from '../../api/alerts/disruptions.ts';
import { newWords } from '../../feeds/alerts/alertTimes.ts';
import { serverNow } from '../../time/freshness.ts';
import { useClock } from '../../time/tickingClock.ts';
import { useChanges } from './changeStore.ts';

const UP = 'M12 2 22 13h-6.5v9h-7v-9H2z';
const DOWN = 'M12 22 2 11h6.5V2h7v9H22z';

/** An alert as the page shows it. */
export type Marked = Pick<Alert, 'event_id' | 'severity' | 'start_time' | 'since' | 'metadata' | 'trend'>;

export const useChangeMark = (alert: Marked) =>
  useChanges(({ marks }) => {
    const mark = marks[alert.event_id];
    if (mark?.severity && alert.severity && mark.severity !== alert.severity) return undefined;
    // The trend covers the last half hour. "Worse" since the shift began must not stand beside "easing".
    const { direction } = alert.trend ?? {};
    if ((mark?.arrow === 'up' && direction === 'easing') || (mark?.arrow === 'down' && direction === 'worse'))
      return undefined;
    return mark?.newAt && !newWords(mark.newAt, alert, serverNow()) ? undefined : mark;
  });

/** "Worse: was Medium" with an arrow up; nothing when nothing has changed. A narrow place can hide the part after the
 *  colon (`data-more`). */
export function ChangedMark({ of, className }: { of: Marked; className?: string | undefined }) {
  const mark = useChangeMark(of);
  const text = useClock((now) => (mark?.newAt ? newWords(mark.newAt, of, now) : mark?.text) ?? '');
  if (!mark) return null;

  const colon = text.indexOf(': ');
  return (
    <span className={className}>
      {mark.arrow && (
        <svg
          viewBox="0 0 24 24"
          aria-hidden="true"
          style={{
            display: 'inline',
            width: '0.8em',
            height: '0.8em',
            marginRight: '0.3em',
            fill: 'currentColor',
          }}
        >
          <path d={mark.arrow === 'up' ? UP : DOWN} />
        </svg>
      )}
      <span>
        {colon === -1 ? text : text.slice(0, colon)}
        {colon !== -1 && <span data-more>{text.slice(colon)}</span>}
      </span>
    </span>
  );
}
