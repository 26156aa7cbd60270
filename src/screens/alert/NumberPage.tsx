import { readAlertNumber } from '#contract/incidents/alertNumber.ts';
import { pageAddress } from '#contract/addresses.ts';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { useNavigate, usePageId } from '../../device/address/useAddress.ts';
import type { ListedAlert } from '../../api/alerts/alerts.ts';
import { alertAddress, dateOf, gradeOf } from '../../feeds/alerts/alerts.ts';
import { endOrStartWords, shortTime } from '../../feeds/alerts/alertTimes.ts';
import { formsOf } from '../../feeds/alerts/titles.ts';
import { useClock } from '../../time/tickingClock.ts';
import { Notice } from '../../ui/signs/Notice.tsx';
import { Severity } from '../../ui/signs/Severity.tsx';
import styles from './AlertPage.module.css';
import { useAlertsOfNumber } from './useAlert.ts';

/** `/a/48213`: goes to the alert with this number. */
export function NumberPage() {
  const text = usePageId();
  const number = readAlertNumber(text);
  const { data, problem, refused } = useAlertsOfNumber(number);
  const navigate = useNavigate();
  const only = data?.length === 1 ? data[0]! : null;
  const address = only && alertAddress(only);
  useEffect(() => {
    if (address) navigate(address, { replace: true });
  }, [address, navigate]);

  if (number && (only || (!data && !problem && !refused))) return <h1 data-pad="5">Loading...</h1>;
  return (
    <div className={styles.page}>
      <h1 data-pad="5">Alert {text}</h1>
      {data && data.length > 1 ? (
        <>
          <p>{data.length} alerts have this number.</p>
          <ul className={styles.near} data-ruled data-text="note">
            {data.map((alert) => (
              <One key={alert.event_id} alert={alert} />
            ))}
          </ul>
        </>
      ) : (
        <Notice>{failure(number, refused !== null)}</Notice>
      )}
      <p>
        <Link href={pageAddress('list')}>All alerts</Link>
      </p>
    </div>
  );
}

function failure(number: string | null, isAnswered: boolean): string {
  if (!number) return 'The number of an alert has five digits.';
  return isAnswered
    ? 'No alert has this number. It ended too long ago, or the number is not right.'
    : 'Unable to look for this alert. No alert that this device keeps has this number.';
}

function One({ alert }: { alert: ListedAlert }) {
  const ended = dateOf(alert.ended_at);
  const time = useClock((now) => (ended ? `ended ${shortTime(ended, now)}` : endOrStartWords(alert, now)));
  return (
    <li data-alert>
      <Severity grade={gradeOf(alert)} wordless />
      <div>
        <b data-tone="1" data-text="strong">
          <Link data-tone="1" href={alertAddress(alert)}>
            {formsOf(alert)[0]}
          </Link>
        </b>
        <span>{time}</span>
      </div>
    </li>
  );
}
