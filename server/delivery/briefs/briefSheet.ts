/** The words of a brief, for the state at its time. Each sentence names its incident, and never a vehicle, a driver,
 *  a reference or a colleague. */
import { type Arrival, arrivalOfJob, arrivesWords, verdictWords } from '#contract/watches/arrival.ts';
import { pageAddressOf } from '#contract/addresses.ts';
import {
  BRIEF_LIMITS,
  type BriefAsked,
  type BriefSheet,
  isClear,
  withoutWorst,
} from '#contract/messages/briefs.ts';
import {
  dayAfter,
  inForce,
  liesAhead,
  mayBeBehind,
  meets,
  metAt,
  metWords,
  type Trip,
  wholeDay,
} from '#contract/watches/departures.ts';
import { type Disruption, isPlanned, plannedStart } from '#contract/incidents/disruptions.ts';
import { severityRank } from '#contract/incidents/severity.ts';
import { worstFirst } from '#contract/incidents/worstFirst.ts';
import { type Job, tripOfJob } from '#contract/watches/jobs.ts';
import { counted } from '#contract/numbers.ts';
import { LONDON_CLOCK, londonDay } from '#contract/london.ts';
import { isAcknowledged, DISPOSITION_WORDS } from '#contract/shift/responseWords.ts';
import type { TeamResponse } from '#contract/shift/responses.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import { capital, placeForms, titleForms } from '#contract/incidents/titleForms.ts';
import type { BriefMatch, WatchList } from '#contract/watches/watches.ts';
import type { Span } from '#contract/incidents/windows.ts';

import { summaryLine } from '../../http/documents/plainText.ts';
import type { LetterLine } from '../outbox/outboxStore.ts';

type Watch = WatchList['watches'][number];
type Risk = BriefSheet['at_risk'][number];
type Sentence = BriefSheet['worst'][number];

interface Known {
  asked: Pick<BriefAsked, 'about' | 'horizon' | 'watch_ids'>;
  list: WatchList;
  /** Jobs of the days of its horizon, on its routes; for a brief about routes none. */
  jobs: readonly Job[];
  /** The feeds of a brief about all feeds. */
  feeds?: readonly { title: string; events: readonly Disruption[]; sources: WatchList['sources'] }[];
  responses: readonly TeamResponse[];
  /** The brief before; undefined: there is none. */
  before: BriefSheet | undefined;
}

const clock = (at: Date | string) => LONDON_CLOCK.format(new Date(at));

/** "left 06:12", "arrived 10:40", "cancelled"; '' before the job leaves. */
export function stoodWords({ left_at, arrived_at, cancelled_at }: Job): string {
  if (cancelled_at !== null) return 'cancelled';
  if (arrived_at !== null) return `arrived ${LONDON_CLOCK.format(new Date(arrived_at))}`;
  return left_at === null ? '' : `left ${LONDON_CLOCK.format(new Date(left_at))}`;
}

/** "Leeds Stn to Heathrow T5" */
export const jobWords = ({ trip }: Pick<Job, 'trip'>): string =>
  trip.replaceAll(/\s?(?:→|->|=>)\s?/g, ' to ');

/** The days of a horizon. */
export function daysOf(horizon: BriefAsked['horizon'], now: Date): string[] {
  const today = londonDay(now);
  if (horizon === 'today') return [today];
  if (horizon === 'tomorrow') return [dayAfter(today)];
  return Array.from({ length: 7 }, (_, ahead) => dayAfter(today, ahead));
}

const isGrave = ({ severity }: Pick<Disruption, 'severity'>) =>
  severity === 'critical' || severity === 'high';

/** The team's action on an incident, without a name. */
export function doneBy(responses: readonly TeamResponse[]): (id: string) => string {
  const inHand = new Map(responses.map((one) => [one.event_id, one]));
  return (id) => {
    const state = inHand.get(id);
    return state && isAcknowledged(state)
      ? `${DISPOSITION_WORDS[state.disposition!]}, ${clock(state.at!)}` // it was acknowledged
      : 'nobody yet';
  };
}

