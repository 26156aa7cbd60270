import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown';
import { CaretUpIcon } from '@phosphor-icons/react/dist/csr/CaretUp';
import {
  type ComponentProps,
  type ComponentType,
  lazy,
  memo,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
} from 'react';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { Row } from '../../../api/alerts/feeds.ts';
import { gradeOf } from '../../../feeds/alerts/alerts.ts';
import { AllAlerts } from '../../../feeds/rows/NewCriticals.tsx';
import { countsText, feedCounts } from '../../../feeds/alerts/counts.ts';
import { type Change, newText } from '../../../feeds/refresh/newItems.ts';
import { NoAlerts } from '../../../feeds/rows/QuietLine.tsx';
import { isDrawnAlike, readRow } from '../../../feeds/rows/readRow.ts';
import { prefersStillness } from '../../../feeds/rows/liveLoop.ts';
import { formsOf } from '../../../feeds/alerts/titles.ts';
import { orderOf } from '../../../feeds/alerts/leadAlerts.ts';
import { type Chosen, type GoneLine, useChanges } from '../../../shift/changes/changeStore.ts';
import type { DataFreshness } from '../../../time/freshness.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { GRADE_WORDS } from '../../../ui/signs/Severity.tsx';
import { alertBelow, useSilentBelow, withGone } from './belowLead.tsx';
import styles from './FeedRow.module.css';
import { Lead } from '../Lead.tsx';
import { LiveFeed } from './LiveFeed.tsx';
import type Opened from './OpenedRow.tsx';
import { RowMeta } from './RowMeta.tsx';
import { SummaryPanel } from '../SummaryPanel.tsx';

/** Loaded when a Compact row is first opened. Until then the row shows its sources. */
const OpenedRow = lazy<ComponentType<ComponentProps<typeof Opened>>>(() =>
  import('./OpenedRow.tsx').catch(() => ({ default: ({ children }) => children })),
);

