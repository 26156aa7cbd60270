/** One run for some routes, areas and feeds: the states of their alerts, and the messages to their channels. */
import { matchAddress, pageAddressOf } from '#contract/addresses.ts';
import type { Trip } from '#contract/watches/departures.ts';
import type { ListedDisruption } from '#contract/incidents/disruptions.ts';
import { severityRank } from '#contract/incidents/severity.ts';
import { tripOfJob } from '#contract/watches/jobs.ts';
import { LONDON_CLOCK } from '#contract/london.ts';
import type { MessageBody } from '#contract/messages/messages.ts';
import { toldFrom } from '#contract/watches/tellMe.ts';
import { isEverything, leftOutBy, type LeftOut } from '#contract/watches/whichIncidents.ts';
import { isWatching, watchingChangesAt } from '#contract/watches/whenWatched.ts';
import { jobs, type RunningJob } from '../../watches/jobs/jobStore.ts';
import { alerts as alertsIn, type AlertWatch, type Touch } from './alertStore.ts';
import { isPosted } from '../outbox/channelState.ts';
import { isFrom, whatOf } from '../outbox/channelStore.ts';
import { messages } from '../outbox/outboxStore.ts';
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import { type Alert, alertDueAt, alertOf, isFiring, nextAlert, NORMAL, rowOf } from './alertStates.ts';
import { addDigested, addToDigests } from './digests.ts';
import {
  type End,
  type Firing,
  type LastSent,
  lastSentOf,
  logRow,
  nextEnds,
  nextOpened,
  nextStep,
  type Step as Next,
  without,
} from './alertNews.ts';
import { heldRows } from './heldRows.ts';
import { lookAgainAt, type Look } from '../outbox/notifierRun.ts';
import { heldRow, putIn, tagOf, waitingRow } from '../outbox/outbox.ts';
import { mutedBy } from './quietHours.ts';
import { concerns, nextReached, sightOf, tripsAround } from './alertSight.ts';
import {
  type Digested,
  easedWords,
  endWords,
  groupWords,
  hiddenWords,
  jobsWords,
  reminded,
  repeated,
  type Said,
} from './messageWords.ts';

/** Returns how many messages were made. */
export async function notifyOfWatches(
  trx: Db,
  watches: readonly AlertWatch[],
  look: Look,
  digests: Map<string, Digested[]>,
): Promise<number> {
  const ids = watches.map(({ id }) => id);
  const store = alertsIn(trx);
  await store.follow(watches, look.at);
  const touches = Map.groupBy(
    await store.touches(watches, (source) => look.conditionOf(source).state !== 'not_configured'),
    ({ watch_id }) => watch_id,
  );
  const instances = Map.groupBy(await store.instances(ids), ({ watch_id }) => watch_id);
  const sent = Map.groupBy(await store.lastSent(ids), ({ watch_id }) => watch_id);
  const running = Map.groupBy(await jobs(trx).onRoutes(ids, look.at), ({ watch_id }) => watch_id!); // asked by it
  const rows: RowOf<'messages'>[] = [];
  for (const watch of watches) {
    const mine = touches.get(watch.id) ?? [];
    const logs = sent.get(watch.id) ?? [];
    if (mine.length === 0 && logs.every(({ firing }) => firing === '[]')) continue;
    const known = { rows: instances.get(watch.id) ?? [], logs, jobs: running.get(watch.id) ?? [] };
    rows.push(...(await notifyOfWatch(trx, watch, mine, known, look, digests)));
  }
  return putIn(trx, rows, look);
}