/** The fields of a route that decide about its jobs. */
type Way = Pick<Watch, 'id' | 'length_km' | 'matches'>;

const certainOf = (watch: Way, incidents: ReadonlyMap<string, Disruption>) =>
  (watch.matches ?? []).flatMap((match) => {
    const incident = match.level === 'certain' ? incidents.get(match.subject_id) : undefined;
    return incident ? [{ match, incident }] : [];
  });

/** A job, route or feed at risk, and all incidents because of which it is. */
interface AtRisk {
  id: string;
  risk: Risk;
  ahead: readonly string[];
}

/** The jobs that have a certain incident ahead, each with the one that closes its way or its worst one, and the jobs
 *  that miss their deadline without an incident. */
export function risksOfJobs(
  {
    jobs,
    watches,
    incidents,
    doneOf,
  }: {
    jobs: readonly Job[];
    watches: readonly Way[];
    incidents: ReadonlyMap<string, Disruption>;
    doneOf: (id: string) => string;
  },
  now: Date,
  /** Times of another day than this are shown with their day. */
  day: Date = now,
): AtRisk[] {
  const byId = new Map(watches.map((watch) => [watch.id, watch]));
  return jobs.flatMap((job) => {
    const watch = byId.get(job.watch_id ?? '');
    if (!watch) return [];
    const trip = tripOfJob(job, watch.length_km);
    const certain = certainOf(watch, incidents);
    const ahead = certain
      .filter(({ match, incident }) =>
        liesAhead(trip, match, inForce(incident, isPlanned(incident), now), now),
      )
      .toSorted((one, other) => worstFirst(one.incident, other.incident));
    const arrival = arrivalOfJob(job, { lengthKm: watch.length_km, certain }, now);
    const worst = ahead.find(({ incident }) => incident.event_id === arrival.closedBy) ?? ahead[0];
    const isLate = arrival.verdict?.kind === 'will' || arrival.verdict?.kind === 'may';
    if (!worst && !isLate) return [];
    const arrives =
      arrival.kind === 'told' || isLate
        ? [arrivesWords(arrival), verdictWords(arrival.verdict).toLowerCase()].filter(Boolean).join(', ')
        : arrival.kind === 'closed'
          ? `${arrival.closed} closed`
          : '';
    const { event_id, severity } = worst?.incident ?? { event_id: null, severity: null };
    return [
      {
        id: job.id,
        ahead: ahead.map(({ incident }) => incident.event_id),
        risk: {
          time: dayClock(job.leaves_at, day),
          what: summaryLine(jobWords(job), WHAT),
          touched_by: worst ? touchWords(worst, trip, now) : lateWords(arrival),
          event_id,
          severity,
          arrives,
          done: event_id === null ? '' : doneOf(event_id),
        },
      },
    ];
  });
}

/** The reason why a job misses its deadline without an incident ahead. */
const lateWords = ({ leftLate, counted }: Arrival): string =>
  leftLate > 0
    ? `Left ${leftLate} min late`
    : counted.length > 0
      ? 'A delay that is behind it'
      : 'Due after its deadline';

