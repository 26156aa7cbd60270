/** Who has which alert in hand, as rows show it. What fills it is loaded after the rows; until then it is empty. */
import { type ComponentType, type ReactNode, useMemo } from 'react';
import { create } from 'zustand';
import type { Alert } from '../../api/alerts/disruptions.ts';
import type { Row } from '../../api/alerts/feeds.ts';
import { gradeOf } from '../../feeds/alerts/alerts.ts';
import { useThen } from '../../time/tickingClock.ts';

export interface InHandMark {
  /** "Rosa Jones · Diverted · 08:12" */
  text: string;
  /** "Seen by Rosa, 08:12", where there is less room. */
  seen: string;
}

interface InHand {
  /** The marks of what is acknowledged, by `event_id`. */
  marks: Readonly<Record<string, InHandMark>>;
  snoozed: ReadonlySet<string>;
  /** Alerts that may have become critical since, where this is not judged yet: see `hasWoken`. */
  milder: ReadonlySet<string>;
  /** The team's own reports in force. */
  ours: readonly Alert[];
  /** They, as the board lists them. */
  listed: ReactNode;
  /** The buttons of one alert. */
  Answers: ComponentType<{ alert: Alert }> | null;
  /** Somebody looks closer, so that the buttons are needed. */
  isWanted: boolean;
}

export const NOTHING_IN_HAND: InHand = {
  marks: {},
  snoozed: new Set(),
  milder: new Set(),
  ours: [],
  listed: null,
  Answers: null,
  isWanted: false,
};

export const useInHand = create<InHand>(() => NOTHING_IN_HAND);

export const wantAnswers = () => useInHand.setState({ isWanted: true });

/** The same in the board's rows: who has an alert now is no news of a board of the past, and nothing is done there. */
export function useInHandNow<Value>(select: (state: InHand) => Value): Value {
  const then = useThen();
  return useInHand((state) => select(then ? NOTHING_IN_HAND : state));
}

/** Empty where nobody has it. */
export const useInHandMark = ({ event_id }: Alert): string =>
  useInHandNow(({ marks }) => marks[event_id]?.text ?? '');

const NONE: readonly Alert[] = [];

/** The team's own reports that nobody has snoozed, worst first; of a board of the past none: it has its own. */
export function useOurs(): readonly Alert[] {
  const then = useThen();
  const { ours, snoozed } = useInHand();
  return useMemo(() => {
    if (then || ours.length === 0) return NONE;
    return ours.filter(({ event_id }) => !snoozed.has(event_id));
  }, [then, ours, snoozed]);
}

/** The alerts of these rows by `event_id`. */
export const useAlertsById = (rows: readonly Row[]): ReadonlyMap<string, Alert> =>
  useMemo(
    () => new Map(rows.flatMap(({ events }) => events.map((alert) => [alert.event_id, alert] as const))),
    [rows],
  );

/** An alert that was not critical comes back by becoming so: also when the answer that says so has not come. */
export const hasWoken = (alert: Alert, snooze: { critical: boolean } | null | undefined): boolean =>
  gradeOf(alert) === 'critical' && snooze?.critical === false;

/** Alerts that are snoozed, of these and others. */
export function useAsleep(alerts: readonly Alert[]): ReadonlySet<string> {
  const snoozed = useInHand((state) => state.snoozed);
  const milder = useInHand((state) => state.milder);
  return useMemo(() => {
    const woken = alerts.filter(
      (alert) => milder.has(alert.event_id) && hasWoken(alert, { critical: false }),
    );
    const ids = new Set(woken.map(({ event_id }) => event_id));
    return ids.size === 0 ? snoozed : new Set([...snoozed].filter((id) => !ids.has(id)));
  }, [alerts, snoozed, milder]);
}

/** Without the snoozed alerts; `snoozed` says how many were left out. The same rows while nothing is. */
export function useUnsnoozed(rows: Row[]): (Row & { snoozed?: number })[] {
  const snoozed = useAsleep(useMemo(() => rows.flatMap(({ events }) => events), [rows]));
  return useMemo(() => {
    if (snoozed.size === 0) return rows;
    return rows.map((row) => {
      const events = row.events.filter(({ event_id }) => !snoozed.has(event_id));
      const left = row.events.length - events.length;
      return left === 0 ? row : { ...row, events, snoozed: left };
    });
  }, [rows, snoozed]);
}