/** A route with the incidents that touch it and the states of its alerts, before and after this run. */
interface Step {
  trx: Db;
  watch: AlertWatch;
  touches: ReadonlyMap<string, Touch>;
  trips: readonly Trip[] | null;
  /** The jobs on the route, each with its vehicle's trip. */
  jobs: readonly { job: RunningJob; trip: Trip }[];
  after: Map<string, Alert>;
  /** For each incident that touches the route: the reason why no alert is sent. */
  holds: Map<string, string>;
  /** Alerts that touch it with a severity below its threshold. */
  below: Set<string>;
  look: Look;
  /** The reason why the route does not let through an incident that touches it. */
  leftOutOf: (touch: Touch) => LeftOut | null;
  /** As `Look.unplaced`; 0 for a route. */
  unplaced: number;
}

async function notifyOfWatch(
  trx: Db,
  watch: AlertWatch,
  touches: readonly Touch[],
  {
    rows,
    logs,
    jobs: running,
  }: {
    rows: readonly RowOf<'alert_instances'>[];
    logs: readonly RowOf<'notification_log'>[];
    jobs: readonly RunningJob[];
  },
  look: Look,
  digests: Map<string, Digested[]>,
): Promise<RowOf<'messages'>[]> {
  const ways = running.map((job) => ({ job, trip: tripOfJob(job, watch.length_km) }));
  const step: Step = {
    trx,
    watch,
    touches: new Map(touches.map((touch) => [touch.event_id, touch])),
    jobs: ways,
    trips: tripsAround(
      watch,
      look.at,
      ways.map(({ trip }) => trip),
    ),
    after: new Map(),
    holds: new Map(),
    below: new Set(),
    look,
    leftOutOf: await leftOutOf(trx, watch, touches),
    unplaced: watch.kind === 'area' ? await look.unplaced(trx) : 0,
  };
  if (!isWatching(watch.when, look.at)) return outOfHours(step);
  await moveAlerts(step, new Map(rows.map((row) => [row.event_id, row])));

  const firingIds = [...step.after].filter(([, alert]) => isFiring(alert)).map(([id]) => id);
  // Several channels may have been sent the same.
  const wasSent = [...new Set(logs.flatMap(({ firing }) => JSON.parse(firing) as string[]))];
  const needed = [...new Set([...firingIds, ...wasSent])];
  const incidents = await alertsIn(trx).incidents(needed);
  const firing = await firingOf(step, firingIds, incidents);
  const over = wasSent.filter((id) => (step.after.get(id)?.state ?? 'normal') === 'normal');
  const reasonOf = (id: string) => incidents.get(id)?.ended_reason;
  const { threshold } = watch.tellMe;
  const isMild = (id: string) => {
    const [incident, touch] = [incidents.get(id), step.touches.get(id)];
    const isBelow =
      threshold === 'nothing' || (incident && severityRank(incident.severity) > severityRank(threshold));
    return isBelow || (touch !== undefined && step.leftOutOf(touch) === 'grade');
  };
  const ends = {
    cleared: over.filter((id) => reasonOf(id) && reasonOf(id) !== 'expired'),
    lost: over.filter((id) => reasonOf(id) === 'expired'),
    eased: over.filter(
      (id) => incidents.has(id) && !reasonOf(id) && (step.below.has(id) || isOpenAgain(incidents.get(id))),
    ),
    mild: over.filter((id) => reasonOf(id) && isMild(id)),
    gone: over.filter((id) => !incidents.has(id)),
  };

  const made = await notifyChannels(step, { firing, ends, incidents, logs, digests });
  if (watch.tellMe.threshold !== 'nothing' || step.holds.size > 0)
    made.push(...(await heldRows(step, (id) => reachedIn(step, id))));
  const present = firing.flatMap(({ id }) => incidents.get(id) ?? []);
  const let_through = touches.filter((touch) => step.leftOutOf(touch) === null);
  addToDigests(watch, { touches: let_through, firing: present }, look, digests);

  const done = [...step.after].filter(([id, { state }]) => state === 'normal' && !wasSent.includes(id));
  await alertsIn(trx).forget(
    watch.id,
    done.map(([id]) => id),
  );
  return made;
}

/** Outside the hours nothing is sent and every state stays: beginnings and ends of that time are sent when the hours
 *  begin. */
