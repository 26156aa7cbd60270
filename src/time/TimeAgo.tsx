import { useClock } from './tickingClock.ts';
import { formatDateTime, timeAgo, type Instant } from './london.ts';

/** "2 minutes ago", kept up to date, with the full time in its title. With `dated` the full time comes first, for
 *  places where people look for the time itself. Nothing when the time is missing. */
export function TimeAgo({ at, dated = false }: { at: Instant | null | undefined; dated?: boolean }) {
  const words = useClock((now) => (at == null ? '' : timeAgo(at, now)));
  if (at == null || words === '') return null;

  const full = formatDateTime(at);
  const dateTime = new Date(at).toISOString();
  if (!dated) {
    return (
      <time dateTime={dateTime} title={full}>
        {words}
      </time>
    );
  }
  return (
    <time dateTime={dateTime} data-nowrap>
      {full}
      {words !== full && (
        <span data-tone="3" data-block data-size="label">
          {' '}
          {words}
        </span>
      )}
    </time>
  );
}
