/** Changes: when an incident enters, changes in or leaves a route, an area or a feed, the channels that get each
 *  change are sent it. Each channel gets it once, even if several watches let the incident through, and changes of
 *  one incident stay in order. The watch's own condition decides, at the moment of the change. Outside its hours
 *  nothing is sent; the ends of incidents that were sent follow when the hours begin. */
import { capital } from '#contract/incidents/titleForms.ts';
import { pageAddressOf } from '#contract/addresses.ts';
import { type Change, type ChangeList, gradeChange } from '#contract/incidents/changes.ts';
import {
  type ChangeData,
  CHANNEL_LIMITS,
  type ChangeDelivery,
  type Named,
} from '#contract/messages/channels.ts';
import type { ListedDisruption } from '#contract/incidents/disruptions.ts';
import { letsThrough } from '#contract/watches/whichIncidents.ts';
import { isWatching, watchingChangesAt } from '#contract/watches/whenWatched.ts';
import type { AlertWatch } from './alertStore.ts';
import { chunks } from '../../db/batches.ts';
import { isFrom, whatOf } from '../outbox/channelStore.ts';
import { filtered } from '../../incidents/list/filteredDisruptions.ts';
import { followed, type Level } from './watchedChanges.ts';
import { bodyOf, messages, type StoredBody } from '../outbox/outboxStore.ts';
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import { attributionOf } from '../formats/formatScope.ts';
import { incidentAfter } from '../formats/streams.ts';
import { line, nameOf, titleOf } from '../formats/formatWords.ts';
import type { Look } from '../outbox/notifierRun.ts';
import { putIn, waitingRow } from '../outbox/outbox.ts';
import { mutedBy, mutedUntil } from './quietHours.ts';
import type { Said } from './messageWords.ts';

const CHANGES_PER_STEP = 200;
const TITLE_MAX = 200;

/** Watches whose changes are sent, and the channels to which they go. */
type Following = ReadonlyMap<string, { watch: AlertWatch; channels: readonly RowOf<'channels'>[] }>;

/** Reads the next part of the log, to its end, for all watches. Returns how many messages were made. Call it in a
 *  transaction. */
export async function tellChanges(
  trx: Db,
  watches: readonly AlertWatch[],
  stretch: ChangeList,
  look: Look,
  publicUrl: string | undefined,
): Promise<number> {
  const following: Following = new Map(
    watches.flatMap((watch) => {
      const channels = (look.byTeam.get(watch.team_id) ?? []).filter(
        (channel) => whatOf(channel).changes && isFrom(channel, watch.id),
      );
      return channels.length === 0 ? [] : [[watch.id, { watch, channels }] as const];
    }),
  );
  const store = followed(trx);
  await store.only([...following.keys()]);
  if (following.size === 0) return 0;
  await compare(trx, following, stretch);
  let count = 0;
  // A batch can be a whole source: its incidents are never all in memory at the same time.
  for (const changes of chunks(stretch.complete ? stretch.changes : [], CHANGES_PER_STEP))
    count += await takeChanges(trx, following, changes, look, publicUrl);
  return count;
}

/** Compares new and changed incidents; if the log has a gap, all incidents, because only the present ones are known. */
async function compare(trx: Db, following: Following, stretch: ChangeList): Promise<void> {
  const store = followed(trx);
  const revs = await store.revs();
  const begun = new Set(
    stretch.changes
      .filter(({ kind }) => kind === 'began' || kind === 'split')
      .map(({ event_id }) => event_id),
  );
  for (const { watch } of following.values()) {
    const rev = revs.get(watch.id);
    if (rev === watch.rev && stretch.complete) continue;
    const levels = await store.inForce(watch);
    const incidents = await filtered(trx).some([...levels.keys()]);
    const present = [...incidents]
      .filter(([id, incident]) => letsThrough(watch.which, incident, levels.get(id)?.level ?? null))
      .map(([id]) => id);
    const known = rev === undefined ? new Set<string>() : await store.known(watch.id);
    const stored = await filtered(trx).some([...known]);
    const isIn = new Set(present);
    // The end of an incident comes later in the log, unless the log no longer has it.
    const gone = [...known].filter((id) => !isIn.has(id) && (!stretch.complete || !stored.get(id)?.ended_at));
    await store.compared(watch.id, watch.rev);
    await store.forget(watch.id, gone);
    await store.know(
      watch.id,
      present.filter((id) => !begun.has(id)),
    );
  }
}