async function outOfHours(step: Step): Promise<RowOf<'messages'>[]> {
  const { watch, touches, trips, look, leftOutOf, holds } = step;
  lookAgainAt(look, watchingChangesAt(watch.when, look.at)?.getTime() ?? null);
  for (const touch of touches.values()) {
    const { sight } = sightOf(touch, watch, { trips, leftOut: leftOutOf(touch) }, look);
    if (sight.seen === 'there') holds.set(touch.event_id, 'Held: not watching now');
  }
  return holds.size > 0 ? heldRows(step, (id) => reachedIn(step, id)) : [];
}

async function leftOutOf(
  trx: Db,
  { which, kind }: AlertWatch,
  touches: readonly Touch[],
): Promise<Step['leftOutOf']> {
  if (isEverything(which)) return () => null;
  const incidents = await alertsIn(trx).incidents(touches.map(({ event_id }) => event_id));
  return ({ event_id, level }) => {
    const incident = incidents.get(event_id);
    return incident ? leftOutBy(which, incident, kind === 'feeds' ? null : level) : null;
  };
}

/** Moves each alert to its next state, and stores those that changed. */
async function moveAlerts(step: Step, before: ReadonlyMap<string, RowOf<'alert_instances'>>): Promise<void> {
  const { trx, watch, touches, trips, after, holds, below, look, leftOutOf } = step;
  for (const touch of touches.values()) {
    const row = before.get(touch.event_id);
    const judged = sightOf(touch, watch, { trips, leftOut: leftOutOf(touch) }, look);
    if (judged.held) holds.set(touch.event_id, judged.held);
    if (judged.isBelow) below.add(touch.event_id);
    if (!row && judged.sight.seen !== 'there') continue;
    const old = row ? alertOf(row) : NORMAL(look.now, touch.severity ?? 'low');
    const alert = nextAlert(old, judged.sight, look.now);
    after.set(touch.event_id, alert);
    lookAgainAt(look, alertDueAt(alert));
    if (!row || alert !== old)
      await alertsIn(trx).store(rowOf(watch.id, touch.event_id, alert, (row?.rev ?? 0) + 1));
  }
}

type Incidents = ReadonlyMap<string, ListedDisruption>;

/** The alerts that fire, each with the team's response and the reason for holding it back. */
async function firingOf(step: Step, ids: readonly string[], incidents: Incidents): Promise<Firing[]> {
  const { trx, watch, touches, after, holds, look } = step;
  const responses = new Map(
    (await alertsIn(trx).responses(ids))
      .filter(({ team_id }) => team_id === watch.team_id)
      .map((row) => [row.event_id, row]),
  );
  const inside = inhibited(
    ids.flatMap((id): Placed[] => {
      const touch = touches.get(id);
      const incident = incidents.get(id);
      // A stretch that is no longer closed does not hold other alerts back.
      if (!touch || touch.level !== 'certain' || !incident || incident.ended_at) return [];
      const { from_km, to_km } = touch;
      return [
        { id, from_km, to_km, effect: incident.facts?.effect ?? null, event_type: incident.event_type },
      ];
    }),
  );
  return ids.map((id): Firing => {
    const alert = after.get(id)!; // it is one of them
    const response = responses.get(id);
    const snooze = snoozedUntil(response, look.at);
    lookAgainAt(look, snooze ? Date.parse(snooze) : null);
    const held = snooze
      ? `Held: snoozed until ${LONDON_CLOCK.format(new Date(snooze))}`
      : inside.has(id)
        ? 'Held: inside a closed stretch'
        : null;
    if (held) holds.set(id, held);
    return {
      id,
      severity: alert.severity,
      since: alert.since,
      urgent_at: alert.urgent_at,
      isBlind: alert.no_data_since !== null,
      isOver: alert.state === 'recovering',
      isAcknowledged: response !== undefined && response.disposition !== null && response.lapsed === null,
      held,
    };
  });
}

