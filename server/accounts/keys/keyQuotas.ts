/**
 * Counts the calls of API keys against their owner's quota, exactly, and with few writes.
 * Calls that arrive together are counted by one statement. Where only one process uses the database (SQLite), some
 * calls of a busy owner are counted ahead: later calls take from these in memory, and unused ones are given back.
 * After kill -9 they stay counted, so nobody ever gets more than the limit. The limits are `TIER_LIMITS` of contract/accounts/keyTiers.ts.
 */
import { DAY_MS } from '#contract/durations.ts';
import { LRUCache } from 'lru-cache';
import { PostgresAdapter } from 'kysely';
import type { KeyRateLimit } from '#contract/accounts/keys.ts';
import type { Tier, TierLimits } from '#contract/accounts/keyTiers.ts';
import { apiKeys, dayOf, type KeyUse, LAST_USED_WITHIN_MS } from './apiKeys.ts';
import type { Db } from '../../db/open.ts';

const AHEAD_MAX = 2000;
/** The share of an owner's remaining calls that is counted ahead. Near the limit this is less than one call, so each
 *  is counted by itself. */
const AHEAD_SHARE = 0.02;
/** Calls that were counted ahead and not used are given back after this time. */
const SETTLE_AFTER_MS = 5000;
const KEYS_KEPT = 10_000;

interface Holder {
  userId: string;
  tier: Tier;
  keyId: string;
}

interface Waiting {
  keyId: string;
  at: string;
  resolve(used: number | null): void;
  reject(error: unknown): void;
}

/** The quota that one owner has in one tier. */
interface Account {
  userId: string;
  tier: Tier;
  day: string;
  /** The number of calls made on that day; null until we have counted one. */
  used: number | null;
  /** Calls that are counted in the database but not made yet. */
  left: number;
  /** Uses that are not recorded yet, by key. */
  uses: Map<string, KeyUse>;
  /** How many calls were counted ahead last. The next time it is twice as many. */
  ahead: number;
  waiting: Waiting[];
  /** Settles when the database has answered: an owner has only one statement at a time. */
  running: Promise<void>;
}

export interface KeyQuotas {
  /** Counts one call. Returns the number of the owner's calls today, including this one; null when none was left. */
  spend(holder: Holder): Promise<number | null>;
  /** Records a call that does not count. Returns the number of the owner's calls today. */
  spare(holder: Holder): Promise<number>;
  /** Writes to the database every call that was made here. */
  settle(): Promise<void>;
  /** Settles for the last time: a failure now is not tried again. */
  close(): Promise<void>;
}

