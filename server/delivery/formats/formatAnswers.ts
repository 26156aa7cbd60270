/** The answer to a filter in each format: made once for each revision, then sent unchanged. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DataState, FORMAT_LIMITS, type FormatName } from '#contract/watches/formats.ts';
import { isWatchedWithin, type When } from '#contract/watches/whenWatched.ts';
import { mayBeRelayed } from '../../sources/allSources.ts';
import { isAboutEnded } from '../../incidents/list/disruptionFilter.ts';
import { disruptions } from '../../incidents/list/disruptions.ts';
import { incidentOf } from '../../incidents/list/duplicates.ts';
import { events } from '../../geography/events/events.ts';
import { filtered, type Numbered } from '../../incidents/list/filteredDisruptions.ts';
import { matches } from '../../watches/matching/matchStore.ts';
import { numbersBefore } from '../../incidents/lifecycle/versions.ts';
import { soonest } from '../../feeds/sourceCondition.ts';
import { type Answer, answer, answerOfBytes, send } from '../../http/answers/readyAnswers.ts';
import { keptAnswers } from '../../http/answers/latestAnswers.ts';
import { notFound } from '../../refusals.ts';
import { type Asked, askedOf, type FormatParts, overview, sourcesNamed, stateOf } from './formatScope.ts';
import { badgeOf } from './badge.ts';
import { calendarOf } from './calendar.ts';
import { capIndexOf, capOf, relayed } from './cap.ts';
import { type Conditions, type View, RADIUS_KM } from './formatConditions.ts';
import { find, type Found, formatRevision } from './formatIncidents.ts';
import { atomOf, type Channel, rssOf } from './rssAndAtom.ts';
import { csvOf, geojsonOf, jsonOf } from './tables.ts';
import { FEEDS, knownFeed } from '#contract/feeds/feeds.ts';
import { normalRoad } from '#contract/incidents/roadName.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';

/** How long an incident that has ended stays among the newest changes, in calendars and in CAP. */
const ENDED_KEPT_MS = 7 * 24 * 60 * 60_000;
const CALENDAR_MAX = 1000;
const CALENDAR_EVENTS_MAX = 200;
/** The most characters of all shapes in one answer. */
const GEOMETRIES_MAX = 4 * 1024 * 1024;
/** A table of a whole country is as long as several usual answers. */
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

