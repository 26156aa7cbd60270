/** The content of public pages: for a route, an area or feeds the incidents that count now, by the condition of their
 *  own page; for an alert its state, or that it is over. */
import { isNow } from '#contract/watches/departures.ts';
import { type Disruption, isPlanned, statedStart } from '#contract/incidents/disruptions.ts';
import { worstFirst } from '#contract/incidents/worstFirst.ts';
import { isOwn } from '#contract/feeds/knownSources.ts';
import type { WatchKind } from '#contract/watches/watches.ts';
import { gradeWords } from '#contract/watches/whichIncidents.ts';
import { isWatching, type When, watchingChangesAt } from '#contract/watches/whenWatched.ts';
import { disruptions } from '../../incidents/list/disruptions.ts';
import type { Db } from '../../db/open.ts';
import { type BriefWatch, watches } from '../../watches/watchStore.ts';
import { throughNow, unplacedCount } from '../../watches/watchAnswers.ts';
import type { Collector } from '../../incidents/collector.ts';
import { overview, type Overview, unheardOf } from '../formats/formatScope.ts';
import type { PageItem, PublicPage } from './publicPageHtml.ts';
import { clock, gradeOf, line, nameOf, titleOf } from '../formats/formatWords.ts';

interface Parts {
  db: Db;
  collectors: readonly Collector[];
  now: () => Date;
}

interface About {
  teamId: string;
  at: Date;
  /** The time at which the page ends by itself. */
  ends: Date;
}

const ITEMS_MAX = 100;

export async function watchPageOf(
  parts: Parts,
  watchId: string,
  { teamId, at, ends }: About,
): Promise<PublicPage | null> {
  const { db } = parts;
  const [watch] = await watches(db).brief(teamId, [watchId]);
  if (!watch) return null;
  const { kind, made_name: title, which, when, sources } = watch;
  const known = await overview(parts);
  const about = { title, subject: `Travel disruption, ${gradeWords(which)}`, at, ends };
  if (!isWatching(when, at)) {
    const begins = watchingChangesAt(when, at);
    const words = begins ? `It is looked at again from ${clock(begins.toISOString(), at)}.` : '';
    const blind = { title: 'Not watching now', words, isFirst: true };
    return { ...about, counted: ['Not watching now', hoursWords(when)].filter(Boolean), items: [], blind };
  }
  const through = await throughNow(parts, watch, at);
  const shown = through.matches
    .flatMap(({ level, from_km, to_km, disruption }) => {
      // A team's own reports are not shown to others.
      if (!disruption || isOwn(disruption) || !isNow(watch, { from_km, to_km }, disruption, at)) return [];
      return [{ incident: disruption, level }];
    })
    .toSorted((one, other) => worstFirst(one.incident, other.incident));
  const beyond = Object.values(through.beyond).reduce((sum, count) => sum + count, 0);
  const unplaced = kind === 'area' ? await unplacedCount(db) : 0;
  return {
    ...about,
    counted: [
      watch.checking ? 'Checking…' : `${shown.length + beyond} now`,
      hoursWords(when),
      shown.length + beyond > ITEMS_MAX && `the worst ${ITEMS_MAX} are listed`,
    ].flatMap((words) => words || []),
    items: shown
      .slice(0, ITEMS_MAX)
      .map(({ incident, level }) => itemOf(incident, level, { kind, at, known, sources })),
    blind: blindOf(watch, known, unplaced, at),
  };
}

function itemOf(
  incident: Disruption,
  level: string,
  { kind, at, known, sources }: { kind: WatchKind; at: Date; known: Overview; sources: readonly string[] },
): PageItem {
  const { severity, metadata, source, updated_at, collected_at } = incident;
  const isSilent = unheardOf(sources, known.conditionOf).some((one) => one.source === source);
  return {
    severity,
    isUnrated: metadata.severity_unrated === true,
    look: isSilent || isPlanned(incident) ? 'hollow' : level === 'possible' ? 'possible' : 'certain',
    title: `${isPlanned(incident) ? 'Planned, ' : ''}${gradeOf(incident)}: ${titleOf(incident)}`,
    words: [
      level === 'possible' && `Possibly ${kind === 'route' ? 'on this route' : 'in this area'}.`,
      timesOf(incident, at),
      `${nameOf(source)}, ${clock(updated_at ?? collected_at, at)}.`,
    ]
      .filter(Boolean)
      .join(' '),
  };
}