/** The effect of a change on one watch. */
interface Seen {
  watch: AlertWatch;
  before: boolean;
  after: boolean;
  at: Level | undefined;
}

async function takeChanges(
  trx: Db,
  following: Following,
  changes: readonly Change[],
  look: Look,
  publicUrl: string | undefined,
): Promise<number> {
  const store = followed(trx);
  const ids = [...new Set(changes.flatMap((one) => [one.event_id, incidentAfter(one)]))];
  const inside = await store.knownAmong(ids);
  const incidents = await filtered(trx).some(ids);
  const levels = await store.levels([...following.keys()], ids);
  const alerts = await store.alerts(ids);
  const shown = new Set(
    alerts
      .filter(({ source }) => look.conditionOf(source).state !== 'not_configured')
      .map(({ event_id }) => event_id),
  );
  const rows: RowOf<'messages'>[] = [];
  const entered: [string, string][] = [];
  const left: [string, string][] = [];
  const outbox = untriedOf(trx, ids);

  for (const change of changes) {
    const incident = incidentAfter(change);
    const seen = [...following.values()].map(({ watch }): Seen => {
      const at = levels.get(`${watch.id}\n${incident}`);
      return {
        watch,
        // If an unknown incident joins another one, this is a change of the other one.
        before: [change.event_id, incident].some((id) => inside.has(`${watch.id}\n${id}`)),
        after: shown.has(incident) && isIn(watch, change, incidents.get(incident), at),
        at,
      };
    });
    const byChannel = new Map<RowOf<'channels'>, Seen[]>();
    for (const one of seen) {
      const { watch, before, after } = one;
      if (!before && !after) continue;
      const isOpen = isWatching(watch.when, look.at);
      // An incident that enters outside the hours is not known yet: it enters with its first change within the hours.
      if (after && !before && !isOpen) continue;
      const key = `${watch.id}\n${change.event_id}`;
      if (before && (!after || incident !== change.event_id)) {
        inside.delete(key);
        left.push([watch.id, change.event_id]);
      }
      if (after && !inside.has(`${watch.id}\n${incident}`)) {
        inside.add(`${watch.id}\n${incident}`);
        entered.push([watch.id, incident]);
      }
      if (!isOpen && after) continue;
      for (const channel of following.get(watch.id)!.channels)
        if (channel.changes_from < change.batch)
          byChannel.set(channel, [...(byChannel.get(channel) ?? []), one]);
    }
    for (const [channel, all] of byChannel) {
      const disruption = incidents.get(incident) ?? null;
      const row = await rowFor(channel, all, change, disruption, { look, publicUrl, outbox });
      rows.push(row);
    }
  }
  for (const [watchId, some] of Map.groupBy(left, ([id]) => id))
    await store.forget(
      watchId,
      some.map(([, id]) => id),
    );
  // This comes after the leaving ones, so that an incident that has left and entered again is known.
  for (const [watchId, some] of Map.groupBy(entered, ([id]) => id))
    await store.know(
      watchId,
      some.map(([, id]) => id).filter((id) => inside.has(`${watchId}\n${id}`)),
    );
  await outbox.drop();
  return putIn(
    trx,
    rows.filter(({ id }) => !outbox.isReplaced(id)),
    look,
  );
}

