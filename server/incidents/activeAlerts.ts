/** Alerts that count: an incident that is in force and active, not planned, and not a status without one. */
import type { Db } from '../db/open.ts';
import type { RowOf } from '../db/schema.ts';

export const activeAlerts = (db: Db) =>
  db
    .selectFrom('disruptions')
    .where('ended_at', 'is', null)
    .where('kind', '=', 'alert')
    .where('phase', '=', 'active');

/** The same of a row in force. */
export const isActiveAlert = ({ kind, phase }: Pick<RowOf<'disruptions'>, 'kind' | 'phase'>) =>
  kind === 'alert' && phase === 'active';
