import { crowdTimes } from '#contract/watches/departures.ts';
import { formatClock } from '../../../time/london.ts';
import { grouped } from '../../../ui/numbers.ts';
import { kmWords } from '../../../watches/routeWords.ts';
import type { Touch } from '../../../watches/timeWindow.ts';

/** What takes place beside the route, with the times of its crowds. */
export function EventsNear({ id, near }: { id: string; near: readonly Touch[] }) {
  return (
    <section id={id}>
      <h3>Events near it</h3>
      {near.length === 0 ? (
        <p>None known in this time.</p>
      ) : (
        <ul>
          {near.map(({ match, event }) => {
            const [before, after] = event ? crowdTimes(event) : [];
            return (
              <li key={match.subject_id}>
                <b>{event?.name ?? 'Event'}</b>
                {[event?.venue_name, match.why, kmWords(match)].filter(Boolean).join(', ')}
                <br />
                {[
                  event?.capacity ? `${grouped(event.capacity)} expected` : '',
                  before && after
                    ? `crowds ${formatClock(before.from)} to ${formatClock(before.to)} and ${formatClock(after.from)} to ${formatClock(after.to)}`
                    : '',
                  event?.is_sample ? 'sample event' : '',
                ]
                  .filter(Boolean)
                  .join(', ')}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