export function briefSheet(
  { asked, list, jobs, feeds = [], responses, before }: Known,
  now: Date,
): BriefSheet {
  const days = daysOf(asked.horizon, now);
  const span: Span = {
    from: Math.max(now.getTime(), wholeDay(days[0]!).from), // a horizon has a day
    to: wholeDay(days.at(-1)!).to,
  };
  const watches = list.watches.filter(({ id }) => asked.watch_ids?.includes(id) ?? true);
  const byId = new Map(watches.map((watch) => [watch.id, watch]));
  const incidents = new Map(
    [...list.incidents, ...feeds.flatMap(({ events }) => events)].map((one) => [one.event_id, one]),
  );
  const doneOf = doneBy(responses);
  const deleted = (asked.watch_ids ?? []).filter((id) => !byId.has(id)).length;
  const open = jobs.filter(({ cancelled_at, arrived_at }) => cancelled_at === null && arrived_at === null);
  // Roads without a source are not sources that could answer or be silent.
  const sources = list.sources.filter(isConfigured);
  const silent = sources.filter(isSilent);
  const blind = sources.length > 0 && silent.length === sources.length;

  const ofJobs = () => risksOfJobs({ jobs: open, watches, incidents, doneOf }, now, new Date(span.from));
  const ofRoutes = (): AtRisk[] =>
    watches
      .flatMap((watch) => {
        const ahead = certainOf(watch, incidents)
          .filter(({ incident }) =>
            inForce(incident, isPlanned(incident), now).some((time) => meets(time, span)),
          )
          .toSorted((one, other) => worstFirst(one.incident, other.incident));
        const [worst] = ahead;
        if (!worst) return [];
        const { event_id, severity } = worst.incident;
        const said = { event_id, severity, arrives: '', done: doneOf(event_id) };
        const touched_by = touchWords(worst, null, now);
        return [
          {
            id: watch.id,
            ahead: ahead.map(({ incident }) => incident.event_id),
            risk: { time: null, what: summaryLine(watch.name, WHAT), touched_by, ...said },
          },
        ];
      })
      .toSorted(
        (one, other) => severityRank(one.risk.severity ?? 'low') - severityRank(other.risk.severity ?? 'low'),
      );

  const ofFeeds = (): AtRisk[] =>
    feeds.flatMap(({ title, events }) => {
      const grave = events.filter((one) => !isPlanned(one) && isGrave(one)).toSorted(worstFirst);
      const [worst] = grave;
      if (!worst) return [];
      const { event_id, severity } = worst;
      const said = { event_id, severity, arrives: '', done: doneOf(event_id) };
      return [
        {
          id: title,
          ahead: grave.map((one) => one.event_id),
          risk: { time: null, what: title, touched_by: shortTitle(worst), ...said },
        },
      ];
    });

  const isFeeds = asked.about === 'feeds';
  const isJobs = asked.about === 'jobs';
  // If the sources are silent, nothing is said about risks.
  const found = blind ? [] : isFeeds ? ofFeeds() : isJobs ? ofJobs() : ofRoutes();
  const risks = found.map(({ risk }) => risk);
  const isSeen = (watch: Watch | undefined): boolean =>
    watch !== undefined &&
    watch.matches !== null &&
    !watch.checking &&
    isHeard(sources.filter(({ source }) => watch.sources.includes(source)));
  const all: { id: string; isSeen: boolean }[] = isFeeds
    ? feeds.map((feed) => ({ id: feed.title, isSeen: isHeard(feed.sources) }))
    : isJobs
      ? open.map((job) => ({ id: job.id, isSeen: isSeen(byId.get(job.watch_id ?? '')) }))
      : watches.map((watch) => ({ id: watch.id, isSeen: isSeen(watch) }));
  const touched = new Set(found.map(({ id }) => id));
  const gone = isFeeds || isJobs ? 0 : deleted;
  const touching = [
    ...new Map(
      (isFeeds
        ? feeds.flatMap(({ events }) => events)
        : watches.flatMap((watch) => certainOf(watch, incidents)).map(({ incident }) => incident)
      ).map((one) => [one.event_id, one]),
    ).values(),
  ].toSorted(worstFirst);
  const present = touching.filter((one) => !isPlanned(one));
  const planned = touching.filter(
    (one) => isPlanned(one) && inForce(one, true, now).some((time) => meets(time, span)),
  );
  const isAtRisk = new Set(found.flatMap(({ ahead }) => ahead));
  const worst = touching.filter(({ event_id }) => isAtRisk.has(event_id)).slice(0, 3);
  const changed = before ? changesSince(before, present, incidents) : [];
  const shown = risks.length > BRIEF_LIMITS.atRisk ? risks.slice(0, BRIEF_LIMITS.atRisk) : risks;
  const next = risks[shown.length];
  const oldest = sources
    .toSorted(
      (one, other) =>
        Number(isSilent(other)) - Number(isSilent(one)) ||
        ((one.last_collected ?? '') < (other.last_collected ?? '') ? -1 : 1),
    )
    .slice(0, BRIEF_LIMITS.ages);
  return {
    about: asked.about,
    from: new Date(span.from).toISOString(),
    to: new Date(span.to).toISOString(),
    blind,
    of: all.length + gone,
    risk: risks.length,
    cannot_see: all.filter((one) => !one.isSeen && !touched.has(one.id)).length + gone,
    worst: worst.map((one) => sentenceOf(one, now)),
    at_risk: shown,
    more: next ? `and ${risks.length - shown.length} more${next.time ? `, first ${next.time}` : ''}` : null,
    changed: changed.slice(0, BRIEF_LIMITS.listed),
    more_changed: Math.max(0, changed.length - BRIEF_LIMITS.listed),
    planned: planned.slice(0, BRIEF_LIMITS.listed).map((one) => ({
      text: timedWords(shortTitle(one), one, now),
      event_id: one.event_id,
      severity: one.severity,
    })),
    more_planned: Math.max(0, planned.length - BRIEF_LIMITS.listed),
    unseen: [
      ...silent
        .slice(0, BRIEF_LIMITS.listed)
        .map(
          ({ source, last_collected }) =>
            `${knownSource(source).displayName} has not answered${last_collected ? ` since ${clock(last_collected)}` : ''}.`,
        ),
      ...(silent.length > BRIEF_LIMITS.listed
        ? [`and ${silent.length - BRIEF_LIMITS.listed} more sources`]
        : []),
      ...(blind ? ['Check by telephone before you send a coach.'] : []),
      ...(isFeeds ? [] : withoutRoute(open, byId)),
      ...(isFeeds || deleted === 0
        ? []
        : [`${counted(deleted, 'route')} of this brief ${deleted === 1 ? 'was' : 'were'} deleted.`]),
    ],
    ages: oldest.map((one) => ({
      name: knownSource(one.source).displayName,
      at: one.last_collected ?? null,
      silent: isSilent(one),
    })),
  };
}

