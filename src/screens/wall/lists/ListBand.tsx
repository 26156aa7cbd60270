import type { Alert } from '../../../api/alerts/disruptions.ts';
import { gradeOf, isCritical, sinceText } from '../../../feeds/alerts/alerts.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { counted } from '#contract/numbers.ts';
import { useSeen } from '../words/seenByTeam.ts';
import { BAND_MS } from '../band/rowTurns.ts';
import { gradeLabel } from '../../../feeds/alerts/leadAlerts.ts';
import { AlertBand, alsoForms, Band, usePlate } from '../band/WallWorst.tsx';

/** An alert that touches entries of the list. */
export interface Touching {
  alert: Alert;
  /** How many entries it touches; 0: they are not counted. */
  touches: number;
}

const ALTERNATING = 3;

/** The worst alert that touches an entry, over the whole width. `of`: "10 routes"; `ours`: "our routes". */
export function ListBand({
  touching,
  of,
  ours,
  asOf,
  pinned = false,
  calm = asOf ? `Nothing was critical or high on ${ours}.` : `Nothing critical or high on ${ours}.`,
}: {
  /** Worst first. */
  touching: readonly Touching[];
  of: string;
  ours: string;
  /** The time of old data; null while it is current. */
  asOf: Date | null;
  /** True: it interrupts the other pages. */
  pinned?: boolean;
  /** The words when nothing is critical or high. */
  calm?: string;
}) {
  const [first] = touching;
  const grade = first && gradeOf(first.alert);
  const same = touching.filter(({ alert }) => gradeOf(alert) === grade);
  const place = useClock((now) =>
    asOf ? 0 : Math.floor(now.getTime() / BAND_MS) % Math.max(1, Math.min(ALTERNATING, same.length)),
  );
  const shown = same[place] ?? first;
  const isBad = grade === 'critical' || grade === 'high';
  const asOfText = useClock((now) => asOf && sinceText(asOf, now));
  const plate = usePlate(grade === 'critical' && !asOf);
  const isSeen = useSeen((known) => shown !== undefined && shown.alert.event_id in known);
  const begun = Date.parse(shown?.alert.since ?? shown?.alert.start_time ?? '');
  const waits = useClock((now) =>
    pinned && !isSeen && shown && isCritical(shown.alert) && begun <= now.getTime()
      ? `Not in hand, ${counted(Math.floor((now.getTime() - begun) / 60_000), 'minute')}`
      : '',
  );
  if (!shown || !isBad)
    return (
      <Band
        form="list"
        marks={[{ text: asOfText ? `As of ${asOfText}` : 'Now', isLabel: true }]}
        first={calm}
      />
    );
  const { alert, touches } = shown;
  const labelCounts = pinned && grade === 'critical';
  const alike = same.map((one) => one.alert);
  return (
    <AlertBand
      key={alert.event_id}
      form="list"
      alert={alert}
      label={labelCounts ? `Critical on ${touches} of ${ours}` : gradeLabel(alert, alike)}
      others={alsoForms(alike.filter((other) => other !== alert))}
      more={[touches > 0 && !labelCounts ? `touches ${touches} of ${of}` : '', waits]}
      asOf={asOfText}
      plate={plate}
    />
  );
}
