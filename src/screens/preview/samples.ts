/** The samples of the events, venue and notifications screens. Nothing in them is live, and the pages say so. */
import type { Severity } from '#contract/incidents/disruptions.ts';
import { addDays, subMinutes } from 'date-fns';
import { formatDate } from '../../time/london.ts';
import samples from './samples.json' with { type: 'json' };

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
  severity: Severity;
  title: string;
  line: string;
  minutesAgo: number;
}

export interface Impact {
  severity: Severity;
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