type Source = WatchList['sources'][number];

const isConfigured = ({ state }: Source) => state !== 'not_configured';
const isSilent = ({ freshness }: Source) => freshness === 'stale' || freshness == null;
/** Whether a source of these can answer, and each that can has answered. */
const isHeard = (sources: readonly Source[]) =>
  sources.some(isConfigured) && !sources.filter(isConfigured).some(isSilent);

/** "2 jobs have no route: we cannot say." */
function withoutRoute(open: readonly Job[], byId: ReadonlyMap<string, Watch>): string[] {
  const routes = open.map(({ watch_id }) => byId.get(watch_id ?? ''));
  const said = (count: number, one: string, several: string) =>
    count === 0 ? [] : [`${counted(count, 'job')} ${count === 1 ? one : several}: we cannot say.`];
  return [
    ...said(routes.filter((route) => !route).length, 'has no route', 'have no route'),
    ...said(
      routes.filter((route) => route && (route.checking || route.matches === null)).length,
      'has a route that is still being checked',
      'have a route that is still being checked',
    ),
  ];
}

/** The number of characters for which a page has room: in a cell, for a job or a route, and in a sentence. */
const SHORT = 46;
const WHAT = 64;
const LONG = 110;

/** The fullest form for which there is room. A publisher's title that has only one form is cut after a word. */
const fitting = (forms: readonly string[], most: number): string =>
  forms.find((form) => form.length <= most) ?? summaryLine(forms.at(-1) ?? '', most);

