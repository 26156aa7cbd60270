/** Who has which alert in hand, as rows show it. The code that fills this is loaded after the rows; until then it is
 *  empty. */
import { type ComponentType, type ReactNode, useMemo } from 'react';
import { create } from 'zustand';
import type { Alert } from '../../api/alerts/disruptions.ts';
import type { Row } from '../../api/alerts/feeds.ts';
import { gradeOf } from '../../feeds/alerts/alerts.ts';
import { useThen } from '../../time/tickingClock.ts';

export interface InHandMark {
  /** "Rosa Jones · Diverted · 08:12" */
  text: string;
  /** "Seen by Rosa, 08:12", for places with less room. */
  seen: string;
}

interface InHand {
  /** The marks of acknowledged alerts, by `event_id`. */
  marks: Readonly<Record<string, InHandMark>>;
  snoozed: ReadonlySet<string>;
  /** Snoozed alerts that may have become critical since. Whether they have is judged later, see `hasWoken`. */
  milder: ReadonlySet<string>;
  /** The team's own reports in force. */
  ours: readonly Alert[];
  /** The team's own reports as the board lists them. */
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

/** The same for the board's rows. A board of the past shows nothing of it, because it is about now, and nothing can
 *  be done there. */
export function useInHandNow<Value>(select: (state: InHand) => Value): Value {
  const then = useThen();
  return useInHand((state) => select(then ? NOTHING_IN_HAND : state));
}

/** Empty when nobody has it. */
export const useInHandMark = ({ event_id }: Alert): string =>
  useInHandNow(({ marks }) => marks[event_id]?.text ?? '');

const NONE: readonly Alert[] = [];

/** The team's own reports that are not snoozed, worst first. Empty on a board of the past, which has reports of its
 *  own. */
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

/** Whether a snoozed alert is back because it has become critical, even before the server's answer says so. */
export const hasWoken = (alert: Alert, snooze: { critical: boolean } | null | undefined): boolean =>
  gradeOf(alert) === 'critical' && snooze?.critical === false;

/** The ids of snoozed alerts, without those of `alerts` that are back. */
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

/** The rows without snoozed alerts; `snoozed` says how many were left out. The same rows while none is snoozed. */
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
