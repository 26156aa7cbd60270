import { shortNameOf } from '#contract/feeds/knownSources.ts';
import { CheckCircleIcon } from '@phosphor-icons/react/dist/csr/CheckCircle';
import { MinusCircleIcon } from '@phosphor-icons/react/dist/csr/MinusCircle';
import type { SourceEntry } from '../../../api/alerts/disruptions.ts';
import type { NextUp, Row } from '../../../api/alerts/feeds.ts';
import { dateOf, sinceText } from '../../../feeds/alerts/alerts.ts';
import { endOfHours, nextHours } from '../../../feeds/rows/nextHours.ts';
import { formatClock } from '../../../time/london.ts';
import { bothWays, MOST, nextWords } from './NextHours.tsx';
import { feedCounts } from '../../../feeds/alerts/counts.ts';
import { isConnected, isLate, isSilent, quietLine } from '../../../feeds/alerts/sourceStatus.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { counted } from '#contract/numbers.ts';
import { fitting, fittingWhole } from '../words/textFit.ts';
import styles from './WallCalm.module.css';

/** Whether no feed has an active alert. */
export const isWithoutAlerts = (rows: readonly Row[]): boolean =>
  rows.length > 0 && rows.every((row) => feedCounts(row).active === 0);

/** Replaces the band. It is calm only when every source has answered lately. */
export function WallCalm({
  rows,
  where,
  nextUp,
  at,
  boardStale,
}: {
  rows: readonly Row[];
  /** Its feeds in words, the fullest form first; '' when they are all feeds. */
  where: readonly string[];
  /** Null: the server does not send it. */
  nextUp: readonly NextUp[] | null;
  at: Date;
  boardStale: boolean;
}) {
  const next = useClock((now) => nextUp && nextText(nextUp, boardStale ? at : now));
  const asOf = useClock((now) => sinceText(at, now));
  const isSure =
    !boardStale && rows.every(({ feed }) => quietLine(feed, { boardStale, at, now: at }).status === 'good');
  const sources = rows.flatMap(({ feed }) => (feed.sources ?? []).filter(isConnected));
  const Icon = isSure ? CheckCircleIcon : MinusCircleIcon;

  return (
    <section className={styles.calm} data-nowrap aria-label="Worst now" data-sure={isSure || undefined}>
      <Icon weight="fill" aria-hidden />
      <div>
        <h2 className={styles.head} data-nowrap>
          {fittingWhole(
            where.map((of) =>
              isSure ? `No active alerts${of || ' in any feed'}` : `No active alerts reported${of}`,
            ),
            HEAD,
            'place',
          )}
        </h2>
        {next && <p className={`${styles.more} ${styles.next}`}>{next}</p>}
        <p className={styles.more}>
          {isSure
            ? [`Checked ${asOf}.`, answeredText(sources)].filter(Boolean).join(' ')
            : namedText('silent', sources.filter(isSilent)) || `As of ${asOf}.`}
        </p>
      </div>
    </section>
  );
}

/** "All 14 sources answered.", or which sources answered late or only in part. */
function answeredText(sources: readonly SourceEntry[]): string {
  const late = sources.filter(isLate);
  if (late.length > 0) return namedText('late', late);
  return sources.length > 0 ? `All ${counted(sources.length, 'source')} answered.` : '';
}

/** "Next 09:00: amber wind, Wales, warning begins". */
function nextText(nextUp: readonly NextUp[], now: Date): string {
  const [entry] = nextHours(bothWays(nextUp), now, MOST);
  const time = entry && dateOf(entry.at);
  if (!time) return `Nothing expected before ${formatClock(endOfHours(now))}.`;
  const { places, last, what } = nextWords(entry);
  const forms = [...places, last].map((place) => `Next ${formatClock(time)}: ${place}, ${what}`);
  return fitting(forms, LINE, 'calm');
}

/** The width of the heading in units, and of one line at the size at which it is measured. */
const LINE = 1240;
const HEAD = (LINE * 82) / 92;

/** The width of two lines, less what is lost at the end of the first. In units. */
const WIDTH = 2 * LINE - 300;

/** "2 sources silent: Heathrow; Rivers, Wales". The last names are left out if they do not fit. */
function namedText(how: 'silent' | 'late', sources: readonly SourceEntry[]): string {
  const names = sources.map(({ source }) => shortNameOf(source));
  if (names.length === 0) return '';
  const head = `${counted(names.length, 'source')} ${how}`;
  const forms = names.map((_, left) => `${head}: ${names.slice(0, names.length - left).join('; ')}`);
  return fitting([...forms, head], WIDTH, 'calm');
}
