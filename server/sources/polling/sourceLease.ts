/** A source's lease: only the node that holds it polls the source. */
import type { collections } from '../../incidents/collectionState.ts';
import { JITTER_SHARE, later, SECOND_MS } from './pollDelays.ts';

/** The lease is renewed while a run lasts, so this is how long a dead node keeps a source from the others. */
export const LEASE_MS = 20 * SECOND_MS;

export interface LeaseParts {
  now: () => Date;
  /** Names this node in leases; no two live nodes on one database can share it. */
  owner: string;
  log: { error(fields: object, message: string): void };
}

export function leaseOf(
  source: string,
  { rows, owner, now, log }: LeaseParts & { rows: ReturnType<typeof collections> },
) {
  const renew = () => {
    const time = now();
    return rows.takeLease(source, owner, time.toISOString(), later(time, LEASE_MS));
  };

  return {
    /** Takes or keeps it; false while another node holds it. */
    renew,

    /** Keeps it while the work lasts, and then gives it back. Call after `renew`. */
    async hold<T>(work: () => Promise<T>): Promise<T> {
      let renewal = Promise.resolve();
      const renewing = setInterval(() => {
        renewal = renew().then(
          () => undefined,
          (error: unknown) => log.error({ err: error, source }, 'Could not renew the lease'),
        );
      }, LEASE_MS / 3);
      try {
        return await work();
      } finally {
        clearInterval(renewing);
        await renewal;
        await rows.dropLease(source, owner).catch((error: unknown) => {
          log.error({ err: error, source }, 'Could not release the lease, which will lapse');
        });
      }
    },
  };
}

/** Ms until we try for another node's lease again: the node may finish before it expires, or be dead. */
export function untilNextTryMs(
  leaseUntil: string | null | undefined,
  { now, random }: { now: () => Date; random: () => number },
): number {
  const leftMs = leaseUntil ? Date.parse(leaseUntil) - now().getTime() : 0;
  return Math.min(Math.max(leftMs, SECOND_MS), LEASE_MS / 2) * (1 + JITTER_SHARE * random());
}