/** An incident that goes on but no longer fires: milder than the threshold, or open again and ahead of no vehicle. Its
 *  lowest grade makes it news if it fires again. */
const EASED: Omit<Firing, 'id'> = {
  severity: 'low',
  since: -Infinity,
  urgent_at: null,
  isBlind: false,
  isAcknowledged: false,
  isOver: false,
  isEased: true,
  held: null,
};

/** Makes the messages for each channel of the team; for a muted channel the messages are stored as held back. */
async function notifyChannels(
  step: Step,
  known: {
    firing: readonly Firing[];
    /** The incidents by the way in which they ended; `mild`: below the threshold when they ended; `gone`: no longer
     *  stored. */
    ends: Readonly<Record<End | 'mild' | 'gone', readonly string[]>>;
    incidents: Incidents;
    logs: readonly RowOf<'notification_log'>[];
    digests: Map<string, Digested[]>;
  },
): Promise<RowOf<'messages'>[]> {
  const { trx, watch, look } = step;
  const { firing, ends, incidents, logs } = known;
  const opened = [
    ...firing.filter(({ id }) => isOpenAgain(incidents.get(id))),
    ...ends.eased.map((id) => ({ ...EASED, id })),
  ];
  const made: RowOf<'messages'>[] = [];
  for (const channel of look.byTeam.get(watch.team_id) ?? []) {
    const log = logs.find(({ channel_id }) => channel_id === channel.id);
    const isTold = whatOf(channel).alerts && isFrom(channel, watch.id);
    // A channel that no longer gets the alerts of this watch still gets the ends of incidents that it was sent.
    if (!isTold && !log) continue;
    const before = log ? lastSentOf(log) : null;
    const isSaidEased = (id: string) => before?.severities[id] === 'low';
    let last = before && without(before, [...ends.gone, ...ends.mild.filter(isSaidEased)]);
    for (const next of [
      ...(isTold
        ? [(sent: LastSent | null) => nextStep(sent, forPerson(channel, watch, firing), look.now)]
        : []),
      (sent: LastSent | null) => nextEnds(sent, 'cleared', ends.cleared),
      (sent: LastSent | null) => nextOpened(sent, opened, look.now),
      (sent: LastSent | null) => nextEnds(sent, 'lost', ends.lost),
    ]) {
      const todo = next(last);
      if (todo.kind === 'wait') lookAgainAt(look, todo.dueAt);
      else if (todo.kind === 'forget') last = todo.lastSent;
      else if (await isMade(made, channel, step, todo, known)) last = todo.lastSent;
    }
    if (last && JSON.stringify(last) !== JSON.stringify(before))
      await alertsIn(trx).setLastSent(logRow(watch.id, channel.id, last));
  }
  return made;
}

/** If a person wants only graver alerts at once, milder ones are held back from that person. */
const forPerson = (
  { threshold: own }: RowOf<'channels'>,
  { tellMe: { threshold: all } }: AlertWatch,
  firing: readonly Firing[],
): readonly Firing[] =>
  own === null || all === 'nothing' || toldFrom(own, all) !== own
    ? firing
    : firing.map((one) =>
        severityRank(one.severity) > severityRank(own) ? { ...one, held: 'Held: below your own grade' } : one,
      );

type Sending = Extract<Next, { kind: 'send' }>;

