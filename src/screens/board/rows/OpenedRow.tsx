import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown';
import { CaretUpIcon } from '@phosphor-icons/react/dist/csr/CaretUp';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { Row } from '../../../api/alerts/feeds.ts';
import { gradeOf } from '../../../feeds/alerts/alerts.ts';
import { feedCounts } from '../../../feeds/alerts/counts.ts';
import { endOrStartWords, fromToday } from '../../../feeds/alerts/alertTimes.ts';
import { alsoText, orderOf, trendText } from '../../../feeds/alerts/leadAlerts.ts';
import { beyondTitle, formsOf, keptTogether } from '../../../feeds/alerts/titles.ts';
import { useInHandNow, wantAnswers } from '../../../shift/inHand/inHandStore.ts';
import { useChanges } from '../../../shift/changes/changeStore.ts';
import { ChangedMark, useChangeMark } from '../../../shift/changes/ChangedMark.tsx';
import { useClock } from '../../../time/tickingClock.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { grouped } from '#contract/numbers.ts';
import { GRADE_WORDS, Severity } from '../../../ui/signs/Severity.tsx';
import { AlertLink, TrendMark } from '../Lead.tsx';
import styles from './OpenedRow.module.css';
import { SummaryPanel } from '../SummaryPanel.tsx';

/** An opened Compact row: the summary with its sources, planned alerts, and every alert in full. */
export default function OpenedRow({
  row,
  stale,
  panel,
  children,
}: {
  row: Row;
  stale: boolean;
  panel: Omit<ComponentProps<typeof SummaryPanel>, 'brief' | 'children'>;
  /** The sheet of sources. */
  children: ReactNode;
}) {
  const [sources, setSources] = useState(false);
  const Answers = useInHandNow((state) => state.Answers);
  useEffect(wantAnswers, []);
  const gone = useChanges((changes) => changes.gone);
  const { leads, queue, planned } = orderOf(row.events);
  const active = [...leads, ...queue];

  return (
    <div className={styles.opened} data-part data-stack>
      <div className={styles.panel}>
        <SummaryPanel {...panel}>
          <Button small aria-expanded={sources} onClick={() => setSources(!sources)}>
            {sources ? 'Hide sources' : 'View sources'}
            {sources ? (
              <CaretUpIcon weight="bold" aria-hidden />
            ) : (
              <CaretDownIcon weight="bold" aria-hidden />
            )}
          </Button>
        </SummaryPanel>
        {sources && children}
      </div>

      {active.length > 0 && (
        <ol className={styles.alerts} data-ruled aria-label="Alerts">
          {active.map((alert) => (
            <li key={alert.event_id} data-event={alert.event_id}>
              <span className={styles.grade}>
                <Severity grade={gradeOf(alert)} />
              </span>
              <h4 className={styles.title} data-text="in">
                <AlertLink alert={alert}>{keptTogether(formsOf(alert)[0]!)}</AlertLink>
              </h4>
              <span className={styles.when} data-nowrap data-text="note">
                <span className={styles.word} data-tone="1" data-only="phone" aria-hidden="true">
                  {GRADE_WORDS[gradeOf(alert)]},{' '}
                </span>
                <Time alert={alert} />
              </span>
              <div className={styles.line} data-row="3">
                <More alert={alert} stale={stale} />
                {Answers && <Answers alert={alert} />}
              </div>
            </li>
          ))}
        </ol>
      )}

      {gone && <div className={styles.gone}>{gone(row.feed.slug)}</div>}

      {planned.length > 0 && (
        <section className={styles.planned} aria-label="Planned">
          <h4 data-text="label" data-tone="2">
            {grouped(feedCounts(row).planned)} planned, not counted as active
          </h4>
          <ol data-ruled>
            {planned.map((alert) => (
              <li key={alert.event_id}>
                <AlertLink alert={alert}>{keptTogether(formsOf(alert)[0]!)}</AlertLink>
                <span className={styles.when} data-nowrap data-text="note">
                  <From alert={alert} />
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

const Time = ({ alert }: { alert: Alert }) => useClock((now) => endOrStartWords(alert, now));
const From = ({ alert }: { alert: Alert }) => useClock((now) => fromToday(alert, now));

function More({ alert, stale }: { alert: Alert; stale: boolean }) {
  const trend = useClock((now) => (stale ? '' : trendText(alert, now)));
  const also = alsoText(alert);
  const detail = beyondTitle(alert);
  const changed = useChangeMark(alert);
  if (!detail && !trend && !also && !changed) return null;

  return (
    <p className={styles.more} data-text="note">
      {changed && <ChangedMark of={alert} className={styles.mark} />} {detail}{' '}
      {trend && (
        <span className={styles.mark}>
          <TrendMark alert={alert} stale={stale} text={trend} />
        </span>
      )}{' '}
      {also && <span className={styles.mark}>{also}</span>}
    </p>
  );
}