/** A question, and the caller: everything from which an answer is made. */
export interface FormatAsked {
  format: FileFormat;
  conditions: Conditions;
  view: View;
  teamId: string | null;
  /** The service's address, as the caller reaches it. */
  origin: string;
  /** The address in the path; null for a secret one, which nothing repeats except the links of a CAP index. */
  self: string | null;
  /** The address of the CAP index, from the path. */
  base: string;
  /** The name; null: it is named after its subject. */
  title: string | null;
  /** A name that is different for each filter and team. */
  id: string;
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
    title: title ?? titleOfFilter(conditions),
    now: at,
  });

  /** The readings for formats that are not a list of rows. */
  async function known(asked: FormatAsked, at: Date) {
    const all = await overview(parts);
    const what = await askedOf(parts, asked.conditions, { teamId: asked.teamId, known: all, at });
    return { all, what, query: what.query };
  }

  async function tables(asked: FormatAsked): Promise<{ answer: Answer; nextChangeAt: number | null }> {
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
        ? await csvOf(found, origin)
        : format === 'geojson'
          ? await geojsonOf(found)
          : await jsonOf(found);
    return { answer: made(written, about), nextChangeAt: found.nextChangeAt };
  }

  /** The database counts: the list of ended incidents of many months is never read. */
  async function badge(
    asked: FormatAsked,
    at: Date,
  ): Promise<{ answer: Answer; nextChangeAt: number | null }> {
    const { all, what, query } = await known(asked, at);
    const isPlanned = query.state === 'planned' || query.phase === 'planned';
    const counted = isAboutEnded(query) ? 'ended' : isPlanned ? 'planned' : 'active';
    const { groups, others } =
      counted === 'ended'
        ? { groups: [], others: new Set<string>() }
        : await disruptions(db).tally(await filtered(db).decided(query));
    const named = new Set([...groups.map(({ source }) => source), ...others]);
    const { state, nextChangeAt } = stateOf(what, all, { named, isCut: false });
    const text = badgeOf(groups, counted, state, asked.title ?? subjectOf(asked.conditions), at);
    return { answer: made(text, { state, type: TYPES.badge, leftOut: [] }), nextChangeAt };
  }

  async function changes(
    asked: FormatAsked,
    at: Date,
  ): Promise<{ answer: Answer; nextChangeAt: number | null }> {
    const { all, what, query } = await known(asked, at);
    const endedSince = new Date(at.getTime() - ENDED_KEPT_MS);
    const isCalendar = asked.format === 'ics';
    const most = isCalendar ? CALENDAR_MAX : FORMAT_LIMITS.newest;
    const entries = isCalendar
      ? (await filtered(db).calendar(what.whenever, endedSince, at, most)).filter(isPlannedWithin(what.when))
      : await filtered(db).newest(query, endedSince, most);
    const { state, nextChangeAt } = stateOf(what, all, {
      named: sourcesNamed(entries.map(({ incident }) => incident)),
      isCut: entries.length === most,
    });
    const channel = channelOf(asked, at);
    const type = TYPES[asked.format];
    if (asked.format === 'cap') {
      const { shown, leftOut } = relayed(entries);
      const { attribution } = stateOf(what, all, {
        named: sourcesNamed(shown.map(({ incident }) => incident)),
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
      ? await calendarOf(entries, await eventsFor(asked, at), state, channel)
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

  /** The events near the requested place, route or area; none without such a request. */
  async function eventsFor(asked: FormatAsked, at: Date) {
    const { near, whenever } = (await known(asked, at)).what;
    if (near) return events(db).upcomingNear(near, at, CALENDAR_EVENTS_MAX);
    const touching = whenever.watched ? await matches(db).inForce([whenever.watched.id]) : [];
    const ids = touching.filter(({ subject }) => subject === 'event').map(({ subject_id }) => subject_id);
    const found = await events(db).performances(ids);
    return found
      .toSorted((one, other) => (one.start_datetime < other.start_datetime ? -1 : 1))
      .slice(0, CALENDAR_EVENTS_MAX);
  }

  const kept = keptAnswers(
    { now, revision: () => formatRevision(db), bytes: KEPT_BYTES },
    async (asked: FormatAsked, at: Date) =>
      asked.format === 'badge'
        ? badge(asked, at)
        : ['rss', 'atom', 'ics', 'cap'].includes(asked.format)
          ? changes(asked, at)
          : tables(asked),
  );

  return {
    /** The query that these conditions mean now. */
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

    /** The CAP file of one incident, by the id of any of its reports, if this filter lets it through. */
    async sendCap(reply: FastifyReply, asked: FormatAsked, report: string): Promise<FastifyReply> {
      const at = now();
      const { all, what, query } = await known(asked, at);
      const eventId = await incidentOf(db, report);
      const isMatching = (await filtered(db).matching(query, [eventId])).has(eventId);
      const incident =
        isMatching && mayBeRelayed(eventId.split(':', 1)[0]!)
          ? await disruptions(db).history(eventId)
          : undefined;
      const isOld = incident?.ended_at && Date.parse(incident.ended_at) < at.getTime() - ENDED_KEPT_MS;
      if (!incident || isOld || !mayBeRelayed(incident.source)) throw notFound(UNKNOWN);
      const one = { ...what, sources: [incident.source] };
      const { state } = stateOf(one, all, { named: new Set(), isCut: false });
      sayState(reply, state);
      const whole = { ...incident, published: undefined, nearby: undefined } as unknown as Parameters<
        typeof capOf
      >[0];
      const before = await numbersBefore(db, eventId, incident.history[0]!.seen_at); // it has a version
      return reply.type(CAP_TYPE).send(capOf(whole, before, state.silent, { origin: asked.origin, now: at }));
    },
  };
}

const WEEK_MS = 7 * 24 * 60 * 60_000;

/** A calendar is a plan: a planned incident is in it at every hour, if any hour of the incident is watched. */
const isPlannedWithin =
  (when: When) =>
  ({ incident, seen_at }: Numbered): boolean => {
    const from = new Date(incident.start_time ?? seen_at);
    return isWatchedWithin(when, from, new Date(incident.end_time ?? from.getTime() + WEEK_MS));
  };

const nextHour = (at: Date): number => (Math.floor(at.getTime() / 3_600_000) + 1) * 3_600_000;

/** Pages of other origins may read these. */
export const STATE_HEADERS = [
  'X-Clearway-Complete',
  'X-Clearway-Data-Time',
  'X-Clearway-Stale',
  'X-Clearway-Left-Out',
  'X-Clearway-Watching',
] as const;

/** Says in the headers how far an answer can be relied on. */
function sayState(reply: FastifyReply, { watching, complete, data_time, silent }: DataState): void {
  if (watching === false) reply.header('x-clearway-watching', 'false');
  reply.header('x-clearway-complete', String(complete));
  if (data_time) reply.header('x-clearway-data-time', data_time);
  if (silent.length > 0) reply.header('x-clearway-stale', silent.map(({ source }) => source).join(', '));
}

// The subject of a filter: words made from its conditions, without the name that somebody gave to it or to a route.

/** The shortest words: "Roads", "Alerts". */
function subjectOf({ feed, category }: Conditions): string {
  if (feed) return knownFeed(feed.toLowerCase())?.category ?? 'Alerts';
  const named = FEEDS.find((one) => one.category.toLowerCase() === category?.toLowerCase());
  return named?.category ?? 'Alerts';
}

/** "Roads, M62, high or worse, within 25 km of Leeds": two filters seldom have the same words. */
export function titleOfFilter(conditions: Conditions): string {
  const { source, severity, event_type, q, north, south, east, west, position, near, radius_km } = conditions;
  const { road, state, since, ended_since, watch, level, min_severity, hide_unrated, phase, changes_only } =
    conditions;
  const said = [
    source && knownSource(source).displayName,
    road && normalRoad(road),
    q && `“${q}”`,
    event_type,
    severity && [severity].flat().join(' or '),
    min_severity && (min_severity === 'critical' ? 'critical' : `${min_severity} or worse`),
    hide_unrated && 'rated only',
    phase ?? state,
    near && `within ${radius_km ?? RADIUS_KM} km of ${near}`,
    north !== undefined && `between ${south} and ${north} N, ${west} and ${east} E`,
    position && (position.toLowerCase() === 'none' ? 'without a position' : 'with a position'),
    (watch || level) &&
      `${level ? `${[level].flat().join(' or ')} ` : ''}on ${watch ? 'one route' : 'our routes'}`,
    since && `changed since ${since}`,
    ended_since && `ended since ${ended_since}`,
    changes_only && 'changes of the last day',
  ].filter(Boolean);
  return [subjectOf(conditions), ...said].join(', ');
}
