/** Digests: one message at a person's chosen time, with certain incidents that are too mild for an alert, possible
 *  ones, planned ones that begin soon, and messages that were held back. */
import { severityRank } from '#contract/incidents/severity.ts';
import { londonInstant } from '#contract/watches/departures.ts';
import { londonDay } from '#contract/london.ts';
import type { DigestTimes, MessageBody } from '#contract/messages/messages.ts';
import type { AlertWatch, Touch } from './alertStore.ts';
import { channels as channelsIn, digestOf, isFrom, whatOf } from '../outbox/channelStore.ts';
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import type { Look } from '../outbox/notifierRun.ts';
import { MESSAGES_PAGE, putIn, waitingRow } from '../outbox/outbox.ts';
import { isPaused } from './quietHours.ts';
import { type Digested, digestWords } from './messageWords.ts';

/** After this time the digest is left out: the next one has its contents. */
const DIGEST_LATE_MS = 2 * 60 * 60_000;

/** The time for which a digest is due; null: none is. */
export function digestDue(times: DigestTimes, last: number | null, now: Date): Date | null {
  if (times === 'off') return null;
  const clocks = times === '06:00' ? ['06:00'] : ['06:00', '14:00'];
  const passed = clocks
    .map((clock) => londonInstant(londonDay(now), clock))
    .filter((at) => at.getTime() <= now.getTime())
    .at(-1);
  if (!passed || now.getTime() - passed.getTime() > DIGEST_LATE_MS) return null;
  return last !== null && last >= passed.getTime() ? null : passed;
}

/** Digests name at most this many; the page has all. */
const DIGESTED_MOST = 20;
/** Planned incidents are named when they begin within this time. */
const SOON_MS = 24 * 60 * 60_000;

/** Adds certain incidents below the threshold, possible ones if the route wants them, and planned ones that begin
 *  soon. `firing`: the incidents that alerts report at once, for people who get only the digest. */
export function addToDigests(
  watch: AlertWatch,
  { touches, firing }: { touches: readonly Touch[]; firing: readonly { title: string }[] },
  { byTeam, at, conditionOf }: Look,
  digests: Map<string, Digested[]>,
): void {
  const { threshold, possible } = watch.tellMe;
  if (threshold === 'nothing') return;
  const soon = new Date(at.getTime() + SOON_MS).toISOString();
  const listed = touches.flatMap((touch): Digested[] => {
    const { level, severity, phase, title, ended_at, start_time, source } = touch;
    if (level === null || title === null || ended_at !== null || !source) return [];
    if (conditionOf(source).freshness === 'stale') return [];
    const isPlanned = phase === 'planned';
    if (isPlanned && (start_time ?? '') > soon) return [];
    if (level === 'possible' && possible === 'no') return [];
    const isAtOnce = severity !== null && severityRank(severity) <= severityRank(threshold);
    if (level === 'certain' && !isPlanned && isAtOnce) return [];
    const kind = level === 'possible' ? level : isPlanned ? 'planned' : 'certain';
    return [{ route: watch.name, kind, title }];
  });
  const present = firing.map(({ title }): Digested => ({ route: watch.name, kind: 'certain', title }));
  for (const channel of byTeam.get(watch.team_id) ?? []) {
    const { digest, alerts } = whatOf(channel);
    if (digest && isFrom(channel, watch.id))
      addDigested(digests, channel.id, alerts ? listed : [...present, ...listed]);
  }
}

export function addDigested(
  digests: Map<string, Digested[]>,
  channelId: string,
  more: readonly Digested[],
): void {
  const known = digests.get(channelId) ?? [];
  if (known.length < DIGESTED_MOST) digests.set(channelId, [...known, ...more].slice(0, DIGESTED_MOST));
}

export async function makeDigests(
  trx: Db,
  look: Look,
  digests: ReadonlyMap<string, readonly Digested[]>,
): Promise<number> {
  const rows: RowOf<'messages'>[] = [];
  for (const channel of [...look.byTeam.values()].flat()) {
    if (!whatOf(channel).digest) continue;
    const { times, last } = digestOf(channel);
    const due = digestDue(times, last === null ? null : Date.parse(last), look.at);
    // During a pause the digest waits.
    if (!due || isPaused(channel, look.at)) continue;
    await channelsIn(trx).noteDigest(channel.id, { times, last: due.toISOString() });
    const listed = digests.get(channel.id) ?? [];
    if (listed.length === 0) continue;
    const body: MessageBody = {
      kind: 'digest',
      ...digestWords(due, listed),
      hidden: 'Digest of your routes',
      severity: null,
      event_ids: [],
      tag: 'digest',
      is_news: false,
      address: MESSAGES_PAGE,
    };
    const what = `digest ${due.toISOString()}`;
    rows.push(waitingRow(look.at, { channel, watch: null, body, what }));
  }
  return putIn(trx, rows, look);
}
