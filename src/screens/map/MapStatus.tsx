import { sinceText } from '../../feeds/alerts/alerts.ts';
import { serverNow } from '../../time/freshness.ts';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted, grouped } from '../../ui/numbers.ts';
import { TempSign } from '../../ui/signs/TempSign.tsx';
import styles from './MapPage.module.css';
import type { EventsInView } from './events/useViewportEvents.ts';

/** The counts, or why there are none: in one place, beside a map that does not change. */
export function MapStatus({ view, loading }: { view: EventsInView | { state: 'off' }; loading: boolean }) {
  if (view.state === 'off') return <p className={styles.plate}>Events are switched off</p>;
  if (loading || view.state === 'loading') {
    return (
      <p className={styles.plate} role="status">
        Loading events…
      </p>
    );
  }
  if (view.state === 'failed') {
    return (
      <div className={styles.plate} data-failed>
        <Notice>{view.message}</Notice>
        <p>Try moving the map or adjusting filters.</p>
      </div>
    );
  }
  const results = view.events.length;
  return (
    <p className={styles.plate} role="status">
      <span>{counted(view.total, 'event')}</span>
      <span>
        {counted(results, 'result')} {view.total > results ? 'shown' : 'on the map'}
      </span>
    </p>
  );
}

/** Facts a reader must know of the list: its age, that it is cut, that it is invented. */
export function Notes({ view }: { view: EventsInView }) {
  if (view.state !== 'ready') return null;
  const { events, total, savedAt } = view;

  return (
    <>
      {savedAt && (
        <div className={styles.note} role="status">
          <TempSign>Showing events saved at {sinceText(savedAt, serverNow())}</TempSign>
        </div>
      )}
      {total > events.length && (
        <p className={styles.remark}>
          {grouped(events.length)} of {grouped(total)} events, spread over the view. Zoom in or choose filters
          to see more.
        </p>
      )}
      {events.some(({ is_sample }) => is_sample) && (
        <p className={styles.remark}>
          {events.every(({ is_sample }) => is_sample)
            ? 'Sample data: these events do not take place.'
            : 'Some of these events are sample data and do not take place.'}
        </p>
      )}
    </>
  );
}
