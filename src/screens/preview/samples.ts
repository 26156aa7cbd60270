/** The samples that the events, venue and notifications screens show: nothing here is live, and the pages say so. */
import type { Severity } from '#contract/incidents/disruptions.ts';
import { addDays, subMinutes } from 'date-fns';
import { formatDate } from '../../time/london.ts';

export interface WatchedEvent {
  id: string;
  name: string;
  venue: string;
  town: string;
  postcode: string;
  /** Days from today, by London's clock. */
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
  /** Transport affected, and when. */
  scope: string;
}

/** Worst first. */
export const WATCHED: readonly WatchedEvent[] = [
  {
    id: 'wales-australia',
    name: 'Wales v Australia',
    venue: 'Principality Stadium',
    town: 'Cardiff',
    postcode: 'CF10 1NS',
    inDays: 0,
    starts: '15:10',
    ends: '17:00',
    attendees: 74_500,
    status: 'Active',
    risk: 82,
    nearestRail: 'Cardiff Central, 400 m',
  },
  {
    id: 'autumn-arena-tour',
    name: 'Autumn Arena Tour',
    venue: 'AO Arena',
    town: 'Manchester',
    postcode: 'M3 1AR',
    inDays: 1,
    starts: '19:30',
    ends: '22:30',
    attendees: 21_000,
    status: 'Active',
    risk: 61,
    nearestRail: 'Manchester Victoria, 100 m',
  },
  {
    id: 'christmas-market',
    name: 'Christmas Market',
    venue: 'Victoria Square',
    town: 'Birmingham',
    postcode: 'B1 1BD',
    inDays: 2,
    starts: '10:00',
    ends: '21:00',
    attendees: 60_000,
    status: 'Active',
    risk: 34,
    nearestRail: 'Birmingham New Street, 350 m',
  },
  {
    id: 'coach-operators-conference',
    name: 'Coach Operators Conference',
    venue: 'EICC',
    town: 'Edinburgh',
    postcode: 'EH3 8EE',
    inDays: 11,
    starts: '09:00',
    ends: '17:30',
    attendees: 1200,
    status: 'Upcoming',
    risk: 12,
    nearestRail: 'Haymarket, 650 m',
  },
];

/** Worst first, then newest first. */
export const ALERTS: readonly SampleAlert[] = [
  {
    id: 'paddington',
    event: 'wales-australia',
    severity: 'critical',
    title: 'Paddington to Cardiff: no through trains',
    line: 'Overhead line damage at Hayes. Divert guests to coaches from Reading.',
    minutesAgo: 3,
  },
  {
    id: 'westgate',
    event: 'wales-australia',
    severity: 'high',
    title: 'Westgate Street closed early',
    line: 'Police have brought the closure forward to 11:00.',
    minutesAgo: 18,
  },
  {
    id: 'metrolink',
    event: 'autumn-arena-tour',
    severity: 'high',
    title: 'Metrolink: no trams at Victoria after 21:30',
    line: 'Engineering work. Use Shudehill or Exchange Square.',
    minutesAgo: 42,
  },
  {
    id: 'm4',
    event: 'wales-australia',
    severity: 'high',
    title: 'M4 J32 to J29: slow eastbound',
    line: 'Allow 40 minutes more for airport transfers to Bristol and Heathrow.',
    minutesAgo: 55,
  },
  {
    id: 'wind',
    event: 'wales-australia',
    severity: 'medium',
    title: 'Yellow wind warning, Bristol Channel',
    line: 'Prince of Wales Bridge may close to high-sided vehicles.',
    minutesAgo: 62,
  },
  {
    id: 'trinity-way',
    event: 'autumn-arena-tour',
    severity: 'medium',
    title: 'Trinity Way: one lane towards Salford',
    line: 'Gas main work until 06:00. Drop off in Great Ducie Street.',
    minutesAgo: 95,
  },
  {
    id: 'new-street-lift',
    event: 'christmas-market',
    severity: 'medium',
    title: 'New Street: lift out of use, platform 10',
    line: 'Step-free access by platform 11.',
    minutesAgo: 130,
  },
  {
    id: 'colmore-row',
    event: 'christmas-market',
    severity: 'medium',
    title: 'Colmore Row closed to coaches',
    line: 'Set down in Newhall Street while the market is open.',
    minutesAgo: 170,
  },
  {
    id: 'cardiff-bus',
    event: 'wales-australia',
    severity: 'low',
    title: 'Cardiff Bus: city centre stops moved',
    line: 'Services use Greyfriars Road.',
    minutesAgo: 185,
  },
];

/** How each part of a venue's day is affected. Security and crowds have no sample. */
export const IMPACTS: Readonly<Record<'transport' | 'weather', readonly Impact[]>> = {
  transport: [
    {
      severity: 'critical',
      title: 'Cardiff Central: queues of 90 minutes from 17:00',
      line: 'Trains to Bristol and Newport leave from the front entrance only. Use coaches from Sophia Gardens.',
      scope: 'Rail · 15:00 to 20:30',
    },
    {
      severity: 'high',
      title: 'Westgate Street and Castle Street closed',
      line: 'Closed to all traffic from 11:30 until an hour after the final whistle.',
      scope: 'Road · 11:30 to 18:00',
    },
    {
      severity: 'high',
      title: 'M4 J32 to J29: slow eastbound',
      line: 'Allow 40 minutes more for airport transfers to Bristol and Heathrow.',
      scope: 'Road · 17:00 to 21:00',
    },
    {
      severity: 'low',
      title: 'Cardiff Bus: city centre stops moved',
      line: 'Services use Greyfriars Road and Dumfries Place.',
      scope: 'Bus · all day',
    },
  ],
  weather: [
    {
      severity: 'medium',
      title: 'Yellow wind warning, Bristol Channel',
      line: 'Gusts of 50 mph on the coast. Prince of Wales Bridge may close to high-sided vehicles.',
      scope: 'Wind · 12:00 to 21:00',
    },
    {
      severity: 'low',
      title: 'Rain from the west after 18:00',
      line: 'Covered waiting at Sophia Gardens holds 600 people.',
      scope: 'Rain · 18:00 to 23:00',
    },
  ],
};

export const eventOf = (alert: SampleAlert) => WATCHED.find(({ id }) => id === alert.event)!;

export const alertsOf = ({ id }: WatchedEvent) => ALERTS.filter(({ event }) => event === id);

/** "21 Nov 2026, 15:10" */
export const startOf = (event: WatchedEvent, today: Date) =>
  `${formatDate(addDays(today, event.inDays))}, ${event.starts}`;

export const endOf = (event: WatchedEvent, today: Date) =>
  `${formatDate(addDays(today, event.inDays))}, ${event.ends}`;

export const timeOf = ({ minutesAgo }: SampleAlert, now: Date) => subMinutes(now, minutesAgo);
