/** All alerts in force as lists show them. They are read once for each revision, for code that decides about many at
 *  once. */
import { type Disruption } from '#contract/incidents/disruptions.ts';
import { worstFirst } from '#contract/incidents/worstFirst.ts';
import { inForce, isShown, toDisruption, withDuplicates } from './disruptionRows.ts';
import { findDuplicates } from './duplicates.ts';
import type { Db } from '../../db/open.ts';
import { revision } from '../../db/revisions.ts';

interface Kept {
  revision: string;
  alerts: Promise<ReadonlyMap<string, Disruption>>;
}

const kept = new WeakMap<Db, Kept>();

/**
 * By id. Alerts that have begun come before planned ones, each worst first; several reports of one incident are one.
 */
export async function standingAlerts(db: Db): Promise<ReadonlyMap<string, Disruption>> {
  const present = (await Promise.all(['feeds', 'changes'].map((name) => revision(db, name)))).join(' ');
  const known = kept.get(db);
  if (known?.revision === present) return known.alerts;
  const alerts = read(db);
  kept.set(db, { revision: present, alerts });
  alerts.catch(() => kept.delete(db));
  return alerts;
}

async function read(db: Db): Promise<ReadonlyMap<string, Disruption>> {
  const duplicates = await findDuplicates(db);
  const rows = await inForce(db)
    .where('kind', '=', 'alert')
    .where((eb) => isShown(eb, duplicates))
    .execute();
  const alerts = rows.map((row) => toDisruption(withDuplicates(row, duplicates)));
  const isPlanned = ({ metadata }: Disruption) => Number(metadata.phase === 'planned');
  alerts.sort((one, other) => isPlanned(one) - isPlanned(other) || worstFirst(one, other));
  return new Map(alerts.map((alert) => [alert.event_id, alert]));
}