/** Adds the message, or stores that it is held back. Returns whether it counts as sent. */
async function isMade(
  made: RowOf<'messages'>[],
  channel: RowOf<'channels'>,
  step: Step,
  { why, ids, isLast }: Sending,
  { incidents, digests }: { incidents: Incidents; digests: Map<string, Digested[]> },
): Promise<boolean> {
  const { trx, watch, after, look } = step;
  const all = byGrade(ids, incidents, after);
  const severities = all.map(({ id }) => after.get(id)?.severity ?? 'low');
  const isAlert = why === 'new' || why === 'repeat';
  const muted = mutedBy(channel, look.at, isAlert && severities.includes('critical'));
  const about = `${why} ${all.map(({ id }, index) => `${id} ${severities[index]}`).join(' ')}`;
  const beside = `${look.now} ${about}`;
  const bodyOf = (again: Date | null) => bodyFor(step, { why, isLast, again }, all);
  if (muted) {
    if (why === 'repeat') return false;
    const body = bodyOf(null);
    if (whatOf(channel).digest)
      addDigested(digests, channel.id, [{ route: watch.name, kind: 'held', title: body.title }]);
    made.push(heldRow(look.at, { channel, watch, body, reason: muted, what: `${muted} ${about}`, beside }));
    return false;
  }
  // The same words about a route are never sent twice. Words that are true again are sent with the time since when
  // they are.
  for (const again of [null, look.at]) {
    const body = bodyOf(again);
    const inOrder = isPosted(channel) && { about: `watch:${watch.id}` };
    const row = waitingRow(look.at, { channel, watch, body, beside, ...inOrder });
    const before = made.find(({ id }) => id === row.id) ?? (await messages(trx).one(row.id));
    if (!before) {
      made.push(row);
      return true;
    }
    if (before.watch_id !== watch.id) return true;
  }
  return true;
}

const reachedIn = ({ trips, jobs: running, touches, look }: Step, id: string) =>
  nextReached(
    trips === null && running.length === 0 ? null : [...(trips ?? []), ...running.map(({ trip }) => trip)],
    touches.get(id),
    look.at,
  );

/** The jobs that have one of these incidents ahead. */
const jobsBefore = ({ jobs: running, touches, look }: Step, ids: readonly string[]): RunningJob[] =>
  running.flatMap(({ job, trip }) =>
    ids.some((id) => {
      const touch = touches.get(id);
      return touch !== undefined && concerns(trip, touch, look.at);
    })
      ? [job]
      : [],
  );

/** A snooze lasts until its time is over, or until a change ended it. */
const snoozedUntil = (response: RowOf<'responses'> | undefined, at: Date): string | null =>
  response?.snooze_until != null && response.snooze_until > at.toISOString() ? response.snooze_until : null;

/** The incidents of a message: by grade, then by id. Screens sort by trend and start as well (`worstFirst`), but these
 *  change while the news is the same, and another order would be another body. */
function byGrade(
  ids: readonly string[],
  incidents: Incidents,
  alerts: ReadonlyMap<string, Alert>,
): (ListedDisruption & { id: string })[] {
  const rank = (id: string) => severityRank(alerts.get(id)?.severity ?? 'low');
  return ids
    .flatMap((id) => {
      const incident = incidents.get(id);
      return incident ? [{ ...incident, id, severity: alerts.get(id)?.severity ?? incident.severity }] : [];
    })
    .toSorted((one, other) => rank(one.id) - rank(other.id) || (one.id < other.id ? -1 : 1));
}