const titleIn = ({ facts, title }: Pick<Disruption, 'facts' | 'title'>, most: number) =>
  fitting(titleForms(facts, title), most);

const shortTitle = (one: Pick<Disruption, 'facts' | 'title'>) => titleIn(one, SHORT);

/** "M62 eastbound, J26 to J27: closed, reached about 06:28"; "…, from 23:25"; "…, may be behind it" */
function touchWords(
  { match, incident }: { match: Pick<BriefMatch, 'from_km' | 'to_km'>; incident: Disruption },
  trip: Trip | null,
  now: Date,
): string {
  const title = shortTitle(incident);
  if (!trip || match.from_km === null) return title;
  if (mayBeBehind(trip, match, now)) return `${title}, may be behind it`;
  return `${title}, ${metWords(metAt(trip, match.from_km, inForce(incident, isPlanned(incident), now)), clock)}`;
}

function sentenceOf(incident: Disruption, now: Date): Sentence {
  const { event_id, severity, source, updated_at } = incident;
  const by = `${knownSource(source).displayName}${updated_at ? `, ${clock(updated_at)}` : ''}`;
  return { text: `${timedWords(titleIn(incident, LONG), incident, now)}. ${by}.`, event_id, severity };
}

/** "M62 eastbound, J26 to J27: closed, from 22:00 until about 25 Nov 06:00" */
function timedWords(words: string, incident: Disruption, now: Date): string {
  const { facts, end_time } = incident;
  const start = isPlanned(incident) && plannedStart(incident);
  const from = start && new Date(start) > now ? `from ${dayClock(start, now)}` : '';
  const end = facts?.expected_clear ?? end_time;
  const until = end && new Date(end) > now ? `until about ${dayClock(end, now)}` : '';
  const span = [from, until].filter(Boolean).join(' ');
  return [words, span, !until && 'no end told'].filter(Boolean).join(', ');
}

/** "18:32"; "25 Nov 06:00" on another day. */
export const dayClock = (at: string, now: Date): string =>
  londonDay(new Date(at)) === londonDay(now) ? clock(at) : `${DAY.format(new Date(at))} ${clock(at)}`;
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'Europe/London' });

/** Incidents that began, got worse or ended since the brief before. */
function changesSince(
  before: BriefSheet,
  present: readonly Disruption[],
  incidents: ReadonlyMap<string, Disruption>,
): Sentence[] {
  const said = new Map(
    [...before.worst, ...before.at_risk, ...before.changed].map((one) => [one.event_id, one.severity]),
  );
  const sentence = (
    what: string,
    one: Pick<Disruption, 'event_id' | 'severity' | 'facts' | 'title'>,
  ): Sentence => ({
    text: `${what}: ${shortTitle(one)}`,
    event_id: one.event_id,
    severity: one.severity,
  });
  const began = present.filter(
    ({ event_id, start_time }) => !said.has(event_id) && (start_time ?? '') >= before.from,
  );
  const worse = present.filter(({ event_id, severity }) => {
    const was = said.get(event_id);
    return was != null && severityRank(severity) < severityRank(was);
  });
  const over = [...before.worst, ...before.at_risk].flatMap((one) =>
    one.event_id === null || incidents.has(one.event_id) ? [] : { ...one, event_id: one.event_id },
  );
  return [
    ...worse.map((one) => sentence('Worse', one)),
    ...began.map((one) => sentence('New', one)),
    ...[...new Map(over.map((one) => [one.event_id, one])).values()].map((one) => ({
      text: `Over: ${'text' in one ? one.text.split('. ')[0] : one.touched_by.split(', reached')[0]}`,
      event_id: one.event_id,
      severity: one.severity,
    })),
  ];
}

