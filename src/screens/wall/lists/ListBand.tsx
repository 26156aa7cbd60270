import { EyeIcon } from '@phosphor-icons/react/dist/csr/Eye';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import { gradeOf, isCritical, sinceText } from '../../../feeds/alerts/alerts.ts';
import { trendText } from '../../../feeds/alerts/worst.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { GRADE_WORDS, Severity } from '../../../ui/signs/Severity.tsx';
import { counted } from '#contract/numbers.ts';
import { useSeen } from '../words/seenByTeam.ts';
import { BAND_MS } from '../band/rowTurns.ts';
import { alsoForms, Band, TrendArrow, usePlate, WorstBand } from '../band/WallWorst.tsx';

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
  if (!shown || !isBad)
    return (
      <Band
        form="list"
        marks={[{ text: asOfText ? `As of ${asOfText}` : 'Now', isLabel: true }]}
        first={calm}
      />
    );
  const labelCounts = pinned && grade === 'critical';
  const label = labelCounts
    ? `Critical on ${shown.touches} of ${ours}`
    : `${GRADE_WORDS[grade]}${same.length > 1 ? `, ${same.indexOf(shown) + 1} of ${same.length}` : ''}`;
  const others = same.filter((other) => other !== shown).map(({ alert }) => alert);
  return (
    <Worst
      key={shown.alert.event_id}
      {...shown}
      label={label}
      others={alsoForms(others)}
      touchWords={shown.touches > 0 && !labelCounts ? `touches ${shown.touches} of ${of}` : ''}
      asOf={asOfText}
      plate={plate}
      pinned={pinned}
    />
  );
}

function Worst({
  alert,
  label,
  others,
  touchWords,
  asOf,
  plate,
  pinned,
}: Touching & {
  label: string;
  others: readonly string[];
  touchWords: string;
  asOf: string | null;
  plate: 'filled' | 'outlined' | null;
  pinned: boolean;
}) {
  const trend = useClock((now) => (asOf ? '' : trendText(alert, now)));
  const seen = useSeen((known) => known[alert.event_id] ?? '');
  const begun = Date.parse(alert.since ?? alert.start_time ?? '');
  const waits = useClock((now) =>
    pinned && !seen && isCritical(alert) && begun <= now.getTime()
      ? `Not in hand, ${counted(Math.floor((now.getTime() - begun) / 60_000), 'minute')}`
      : '',
  );
  return (
    <WorstBand
      form="list"
      alert={alert}
      asOf={asOf}
      plate={plate}
      symbol={<Severity grade={gradeOf(alert)} wordless />}
      marks={[
        { text: label, isLabel: true },
        { text: asOf && `as of ${asOf}` },
        { text: touchWords },
        { text: waits },
        { text: trend, icon: <TrendArrow alert={alert} /> },
        { text: asOf ? '' : seen, icon: <EyeIcon weight="fill" aria-hidden /> },
        { text: others[0] ?? null, shorter: others.slice(1) },
      ]}
    />
  );
}
