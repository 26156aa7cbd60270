/** Sends each brief once at each of its times: the node with the lease stores its page and its messages in one
 *  transaction. After a short stop the brief is sent late, with both times; after a longer stop it is left out, and
 *  the next brief says so. */
import { setImmediate } from 'node:timers/promises';
import { pageAddressOf } from '#contract/addresses.ts';
import { MINUTE_MS } from '#contract/durations.ts';
import { LONDON_CLOCK, londonDay } from '#contract/london.ts';
import { type BriefAsked, type BriefSheet, isSentLate, withoutWorst } from '#contract/messages/briefs.ts';
import { dayAfter, londonInstant } from '#contract/watches/departures.ts';
import type { TeamMode } from '#contract/accounts/teams.ts';
import {
  cursorLease,
  type CursorWorker,
  startCursorWorker,
  type WorkerParts,
} from '../../db/cursorWorker.ts';
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import type { Collector } from '../../incidents/collector.ts';
import { readFeeds } from '../../feeds/readFeeds.ts';
import { responses } from '../../shift/responses.ts';
import { jobs } from '../../watches/jobs/jobStore.ts';
import { watchList } from '../../watches/watchAnswers.ts';
import { channels as channelsIn } from '../outbox/channelStore.ts';
import { putIn, waitingRow } from '../outbox/outbox.ts';
import type { StoredBody } from '../outbox/outboxStore.ts';
import { briefSheet, daysOf, sheetParts, subjectOf } from './briefSheet.ts';
import { askedOf, briefs } from './briefStore.ts';

/** Up to this long after its time a missed brief is sent late; later it is left out. */
const LATE_MS = 60 * MINUTE_MS;

export const LOOK_EVERY_MS = 10_000;
const LEASE_MS = 60_000;
const NAME = 'briefs';

interface Parts {
  db: Db;
  mode: TeamMode;
  collectors: readonly Collector[];
  now: () => Date;
}

interface BriefsParts extends WorkerParts, Parts {
  /** Called when messages wait to be sent. */
  onMessages?: () => void;
}

export function startBriefs(parts: BriefsParts): CursorWorker {
  const { db, now, onMessages } = parts;
  const lease = cursorLease(parts, NAME, LEASE_MS);
  const make = briefMaker(parts);

  async function look(): Promise<void> {
    const at = now();
    for (const row of await briefs(db).all()) {
      const last = (await briefs(db).lastRunAt(row.id)) ?? row.created_at;
      // A brief that was made a moment ago begins with its next time.
      const asked = new Date(Date.parse(row.updated_at) - 60_000).toISOString();
      const since = last > asked ? last : asked;
      const times = timesSince(askedOf(row), new Date(since), at);
      if (times.length === 0) continue;
      if (!(await lease.take())) return;
      for (const time of times) {
        // After a stop only the page of the last time is sent.
        const isSkipped = isTooLate(time, at) || time !== times.at(-1);
        const made = isSkipped ? null : await make(row, time, at);
        const run = { at: time, made: at, subject: made?.subject ?? null, sheet: made?.sheet ?? null };
        await lease.store(async (trx) => {
          if ((await briefs(trx).note(row.id, run)) && made) await made.send(trx);
        });
        if (made) onMessages?.();
      }
    }
  }

  return startCursorWorker(parts, {
    lease,
    everyMs: LOOK_EVERY_MS,
    look,
    failure: 'Could not make the briefs',
  });
}

