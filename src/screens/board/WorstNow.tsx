import { capital } from '#contract/incidents/titleForms.ts';
import { useRef, useState } from 'react';
import type { Alert } from '../../api/alerts/disruptions.ts';
import type { Outlook, Row } from '../../api/alerts/feeds.ts';
import { dateOf, gradeOf, sinceText } from '../../feeds/alerts/alerts.ts';
import { totalCounts, withOurs, titleOf } from '../../feeds/alerts/counts.ts';
import { isSilent, quietLine, silentSources } from '../../feeds/alerts/sourceStatus.ts';
import { spanWords } from '../../feeds/alerts/alertTimes.ts';
import { formsOf } from '../../feeds/alerts/titles.ts';
import {
  candidatesOf,
  gradeLabel,
  whoseText,
  silentFeedOf,
  trendText,
} from '../../feeds/alerts/leadAlerts.ts';
import { useClock, useThen } from '../../time/tickingClock.ts';
import { useInHandNow } from '../../shift/inHand/inHandStore.ts';
import { serverNow } from '../../time/freshness.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { counted, grouped } from '#contract/numbers.ts';
import { useFitting } from '../../ui/signs/Fitted.tsx';
import { Severity } from '../../ui/signs/Severity.tsx';
import { AlertLink, InHandMark, TrendMark } from './Lead.tsx';
import styles from './WorstNow.module.css';

interface Shown {
  /** At least one. */
  rows: readonly Row[];
  /** The team's own reports, which lead like any other alert. */
  ours: readonly Alert[];
  /** When the server sent the rows; if all feeds are silent, their last report. */
  at: Date;
  outlook: Outlook | null;
  /** True: nothing in it may look current. */
  stale: boolean;
}

/** One band for the worst alert of all feeds. If there are several, the user steps through them; it does not move by
 *  itself. */
export function WorstNow({ rows, ours, at, outlook, stale: boardOld }: Shown) {
  const then = useThen();
  const worst = candidatesOf(withOurs(rows, ours));
  const [shown, setShown] = useState<string | null>(null);
  const place = Math.max(
    0,
    worst.findIndex(({ event_id }) => event_id === shown),
  );
  const alert = worst[place];
  // An alert of a silent feed may be over.
  const own = alert && !boardOld ? silentFeedOf(alert, rows) : null;
  const stale = boardOld || own !== null;
  const span = useClock((now) => (alert ? spanWords(alert, now) : ''));
  const trend = useClock((now) => (alert && !stale ? trendText(alert, now) : ''));
  const inHand = useInHandNow(({ marks }) => (alert && marks[alert.event_id]?.text) ?? '');
  const asOf = useClock((now) => sinceText((own && dateOf(own.last_updated)) ?? at, now));

  if (!alert) return <Quiet rows={rows} ours={ours} at={at} outlook={outlook} stale={boardOld} />;

  const noNews = rows.filter(({ feed }) => isSilent(feed)).map(({ feed }) => `${titleOf(feed)}: no news`);
  const next = (place + 1) % worst.length;

  return (
    <section
      className={styles.band}
      aria-label={stale ? `Worst at ${asOf}` : then ? 'Worst then' : 'Worst now'}
      data-severity={gradeOf(alert)}
      data-fresh={stale ? 'stale' : undefined}
    >
      <span className={styles.symbol}>
        <Severity grade={gradeOf(alert)} />
      </span>
      <div>
        <h2 className={styles.title}>
          <AlertLink alert={alert}>
            <WorstTitle alert={alert} />
          </AlertLink>
        </h2>
        <p className={styles.more} data-row="0" data-text="line">
          <b>{gradeLabel(alert, worst)}</b>
          {stale && <span>as of {asOf}</span>}
          {span && <span>{span}</span>}
          {inHand && (
            <span data-line="1">
              <InHandMark text={inHand} />
            </span>
          )}
          {trend && !inHand && (
            <span data-line="1">
              <TrendMark alert={alert} stale={stale} text={trend} />
            </span>
          )}
          {[whoseText(alert), ...noNews].filter(Boolean).map((words) => (
            <span key={words}>{words}</span>
          ))}
        </p>
      </div>
      {worst.length > 1 && (
        <Button className={styles.next} onClick={() => setShown(worst[next]!.event_id)}>
          Next, {next + 1} of {worst.length}
        </Button>
      )}
    </section>
  );
}

/** "M62 eastbound, J26 to J27  Closed, overturned lorry", in the first form that fits: the place, then the effect. */
function WorstTitle({ alert }: { alert: Alert }) {
  const forms = formsOf(alert);
  const line = useRef<HTMLSpanElement>(null);
  const isRead = Boolean(alert.facts?.place && alert.facts.effect);
  useFitting(line, forms, (element, form) => {
    const [place, effect] = partsOf(form, isRead);
    element.firstElementChild!.textContent = place; // both are always there
    element.lastElementChild!.textContent = effect;
  });
  const [place, effect] = partsOf(forms[0] ?? '', isRead); // there is at least one

  return (
    <span ref={line} className={styles.line} data-block data-nowrap>
      <span>{place}</span> <span className={styles.effect}>{effect}</span>
    </span>
  );
}

/** A title that was not made in a known form counts as place only. */
function partsOf(form: string, isRead: boolean): [place: string, effect: string] {
  const colon = isRead ? form.indexOf(': ') : -1;
  if (colon === -1) return [form, ''];
  return [form.slice(0, colon), capital(form.slice(colon + 2))];
}

/** Shown when nothing is critical or high. It is calm only when every source was read. */
function Quiet({ rows, ours, at, outlook, stale }: Shown) {
  const then = useThen();
  const cleared = outlook?.lastCriticalCleared ?? null;
  const last = useClock((now) => cleared && sinceText(new Date(cleared), now));
  const { active } = totalCounts(withOurs(rows, ours));
  const silent = rows.flatMap(({ feed }) => silentSources(feed)).length;
  const isCalm = rows.every(
    ({ feed }) => quietLine(feed, { boardStale: stale, at, now: then ?? serverNow() }).status === 'good',
  );

  return (
    <section
      className={styles.band}
      aria-label={then ? 'Worst then' : 'Worst now'}
      data-fresh={stale ? 'stale' : undefined}
    >
      <div className={styles.words}>
        <h2 className={styles.title}>
          {active > 0
            ? 'Nothing critical or high.'
            : isCalm
              ? 'No active alerts in any feed'
              : 'No active alerts reported'}
        </h2>
        <p className={styles.more} data-row="0" data-text="line">
          {active > 0 && <span>{grouped(active)} medium and low alerts below.</span>}
          {silent > 0 && <span>{counted(silent, 'source')} silent</span>}
          {last && <span>Last critical alert cleared {last}</span>}
        </p>
      </div>
    </section>
  );
}