/** "3 of 41 jobs at risk, 2 cannot be seen, worst M62 J26 to J27 · 06:00" */
export function subjectOf(sheet: BriefSheet, at: Date, incidents: readonly Disruption[]): string {
  if (sheet.blind) return `We cannot see · ${clock(at)}`;
  const [first] = sheet.worst;
  const worst = first && placeOf(incidents.find(({ event_id }) => event_id === first.event_id));
  const { about, risk, cannot_see } = sheet;
  const all = counted(sheet.of, about.slice(0, -1));
  const said =
    sheet.of > 0 && cannot_see === sheet.of
      ? `We cannot see ${cannot_see} of ${all}`
      : [
          `${risk} of ${all} ${RISK_WORDS[about]}`,
          cannot_see > 0 && `${cannot_see} cannot be seen`,
          worst && `worst ${worst}`,
        ]
          .filter(Boolean)
          .join(', ');
  return `${said} · ${clock(at)}`;
}

const RISK_WORDS = { jobs: 'at risk', routes: 'at risk', feeds: 'in trouble' } as const;

function placeOf(incident: Disruption | undefined): string {
  const [stretch] = incident?.facts?.stretch ?? [];
  if (stretch)
    return `${stretch.road} ${stretch.from === stretch.to ? stretch.from : `${stretch.from} to ${stretch.to}`}`;
  const place = incident?.facts?.place;
  if (place) return fitting(placeForms(place), SHORT);
  return incident ? shortTitle(incident) : '';
}

/** The text of an e-mail: the six headings in their order. */
export function sheetParts(sheet: BriefSheet): { heading: string; lines: LetterLine[] }[] {
  const more = (count: number) => (count > 0 ? [`and ${count} more`] : []);
  const mark = (severity: Sentence['severity']) => (severity ? MARKS[severity] : '');
  const led = (text: string, { event_id }: Pick<Risk, 'event_id'>) =>
    event_id === null ? text : { text, address: pageAddressOf('alert', event_id) };
  const said = (one: Sentence) => led([mark(one.severity), one.text].filter(Boolean).join(' '), one);
  const parts: { heading: string; lines: LetterLine[] }[] = [
    {
      heading: '1 The worst three',
      lines: sheet.blind
        ? ['No source has answered.']
        : sheet.worst.length > 0
          ? sheet.worst.map(said)
          : [withoutWorst(sheet)],
    },
    {
      heading: `2 ${capital(sheet.about)} ${RISK_WORDS[sheet.about]}`,
      lines: sheet.blind
        ? ['We cannot say.']
        : [
            ...sheet.at_risk.map((one) =>
              led(
                [
                  `${mark(one.severity)} ${[one.time, one.what].filter(Boolean).join(' ')}: ${one.touched_by}`.trim(),
                  one.arrives && `arrives ${one.arrives}`,
                  one.done,
                ]
                  .filter(Boolean)
                  .join(' · '),
                one,
              ),
            ),
            ...(sheet.more ? [sheet.more] : []),
            ...(sheet.at_risk.length > 0 || isClear(sheet) ? [] : [withoutWorst(sheet)]),
          ],
    },
    {
      heading: '3 Changed since the last brief',
      lines: [...sheet.changed.map(said), ...more(sheet.more_changed)],
    },
    { heading: '4 Planned', lines: [...sheet.planned.map(said), ...more(sheet.more_planned)] },
    { heading: '5 What we could not see', lines: sheet.unseen },
    {
      heading: '6 Ages of the sources',
      lines: sheet.ages.map(
        ({ name, at, silent }) => `${name} ${at ? clock(at) : 'never'}${silent ? ', silent' : ''}`,
      ),
    },
  ];
  return parts.map(({ heading, lines }) => ({ heading, lines: lines.length > 0 ? lines : ['Nothing'] }));
}

const MARKS = {
  critical: '■ Critical:',
  high: '▲ High:',
  medium: '◆ Medium:',
  low: '● Low:',
} as const;
