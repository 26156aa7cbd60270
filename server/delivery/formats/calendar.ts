/** iCalendar (RFC 5545): silent sources first, then planned works at their stated times. Times are UTC. */
import { DAY_MS } from '#contract/durations.ts';
import ICAL from 'ical.js';
import type { DataState } from '#contract/watches/formats.ts';
import type { MapEvent } from '#contract/places/events.ts';
import { statedStart, type Disruption } from '#contract/incidents/disruptions.ts';
import { londonDay } from '#contract/london.ts';
import { occurrences } from '#contract/incidents/windows.ts';
import type { Numbered } from '../../incidents/list/filteredDisruptions.ts';
import type { Channel } from './rssAndAtom.ts';
import { inTurns } from './tables.ts';
import {
  alertPage,
  bodyOf,
  headline,
  line,
  silence,
  SILENCE_MEANS,
  standingOf,
  TITLE_MAX,
} from './formatWords.ts';

/** The number of entries that are written before other calls get a turn. */
const ENTRIES_AT_ONCE = 100;
/** Only the first entries are written: the nights of a thousand roadworks would be 60 MB. */
const ENTRIES_MAX = 5000;

export async function calendarOf(
  planned: readonly Numbered[],
  events: readonly MapEvent[],
  state: DataState,
  { origin, title, now }: Channel,
): Promise<string> {
  const calendar = new ICAL.Component(['vcalendar', [], []]);
  calendar.addPropertyWithValue('prodid', '-//Clearway//Filters//EN');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('calscale', 'GREGORIAN');
  calendar.addPropertyWithValue('method', 'PUBLISH');
  calendar.addPropertyWithValue('x-wr-calname', line(title, TITLE_MAX));
  const dated = planned.flatMap((one) => {
    const start = statedStart(one.incident);
    return start === null ? [] : [{ ...one, start }];
  });
  const credits = state.attribution.map(({ text }) => text);
  const times = await inTurns(
    dated,
    (some) =>
      some.flatMap((one) => entriesOf(one.incident, one.start, now).map((entry) => ({ ...one, ...entry }))),
    ENTRIES_AT_ONCE,
  );
  const entries = times.flat();
  if (entries.length > ENTRIES_MAX) entries.sort((one, other) => (one.from < other.from ? -1 : 1));
  const about = [
    withoutDate(planned.length - dated.length),
    entries.length > ENTRIES_MAX && `Only the next ${ENTRIES_MAX.toLocaleString('en-GB')} times are in it.`,
    ...credits,
  ]
    .filter(Boolean)
    .join(' ');
  if (about) calendar.addPropertyWithValue('x-wr-caldesc', about);

  const parts = state.silent.map((source) =>
    partOf({
      uid: `silent:${source.source}`,
      stamp: source.since ?? now.toISOString(),
      // The entry is for the whole day, so that everybody sees it who looks at today.
      start: ICAL.Time.fromDateString(londonDay(now)),
      summary: silence(source, now),
      description: SILENCE_MEANS,
    }),
  );
  const partOfTime = ({ incident, seen_at, number, uid, from, to }: (typeof entries)[number]) => {
    const standing = standingOf(incident, state.silent);
    return partOf({
      uid,
      stamp: seen_at,
      start: utc(from),
      end: to && to > from ? to : null,
      summary: headline(incident, standing),
      description: bodyOf(incident),
      sequence: number,
      status: standing === 'ended' ? 'CANCELLED' : standing === 'lost' ? 'TENTATIVE' : 'CONFIRMED',
      url: alertPage(origin, incident.event_id),
      place: incident.facts?.place ?? null,
    });
  };
  const written = await inTurns(
    entries.slice(0, ENTRIES_MAX),
    (some) => some.map(partOfTime),
    ENTRIES_AT_ONCE,
  );
  parts.push(...written.flat());
  const ofEvents = events.map((event) =>
    partOf({
      uid: line(event.performance_id),
      stamp: event.start_datetime,
      start: utc(event.start_datetime),
      end: event.end_datetime && event.end_datetime > event.start_datetime ? event.end_datetime : null,
      summary: line(`${event.name}, ${event.venue_name ?? event.venue_town ?? ''}`, TITLE_MAX),
      description: event.capacity ? `Up to ${event.capacity.toLocaleString('en-GB')} people.` : 'An event.',
      place: event.venue_name,
    }),
  );
  parts.push(...ofEvents);
  // A calendar without any part is not valid.
  if (parts.length === 0) parts.push(folded(londonZone().toString()));
  const end = 'END:VCALENDAR\r\n';
  return [folded(`${calendar.toString()}\r\n`).replace(end, ''), parts.join('\r\n'), `\r\n${end}`].join('');

  function partOf(entry: {
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
  }): string {
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
    return folded(event.toString());
  }
}

const WINDOWS_MAX = 62;

/** One part for an incident, or one for each night or period of its windows. */
function entriesOf({ event_id, end_time, windows }: Disruption, start: string, now: Date) {
  const within = { from: now.getTime() - DAY_MS, to: now.getTime() + WINDOWS_MAX * DAY_MS };
  const times = (windows ?? []).flatMap((window) => occurrences(window, within)).slice(0, WINDOWS_MAX);
  const known = times.filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to));
  if (known.length === 0) return [{ uid: line(event_id), from: start, to: end_time }];
  return known.map(({ from, to }) => ({
    uid: line(`${event_id}#${new Date(from).toISOString()}`),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  }));
}

const utc = (at: string): ICAL.Time => ICAL.Time.fromJSDate(new Date(at), true);

/** Planned incidents without a start, which every other format has. */
const withoutDate = (count: number): string | false =>
  count > 0 &&
  `${count} planned without a stated start ${count === 1 ? 'has' : 'have'} no day in a calendar: read ${count === 1 ? 'it' : 'them'} in the list.`;

const londonZone = () =>
  ICAL.Component.fromString(
    [
      'BEGIN:VTIMEZONE',
      'TZID:Europe/London',
      'BEGIN:DAYLIGHT',
      'DTSTART:19960331T010000',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
      'TZOFFSETFROM:+0000',
      'TZOFFSETTO:+0100',
      'TZNAME:BST',
      'END:DAYLIGHT',
      'BEGIN:STANDARD',
      'DTSTART:19961027T020000',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0000',
      'TZNAME:GMT',
      'END:STANDARD',
      'END:VTIMEZONE',
    ].join('\r\n'),
  );

const LINE_OCTETS = 75;

/** No line has more than 75 octets, its leading space included, and no character is cut. The library counts
 *  characters. */
function folded(text: string): string {
  return text
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .map((whole) => {
      if (Buffer.byteLength(whole) <= LINE_OCTETS) return whole;
      let out = '';
      let octets = 0;
      for (const character of whole) {
        const more = Buffer.byteLength(character);
        if (octets + more > LINE_OCTETS) {
          out += '\r\n ';
          octets = 1;
        }
        out += character;
        octets += more;
      }
      return out;
    })
    .join('\r\n');
}
