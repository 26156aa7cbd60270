/** Deletes old records, so that an unattended server does not fill its disk, and moves the sample events forward. */
import { DAY_MS, HOUR_MS } from '#contract/durations.ts';
import { londonDay } from '#contract/london.ts';
import { JOB_LIMITS } from '#contract/watches/jobs.ts';
import { FAILURES_KEPT_MS, loginFailures } from '../accounts/passwords/loginLimits.ts';
import { apiKeys } from '../accounts/keys/apiKeys.ts';
import { auditTrail } from '../accounts/auditTrail.ts';
import { DISPLAY_REFRESH_DAYS } from '../accounts/tokens.ts';
import { displays } from '../accounts/displays/displays.ts';
import { layouts } from '../accounts/displays/layouts.ts';
import { docsTickets, sessions } from '../accounts/sessions.ts';
import { demotions } from '../watches/matching/demotionStore.ts';
import { disruptions } from '../incidents/list/disruptions.ts';
import { addresses } from '../watches/sharedAddresses.ts';
import { foldPolls } from '../incidents/pollLog.ts';
import { events } from '../geography/events/events.ts';
import { briefs } from '../delivery/briefs/briefStore.ts';
import { jobs } from '../watches/jobs/jobStore.ts';
import { made, MADE_KEPT_MS } from '../http/calls/makeOnce.ts';
import { matches } from '../watches/matching/matchStore.ts';
import { channels } from '../delivery/outbox/channelStore.ts';
import { messages } from '../delivery/outbox/outboxStore.ts';
import { pruneSplits } from '../incidents/merging/keptApart.ts';
import type { Db } from '../db/open.ts';
import { pairings } from '../accounts/displays/pairings.ts';
import { ownReports } from '../shift/ownReports.ts';
import { responses } from '../shift/responses.ts';
import { summaries } from '../feeds/summaries/summaryStore.ts';
import { usage } from '../http/usage/usage.ts';
import { watches } from '../watches/watchStore.ts';
import { demoteSources } from '../watches/demoteSources.ts';
import { spans } from '../feeds/freshness.ts';
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
  return {
    'ids of clients': () => made(db).prune(ago(MADE_KEPT_MS)),
    'login failures': () => loginFailures(db).prune(ago(FAILURES_KEPT_MS)),
    sessions: () => sessions(db).prune(ago(SESSIONS_KEPT_MS)),
    tickets: () => docsTickets(db).prune(now()),
    usage: () => usage(db).prune(ago(usageDays * DAY_MS)),
    'audit trail': () => auditTrail(db).prune(ago(AUDIT_KEPT_MS)),
    'use of API keys': () => apiKeys(db).pruneUsage(ago(KEY_USE_KEPT_MS)),
    channels: () => channels(db).prune(now()),
    messages: () => messages(db).prune(ago(historyDays * DAY_MS), now()),
    briefs: () => briefs(db).prune(ago(BRIEFS_KEPT_MS)),
    jobs: () => jobs(db).prune(londonDay(ago(jobDays * DAY_MS)), now()),
    pairings: () => pairings(db).prune(ago(PAIRINGS_KEPT_MS)),
    displays: () => displays(db).prune({ endedBefore: ago(DISPLAYS_KEPT_MS), neverSeenBefore: ago(HOUR_MS) }),
    'messages on displays': () => layouts(db).prune(ago(DISPLAY_MESSAGES_KEPT_MS)),
    'secret addresses': () => addresses(db).prune(now()),
    'history of disruptions': async () => {
      await disruptions(db).prune(ago(historyDays * DAY_MS));
      await pruneSplits(db);
      await summaries(db).prune(ago(historyDays * DAY_MS));
      await matches(db).prune(ago(historyDays * DAY_MS));
      await watches(db).prune(ago(historyDays * DAY_MS));
      await responses(db).prune(ago(historyDays * DAY_MS));
      await ownReports(db).prune(ago(historyDays * DAY_MS));
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
      await demotions(db).prune(ago(RESTORED_KEPT_MS));
    },
    'marks that were replaced': () => watches(db).pruneReplaced(ago(DAY_MS)),
    'lines of deleted routes': () => watches(db).forgetLines(now()),
    'sample events': () => keepSample(db, now()),
  };
}

/** Runs a round immediately and then every hour, one at a time. `round` never rejects. `stop` waits for a round
 *  under way. */
export function everyHour(round: () => Promise<void>): { stop(): Promise<void> } {
  let last = Promise.resolve();
  const begin = () => {
    last = last.then(round);
  };
  const timer = setInterval(begin, HOUR_MS);
  begin();
  return {
    stop() {
      clearInterval(timer);
      return last;
    },
  };
}
