import { EyeIcon } from '@phosphor-icons/react/dist/csr/Eye';
import { type ReactNode, useState } from 'react';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { Row } from '../../../api/alerts/feeds.ts';
import { dateOf, gradeOf, isCritical, sinceText } from '../../../feeds/alerts/alerts.ts';
import { titleOf, totalCounts, totalGrades, withOurs } from '../../../feeds/alerts/counts.ts';
import { isSilent } from '../../../feeds/alerts/sourceStatus.ts';
import { shortPlaces } from '../../../feeds/alerts/titles.ts';
import { gradeLabel, silentFeedOf, trendText, whoseText } from '../../../feeds/alerts/leadAlerts.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { serverNow } from '../../../time/freshness.ts';
import { GRADE_WORDS, Severity } from '../../../ui/signs/Severity.tsx';
import { counted, grouped } from '#contract/numbers.ts';
import { fits, fitting, fittingWhole, textWidth } from '../words/textFit.ts';
import { type BandForm, bandWidths, MARK_GAP, TIME_GAP, useSheet } from '../words/wallMeasures.ts';
import { useSeen } from '../words/seenByTeam.ts';
import { sinceOnWall, untilOnWall } from '../words/shownTime.ts';
import { placeAndEffects } from '../words/shownTitle.ts';
import type { Lead } from './useLead.ts';
import styles from './WallWorst.module.css';
import { ArrowFatDownIcon } from '@phosphor-icons/react/dist/csr/ArrowFatDown';
import { ArrowFatUpIcon } from '@phosphor-icons/react/dist/csr/ArrowFatUp';
import { ROAD } from '#contract/incidents/titleForms.ts';
import { isWorsening } from '#contract/incidents/worstFirst.ts';

/** The worst alert of the whole board: its title, place and end. It always has the same height. */
export function WallWorst({
  rows,
  where,
  ours,
  lead: { alert, candidates },
  staleAt,
  lastCriticalCleared,
}: {
  rows: readonly Row[];
  /** The feeds of the board in words, the fullest form first; '' when they are all feeds. */
  where: readonly string[];
  ours: readonly Alert[];
  lead: Lead;
  /** The time of an old board; null while it is current. */
  staleAt: Date | null;
  lastCriticalCleared: string | null;
}) {
  // An alert of a silent feed may be over.
  const own = alert && silentFeedOf(alert, rows);
  const oldAt = staleAt ?? (own && (dateOf(own.last_updated) ?? serverNow()));
  const asOf = useClock((now) => oldAt && sinceText(oldAt, now));
  const silent = rows.filter(({ feed }) => isSilent(feed)).map(({ feed }) => titleOf(feed));
  const noNews = silent.length > 0 ? `${silentWords(silent, rows.length)}: no news` : '';
  const plate = usePlate(alert !== null && isCritical(alert) && !oldAt);
  if (!alert)
    return (
      <Nothing
        rows={rows}
        where={where}
        ours={ours}
        asOf={asOf}
        cleared={lastCriticalCleared}
        noNews={noNews}
      />
    );

  return (
    <AlertBand
      key={alert.event_id}
      alert={alert}
      label={gradeLabel(alert, candidates)}
      others={alsoForms(candidates.filter((other) => other !== alert))}
      more={[noNews]}
      asOf={asOf}
      plate={plate}
    />
  );
}

const NAMED = 3;

/** "also critical: A9 at Dalnacardoch; River Nith", "also critical: A9; River Nith", "also critical: A9 and 1 more":
 *  the other alerts that are as bad. */