/** Whether the watch let the incident through, in its state after the change. */
function isIn(
  { which, kind }: AlertWatch,
  { kind: change, severity_to, phase_to }: Change,
  incident: ListedDisruption | undefined,
  at: Level | undefined,
): boolean {
  if (change === 'ended' || change === 'lost' || !incident) return false;
  if (kind !== 'feeds' && at === undefined) return false;
  const then = {
    ...incident,
    severity: severity_to,
    metadata: { ...incident.metadata, phase: phase_to },
  };
  return letsThrough(which, then, kind === 'feeds' ? null : at!.level);
}

async function rowFor(
  channel: RowOf<'channels'>,
  seen: readonly Seen[],
  change: Change,
  disruption: ListedDisruption | null,
  {
    look,
    publicUrl,
    outbox,
  }: { look: Look; publicUrl: string | undefined; outbox: ReturnType<typeof untriedOf> },
): Promise<RowOf<'messages'>> {
  const standing = seen.some(({ before }) => before)
    ? seen.some(({ after }) => after)
      ? 'stays'
      : 'leaves'
    : 'enters';
  const { batch, n, event_id } = change;
  const before = await outbox.last(channel.id, event_id);
  const replaced = before && replacing(before.data, change, standing);
  if (replaced) outbox.replace(before.id);
  const { at } = look;
  const body = changeBody(replaced?.change ?? change, disruption, {
    standing: replaced?.standing ?? standing,
    seen,
    isPosted: channel.kind === 'webhook',
    publicUrl,
  });
  const opensAt = seen.some(({ watch }) => isWatching(watch.when, at))
    ? at
    : (seen
        .flatMap(({ watch }) => watchingChangesAt(watch.when, at) ?? [])
        .toSorted((one, other) => +one - +other)[0] ?? at);
  const muted = mutedBy(channel, opensAt, change.severity_to === 'critical');
  const from = muted ? mutedUntil(channel, opensAt) : opensAt;
  const row = waitingRow(at, {
    channel,
    watch: null,
    body,
    what: `change ${batch} ${n}`,
    about: event_id,
    from,
  });
  outbox.add(channel.id, row, body);
  return muted ? { ...row, reason: muted } : from > at ? { ...row, reason: 'Held: not watching now' } : row;
}

type Told = { id: string; data: ChangeNews };
/** The part of a change that is kept beside its words, so that a later change can replace it. */
type ChangeNews = Pick<ChangeData, 'kind' | 'standing' | 'severity_from'>;

/** Waiting changes that were never tried: stored ones, and ones made in this step. */
function untriedOf(trx: Db, ids: readonly string[]) {
  const byChannel = new Map<string, Promise<Map<string, Told>>>();
  const replaced = new Set<string>();
  const stored = new Set<string>();
  const read = async (channelId: string) => {
    const rows = await messages(trx).untried(channelId, ids);
    for (const { id } of rows) stored.add(id);
    return new Map(
      rows.flatMap((row) => {
        const { news } = bodyOf(row);
        return news && row.about !== null ? [[row.about, { id: row.id, data: news }] as const] : [];
      }),
    );
  };
  const of = (channelId: string) => {
    const known = byChannel.get(channelId) ?? read(channelId);
    byChannel.set(channelId, known);
    return known;
  };
  let added: Promise<unknown> = Promise.resolve();
  return {
    async last(channelId: string, eventId: string): Promise<Told | undefined> {
      await added;
      return (await of(channelId)).get(eventId);
    },
    add(channelId: string, { id, about }: RowOf<'messages'>, { news }: StoredBody): void {
      added = of(channelId).then(
        (known) => void (news && about !== null && known.set(about, { id, data: news })),
      );
    },
    replace: (id: string) => void replaced.add(id),
    isReplaced: (id: string) => replaced.has(id) && !stored.has(id),
    async drop(): Promise<void> {
      for (const id of replaced)
        if (stored.has(id))
          await messages(trx).settle(id, {
            state: 'dropped',
            reason: 'Replaced by a later change',
            next_at: null,
          });
    },
  };
}

const SOFT: readonly Change['kind'][] = ['worse', 'better', 'changed'];

/** One message for both, if the later change says everything that the earlier one said. Null: the later one waits
 *  for the earlier. */