/** "05:31 to about 18:32.", "Since 05:20, no end told." */
function timesOf(incident: Disruption, at: Date): string {
  const start = statedStart(incident);
  const end = incident.facts?.expected_clear ?? incident.end_time;
  if (end && start) return `${clock(start, at)} to about ${clock(end, at)}.`;
  if (end) return `Until about ${clock(end, at)}.`;
  return start ? `Since ${clock(start, at)}, no end told.` : 'No times told.';
}

/** The blind spots of the page. While a source is silent they come first: nothing may look calm because a source is
 *  silent. */
function blindOf(
  { kind, sources }: BriefWatch,
  known: Overview,
  unplaced: number,
  at: Date,
): PublicPage['blind'] {
  const silent = unheardOf(
    sources.filter((source) => known.names.includes(source)),
    known.conditionOf,
  );
  const without =
    unplaced > 0 &&
    `${unplaced} ${unplaced === 1 ? 'incident has' : 'incidents have'} no place, and may be here.`;
  if (silent.length > 0) {
    const words = silent.map(({ name, since }) =>
      since
        ? `${line(name)} has not answered since ${clock(since, at)}.`
        : `${line(name)} has not answered yet.`,
    );
    const all = [...words, 'What happened since then is not shown.', without].filter(Boolean).join(' ');
    return { title: 'Do not rely on this.', words: all, isFirst: true };
  }
  const roads = kind === 'feeds' ? '' : 'Lanes and council roads are here only when somebody reports them.';
  const words = ['All sources of this page have answered.', roads, without].filter(Boolean).join(' ');
  return { title: 'What this page cannot see', words, isFirst: false };
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** "Mon to Fri 06:00–20:00"; empty: always. */
export function hoursWords(when: When): string {
  if (!when) return '';
  const chosen = DAYS.flatMap((_, day) => (when.days & (1 << day) ? [day] : []));
  const [first, last] = [chosen[0]!, chosen.at(-1)!]; // at least one is chosen
  const isRun = chosen.length > 2 && last - first === chosen.length - 1;
  const days =
    chosen.length === 7
      ? 'every day'
      : isRun
        ? `${DAYS[first]} to ${DAYS[last]}`
        : chosen.map((day) => DAYS[day]).join(', ');
  return `${days} ${when.from}–${when.to}`;
}

export async function alertPageOf(
  parts: Parts,
  eventId: string,
  { at, ends }: About,
): Promise<PublicPage | null> {
  const incident = await disruptions(parts.db).history(eventId);
  if (!incident) return null;
  const { severity, source, facts, metadata, ended_at, ended_reason, updated_at, collected_at } = incident;
  const { conditionOf } = await overview(parts);
  const { state, last_collected } = conditionOf(source);
  const silent = unheardOf([source], conditionOf)[0];
  // The incident was given up because its source fell silent: it is not over, only no longer known.
  const isLost = ended_at !== null && ended_reason === 'expired';
  const start = statedStart(incident);
  const clear = facts?.expected_clear ?? incident.end_time;
  const named: (readonly [string, string])[] = [
    ...(start ? [['Began', clock(start, at)] as const] : []),
    ...(ended_at && !isLost
      ? [['Over', clock(ended_at, at)] as const]
      : clear
        ? [['Expected clear', `about ${clock(clear, at)}`] as const]
        : []),
    ...(facts?.delay_minutes && !ended_at ? [['Delay', `up to ${facts.delay_minutes} min`] as const] : []),
  ];
  const said = [
    facts?.advice[0] ?? incident.summary_line,
    `${nameOf(source)}, ${clock(updated_at ?? collected_at, at)}.`,
  ];
  const unknown = isLost || silent !== undefined || state === 'not_configured';
  return {
    title: titleOf(incident),
    subject: 'Travel disruption',
    at,
    counted: [],
    items: [],
    alert: {
      grade: [gradeOf(incident), facts?.effect && line(facts.effect)].filter(Boolean).join(': '),
      isCritical: severity === 'critical' && !metadata.severity_unrated && !unknown,
      facts: named,
      words: said
        .filter(Boolean)
        .map((words) => line(words))
        .join(' '),
      over:
        ended_at && !isLost
          ? { since: `Over since ${clock(ended_at, at)}`, words: `${nameOf(source)} no longer reports it.` }
          : null,
    },
    blind: unknown
      ? {
          title: 'Do not rely on this.',
          words: `${nameOf(source)} has not answered${last_collected ? ` since ${clock(last_collected, at)}` : ''}: whether this goes on is not known.`,
          isFirst: true,
        }
      : {
          title: 'What this page cannot see',
          words: `It says what ${nameOf(source)} reports, and nothing about other trouble nearby.`,
          isFirst: false,
        },
    ends,
  };
}
