/** Deletes old records, so that an unattended server does not fill its disk, and moves the sample events forward. */
import { DAY_MS, HOUR_MS } from '#contract/durations.ts';
import { everyHour } from '../everyHour.ts';
import { londonDay } from '#contract/london.ts';
import { JOB_LIMITS } from '#contract/watches/jobs.ts';
import { FAILURES_KEPT_MS } from '../accounts/passwords/loginLimits.ts';
import { apiKeys } from '../accounts/keys/apiKeys.ts';
import { DISPLAY_REFRESH_DAYS } from '../accounts/tokens.ts';
import { displays } from '../accounts/displays/displays.ts';
import { sessions } from '../accounts/sessions.ts';
import { disruptions } from '../incidents/list/disruptions.ts';
import { addresses } from '../watches/sharedAddresses.ts';
import { foldPolls } from '../incidents/pollLog.ts';
import { events } from '../geography/events/events.ts';
import { jobs } from '../watches/jobs/jobStore.ts';
import { MADE_KEPT_MS } from '../http/calls/makeOnce.ts';
import { channels } from '../delivery/outbox/channelStore.ts';
import { messages } from '../delivery/outbox/outboxStore.ts';
import { pruneSplits } from '../incidents/merging/keptApart.ts';
import type { Db } from '../db/open.ts';
import type { RowOf, Tables } from '../db/schema.ts';
import { removeBefore } from '../db/statements.ts';
import { responses } from '../shift/responses.ts';
import { watches } from '../watches/watchStore.ts';
import { demoteSources } from '../watches/demoteSources.ts';
import { spans } from '../feeds/sourceCondition.ts';
import type { Collector } from '../incidents/collector.ts';
import { keepSample } from '../geography/events/sample/sampleEvents.ts';

/** Ended incidents with their old versions, matches and summaries, from which the board of the past is made;
 *  messages; and what teams did. The setting HISTORY_DAYS replaces it. */
const HISTORY_DAYS = 90;
/** Logged calls and usage events, which are personal data. The setting USAGE_DAYS replaces it. */
const USAGE_DAYS = 90;
/** Briefs as they were sent. */
const BRIEFS_KEPT_MS = 90 * DAY_MS;
/** How long single polls are kept; after that only their hourly sums. */
const POLLS_KEPT_MS = 35 * DAY_MS;
/** The audit trail of administrators. */
const AUDIT_KEPT_MS = 2 * 365 * DAY_MS;
/** Daily use of each API key: a year, for comparison. */
const KEY_USE_KEPT_MS = 400 * DAY_MS;
/** Past events: a year, for comparison. */
export const EVENTS_KEPT_MS = 400 * DAY_MS;
/** Ended sessions, for anyone who investigates misuse. */
const SESSIONS_KEPT_MS = 30 * DAY_MS;
/** How long we keep the time at which a source was trusted again: only marks after it count. */
const RESTORED_KEPT_MS = 30 * DAY_MS;

/** Expired codes are kept so long, so that a person who types one a little late learns why it does not work. */
const PAIRINGS_KEPT_MS = HOUR_MS;
/** Displays that are no longer paired: such a display can still come back and must then clear its board. */
const DISPLAYS_KEPT_MS = DISPLAY_REFRESH_DAYS * DAY_MS;

/** Messages to screens. The audit trail keeps who sent a message, and when. */
const DISPLAY_MESSAGES_KEPT_MS = 30 * DAY_MS;

interface Parts {
  db: Db;
  historyDays?: number | undefined;
  usageDays?: number | undefined;
  jobDays?: number | undefined;
  collectors: readonly Collector[];
  now: () => Date;
  log: { error(fields: object, message: string): void };
}

export const startHousekeeping = (parts: Parts) => everyHour(() => runHousekeeping(parts));

/** One round. Never rejects: a failed step is logged by name, the others run, and the next round tries it again. */
export async function runHousekeeping(parts: Parts): Promise<void> {
  for (const [step, done] of Object.entries(stepsOf(parts))) {
    try {
      await done();
    } catch (error) {
      parts.log.error({ err: error, step }, `Housekeeping failed: ${step}`);
    }
  }
}

function stepsOf({
  db,
  historyDays = HISTORY_DAYS,
  usageDays = USAGE_DAYS,
  jobDays = JOB_LIMITS.keptDays,
  collectors,
  now,
}: Parts): Readonly<Record<string, () => Promise<unknown>>> {
  const ago = (ms: number) => new Date(now().getTime() - ms);
  const historyMs = historyDays * DAY_MS;
  const usageMs = usageDays * DAY_MS;
  /** Deletes the rows of a table that are older than this. */
  const old = <T extends keyof Tables>(table: T, column: keyof RowOf<T> & string, keptMs: number) =>
    removeBefore(db, table, column, ago(keptMs));
  return {
    'ids of clients': () => old('made', 'made_at', MADE_KEPT_MS),
    'login failures': () => old('login_failures', 'failed_at', FAILURES_KEPT_MS),
    sessions: () => sessions(db).prune(ago(SESSIONS_KEPT_MS)),
    tickets: () => old('docs_tickets', 'expires_at', 0),
    // The hourly sums stay, because they name nobody.
    usage: async () => {
      await old('usage_events', 'occurred_at', usageMs);
      await old('api_calls', 'occurred_at', usageMs);
      await old('active_hours', 'hour', usageMs);
    },
    'audit trail': () => old('audit_trail', 'at', AUDIT_KEPT_MS),
    'use of API keys': () => apiKeys(db).pruneUsage(ago(KEY_USE_KEPT_MS)),
    channels: () => channels(db).prune(now()),
    messages: () => messages(db).prune(ago(historyMs), now()),
    briefs: () => old('brief_runs', 'made_at', BRIEFS_KEPT_MS),
    jobs: () => jobs(db).prune(londonDay(ago(jobDays * DAY_MS)), now()),
    pairings: () => old('pairings', 'expires_at', PAIRINGS_KEPT_MS),
    displays: () => displays(db).prune({ endedBefore: ago(DISPLAYS_KEPT_MS), neverSeenBefore: ago(HOUR_MS) }),
    'messages on displays': () => old('display_messages', 'until', DISPLAY_MESSAGES_KEPT_MS),
    'secret addresses': () => addresses(db).prune(now()),
    'history of disruptions': async () => {
      await disruptions(db).prune(ago(historyMs));
      await pruneSplits(db);
      await old('summary_versions', 'generated_at', historyMs);
      await old('matches', 'ended_at', historyMs);
      await old('watches', 'archived_at', historyMs);
      await responses(db).prune(ago(historyMs));
      await old('own_reports', 'ended_at', historyMs);
    },
    polls: () =>
      foldPolls(db, ago(POLLS_KEPT_MS), (source) => {
        const collector = collectors.find((one) => one.source === source);
        // Nothing is known about a source without a collector.
        return collector ? spans(collector).freshMs : 0;
      }),
    events: () => events(db).prune(ago(EVENTS_KEPT_MS)),
    'demotion of sources': async () => {
      await demoteSources(db, now());
      await old('demotions', 'restored_at', RESTORED_KEPT_MS);
    },
    'marks that were replaced': () => watches(db).pruneReplaced(ago(DAY_MS)),
    'lines of deleted routes': () => watches(db).forgetLines(now()),
    'sample events': () => keepSample(db, now()),
  };
}
