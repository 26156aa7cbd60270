/** Alerts that count: incidents that are in force and active. Planned ones and plain statuses do not count. */
import type { Db } from '../db/open.ts';
import type { RowOf } from '../db/schema.ts';

export const activeAlerts = (db: Db) =>
  db
    .selectFrom('disruptions')
    .where('ended_at', 'is', null)
    .where('kind', '=', 'alert')
    .where('phase', '=', 'active');

/** The same condition for a row in force. */
export const isActiveAlert = ({ kind, phase }: Pick<RowOf<'disruptions'>, 'kind' | 'phase'>) =>
  kind === 'alert' && phase === 'active';
