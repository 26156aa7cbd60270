import { EyeIcon } from '@phosphor-icons/react/dist/csr/Eye';
import { type ReactNode, useState } from 'react';
import type { Alert } from '../api/disruptions.ts';
import type { Row } from '../api/feeds.ts';
import { dateOf, gradeOf, isCritical, lineOf, sinceText } from '../feeds/alerts.ts';
import { totalCounts, totalGrades } from '../feeds/counts.ts';
import { titleOf } from '../feeds/feedNames.ts';
import { isSilent } from '../feeds/sources.ts';
import { spanWords } from '../feeds/times.ts';
import { alsoText, formsOf, silentFeedOf, trendText, worstLabel } from '../feeds/worst.ts';
import { useClock } from '../time/clock.ts';
import { serverNow } from '../time/freshness.ts';
import { GRADE_WORDS, Severity } from '../ui/Severity.tsx';
import { counted, grouped } from '../ui/numbers.ts';
import { fits, fitting, textWidth, useFacesLoaded } from './fit.ts';
import { BAND_BARE, BAND_TEXT, MARK_GAP, TIME_GAP } from './measures.ts';
import { useSeen } from './seen.ts';
import { shortEffects, shortPlaces } from '../feeds/shortTitles.ts';
import { shownTitle } from './shownTitle.ts';
import { TrendArrow } from './TrendArrow.tsx';
import type { Lead } from './useLead.ts';
import styles from './WorstNow.module.css';

/** The worst alert of the whole board: which, where, since when. It never changes its height. */
export function WorstNow({
  rows,
  lead: { alert, worst },
  staleAt,
  lastCriticalCleared,
}: {
  rows: readonly Row[];
  lead: Lead;
  /** The time of an old board; null while it is current. */
  staleAt: Date | null;
  lastCriticalCleared: string | null;
}) {
  useFacesLoaded();
  // What a silent feed reported last may be over.
  const own = alert && silentFeedOf(alert, rows);
  const oldAt = staleAt ?? (own && (dateOf(own.last_updated) ?? serverNow()));
  const asOf = useClock((now) => oldAt && sinceText(oldAt, now));
  const silent = rows.filter(({ feed }) => isSilent(feed)).map(({ feed }) => titleOf(feed));
  const noNews = silent.length > 0 ? `${silentWords(silent, rows.length)}: no news` : '';
  const plate = usePlate(alert !== null && isCritical(alert) && !oldAt);
  if (!alert) return <Nothing rows={rows} asOf={asOf} cleared={lastCriticalCleared} noNews={noNews} />;

  const label = worstLabel(worst, worst.leads.indexOf(alert), asOf);
  return (
    <Worst
      key={alert.event_id}
      alert={alert}
      label={label}
      noNews={noNews}
      stale={asOf !== null}
      plate={plate}
    />
  );
}

/** Their names where they fit beside the rest. */
function silentWords(silent: readonly string[], feeds: number): string {
  if (silent.length <= 2) return silent.join(', ');
  return silent.length === feeds ? 'All feeds' : counted(silent.length, 'feed');
}

function Worst({
  alert,
  label,
  noNews,
  stale,
  plate,
}: {
  alert: Alert;
  label: string;
  noNews: string;
  stale: boolean;
  plate: Plate;
}) {
  const trend = useClock((now) => (stale ? '' : trendText(alert, now)));
  const seen = useSeen((known) => known[alert.event_id] ?? '');
  const span = useClock((now) => spanWords(alert, now));
  const grade = gradeOf(alert);
  const { place, effects } = wordsOf(alert);
  const timeWidth = span ? textWidth(span, 'effect') + TIME_GAP : 0;

  return (
    <Band
      grade={grade}
      plate={plate}
      old={stale}
      symbol={<Severity grade={grade} wordless />}
      marks={[
        { text: label, isLabel: true },
        { text: trend, icon: <TrendArrow alert={alert} /> },
        { text: seen, icon: <EyeIcon weight="fill" aria-hidden /> },
        { text: noNews },
      ]}
      end={alsoText(alert)}
      first={shownTitle(alert, BAND_TEXT, 'place', place)}
      second={fitting(effects, BAND_TEXT - timeWidth, 'effect')}
      time={span}
    />
  );
}