function bodyFor(
  step: Step,
  { why, isLast, again }: { why: Sending['why']; isLast: boolean; again: Date | null },
  all: readonly (ListedDisruption & { id: string })[],
): MessageBody {
  const { watch, after, look, unplaced } = step;
  const isEnd = why !== 'new' && why !== 'repeat';
  const words = (): Said => {
    if (why === 'eased') {
      return easedWords(
        watch.name,
        all.map((one) => ({
          title: one.title,
          facts: one.facts ?? null,
          source: one.source,
          isOpen: isOpenAgain(one),
          at: one.updated_at ?? look.at.toISOString(),
        })),
        look.at,
      );
    }
    if (isEnd) {
      return endWords(
        watch.name,
        all.flatMap(({ title, facts, source, ended_at, ended_reason }) =>
          ended_at && ended_reason
            ? [{ title, facts: facts ?? null, reason: ended_reason, at: ended_at, source }]
            : [],
        ),
        look.at,
      );
    }
    const said = groupWords(
      watch.name,
      all.map((one) => ({
        ...one,
        facts: one.facts ?? null,
        // If the publisher gives no time: the time at which we first knew.
        updated_at: one.updated_at ?? new Date(after.get(one.id)?.since ?? look.now).toISOString(),
        reached: reachedIn(step, one.id),
      })),
      why === 'new' ? 'new' : 'still',
      unplaced,
      jobsWords(
        jobsBefore(
          step,
          all.map(({ id }) => id),
        ),
      ),
    );
    return why === 'repeat' ? reminded(said, isLast, look.at) : said;
  };
  return {
    kind: isEnd ? why : 'alert',
    ...(again ? repeated(words(), again) : words()),
    hidden: isEnd ? HIDDEN_ENDS[why] : hiddenWords(all.map(({ severity }) => severity)),
    severity: all[0]?.severity ?? null,
    event_ids: all.map(({ id }) => id),
    tag: tagOf(
      watch.id,
      all.map(({ id }) => id),
    ),
    is_news: !isEnd,
    address: all[0] ? matchAddress(watch.id, all[0].id) : pageAddressOf('route', watch.id),
  };
}

const HIDDEN_ENDS = {
  cleared: 'Cleared on one of your routes',
  eased: 'Eased on one of your routes',
  lost: 'No longer known on one of your routes',
} as const;

/** Place of an incident on the route, and its effect. */
export interface Placed {
  id: string;
  from_km: number | null;
  to_km: number | null;
  /** The effect in the words of the facts: "closed", "2 of 3 lanes closed", "queues of 3 miles". */
  effect: string | null;
  event_type: string;
}

const CLOSED =
  /^(?!.*\b(?:lanes?|slip|exit|entry|partly|partially|re-?opened)\b).*\b(?:closed|closure|blocked|shut)\b/i;
const QUEUE_OR_LANE =
  /\b(?:queu|congestion|tailback|slow|delay|traffic held|stationary|lanes?\b|contraflow|restriction)/i;

const isClosure = ({ effect, event_type }: Placed) =>
  effect ? CLOSED.test(effect) : event_type === 'road.closure';
const isPartOfIt = (one: Placed) =>
  !isClosure(one) && (one.effect ? QUEUE_OR_LANE.test(one.effect) : one.event_type === 'road.congestion');

const REOPENED = /\b(?:re-?opened|open again)\b/i;

/** "Closed until reopened by police", "still closed". */
const NOT_YET = /\b(?:until|till|when|once|before|not|still|will|to be)\b/i;

/** Whether the publisher of a closure now says that the road is open, or names a remaining effect. If a publisher
 *  says nothing, the road is not open. A team's own report may say all this in its title. */
export const isOpened = (one: Pick<Placed, 'effect' | 'event_type'> & { title: string }): boolean =>
  one.effect === null
    ? REOPENED.test(one.title) && !NOT_YET.test(one.title)
    : !CLOSED.test(one.effect) &&
      (one.event_type === 'road.closure' || REOPENED.test(one.effect) || REOPENED.test(one.title));

const isOpenAgain = (one: ListedDisruption | undefined): boolean =>
  one !== undefined && isOpened({ ...one, effect: one.facts?.effect ?? null });

/** Queues and lane closures inside a closed stretch, each with its closure. */
export function inhibited(all: readonly Placed[]): Map<string, string> {
  const closures = all.filter((one) => isClosure(one) && one.from_km !== null && one.to_km !== null);
  return new Map(
    all.flatMap((one): [string, string][] => {
      if (one.from_km === null || one.to_km === null || !isPartOfIt(one)) return [];
      const [low, high] = [Math.min(one.from_km, one.to_km), Math.max(one.from_km, one.to_km)];
      const around = closures.find(
        ({ from_km, to_km }) => Math.min(from_km!, to_km!) <= low && Math.max(from_km!, to_km!) >= high,
      );
      return around ? [[one.id, around.id]] : [];
    }),
  );
}