function replacing(
  before: ChangeNews,
  change: Change,
  standing: ChangeData['standing'],
): { change: Change; standing: ChangeData['standing'] } | null {
  if (!SOFT.includes(before.kind)) return null;
  if (change.kind === 'ended' || change.kind === 'lost')
    return before.standing === 'stays' ? { change, standing } : null;
  if (!SOFT.includes(change.kind) || before.standing === 'leaves' || standing === 'leaves') return null;
  const from = before.severity_from ?? change.severity_from;
  return {
    change: {
      ...change,
      severity_from: from,
      kind: gradeChange(from ?? change.severity_to, change.severity_to),
    },
    standing: before.standing,
  };
}

const WORDS: Readonly<Record<Change['kind'], string>> = {
  began: 'New',
  worse: 'Worse',
  better: 'Better',
  started: 'Started',
  changed: 'Changed',
  ended: 'Cleared',
  lost: 'No longer known',
  merged: 'Part of another',
  split: 'Apart from another',
};

function changeBody(
  change: Change,
  disruption: ListedDisruption | null,
  {
    standing,
    seen,
    isPosted,
    publicUrl,
  }: {
    standing: ChangeData['standing'];
    seen: readonly Seen[];
    isPosted: boolean;
    publicUrl: string | undefined;
  },
): StoredBody {
  const { event_id, source, kind, at, severity_from, severity_to } = change;
  const title = disruption ? titleOf(disruption) : line(event_id, TITLE_MAX);
  const severity_unrated = disruption?.metadata.severity_unrated === true;
  const address = pageAddressOf('alert', event_id);
  const watches = seen.map(({ watch: { id, name }, at: level }) => ({ id, name, ...placeOf(level) }));
  const data: ChangeData = {
    ...change,
    standing,
    watches,
    source_name: nameOf(source),
    attribution: attributionOf(source),
    title,
    severity_unrated,
    url: publicUrl === undefined ? null : `${publicUrl}${address}`,
    disruption,
  };
  const isMatch = seen.some(({ watch }) => watch.kind !== 'feeds');
  const delivery: ChangeDelivery = {
    type: `${isMatch ? 'match' : 'disruption'}.${kind}`,
    timestamp: at,
    data,
  };
  const isLong = Buffer.byteLength(JSON.stringify(delivery)) > CHANNEL_LIMITS.bodyBytes;
  const said = changeWords(data);
  return {
    kind: 'change',
    ...said,
    hidden: `${WORDS[kind]} on one of your routes`,
    severity: severity_to,
    event_ids: [event_id],
    tag: `change:${event_id}`,
    is_news: kind === 'began' || kind === 'worse' || kind === 'started',
    address,
    news: { kind, standing, severity_from },
    ...(isPosted && {
      delivery: isLong ? { ...delivery, data: { ...data, disruption: null } } : delivery,
    }),
  };
}

const placeOf = (level: Level | undefined) => ({
  level: level?.level ?? null,
  why: level?.why ?? null,
  from_km: level?.from_km ?? null,
  to_km: level?.to_km ?? null,
});

/** For people: a title, and a line under it. */
function changeWords(data: ChangeData): Said {
  const { kind, disruption, standing, title, source_name, attribution, severity_to, severity_unrated } = data;
  const grade = severity_unrated ? 'Unrated' : capital(severity_to);
  const isOver = kind === 'ended' || kind === 'lost';
  const leaves = standing === 'leaves' && !isOver ? `No longer in ${namesOf(data.watches)}. ` : '';
  const summary = disruption ? line(disruption.summary_line, TITLE_MAX) : '';
  return {
    title: `${WORDS[kind]}. ${isOver ? '' : `${grade}: `}${title}`,
    text: `${leaves}${summary && `${summary} `}${source_name}. ${attribution}`,
  };
}

const NAMES = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const namesOf = (watches: readonly Named[]) => NAMES.format(watches.map(({ name }) => line(name, TITLE_MAX)));
