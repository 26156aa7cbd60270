import { titleOf as alertTitleOf } from '../alerts/alerts.ts';
import { titleOf } from '../alerts/counts.ts';
import type { BoardView } from '../refresh/useBoard.ts';

/** New critical alerts, read out once when a reply brings them. */
export function NewCriticals({ view }: { view: BoardView }) {
  const rows = view.state === 'ready' ? view.rows : [];
  const changes = view.state === 'ready' ? view.changes : null;

  return (
    <span data-hidden>
      <span role="status" aria-label="New critical alerts">
        {rows.map(({ feed }) =>
          changes?.get(feed.slug)?.criticals.map((alert) => (
            <span key={alert.event_id}>
              New critical alert, {titleOf(feed)}: {alertTitleOf(alert)}.{' '}
            </span>
          )),
        )}
      </span>
    </span>
  );
}
