import { feedOf } from '#contract/feeds/feeds.ts';
import { isOwn } from '#contract/feeds/knownSources.ts';
import { MapPinIcon } from '@phosphor-icons/react/dist/csr/MapPin';
import { Link } from 'wouter';
import { alertAddress, mapAddress, dateOf, gradeOf } from '../../feeds/alerts/alerts.ts';
import { endOrStartWords, shortTime } from '../../feeds/alerts/alertTimes.ts';
import { alsoText, trendText } from '../../feeds/alerts/leadAlerts.ts';
import { formsOf, formWithin, keptTogether } from '../../feeds/alerts/titles.ts';
import { useInHandMark } from '../../shift/inHand/inHandStore.ts';
import { useClock } from '../../time/tickingClock.ts';
import { GRADE_WORDS, Severity } from '../../ui/signs/Severity.tsx';
import type { Shown } from './listFilters.ts';
import { useMedia } from '../../ui/useMedia.ts';
import styles from './AlertRow.module.css';

/** The width of the column in characters, roughly. Longer titles wrap. */
const TITLE_LENGTH = 70;
const NARROW_TITLE_LENGTH = 44;
const NARROW = '(min-width: 60rem) and (max-width: 84rem)';

/** One row of the list. The whole row is the link to the alert; a pin beside it leads to the map. */
export function AlertRow({ alert, distance }: Shown) {
  const ended = dateOf(alert.ended_at);
  const grade = gradeOf(alert);
  const time = useClock((now) => (ended ? `ended ${shortTime(ended, now)}` : endOrStartWords(alert, now)));
  const trend = useClock((now) => (ended ? '' : trendText(alert, now)));
  const narrow = useMedia(NARROW);
  const title = formWithin(formsOf(alert), narrow ? NARROW_TITLE_LENGTH : TITLE_LENGTH);
  const map = mapAddress(alert);
  const inHand = useInHandMark(alert);
  const mark = ended ? endedMark(alert.ended_reason) : inHand || trend || alsoText(alert);

  return (
    <li
      data-event={alert.event_id}
      className={styles.row}
      data-fresh={ended ? 'stale' : undefined}
      data-ended={ended ? true : undefined}
    >
      <Link href={alertAddress(alert)} className={styles.link} data-tone="1" data-text="line" data-entry>
        <span className={styles.grade}>
          <Severity grade={grade} />
        </span>
        <span className={styles.title} data-break>
          {title && keptTogether(title)}
        </span>
        <span className={styles.mark} data-strong={trend || inHand ? true : undefined}>
          {inHand && !ended ? (
            <svg viewBox="0 0 24 24" aria-hidden="true" data-up>
              <path d="m4 12.5 3-3 3.5 3.6L17.6 6l3 3L10.5 19z" />
            </svg>
          ) : (
            trend && (
              <svg
                viewBox="0 0 24 24"
                aria-hidden="true"
                data-up={alert.trend?.direction === 'worse' || undefined}
              >
                <path d="M12 2 22 13h-6.5v9h-7v-9H2z" />
              </svg>
            )
          )}
          {mark}
        </span>
        <span className={styles.feed}>
          {isOwn(alert) ? 'Ours' : alert.source && feedOf(alert.source)?.category}
        </span>
        <span className={styles.far}>{distance !== null && `${Math.round(distance)} km`}</span>
        <span className={styles.time}>
          <b data-only="phone" aria-hidden="true">
            {GRADE_WORDS[grade]},{' '}
          </b>
          {time}
        </span>
      </Link>
      {map ? (
        <Link href={map} className={styles.pin} data-only="screen" aria-label={`On the map: ${title}`}>
          <MapPinIcon weight="bold" size="1.25rem" aria-hidden />
        </Link>
      ) : (
        <span />
      )}
    </li>
  );
}

function endedMark(reason: string | null | undefined): string {
  if (reason === 'publisher') return 'Cleared (publisher)';
  if (reason === 'expired') return 'Lost: source silent';
  return reason === 'end_time' ? 'End time passed' : 'No longer listed';
}
