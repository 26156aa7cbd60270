import type { FeedEntry } from '../../api/alerts/feeds.ts';
import { useClock, useThen } from '../../time/tickingClock.ts';
import { serverNow } from '../../time/freshness.ts';
import { StatusLine } from '../../ui/signs/StatusLine.tsx';
import { quietLine } from '../alerts/sourceStatus.ts';
import { ageText, inSentence } from '../alerts/alerts.ts';

interface Asked {
  feed: FeedEntry;
  boardStale: boolean;
  /** The time of the board's data. */
  at: Date;
}

/** The line of a feed without alerts, or a line beside alerts that may be incomplete. A time from another day
 *  includes its date. */
export function QuietLine({
  feed,
  boardStale,
  at,
  note,
  after,
  noteClass,
}: Asked & {
  /** Replaces the names of the sources that the line is about. */
  note?: string;
  /** Said last. */
  after?: string | undefined;
  noteClass?: string;
}) {
  const then = useThen();
  const read = (now: Date) => quietLine(feed, { boardStale, at, now, past: then !== null });
  useClock((now) => read(now).text);
  const line = read(then ?? serverNow());
  const words = note ?? line.note;

  return (
    <StatusLine status={line.status}>
      {line.text} {words && <small className={noteClass}>{words}</small>}{' '}
      {after && <small className={noteClass}>{after}</small>}
    </StatusLine>
  );
}

/** Replaces a live feed when there are no alerts, or when they could not be loaded. */
export function NoAlerts({
  styles,
  feedTitle,
  total,
  ...asked
}: Asked & {
  styles: CSSModuleClasses;
  feedTitle: string;
  total: number;
  note?: string;
  after?: string | undefined;
}) {
  return (
    <section className={styles.quiet} data-tone="2" data-size="lead" aria-label={`Live feed, ${feedTitle}`}>
      {total > 0 ? (
        <StatusLine status="none">Unable to load latest events</StatusLine>
      ) : (
        <QuietLine {...asked} noteClass={styles.note} />
      )}
    </section>
  );
}

/** "Updated 2 minutes ago", kept up to date; nothing for an unknown time. */
export function Updated({ at }: { at: Date | null }) {
  const age = useClock((now) => (at ? ageText(at, now) : null));
  return at && <time dateTime={at.toISOString()}>Updated {age && inSentence(age)}</time>;
}
