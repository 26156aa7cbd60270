import type { ComponentProps, ReactNode } from 'react';
import { DemoSign } from '../../ui/signs/ProductSign.tsx';
import { Page } from '../../ui/page/Page.tsx';
import styles from './SamplePage.module.css';
import type { Severity as Level } from '#contract/incidents/severity.ts';
import { GRADE_WORDS, Severity } from '../../ui/signs/Severity.tsx';
import { addDays, subMinutes } from 'date-fns';
import { formatDate } from '../../time/london.ts';
import samples from './samples.json' with { type: 'json' };

/** A page of invented events and alerts. The sign that says so stays in sight however far the page is scrolled. */
export function SamplePage(page: ComponentProps<typeof Page>) {
  return (
    <>
      <div className={styles.place} role="status">
        <DemoSign />
      </div>
      <Page {...page} />
    </>
  );
}

/** Alerts in full, each with its severity beside it. */
export function AlertRows({
  rows,
  words = GRADE_WORDS,
}: {
  rows: readonly { key: string; severity: Level; title: string; line: string; small: ReactNode }[];
  words?: Readonly<Record<Level, string>>;
}) {
  return (
    <ul className={styles.rows} data-ruled>
      {rows.map(({ key, severity, title, line, small }) => (
        <li key={key} data-columns="40" data-align="start">
          <Severity grade={severity} word={words[severity]} plate />
          <div>
            <h3>{title}</h3>
            <p data-tone="2">{line}</p>
            <p className={styles.small} data-tone="2">
              {small}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** A risk score from 0 to 100 as a number, an arc and a word. */
export function RiskRing({ score, large = false }: { score: number; large?: boolean }) {
  const { colour, word } = riskOf(score);

  return (
    <figure className={styles.risk} data-stack="1" data-large={large || undefined}>
      <span
        className={styles.ring}
        data-risk={colour}
        role="img"
        aria-label={`Risk ${score} of 100, ${word}`}
      >
        <svg viewBox="0 0 100 100" aria-hidden="true">
          <g fill="none" strokeWidth="9">
            <circle stroke="var(--line)" cx="50" cy="50" r="42" />
            <circle
              stroke="var(--arc)"
              strokeDasharray={`${score} 100`}
              cx="50"
              cy="50"
              r="42"
              pathLength="100"
            />
          </g>
        </svg>
        <b>{score}</b>
      </span>
      <figcaption aria-hidden="true">{word}</figcaption>
    </figure>
  );
}

/** 75 and above red, 50 and above orange, 25 and above amber, else green. */
export function riskOf(score: number): { colour: 'red' | 'orange' | 'amber' | 'green'; word: string } {
  if (score >= 75) return { colour: 'red', word: 'Severe' };
  if (score >= 50) return { colour: 'orange', word: 'High' };
  if (score >= 25) return { colour: 'amber', word: 'Raised' };
  return { colour: 'green', word: 'Low' };
}

/** The samples of the events, venue and notifications screens. Nothing in them is live, and the pages say so. */
export interface WatchedEvent {
  id: string;
  name: string;
  venue: string;
  town: string;
  postcode: string;
  /** Days from today in London. */
  inDays: number;
  starts: string;
  ends: string;
  attendees: number;
  status: 'Active' | 'Upcoming';
  /** 0 to 100. */
  risk: number;
  nearestRail: string;
}

interface SampleAlert {
  id: string;
  event: string;
  severity: Level;
  title: string;
  line: string;
  minutesAgo: number;
}

export interface Impact {
  severity: Level;
  title: string;
  line: string;
  /** The transport that is affected, and when. */
  scope: string;
}

/** Worst first. */
export const WATCHED = samples.watched as readonly WatchedEvent[];

/** Worst first, then newest first. */
export const ALERTS = samples.alerts as readonly SampleAlert[];

/** How each part of a venue's day is affected. Security and crowds have no sample. */
export const IMPACTS = samples.impacts as Readonly<Record<'transport' | 'weather', readonly Impact[]>>;

export const eventOf = (alert: SampleAlert) => WATCHED.find(({ id }) => id === alert.event)!;

export const alertsOf = ({ id }: WatchedEvent) => ALERTS.filter(({ event }) => event === id);

/** "21 Nov 2026, 15:10" */
export const startOf = (event: WatchedEvent, today: Date) =>
  `${formatDate(addDays(today, event.inDays))}, ${event.starts}`;

export const endOf = (event: WatchedEvent, today: Date) =>
  `${formatDate(addDays(today, event.inDays))}, ${event.ends}`;

export const timeOf = ({ minutesAgo }: SampleAlert, now: Date) => subMinutes(now, minutesAgo);