/** The words of a brief for a time, and a way to send them in a transaction. */
export function briefMaker(parts: Parts) {
  const { db, mode, collectors } = parts;
  return async (row: RowOf<'briefs'>, time: Date, at: Date) => {
    const asked = askedOf(row);
    const { list: routes } = await watchList(parts, row.team_id, undefined, at);
    await setImmediate();
    const readings = asked.about === 'feeds' ? await readFeeds({ db, collectors }, at) : [];
    const feeds = readings.map(({ feed, events }) => ({
      title: feed.title,
      events,
      sources: feed.sources,
    }));
    const list =
      asked.about === 'feeds' ? { ...routes, sources: readings.flatMap(({ feed }) => feed.sources) } : routes;
    const days = asked.about === 'jobs' ? daysOf(asked.horizon, at) : [];
    const ofDays = await Promise.all(
      days.map((day) =>
        day === londonDay(at) ? jobs(db).asOf(row.team_id, at) : jobs(db).ofDay(row.team_id, day),
      ),
    );
    // A job whose route was deleted has none, and is then one of those that nobody can see.
    const own = asked.watch_ids && (await jobs(db).idsOn(row.team_id, asked.watch_ids));
    const ofBrief = ofDays.flat().filter(({ id }) => own?.has(id) ?? true);
    const { responses: states } = await responses(db).ofTeam(row.team_id, { changedAfter: at });
    const before = await briefs(db).lastSheet(row.id);
    await setImmediate();
    const sheet = briefSheet({ asked, list, jobs: ofBrief, feeds, responses: states, before }, at);
    const subject = subjectOf(sheet, time, [...list.incidents, ...feeds.flatMap(({ events }) => events)]);
    const to = (await channelsIn(db).inUse(mode, at, row.team_id)).filter(({ id, kind, user_id }) =>
      kind === 'app'
        ? asked.user_ids === null || asked.user_ids.includes(user_id ?? '')
        : asked.channel_ids.includes(id),
    );
    /** Sends to all, or to one person only. */
    const send = (trx: Db, userId?: string) => {
      const these = userId === undefined ? to : to.filter(({ user_id }) => user_id === userId);
      const rows = these.map((channel) => messageFor(row, channel, { subject, sheet, time, at }));
      return putIn(trx, rows, { at, noted: new Set() });
    };
    return { subject, sheet, send };
  };
}

function messageFor(
  { id, name }: RowOf<'briefs'>,
  channel: RowOf<'channels'>,
  { subject, sheet, time, at }: { subject: string; sheet: BriefSheet; time: Date; at: Date },
): RowOf<'messages'> {
  const parts = sheetParts(sheet);
  const late = isSentLate({ at: time.toISOString(), made_at: at.toISOString() })
    ? `Due ${LONDON_CLOCK.format(time)}, sent ${LONDON_CLOCK.format(at)}.`
    : '';
  const first = sheet.blind ? 'No source has answered.' : (sheet.worst[0]?.text ?? withoutWorst(sheet));
  const body: StoredBody = {
    kind: 'brief',
    title: subject,
    text: [late, first].filter(Boolean).join(' '),
    hidden: `Brief: ${name}`,
    severity: sheet.worst[0]?.severity ?? null,
    event_ids: [
      ...new Set(
        [...sheet.worst, ...sheet.at_risk, ...sheet.changed, ...sheet.planned].flatMap(
          ({ event_id }) => event_id ?? [],
        ),
      ),
    ],
    tag: `brief:${id}`,
    is_news: true,
    address: pageAddressOf('brief', `${id}/${time.toISOString()}`),
    ...(channel.kind === 'email' && { letter: parts }),
  };
  return waitingRow(at, { channel, watch: null, body, what: `brief ${id} ${time.toISOString()}` });
}

/** The times of a brief that have come since `after`, the oldest first: by London's clock, also in the nights of the
 *  clock change. */
export function timesSince(
  { days, times }: Pick<BriefAsked, 'days' | 'times'>,
  after: Date,
  now: Date,
): Date[] {
  const found: Date[] = [];
  const last = londonDay(now);
  // Times older than a week are no longer news.
  const first = new Date(Math.max(after.getTime(), now.getTime() - 7 * 24 * 60 * MINUTE_MS));
  for (let day = londonDay(first); day <= last; day = dayAfter(day)) {
    const weekday = (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7; // Monday is 0
    if ((days & (1 << weekday)) === 0) continue;
    for (const clock of times) {
      const at = londonInstant(day, clock);
      if (at > after && at <= now) found.push(at);
    }
  }
  return found.toSorted((one, other) => one.getTime() - other.getTime());
}

export const isTooLate = (at: Date, now: Date): boolean => now.getTime() - at.getTime() > LATE_MS;