export function keyQuotas({ db, limits, now }: { db: Db; limits: TierLimits; now: () => Date }): KeyQuotas {
  const isAlone = !(db.getExecutor().adapter instanceof PostgresAdapter);
  const accounts = new Map<string, Account>();
  const seen = new LRUCache<string, number>({ maxSize: KEYS_KEPT, sizeCalculation: () => 1 });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function accountOf({ userId, tier }: Holder): Account {
    const id = `${userId} ${tier}`;
    const known = accounts.get(id);
    if (known) return known;
    const running = Promise.resolve();
    const none = { day: '', used: null, left: 0, uses: new Map(), ahead: 0, waiting: [], running };
    const made: Account = { userId, tier, ...none };
    accounts.set(id, made);
    return made;
  }

  /** Takes a call that was counted ahead; null when there is none. */
  function takeLeft(account: Account, keyId: string, at: string): number | null {
    if (account.left === 0 || account.day !== dayOf(at)) return null;
    account.left--;
    note(account.uses, keyId, at);
    return ++account.used!;
  }

  /** Counts all calls that wait. */
  async function count(account: Account): Promise<void> {
    const waiting = account.waiting.filter(({ keyId, at, resolve }) => {
      const used = takeLeft(account, keyId, at);
      if (used !== null) resolve(used);
      return used === null;
    });
    account.waiting = [];
    if (waiting.length === 0) return;

    // Around midnight, calls of another day wait for the next statement.
    const day = dayOf(waiting[0]!.at);
    const together = waiting.filter(({ at }) => dayOf(at) === day);
    account.waiting = waiting.filter(({ at }) => dayOf(at) !== day);
    try {
      if (account.day !== day) await settleOne(account);
      const last = await take(account, together, aheadOf(account, day));
      if (last !== null) together.forEach(({ resolve }, at) => resolve(last - together.length + 1 + at));
      // Each call is counted alone, because the quota has too little left for all of them.
      else for (const one of together) one.resolve(await take(account, [one], 0));
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
    if (account.waiting.length > 0) await count(account);
  }

  /** Counts these calls together. Null when fewer are left, otherwise the number of the last of these calls. */
  async function take(account: Account, together: readonly Waiting[], ahead: number): Promise<number | null> {
    const { userId, tier } = account;
    const { at } = together.at(-1)!;
    const earlier = account.uses;
    account.uses = new Map();
    for (const { keyId, at } of together) note(earlier, keyId, at);
    const counted = together.length + ahead;
    const used = await apiKeys(db)
      .spend({ userId, tier, count: counted, uses: [...earlier.values()] }, limits[tier], at)
      .catch((error: unknown) => {
        giveBackUses(account, earlier, together);
        throw error;
      });
    if (used === null) {
      giveBackUses(account, earlier, together);
      return null;
    }
    Object.assign(account, { day: dayOf(at), used: used - ahead, left: ahead, ahead });
    if (ahead > 0) later();
    return used - ahead;
  }

  /** Records these uses. If that fails they wait for the next time, without the calls that were refused. */
  function giveBackUses(account: Account, uses: Map<string, KeyUse>, refused: readonly Waiting[]): void {
    for (const { keyId } of refused) uses.get(keyId)!.used--;
    for (const { keyId, used, at } of uses.values()) if (used > 0) note(account.uses, keyId, at, used);
  }

  function aheadOf(account: Account, day: string): number {
    if (!isAlone || account.day !== day || account.used === null) return 0;
    const limit = limits[account.tier];
    const most = limit === null ? AHEAD_MAX : Math.floor((limit - account.used) * AHEAD_SHARE);
    return Math.max(0, Math.min(AHEAD_MAX, most, account.ahead * 2 + 1));
  }

  async function settleOne(account: Account): Promise<void> {
    const { userId, tier, day, left, uses } = account;
    if (left === 0 && uses.size === 0) return;
    account.left = 0;
    account.ahead = 0;
    account.uses = new Map();
    try {
      await apiKeys(db).giveBack({ userId, tier, day, count: left }, [...uses.values()]);
    } catch (error) {
      // The calls stay counted, so an owner never gets more than the limit.
      for (const { keyId, used, at } of uses.values()) note(account.uses, keyId, at, used);
      later();
      throw error;
    }
  }

  function later(): void {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      // By design: a database that cannot be written is reported by code that writes more than figures.
      void settle().catch(() => {});
    }, SETTLE_AFTER_MS).unref();
  }

  async function settle(): Promise<void> {
    for (const account of accounts.values()) {
      const settled = account.running.then(() => settleOne(account));
      account.running = settled.catch(() => {});
      await settled;
    }
  }

  return {
    async spend(holder) {
      const at = now().toISOString();
      const account = accountOf(holder);
      const used = account.waiting.length === 0 ? takeLeft(account, holder.keyId, at) : null;
      if (used !== null) return used;
      return new Promise((resolve, reject) => {
        account.waiting.push({ keyId: holder.keyId, at, resolve, reject });
        if (account.waiting.length === 1) account.running = account.running.then(() => count(account));
      });
    },

    async spare(holder) {
      const at = now();
      const time = at.getTime();
      const last = seen.get(holder.keyId);
      if (last === undefined || time < last || time - last >= LAST_USED_WITHIN_MS) {
        await apiKeys(db).noteUse(holder.keyId, at);
        seen.set(holder.keyId, time);
      }
      const { day, used } = accountOf(holder);
      if (isAlone && used !== null && day === dayOf(at.toISOString())) return used;
      return apiKeys(db).usedToday(holder.userId, holder.tier, at);
    },

    settle,

    async close() {
      isClosed = true;
      clearTimeout(timer);
      await settle();
    },
  };
}

function note(uses: Map<string, KeyUse>, keyId: string, at: string, used = 1): void {
  const known = uses.get(keyId);
  if (known) Object.assign(known, { used: known.used + used, at: at > known.at ? at : known.at });
  else uses.set(keyId, { keyId, used, at });
}

// How many calls the API keys of an owner and tier have left today. Days are in UTC.

/** The next midnight, UTC. */
const nextDay = (now: Date) => new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS);

export function quotaOf(tier: Tier, used: number, limits: TierLimits, now: Date): KeyRateLimit {
  const limit = limits[tier];
  return {
    tier,
    limit_per_day: limit,
    used_today: used,
    // The limit may have been lowered below the number of calls made.
    remaining: limit === null ? null : Math.max(0, limit - used),
    resets_at: nextDay(now).toISOString(),
  };
}

/** Seconds until the next day, rounded up. */
export const secondsToReset = (now: Date) => Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000);

/**
 * `RateLimit-Policy: "day";q=1000;w=86400` and `RateLimit: "day";r=988;t=3600`, after
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers (fields as of draft 10). No headers without a
 * limit.
 */
export function quotaHeaders(limit: number | null, used: number, now: Date): Record<string, string> {
  if (limit === null) return {};
  return {
    'ratelimit-policy': `"day";q=${limit};w=${DAY_MS / 1000}`,
    ratelimit: `"day";r=${Math.max(0, limit - used)};t=${secondsToReset(now)}`,
  };
}
