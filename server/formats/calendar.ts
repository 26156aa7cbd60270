/** iCalendar (RFC 5545): what is planned, and before it what is not known. Times are UTC, so no zone is described. */
import ICAL from 'ical.js';
import type { DataState } from '#contract/filters.ts';
import type { MapEvent } from '#contract/events.ts';
import { londonDay } from '#contract/london.ts';
import type { Numbered } from '../db/filtered.ts';
import type { Channel } from './newsFeeds.ts';
import { alertPage, bodyOf, headline, line, silence, SILENCE_MEANS, standingOf, TITLE_MAX } from './words.ts';

export function calendarOf(
  planned: readonly Numbered[],
  events: readonly MapEvent[],
  state: DataState,
  { origin, title, now }: Channel,
): string {
  const calendar = new ICAL.Component(['vcalendar', [], []]);
  calendar.addPropertyWithValue('prodid', '-//Clearway//Filters//EN');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('calscale', 'GREGORIAN');
  calendar.addPropertyWithValue('method', 'PUBLISH');
  calendar.addPropertyWithValue('x-wr-calname', line(title, TITLE_MAX));
  const credit = state.attribution.map(({ text }) => text).join(' ');
  if (credit) calendar.addPropertyWithValue('x-wr-caldesc', credit);

  for (const source of state.silent) {
    add({
      uid: `silent:${source.source}`,
      stamp: source.since ?? now.toISOString(),
      // All day today: it must be seen by anyone who looks at today.
      start: ICAL.Time.fromDateString(londonDay(now)),
      summary: silence(source, now),
      description: SILENCE_MEANS,
    });
  }
  for (const { incident, seen_at, number } of planned) {
    const standing = standingOf(incident, state.silent);
    add({
      uid: line(incident.event_id),
      stamp: seen_at,
      start: utc(incident.start_time ?? seen_at),
      end:
        incident.end_time && incident.end_time > (incident.start_time ?? seen_at) ? incident.end_time : null,
      summary: headline(incident, standing),
      description: bodyOf(incident),
      sequence: number,
      status: standing === 'ended' ? 'CANCELLED' : standing === 'lost' ? 'TENTATIVE' : 'CONFIRMED',
      url: alertPage(origin, incident.event_id),
      place: incident.facts?.place ?? null,
    });
  }
  for (const event of events) {
    add({
      uid: line(event.performance_id),
      stamp: event.start_datetime,
      start: utc(event.start_datetime),
      end: event.end_datetime && event.end_datetime > event.start_datetime ? event.end_datetime : null,
      summary: line(`${event.name}, ${event.venue_name ?? event.venue_town ?? ''}`, TITLE_MAX),
      description: event.capacity ? `Up to ${event.capacity.toLocaleString('en-GB')} people.` : 'An event.',
      place: event.venue_name,
    });
  }
  return `${calendar.toString()}\r\n`;

  function add(entry: {
    uid: string;
    stamp: string;
    start: ICAL.Time;
    end?: string | null;
    summary: string;
    description: string;
    sequence?: number;
    status?: string;
    url?: string;
    place?: string | null | undefined;
  }) {
    const event = new ICAL.Component('vevent');
    event.addPropertyWithValue('uid', entry.uid);
    event.addPropertyWithValue('dtstamp', utc(entry.stamp));
    event.addPropertyWithValue('dtstart', entry.start);
    if (entry.end) event.addPropertyWithValue('dtend', utc(entry.end));
    event.addPropertyWithValue('summary', entry.summary);
    event.addPropertyWithValue('description', entry.description);
    event.addPropertyWithValue('sequence', entry.sequence ?? 0);
    if (entry.status) event.addPropertyWithValue('status', entry.status);
    if (entry.place) event.addPropertyWithValue('location', line(entry.place, TITLE_MAX));
    if (entry.url) event.addPropertyWithValue('url', entry.url);
    event.addPropertyWithValue('transp', 'TRANSPARENT');
    calendar.addSubcomponent(event);
  }
}

const utc = (at: string): ICAL.Time => ICAL.Time.fromJSDate(new Date(at), true);