/** Place and effect where both are known. Else the title, divided at its colon, and what is said of it. */
function wordsOf(alert: Alert): { place: string[]; effects: string[] } {
  const { facts } = alert;
  if (facts?.place && facts.effect) {
    return { place: shortPlaces(facts.place), effects: shortEffects(alert) };
  }
  const [title = ''] = formsOf(alert);
  const [where = '', ...what] = title.split(': ');
  if (what.length > 0 && fits(where, BAND_TEXT, 'place')) {
    const effect = what.join(': ');
    return { place: [where], effects: [effect.charAt(0).toUpperCase() + effect.slice(1)] };
  }
  const [first = ''] = lineOf(alert).split(/(?<=\.)\s/);
  const detail = first.replace(/\.$/, '');
  return {
    place: formsOf(alert),
    effects: [detail === title ? `${GRADE_WORDS[gradeOf(alert)]} alert` : detail],
  };
}

function Nothing({
  rows,
  asOf,
  cleared,
  noNews,
}: {
  rows: readonly Row[];
  asOf: string | null;
  cleared: string | null;
  noNews: string;
}) {
  const at = dateOf(cleared);
  const clearedText = useClock((now) => at && sinceText(at, now));
  const { active } = totalCounts(rows);
  const grades = totalGrades(rows).map(({ grade }) => GRADE_WORDS[grade].toLowerCase());
  const kinds = grades.join(grades.length > 2 ? ', ' : ' and ');

  return (
    <Band
      marks={[{ text: asOf ? `Worst at ${asOf}` : 'Worst now', isLabel: true }, { text: noNews }]}
      end={clearedText ? `Last critical alert cleared ${clearedText}` : ''}
      first={
        asOf
          ? 'Nothing was critical or high.'
          : rows.some(({ snoozed }) => snoozed)
            ? 'Nothing else critical or high.'
            : 'Nothing critical or high.'
      }
      second={active > 0 ? `${grouped(active)} ${kinds} ${active === 1 ? 'alert' : 'alerts'} below.` : ''}
    />
  );
}

/** Nothing has been loaded yet. */
export function LoadingBand() {
  return <Band marks={[{ text: 'Worst now', isLabel: true }]} first="Loading..." />;
}

type Plate = 'filled' | 'outlined' | null;

interface BandMark {
  text: string;
  icon?: ReactNode;
  isLabel?: boolean;
}

function Band({
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
  grade?: string;
  plate?: Plate;
  /** Nothing in it may look current. */
  old?: boolean;
  symbol?: ReactNode;
  marks: readonly BandMark[];
  end?: string;
  first: string;
  second?: string;
  time?: string;
}) {
  const { shown, withEnd } = marksThatFit(marks, end, symbol ? BAND_TEXT : BAND_BARE);

  return (
    <section
      className={styles.band}
      aria-label="Worst now"
      aria-live="off"
      data-grade={grade}
      data-plate={plate ?? undefined}
      data-fresh={old ? 'stale' : undefined}
    >
      {symbol && <span className={styles.symbol}>{symbol}</span>}
      <p className={styles.marks}>
        {shown.map(({ text, icon, isLabel }) =>
          isLabel ? (
            <b key={text}>{text}</b>
          ) : (
            <span key={text}>
              {icon}
              {text}
            </span>
          ),
        )}
        {withEnd && <span className={styles.end}>{end}</span>}
      </p>
      <p className={styles.first}>{first}</p>
      <p className={styles.second}>
        <span>{second}</span> {time && <span className={styles.time}>{time}</span>}
      </p>
    </section>
  );
}

/** An icon with its gap is about as wide as this. */
const ICON = 'mm';

/** From the right, what does not fit is left out; the label never. */
function marksThatFit(marks: readonly BandMark[], end: string, width: number) {
  const known = marks.filter(({ text }) => text !== '');
  const total = (count: number, withEnd: boolean) =>
    [...known.slice(0, count).map(({ text, icon }) => (icon ? ICON : '') + text), ...(withEnd ? [end] : [])]
      .map((text) => textWidth(text, 'kind') + MARK_GAP)
      .reduce((sum, part) => sum + part, -MARK_GAP);
  if (end && total(known.length, true) <= width) return { shown: known, withEnd: true };
  let count = known.length;
  while (count > 1 && total(count, false) > width) count -= 1;
  return { shown: known.slice(0, count), withEnd: false };
}

const LONG_MS = 30 * 60_000;

/** A plate that has been filled for half an hour is outlined for one minute in ten, so that it does not burn in. Alerts
 *  that take turns share the plate. */
function usePlate(filled: boolean): Plate {
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
