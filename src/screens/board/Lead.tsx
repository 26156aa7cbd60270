import { isPlanned } from '#contract/incidents/disruptions.ts';
import { type ReactNode, useRef } from 'react';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { gradeOf } from '../../feeds/alerts/alerts.ts';
import { beyondTitle, clausesOf, keptTogether, sayingForms } from '../../feeds/alerts/titles.ts';
import { endOrStartWords } from '../../feeds/alerts/alertTimes.ts';
import { alsoText, trendText } from '../../feeds/alerts/leadAlerts.ts';
import { useInHandMark } from '../../shift/inHand/inHandStore.ts';
import { ChangedMark, type Marked, useChangeMark } from '../../shift/changes/ChangedMark.tsx';
import { useClock } from '../../time/tickingClock.ts';
import { Fitted, useFitting } from '../../ui/signs/Fitted.tsx';
import { GRADE_WORDS, Severity } from '../../ui/signs/Severity.tsx';
import styles from './Lead.module.css';
import { pageAddressOf } from '#contract/addresses.ts';
import { Link } from 'wouter';

/** A line below the lead: a next alert, or a silent source. */
export interface Below {
  key: string;
  /** The alert of this line; none for a silent source. */
  of?: Marked;
  symbol: ReactNode;
  text: readonly string[];
  /** The place, shown when not even the shortest text fits. */
  place?: readonly string[];
  time?: ReactNode;
  /** True: screen readers have it elsewhere. */
  hidden?: boolean;
  /** It keeps its line. */
  isGrave?: boolean;
  /** True: the alert is over, so its title is struck through. */
  isGone?: boolean;
}

/** The alert that a row shows in full: its grade, title and time, its advice or reason, and the lines after it. */
export function Lead({
  alert,
  stale,
  linked = false,
  flat = false,
  stepped = 0,
  below,
}: {
  alert: Alert;
  /** True: nothing in it may look current. */
  stale: boolean;
  /** True: its title leads to its page. */
  linked?: boolean;
  /** Its time stands at the right of its title, where there is room. */
  flat?: boolean;
  /** How often the feed has stepped. */
  stepped?: number;
  below: readonly Below[];
}) {
  const grade = gradeOf(alert);
  const title = <Fitted forms={sayingForms(alert).map(keptTogether)} className={styles.words} />;
  const advice = alert.facts?.advice?.[0];
  const changed = useChangeMark(alert);
  // The mark of an alert that is over says the same.
  const detail = changed && changed.text === alert.summary_line ? '' : beyondTitle(alert);
  const inHand = useInHandMark(alert);
  const when = useClock((now) => endOrStartWords(alert, now));
  const trend = useClock((now) => (stale ? '' : trendText(alert, now)));
  const mark = inHand || trend || alsoText(alert);

  return (
    <div
      className={styles.lead}
      data-flat={flat || undefined}
      data-steps={linked || undefined}
      data-stepped={stepped > 0 || undefined}
    >
      <span className={styles.grade}>
        <Severity grade={grade} stacked />
      </span>
      <h3 className={styles.title}>{linked ? <AlertLink alert={alert}>{title}</AlertLink> : title}</h3>
      <p className={styles.when} data-nowrap data-text="strong">
        <span className={styles.word} aria-hidden="true">
          {GRADE_WORDS[grade]}
          {when && ', '}
        </span>
        {when}
      </p>
      <p className={styles.why} data-text="note">
        <span className={styles.advice}>
          {advice ? (
            <>
              <b>Advice</b> <Fitted forms={[...clausesOf(advice), '']} className={styles.words} />
            </>
          ) : (
            <Fitted forms={[...clausesOf(detail), '']} className={styles.words} />
          )}
        </span>
        <span className={styles.cause}>
          <Fitted forms={[...clausesOf(detail || advice || ''), '']} className={styles.words} />
        </span>
      </p>
      <p className={styles.mark} data-text="label" data-nowrap data-justify="end" data-line="1">
        {inHand ? (
          <InHandMark text={inHand} />
        ) : changed ? (
          <ChangedMark of={alert} />
        ) : (
          mark && <TrendMark alert={alert} stale={stale} text={mark} />
        )}
      </p>
      {below.map((one) => (
        <BelowLine key={one.key} below={one} />
      ))}
    </div>
  );
}

/** One line. Its time is left out before the text is shortened to the place alone. */
function BelowLine({ below: { of, symbol, text, place = [], time, hidden, isGone } }: { below: Below }) {
  const words = useRef<HTMLSpanElement>(null);
  useFitting(words, [...text, ...text, ...place], (element, form, index) => {
    element.textContent = form;
    element.nextElementSibling!.toggleAttribute('hidden', index >= text.length); // the time is always there
  });

  return (
    <p
      className={styles.below}
      data-text="note"
      aria-hidden={hidden}
      data-silent={(!hidden && !isGone) || undefined}
      data-gone={isGone}
    >
      <span className={styles.symbol} data-line="1">
        {symbol}
      </span>
      <span ref={words} className={styles.words}>
        {text[0]}
      </span>
      <span className={styles.time}>{time}</span>
      {of && <ChangedMark of={of} className={styles.changed} />}
    </p>
  );
}

/** "until 11:00", "since 05:42", "From 09:00 today". */
export function When({ alert }: { alert: Alert }) {
  return useClock((now) => endOrStartWords(alert, now));
}

const TICK = 'm4 12.5 3-3 3.5 3.6L17.6 6l3 3L10.5 19z';

/** "Rosa Jones · Diverted · 08:12" with a tick. */
export function InHandMark({ text }: { text: string }) {
  return (
    <>
      <svg viewBox="0 0 24 24" width="0.85em" aria-hidden="true">
        <path d={TICK} />
      </svg>
      {text}
    </>
  );
}

const UP = 'M12 2 22 13h-6.5v9h-7v-9H2z';
const DOWN = 'M12 22 2 11h6.5V2h7v9H22z';

/** "worse since 06:10" with an arrow up, "easing" with one down. */
export function TrendMark({ alert, stale, text }: { alert: Alert; stale: boolean; text: string }) {
  const direction = stale || isPlanned(alert) ? null : alert.trend?.direction;
  return (
    <>
      {direction && (
        <svg viewBox="0 0 24 24" width="0.85em" aria-hidden="true">
          <path d={direction === 'worse' ? UP : DOWN} />
        </svg>
      )}
      {text}
    </>
  );
}

/** A link to the alert's own page. If another feed counts the alert, it leads to the page of the main alert. */
export function AlertLink({ alert, children }: { alert: Alert; children: ReactNode }) {
  return (
    <Link href={pageAddressOf('alert', alert.see?.event_id ?? alert.event_id)} className={styles.link}>
      {children}
    </Link>
  );
}