export function alsoForms(others: readonly Alert[]): string[] {
  const places = others
    .slice(0, NAMED)
    .map((alert) => shortPlaces(placeAndEffects(alert, Infinity, 'place').place).at(-1)!); // there is at least one
  const roads = places.map((place) => ROAD.exec(place)?.[1] ?? place);
  const grade = others[0] && GRADE_WORDS[gradeOf(others[0])].toLowerCase();
  return places.flatMap((_, index) =>
    [places, roads].map((names) => {
      const named = names.slice(0, names.length - index);
      const more = others.length - named.length;
      return `also ${grade}: ${named.join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
    }),
  );
}

/** The names of silent sources, if they fit beside the other marks. */
function silentWords(silent: readonly string[], feeds: number): string {
  if (silent.length <= 2) return silent.join(', ');
  return silent.length === feeds ? 'All feeds' : counted(silent.length, 'feed');
}

/** The place, effect and end of one alert. */
export function AlertBand({
  form = 'board',
  alert,
  label,
  others,
  more,
  asOf,
  plate,
}: {
  form?: 'board' | 'list';
  alert: Alert;
  label: string;
  /** The others that are as bad, the fullest form first. */
  others: readonly string[];
  /** Further words, each shown after its label if there is room. */
  more: readonly string[];
  /** The time of old data; null while it is current. */
  asOf: string | null;
  plate: Plate;
}) {
  const as = useBandForm(form);
  const trend = useClock((now) => (asOf ? '' : trendText(alert, now)));
  const seen = useSeen((known) => known[alert.event_id] ?? '');
  const until = useClock((now) => untilOnWall(alert, now));
  const since = useClock((now) => sinceOnWall(alert, now));
  const time = until || since;
  const widths = bandWidths(as);
  const { place, effects } = placeAndEffects(alert, widths.place, 'place');
  // Upright, the time has a line of its own.
  const timeWidth = time && as === form ? textWidth(time, 'bandTime') + TIME_GAP * widths.scale : 0;
  const grade = gradeOf(alert);

  return (
    <Band
      form={form}
      grade={grade}
      plate={plate}
      old={asOf !== null}
      symbol={<Severity grade={grade} wordless />}
      marks={[
        { text: label, isLabel: true },
        { text: asOf && `as of ${asOf}` },
        ...more.map((text) => ({ text })),
        { text: trend, icon: <TrendArrow alert={alert} /> },
        { text: asOf ? '' : seen, icon: <EyeIcon weight="fill" aria-hidden /> },
        { text: others[0] ?? null, shorter: others.slice(1) },
        { text: form === 'board' ? whoseText(alert) : '' },
      ]}
      end={until && since}
      first={place}
      second={fitting(effects, widths.effect - timeWidth, 'effect')}
      time={time}
    />
  );
}

function Nothing({
  rows,
  where,
  ours,
  asOf,
  cleared,
  noNews,
}: {
  rows: readonly Row[];
  where: readonly string[];
  ours: readonly Alert[];
  asOf: string | null;
  cleared: string | null;
  noNews: string;
}) {
  const at = dateOf(cleared);
  const clearedText = useClock((now) => at && sinceText(at, now));
  const { active } = totalCounts(withOurs(rows, ours));
  const grades = totalGrades(withOurs(rows, ours)).map(({ grade }) => GRADE_WORDS[grade].toLowerCase());
  const as = useBandForm('board');
  const nothing = asOf ? 'Nothing was' : rows.some(({ snoozed }) => snoozed) ? 'Nothing else' : 'Nothing';
  const kinds = grades.join(grades.length > 2 ? ', ' : ' and ');

  return (
    <Band
      marks={[{ text: asOf ? `As of ${asOf}` : 'Now', isLabel: true }, { text: noNews }]}
      end={clearedText ? `Last critical alert cleared ${clearedText}` : ''}
      first={fittingWhole(
        where.map((of) => `${nothing} critical or high${of}.`),
        bandWidths(as).alone,
        'place',
      )}
      second={active > 0 ? `${grouped(active)} ${kinds} ${active === 1 ? 'alert' : 'alerts'} below.` : ''}
    />
  );
}

/** The band before anything is loaded. */
export function LoadingBand() {
  return <Band marks={[{ text: 'Now', isLabel: true }]} first="Loading..." />;
}

export type Plate = 'filled' | 'outlined' | null;

interface BandMark {
  text: string | null;
  /** The same words in shorter forms. */
  shorter?: readonly string[];
  icon?: ReactNode;
  isLabel?: boolean;
}

export function Band({
  form = 'board',
  grade,
  plate = null,
  old = false,
  symbol,
  marks,
  end = '',
  first,
  second = '',
  time = '',
}: {
  form?: 'board' | 'list';
  grade?: string;
  plate?: Plate;
  /** True: nothing in it may look current. */
  old?: boolean;
  symbol?: ReactNode;
  marks: readonly BandMark[];
  end?: string;
  first: string;
  second?: string;
  time?: string;
}) {
  const as = useBandForm(form);
  const widths = bandWidths(as);
  const shown = marksThatFit(marks, end, symbol ? widths.marks : widths.bare);

  return (
    <section
      className={styles.band}
      aria-label="Worst now"
      aria-live="off"
      data-form={as}
      data-grade={grade}
      data-filled={plate === 'filled' || undefined}
      data-plate={plate ?? undefined}
      data-fresh={old ? 'stale' : undefined}
    >
      {symbol && <span className={styles.symbol}>{symbol}</span>}
      <p className={styles.marks} data-line>
        {shown.map(({ text, icon, isLabel }) =>
          isLabel ? (
            <b key={text} data-line>
              {text}
            </b>
          ) : (
            <span key={text} data-line>
              {icon}
              {text}
            </span>
          ),
        )}
        {end && (
          <span data-push data-line>
            {end}
          </span>
        )}
      </p>
      <p className={styles.first} data-long={!fits(first, widths.alone, 'place') || undefined}>
        {first}
      </p>
      <p className={styles.second} data-line data-align="baseline">
        <span>{second}</span>{' '}
        {time && (
          <span className={styles.time} data-push>
            {time}
          </span>
        )}
      </p>
    </section>
  );
}

function useBandForm(form: 'board' | 'list'): BandForm {
  const sheet = useSheet();
  return sheet === 'upright' || sheet === 'tall' ? sheet : form;
}

/** An icon with its gap is about as wide as this. */
const ICON = 'mm';

/** Marks that fit. First their words get shorter, then they are left out from the right. The label and the end
 *  always stay. */
function marksThatFit(marks: readonly BandMark[], end: string, width: number): BandMark[] {
  const known = marks.filter(({ text }) => text);
  const shortened = known.findLast(({ shorter = [] }) => shorter.length > 0);
  if (shortened && widthOf(known, end) > width) {
    const [text = null, ...shorter] = shortened.shorter!;
    const less = known.map((mark) => (mark === shortened ? { ...mark, text, shorter } : mark));
    return marksThatFit(less, end, width);
  }
  let count = known.length;
  while (count > 1 && widthOf(known.slice(0, count), end) > width) count -= 1;
  return known.slice(0, count);
}

const widthOf = (marks: readonly BandMark[], end: string): number =>
  [...marks.map(({ text, icon }) => (icon ? ICON : '') + text), ...(end ? [end] : [])]
    .map((text) => textWidth(text, 'kind') + MARK_GAP)
    .reduce((sum, part) => sum + part, -MARK_GAP);

const LONG_MS = 30 * 60_000;

/** A plate that has been filled for half an hour is outlined for one minute in ten, so that it does not burn in.
 *  Alerts that take turns share the plate. */
export function usePlate(filled: boolean): Plate {
  const [since, setSince] = useState(() => serverNow().getTime());
  const [was, setWas] = useState(filled);
  if (filled !== was) {
    setWas(filled);
    setSince(serverNow().getTime());
  }
  const outlined = useClock(
    (now) => now.getTime() - since >= LONG_MS && Math.floor(now.getTime() / 60_000) % 10 === 0,
  );
  if (!filled) return null;
  return outlined ? 'outlined' : 'filled';
}

/** An arrow beside the words for an alert's trend, which say the same. */
export function TrendArrow({ alert }: { alert: Alert }) {
  const Arrow = isWorsening(alert) ? ArrowFatUpIcon : ArrowFatDownIcon;
  return <Arrow weight="fill" aria-hidden />;
}
