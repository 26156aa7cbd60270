/** The states of an alert: one for each route and incident, as in Grafana: normal, pending, firing, and recovering
 *  (over for less than ten minutes). If a source is silent, nothing changes: the last state is kept. Pure: depends
 *  only on data and a time. */
import { MINUTE_MS } from '#contract/durations.ts';
import { type Severity, severityRank } from '#contract/incidents/severity.ts';
import type { RowOf } from '../../db/schema.ts';

type AlertState = 'normal' | 'pending' | 'firing' | 'recovering';

/** Times in ms since 1970. */
export interface Alert {
  state: AlertState;
  /** When it came into this state, or into its present severity while firing. An alert that comes back from
   *  recovering counts as never gone. */
  since: number;
  recover_since: number | null;
  no_data_since: number | null;
  severity: Severity;
  /** When it last became critical, or began as critical: that is sent without the usual wait. */
  urgent_at: number | null;
}

/**
 * The standing of an incident on a route:
 *
 * - `there`: certain, within the times of the route's departures, at or above its threshold.
 * - `out`: no longer so, although the incident may go on: it is milder, it moved, the route was changed, or the
 *   vehicles have passed.
 * - `ended`: its publisher says so, it is absent for as long as its source's rule demands, or it was given up because
 *   its source was silent.
 * - `unknown`: its source is silent.
 */
export type Sight = {
  /** It has just become critical, or has just begun as critical. */
  isUrgent?: boolean;
} & ({ seen: 'there'; severity: Severity } | { seen: 'out' | 'ended' | 'unknown'; severity?: undefined });

/** How long an incident waits before its alert is sent. */
export const HOLD_MS: Readonly<Record<Severity, number>> = {
  critical: 0,
  high: MINUTE_MS,
  medium: 5 * MINUTE_MS,
  low: Infinity,
};

/** If it comes back within this time, it was never over. */
export const RECOVER_MS = 10 * MINUTE_MS;

export const NORMAL = (at: number, severity: Severity): Alert => ({
  state: 'normal',
  since: at,
  recover_since: null,
  no_data_since: null,
  severity,
  urgent_at: null,
});

/** The state after this look. The same object where nothing changed. */
export function nextAlert(before: Alert, sight: Sight, now: number): Alert {
  if (sight.seen === 'unknown')
    return before.no_data_since === null ? { ...before, no_data_since: now } : before;

  const known = before.no_data_since === null ? before : { ...before, no_data_since: null };
  if (sight.seen === 'there') return held(present(known, sight.severity, sight.isUrgent ?? false, now), now);

  switch (known.state) {
    case 'normal':
      return known;
    case 'pending':
      return { ...NORMAL(now, known.severity) };
    case 'firing':
      return { ...known, state: 'recovering', recover_since: now };
    case 'recovering':
      // If the clock was set back, the state must not last long.
      if (now < known.recover_since!) return { ...known, recover_since: now };
      return now - known.recover_since! >= RECOVER_MS ? NORMAL(now, known.severity) : known;
  }
}

function present(before: Alert, severity: Severity, isSaidUrgent: boolean, now: number): Alert {
  const isNew = before.state === 'normal';
  const rose = !isNew && severityRank(severity) < severityRank(before.severity);
  const fell = isFiring(before) && severityRank(severity) > severityRank(before.severity);
  const isUrgent = severity === 'critical' && (rose || isSaidUrgent);
  const changed =
    isNew || severity !== before.severity || isUrgent
      ? {
          ...before,
          severity,
          ...(fell && { since: now }),
          ...(isUrgent && { urgent_at: now }),
        }
      : before;
  if (isNew) return { ...changed, state: 'pending', since: now, recover_since: null };
  return changed.state === 'recovering' ? { ...changed, state: 'firing', recover_since: null } : changed;
}

function held(alert: Alert, now: number): Alert {
  if (alert.state !== 'pending') return alert;
  if (now < alert.since) return { ...alert, since: now };
  return now - alert.since >= HOLD_MS[alert.severity] ? { ...alert, state: 'firing', since: now } : alert;
}

/** Its beginning was sent, and its end is not known yet: its group counts it as firing. */
export const isFiring = ({ state }: Pick<Alert, 'state'>): boolean =>
  state === 'firing' || state === 'recovering';

/** When the state changes without a new event; null: never. */
export function alertDueAt({ state, since, recover_since, no_data_since, severity }: Alert): number | null {
  if (no_data_since !== null) return null;
  if (state === 'pending') return severity === 'low' ? null : since + HOLD_MS[severity];
  return state === 'recovering' ? recover_since! + RECOVER_MS : null;
}

export const alertOf = (row: RowOf<'alert_instances'>): Alert => ({
  state: row.state,
  since: Date.parse(row.since),
  recover_since: timeOf(row.recover_since),
  no_data_since: timeOf(row.no_data_since),
  severity: row.severity,
  urgent_at: timeOf(row.urgent_at),
});

export const rowOf = (
  watch_id: string,
  event_id: string,
  alert: Alert,
  rev: number,
): RowOf<'alert_instances'> => ({
  watch_id,
  event_id,
  state: alert.state,
  since: textOf(alert.since)!,
  recover_since: textOf(alert.recover_since),
  no_data_since: textOf(alert.no_data_since),
  severity: alert.severity,
  urgent_at: textOf(alert.urgent_at),
  rev,
});

const timeOf = (text: string | null) => (text === null ? null : Date.parse(text));
const textOf = (time: number | null) => (time === null ? null : new Date(time).toISOString());
