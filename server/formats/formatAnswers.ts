/** What is answered for a filter in each format: made once a revision, then sent unchanged. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FEEDS, knownFeed } from '#contract/feeds.ts';
import { type DataState, FILTER_LIMITS, type FormatName } from '#contract/filters.ts';
import { mayBeRelayed } from '#contract/publishers.ts';
import { disruptions } from '../db/disruptions.ts';
import { events } from '../db/events.ts';
import { filtered } from '../db/filtered.ts';
import { numbersBefore } from '../db/versions.ts';
import { soonest } from '../feeds/freshness.ts';
import { type Answer, answer, answerOfBytes, send } from '../http/answers.ts';
import { keptAnswers } from '../http/keptAnswers.ts';
import { notFound } from '../refusals.ts';
import { type Asked, askedOf, type FormatParts, overview, stateOf } from './asked.ts';
import { badgeOf } from './badge.ts';
import { calendarOf } from './calendar.ts';
import { capIndexOf, capOf, relayed } from './cap.ts';
import type { Conditions, View } from './conditions.ts';
import { find, type Found, formatRevision } from './found.ts';
import { atomOf, type Channel, rssOf } from './newsFeeds.ts';
import { csvOf, geojsonOf, jsonOf } from './tables.ts';

/** How long an incident that ended is still listed among the newest changes, in calendars and as CAP. */
const ENDED_KEPT_MS = 7 * 24 * 60 * 60_000;
const CALENDAR_MAX = 1000;
const CALENDAR_EVENTS_MAX = 200;
/** Characters of all shapes in one answer. */
const GEOMETRIES_MAX = 4 * 1024 * 1024;
/** A table of a whole country takes several of the usual ones. */
const KEPT_BYTES = 8 * 1024 * 1024;

export type FileFormat = Exclude<FormatName, 'sse'>;

export const TYPES: Readonly<Record<FileFormat, string>> = {
  json: 'application/json; charset=utf-8',
  geojson: 'application/geo+json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
  cap: 'application/atom+xml; charset=utf-8',
  badge: 'image/svg+xml; charset=utf-8',
};
const CAP_TYPE = 'application/cap+xml; charset=utf-8';

/** What is asked, and by whom: all that an answer is made from. */
export interface FormatAsked {
  format: FileFormat;
  conditions: Conditions;
  view: View;
  teamId: string | null;
  /** Of the service, as the caller reaches it. */
  origin: string;
  /** Its address, from the path; null for a secret one, which nothing repeats but the links of a CAP index. */
  self: string | null;
  /** The address of the CAP index, from the path. */
  base: string;
  /** Its name; null: named by what it is about. */
  title: string | null;
  /** A name for it that no two of them share. */
  id: string;
  /** Whether it may contain events beside incidents. */
  withEvents: boolean;
}

const UNKNOWN = 'This filter has no such incident.';

interface Sent {
  answer: Answer;
  state: DataState;
  type: string;
  leftOut: readonly string[];
}

export type FormatAnswers = ReturnType<typeof formatAnswers>;

