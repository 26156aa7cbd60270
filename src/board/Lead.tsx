import { isPlanned } from '#contract/disruptions.ts';
import type { ReactNode } from 'react';
import type { Alert } from '../api/disruptions.ts';
import { detailOf, gradeOf } from '../feeds/alerts.ts';
import { endOrStartWords } from '../feeds/times.ts';
import { alsoText, formsOf, trendText } from '../feeds/worst.ts';
import { useClock } from '../time/clock.ts';
import { Fitted } from '../ui/Fitted.tsx';
import { GRADE_WORDS, Severity } from '../ui/Severity.tsx';
import { AlertLink } from './AlertLink.tsx';
import styles from './Lead.module.css';

/** What stands below the lead: the next alerts, or a silent source. */
export interface Below {
  key: string;
  symbol: ReactNode;
  text: readonly string[];
  time?: ReactNode;
  /** Screen readers have it elsewhere. */
  hidden?: boolean;
}

/** The alert that a row shows in full: its grade, title and time, what to do or why, and what follows it. */
export function Lead({
  alert,
  stale,
  linked = false,
  stepped = 0,
  below,
}: {
  alert: Alert;
  /** Nothing in it may look current. */
  stale: boolean;
  /** Its title leads to its page. */
  linked?: boolean;
  /** How often the feed has stepped. */
  stepped?: number;
  below: readonly Below[];
}) {
  const grade = gradeOf(alert);
  const title = <Fitted forms={formsOf(alert)} className={styles.words} />;
  const advice = alert.facts?.advice?.[0];
  const detail = detailOf(alert);
  const mark = useClock((now) => (stale ? '' : trendText(alert, now))) || alsoText(alert);

  return (
    <div className={styles.lead} data-steps={linked || undefined} data-stepped={stepped > 0 || undefined}>
      <span className={styles.grade}>
        <Severity grade={grade} stacked />
      </span>
      <h3 className={styles.title}>{linked ? <AlertLink alert={alert}>{title}</AlertLink> : title}</h3>
      <p className={styles.when}>
        <span className={styles.word} aria-hidden="true">
          {GRADE_WORDS[grade]},{' '}
        </span>
        <When alert={alert} />
      </p>
      <p className={styles.why}>
        <span className={styles.advice}>
          {advice ? (
            <>
              <b>Advice</b> <Fitted forms={clausesOf(advice)} className={styles.words} />
            </>
          ) : (
            <Fitted forms={clausesOf(detail)} className={styles.words} />
          )}
        </span>
        <span className={styles.cause}>
          <Fitted forms={clausesOf(detail || advice || '')} className={styles.words} />
        </span>
      </p>
      <p className={styles.mark}>{mark && <TrendMark alert={alert} stale={stale} text={mark} />}</p>
      {below.map(({ key, symbol, text, time, hidden }) => (
        <p key={key} className={styles.below} aria-hidden={hidden} data-silent={!hidden || undefined}>
          <span className={styles.symbol}>{symbol}</span>
          <Fitted forms={text} className={styles.words} />
          <span className={styles.time}>{time}</span>
        </p>
      ))}
    </div>
  );
}

/** Without its last sentences and clauses, one after the other. */
function clausesOf(text: string): string[] {
  const clauses = text.split(/(?<=[.;]) /);
  return clauses.map((_, index) =>
    clauses
      .slice(0, clauses.length - index)
      .join(' ')
      .replace(/;$/, '.'),
  );
}

/** "until 11:00", "since 05:42", "From 09:00 today". */
export function When({ alert }: { alert: Alert }) {
  return useClock((now) => endOrStartWords(alert, now));
}

const UP = 'M12 2 22 13h-6.5v9h-7v-9H2z';
const DOWN = 'M12 22 2 11h6.5V2h7v9H22z';

/** "worse since 06:10" with an arrow up, "easing" with one down. */
export function TrendMark({ alert, stale, text }: { alert: Alert; stale: boolean; text: string }) {
  const direction = stale || isPlanned(alert) ? null : alert.trend?.direction;
  return (
    <>
      {direction && (
        <svg viewBox="0 0 24 24" aria-hidden="true" className={styles.arrow}>
          <path d={direction === 'worse' ? UP : DOWN} />
        </svg>
      )}
      {text}
    </>
  );
}
