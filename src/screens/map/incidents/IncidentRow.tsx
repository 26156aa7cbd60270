import { apiPath } from '#contract/addresses.ts';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import { alertAge, alertTime, detailOf, gradeOf } from '../../../feeds/alerts/alerts.ts';
import { useInHand } from '../../../shift/inHand/inHandStore.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { OutsideLink } from '../../../ui/signs/OutsideLink.tsx';
import { Severity } from '../../../ui/signs/Severity.tsx';
import { formatDateTime } from '../../../time/london.ts';
import styles from './IncidentRow.module.css';
import { headOf } from '../../../feeds/alerts/titles.ts';
import { approximateText, feedText, phaseText, sourceText, staleText } from './incidentWords.ts';
import type { Reported } from './useIncidents.ts';

/** One disruption in full. Its age is left out when it would be wrong. */
export function IncidentRow({
  incident,
  withFeed = false,
  isSelected = false,
  onSelect,
}: {
  incident: Reported;
  withFeed?: boolean;
  isSelected?: boolean;
  /** Absent when there is no map to select on. */
  onSelect?: ((id: string) => void) | undefined;
}) {
  const { alert } = incident;
  const row = useRef<HTMLLIElement>(null);
  const stale = staleText(incident);
  const { place, effect } = headOf(alert);
  const when = useClock((now) => phaseText(incident, now));
  const seen = useInHand(({ marks }) => marks[alert.event_id]?.seen ?? '');

  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);

  return (
    <li
      ref={row}
      className={styles.row}
      data-fresh={stale ? 'stale' : undefined}
      data-selected={isSelected || undefined}
    >
      <p data-row data-tight>
        <Severity grade={gradeOf(alert)} />{' '}
        <span data-text="small" data-tone="2">
          {when}
        </span>
      </p>
      {onSelect ? (
        <button
          type="button"
          className={styles.press}
          data-text="strong"
          aria-pressed={isSelected}
          onClick={() => onSelect(alert.event_id)}
        >
          {place}
        </button>
      ) : (
        <p className={styles.title} data-text="strong">
          {place}
        </p>
      )}
      <p data-text={effect ? 'line' : 'note'}>{effect || detailOf(alert)}</p>
      <p data-text="small" data-tone="2">
        {[seen, withFeed && feedText(incident), sourceText(incident), approximateText(alert), stale]
          .filter(Boolean)
          .join(' · ')}
        {!stale && <Age alert={alert} />}
      </p>
      <p data-text="note">
        <AlertLink alert={alert} />
      </p>
      {(alert.metadata?.links ?? []).map(({ url, label }) => (
        <p data-text="note" key={url}>
          <OutsideLink url={url}>{label?.trim() || 'More about it'}</OutsideLink>
        </p>
      ))}
    </li>
  );
}

/** A link to the alert's own page. If another feed counts the alert, it leads to the page of the main alert. */
export const AlertLink = ({ alert }: { alert: Alert }) => (
  <Link
    href={apiPath`/disruptions/${alert.see?.event_id ?? alert.event_id}`}
    aria-label={`View alert: ${headOf(alert).place}`}
  >
    View alert
  </Link>
);

function Age({ alert }: { alert: Alert }) {
  const age = useClock((now) => alertAge(alert, now));
  const at = alertTime(alert);
  if (!at || !age) return null;

  return (
    <>
      {' · '}
      <time dateTime={at.toISOString()} title={formatDateTime(at)}>
        {age}
      </time>
    </>
  );
}