export function formatAnswers(parts: FormatParts) {
  const { db, now } = parts;
  const states = new WeakMap<Answer, Omit<Sent, 'answer'>>();
  const made = (bytes: string | object, about: Omit<Sent, 'answer'>): Answer => {
    const one =
      typeof bytes === 'string' ? answerOfBytes(Buffer.from(bytes), { isQuick: true }) : answer(bytes);
    states.set(one, about);
    return one;
  };
  const channelOf = ({ origin, self, id, title, conditions }: FormatAsked, at: Date): Channel => ({
    origin,
    self: self && origin + self,
    id,
    title: title ?? labelOf(conditions),
    now: at,
  });

  /** Of the formats that are not a list of rows. */
  async function known(asked: FormatAsked, at: Date) {
    const all = await overview(parts);
    return { all, ...(await askedOf(parts, asked.conditions, { teamId: asked.teamId, known: all, at })) };
  }

  async function tables(
    asked: FormatAsked,
    at: Date,
  ): Promise<{ answer: Answer; nextChangeAt: number | null }> {
    const { format, conditions, view, teamId, origin } = asked;
    const rows = await find(parts, conditions, view, teamId);
    const isDrawn = format === 'geojson' || (format === 'json' && view.geometry?.toLowerCase() === 'true');
    const found: Found = isDrawn
      ? {
          ...rows,
          rows: await disruptions(db).withGeometry(
            rows.rows,
            format === 'geojson' ? GEOMETRIES_MAX : undefined,
          ),
        }
      : rows;
    const about = { state: found.state, type: TYPES[format], leftOut: [] };
    const written =
      format === 'csv'
        ? csvOf(found, origin)
        : format === 'badge'
          ? badgeOf(found, channelOf(asked, at).title, at)
          : format === 'geojson'
            ? geojsonOf(found)
            : await jsonOf(found);
    return { answer: made(written, about), nextChangeAt: found.nextChangeAt };
  }

  async function changes(
    asked: FormatAsked,
    at: Date,
  ): Promise<{ answer: Answer; nextChangeAt: number | null }> {
    const { all, query, sources } = await known(asked, at);
    const endedSince = new Date(at.getTime() - ENDED_KEPT_MS);
    const isCalendar = asked.format === 'ics';
    const most = isCalendar ? CALENDAR_MAX : FILTER_LIMITS.newest;
    const entries = isCalendar
      ? await filtered(db).calendar(query, endedSince, most)
      : await filtered(db).newest(query, endedSince, most);
    const { state, nextChangeAt } = stateOf(sources, all, {
      rows: entries.map(({ incident }) => incident),
      isCut: entries.length === most,
    });
    const channel = channelOf(asked, at);
    const type = TYPES[asked.format];
    if (asked.format === 'cap') {
      const { shown, leftOut } = relayed(entries);
      const { attribution } = stateOf(sources, all, {
        rows: shown.map(({ incident }) => incident),
        isCut: false,
      }).state;
      const text = capIndexOf(
        entries,
        { ...state, attribution },
        channel,
        (eventId) => `${asked.origin}${asked.base}/${encodeURIComponent(eventId)}`,
      );
      return { answer: made(text, { state, type, leftOut }), nextChangeAt };
    }
    const text = isCalendar
      ? calendarOf(entries, await eventsFor(asked, at), state, channel)
      : asked.format === 'rss'
        ? rssOf(entries, state, channel)
        : atomOf(entries, state, channel);
    // "Since 08:10" becomes "since 21 Nov, 08:10" at midnight.
    const midnight = state.silent.length > 0 || isCalendar ? nextHour(at) : null;
    return {
      answer: made(text, { state, type, leftOut: [] }),
      nextChangeAt: soonest([nextChangeAt, midnight]),
    };
  }

  /** Events near the place that was asked for; none without one. */
  async function eventsFor(asked: FormatAsked, at: Date) {
    if (!asked.withEvents) return [];
    const { near } = await known(asked, at);
    return near ? events(db).upcomingNear(near, at, CALENDAR_EVENTS_MAX) : [];
  }

  const kept = keptAnswers(
    { now, revision: () => formatRevision(db), bytes: KEPT_BYTES },
    async (asked: FormatAsked, at: Date) =>
      ['rss', 'atom', 'ics', 'cap'].includes(asked.format) ? changes(asked, at) : tables(asked, at),
  );

  return {
    /** What these conditions ask of the database now. */
    async asked(conditions: Conditions, teamId: string | null): Promise<Asked> {
      const at = now();
      return askedOf(parts, conditions, { teamId, known: await overview(parts), at });
    },

    async send(request: FastifyRequest, reply: FastifyReply, asked: FormatAsked): Promise<FastifyReply> {
      const ready = await kept(asked);
      const { state, type, leftOut } = states.get(ready)!; // set when it was made
      sayState(reply, state);
      if (leftOut.length > 0) reply.header('x-clearway-left-out', leftOut.map(encodeURIComponent).join(', '));
      if (asked.format === 'csv')
        reply.header(
          'content-disposition',
          `attachment; filename="${state.complete ? 'alerts' : 'alerts-incomplete'}.csv"`,
        );
      return send(request, reply, ready, type);
    },

    /** The CAP file of one incident, if this filter lets it through. */
    async sendCap(reply: FastifyReply, asked: FormatAsked, eventId: string): Promise<FastifyReply> {
      const at = now();
      const { all, query } = await known(asked, at);
      const isMatching = (await filtered(db).matching(query, [eventId])).has(eventId);
      const incident =
        isMatching && mayBeRelayed(eventId.split(':', 1)[0]!)
          ? await disruptions(db).history(eventId)
          : undefined;
      const isOld = incident?.ended_at && Date.parse(incident.ended_at) < at.getTime() - ENDED_KEPT_MS;
      if (!incident || isOld || !mayBeRelayed(incident.source)) throw notFound(UNKNOWN);
      const { state } = stateOf([incident.source], all, { rows: [], isCut: false });
      sayState(reply, state);
      const whole = { ...incident, published: undefined, nearby: undefined } as unknown as Parameters<
        typeof capOf
      >[0];
      const before = await numbersBefore(db, eventId, incident.history[0]!.seen_at); // it has a version
      return reply.type(CAP_TYPE).send(capOf(whole, before, state.silent, { origin: asked.origin, now: at }));
    },
  };
}

const nextHour = (at: Date): number => (Math.floor(at.getTime() / 3_600_000) + 1) * 3_600_000;

/** Pages of other origins may read these. */
export const STATE_HEADERS = [
  'X-Clearway-Complete',
  'X-Clearway-Data-Time',
  'X-Clearway-Stale',
  'X-Clearway-Left-Out',
] as const;

/** How far an answer can be relied on, in its headers. */
export function sayState(reply: FastifyReply, { complete, data_time, silent }: DataState): void {
  reply.header('x-clearway-complete', String(complete));
  if (data_time) reply.header('x-clearway-data-time', data_time);
  if (silent.length > 0) reply.header('x-clearway-stale', silent.map(({ source }) => source).join(', '));
}

/** "Roads", "All alerts": what a filter is about, without its name or a route's. */
export function labelOf({ feed, category }: Conditions): string {
  if (feed) return knownFeed(feed.toLowerCase())?.category ?? 'Alerts';
  const named = FEEDS.find((one) => one.category.toLowerCase() === category?.toLowerCase());
  return named?.category ?? 'Alerts';
}