/** One feed: its name and count, its worst or its moving alerts, its summary, and the part that it opens to. */
export const FeedRow = memo(function FeedRow({
  row,
  chosen,
  place,
  at,
  freshness,
  change,
  compact,
  expanded,
  onToggle,
  children,
}: {
  row: Row & { snoozed?: number };
  /** If set, only these alerts of the feed are shown. */
  chosen?: Chosen | undefined;
  /** From 0, in the order of the board. */
  place: number;
  /** When the server sent this row. */
  at: Date;
  /** The freshness of the board's data as a whole. */
  freshness: DataFreshness;
  change: Change | undefined;
  compact: boolean;
  expanded: boolean;
  onToggle: (slug: string) => void;
  /** The sheet of sources, when expanded. */
  children?: ReactNode;
}) {
  const { feed, summary } = row;
  const events = chosen?.events ?? row.events;
  const gone = useChanges(({ lastGone }) => (chosen ? undefined : lastGone[feed.slug]));
  const id = useId();
  const article = useRef<HTMLElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const { title, boardStale, stale, isNew, unlisted, count, total } = readRow(row, { at, freshness, change });
  const asked = { feed, at, boardStale };
  const counts = countsText(feedCounts(row));

  const close = useEffectEvent(() => onToggle(feed.slug));
  useEffect(() => {
    if (!expanded) return;
    // Stops below the sticky header: the page's scroll padding is the header's height.
    article.current?.scrollIntoView({ block: 'start', behavior: prefersStillness() ? 'instant' : 'smooth' });

    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      close();
      toggle.current?.focus();
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [expanded]);

  const opener = {
    ref: toggle,
    'aria-expanded': expanded,
    'aria-controls': expanded ? `${id}-opened` : undefined,
    onClick: () => onToggle(feed.slug),
  };
  const panel = {
    feedTitle: title,
    summary: aboutLeads(summary, row.events),
    counts,
    boardStale,
    faint: freshness === 'veryOld',
  };

  return (
    <article
      className={styles.row}
      data-stack="1"
      id={feed.slug}
      ref={article}
      tabIndex={-1}
      aria-labelledby={id}
      data-compact={compact || undefined}
      data-open={(compact && expanded) || undefined}
      data-fresh={stale ? 'stale' : undefined}
      data-new={isNew || undefined}
      data-long={isLong(summary) || undefined}
    >
      <RowMeta
        id={id}
        row={row}
        title={title}
        count={count}
        compact={compact}
        news={isNew && newText(change)}
      />

      <div
        className={styles.live}
        data-gone={chosen?.isGone || undefined}
        data-fresh={chosen?.isGone ? 'stale' : undefined}
      >
        {events.length === 0 && (chosen || row.snoozed) ? (
          <p className={styles.quiet} data-size="lead" data-tone="2">
            {chosen?.nothing ?? `${row.snoozed} snoozed`}
          </p>
        ) : events.length === 0 ? (
          <NoAlerts
            styles={styles}
            feedTitle={title}
            total={total}
            after={gone && `${gone.text}: ${gone.title}`}
            {...asked}
          />
        ) : compact ? (
          <Worst
            feed={feed}
            events={events}
            gone={gone}
            stale={stale || chosen?.isGone === true}
            listed={expanded}
          />
        ) : (
          <LiveFeed
            feed={feed}
            events={events}
            unlisted={chosen ? 0 : unlisted}
            gone={gone}
            row={place}
            held={expanded}
            long={isLong(summary)}
            stale={stale || chosen?.isGone === true}
            feedTitle={title}
            describedBy={id}
          />
        )}
      </div>

      {compact ? (
        <>
          <div className={styles.brief}>{!expanded && <SummaryPanel {...panel} brief />}</div>
          <button type="button" className={styles.opener} data-tone="2" {...opener}>
            <span data-hidden>
              {[title, counts, !chosen?.isGone && leadWords(events)].filter(Boolean).join(', ')}
            </span>
            {expanded ? (
              <CaretUpIcon weight="bold" size="1.5rem" aria-hidden />
            ) : (
              <CaretDownIcon weight="bold" size="1.5rem" aria-hidden />
            )}
          </button>
        </>
      ) : (
        <div className={styles.summary}>
          <SummaryPanel {...panel} counts="">
            <Button small aria-describedby={id} {...opener}>
              {expanded ? 'Hide sources' : 'View sources'}
              {expanded ? (
                <CaretUpIcon weight="bold" size="1.5rem" aria-hidden />
              ) : (
                <CaretDownIcon weight="bold" size="1.5rem" aria-hidden />
              )}
            </Button>
          </SummaryPanel>
        </div>
      )}

      {expanded && (
        <div className={styles.sheet} data-across id={`${id}-opened`}>
          {compact ? (
            <Suspense fallback={null}>
              <OpenedRow row={row} stale={stale} panel={panel}>
                {children}
              </OpenedRow>
            </Suspense>
          ) : (
            children
          )}
        </div>
      )}
    </article>
  );
}, isDrawnAlike);

/** A text longer than this takes more lines than a tablet's row has room for. */
const LONG_TEXT = 300;

const isLong = (summary: Row['summary']) =>
  !summary?.metadata?.parts && (summary?.text?.length ?? 0) > LONG_TEXT;

/** The alert that leads a Compact row, and the next alert or a silent source. They do not move. */
function Worst({
  feed,
  events,
  gone,
  stale,
  listed,
}: Pick<Row, 'feed'> & {
  events: readonly Alert[];
  gone: GoneLine | undefined;
  stale: boolean;
  /** True: all its alerts are on screen. */
  listed: boolean;
}) {
  const { leads, queue, planned } = useMemo(() => orderOf(events), [events]);
  const [lead, ...rest] = [...leads, ...queue, ...planned];
  const silent = useSilentBelow(feed);
  if (!lead) return null; // there is at least one

  return (
    <>
      <Lead flat alert={lead} stale={stale} below={withGone([...silent, ...rest.map(alertBelow)], 1, gone)} />
      {!listed && <AllAlerts alerts={[lead, ...rest]} />}
    </>
  );
}

/** The summary. Its three parts are about one alert; if another alert leads, the whole text replaces them. */
function aboutLeads(summary: Row['summary'], events: readonly Alert[]): Row['summary'] {
  const { leads } = orderOf(events);
  const about = summary?.metadata?.parts?.event_id;
  if (about == null || leads.length === 0 || leads.some(({ event_id }) => event_id === about)) return summary;
  return { ...summary!, metadata: { ...summary!.metadata, parts: undefined } }; // it has parts
}

/** "Critical: M62 eastbound, J26 to J27: closed" for the alert that leads; '' without an alert. */
function leadWords(events: readonly Alert[]): string {
  const { leads, queue } = orderOf(events);
  const lead = leads[0] ?? queue[0];
  return lead ? `${GRADE_WORDS[gradeOf(lead)]}: ${formsOf(lead)[0]}` : '';
}
