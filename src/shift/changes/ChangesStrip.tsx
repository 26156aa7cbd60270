import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import {
  COUNTED_KINDS,
  type CountedKind,
  type LookedAt,
  countsAs,
  type NetChange,
} from '#contract/incidents/changes.ts';
import { memo, useEffect, useId, useMemo } from 'react';
import { dateOf, alertAddress } from '../../feeds/alerts/alerts.ts';
import { shortTime } from '../../feeds/alerts/alertTimes.ts';
import { useClock } from '../../time/tickingClock.ts';
import { counted } from '#contract/numbers.ts';
import { SegmentedSwitch } from '../../ui/controls/SegmentedSwitch.tsx';
import { formatClock } from '../../time/london.ts';
import styles from './ChangesStrip.module.css';
import { NOTHING_CHANGED, useChanges, type Chosen, type GoneLine, type ChangeMark } from './changeStore.ts';
import { useInHand } from '../inHand/inHandStore.ts';
import { type Span, useWhatChanged, type WhatChanged } from './useWhatChanged.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import type { Row } from '../../api/alerts/feeds.ts';
import { Link } from 'wouter';
import { create } from 'zustand';
import { Severity, GRADE_WORDS } from '../../ui/signs/Severity.tsx';

/** Changes since the shift began: counts that filter the rows, and the start of the span. Loaded after the rows.
 *  `rowsAt`: when the server gave the rows. */
export default function ChangesStrip({
  screen,
  rowsAt,
  asked = 0,
}: {
  screen: LookedAt;
  rowsAt: Date | null;
  /** How often somebody has asked for a refresh by hand. */
  asked?: number;
}) {
  const changed = useWhatChanged(screen, rowsAt, asked);
  const filter = useChanges((changes) => changes.filter);
  const snoozed = useInHand((state) => state.snoozed);
  const { summary, unseen } = changed;
  const changes = useMemo(() => summary?.changes ?? [], [summary]);
  const awake = useMemo(() => changes.filter(({ event_id }) => !snoozed.has(event_id)), [changes, snoozed]);
  useMarks({ changes, awake, unseen }, summary && filter);
  const countOf = (kind: CountedKind) =>
    (summary?.counts[kind] ?? 0) -
    changes.filter((change) => countsAs(change, kind) && snoozed.has(change.event_id)).length;
  if (changed.isRefused) return <span hidden data-none />;

  return (
    <>
      <section className={styles.strip} data-nowrap aria-label="What changed">
        <p className={styles.counts} data-line="0">
          <span className={styles.since} data-tone="2">
            <SinceWords {...changed} />
          </span>
          {summary &&
            COUNTED_KINDS.map((kind, place) => {
              const isChosen = filter === kind;
              // A count of 0 can still get the focus, because the counts scroll on a phone.
              const count = countOf(kind);
              const isNone = count === 0 && !isChosen;
              return (
                <span key={kind}>
                  {place > 0 && (
                    <i data-only="desk" aria-hidden="true">
                      ·
                    </i>
                  )}
                  <button
                    type="button"
                    data-tap="plain"
                    data-toggle
                    aria-pressed={isChosen}
                    aria-disabled={isNone || undefined}
                    onClick={() => !isNone && useChanges.setState({ filter: isChosen ? null : kind })}
                  >
                    <b>{count}</b> {KIND_WORDS[kind]}
                  </button>
                </span>
              );
            })}
          {summary?.complete === false && (
            <span className={styles.since} data-tone="2">
              <TooLongAgo keptFrom={summary.kept_from} />
            </span>
          )}
        </p>
        <SpanChoice
          span={changed.span}
          setSpan={changed.setSpan}
          shiftAt={(changed.span === 'shift' && summary?.since) || null}
          lookedAt={changed.base?.at ?? null}
        />
      </section>
      {filter && summary && <ChangedList kind={filter} screen={screen} />}
    </>
  );
}

/** Says that older changes were deleted because of their age. */
function TooLongAgo({ keptFrom }: { keptFrom: string | null | undefined }) {
  const from = dateOf(keptFrom);
  const days = useClock((now) => from && Math.max(1, Math.round((now.getTime() - from.getTime()) / DAY_MS)));
  return `Too long ago to compare.${days ? ` Showing the last ${counted(days, 'day')}.` : ''}`;
}

/** "Since 06:00:", or "Known up to 07:42" while there is nothing newer. */
function SinceWords({ span, base, summary, at, isOld }: WhatChanged) {
  const known = useClock((now) => (at ? `Known up to ${shortTime(at, now)}` : ''));
  const from = dateOf(span === 'looked' && base ? base.at : summary?.since);
  const since = useClock((now) =>
    !summary
      ? 'What changed: –'
      : span === 'day' || !from
        ? 'In 24 hours:'
        : // a shift began within a day, so its time needs no date, and a phone has room for the counts
          `Since ${span === 'shift' ? formatClock(from) : shortTime(from, now)}:`,
  );
  return (
    <>
      {isOld && <b>{known}. </b>}
      {since}
    </>
  );
}

/** Rendered again only when it changes, so that a refresh without news changes nothing on the page. */
const SpanChoice = memo(function SpanChoice({
  span,
  setSpan,
  shiftAt,
  lookedAt,
}: Pick<WhatChanged, 'span' | 'setSpan'> & { shiftAt: string | null; lookedAt: string | null }) {
  const id = useId();
  const shift = dateOf(shiftAt);
  const looked = useClock((now) => {
    const at = dateOf(lookedAt);
    return at && shortTime(at, now);
  });
  /** `short`: the words when there is little room. On a phone nothing else says the time. */
  const options: { value: Span; label: string; short: string }[] = [
    {
      value: 'shift',
      label: 'Since shift start',
      short: shift ? `Shift ${formatClock(shift)}` : 'Shift start',
    },
    {
      value: 'looked',
      label: looked ? `Since I looked (${looked})` : 'Since I looked',
      short: looked ? `Looked ${looked}` : 'I looked',
    },
    { value: 'day', label: '24 hours', short: '24 hours' },
  ];
  // Cleared alerts stay on the page until another span is chosen.
  const choose = (value: Span) => {
    useChanges.setState({ filter: null });
    setSpan(value);
  };
  return (
    <>
      <div className={styles.switch} data-only="wide">
        <SegmentedSwitch label="Compare with" options={options} value={span} onChange={choose} />
      </div>
      <label className={styles.select} data-only="narrow" htmlFor={id}>
        <span data-hidden>Compare with</span>
        <select
          id={id}
          value={span}
          onChange={({ target }) => choose(options.find(({ value }) => value === target.value)!.value)} // one of them
        >
          {options.map(({ value, short }) => (
            <option key={value} value={value}>
              {short}
            </option>
          ))}
        </select>
      </label>
    </>
  );
});

interface Changed {
  changes: readonly NetChange[];
  /** Changes of alerts that nobody has snoozed: only they are counted and listed. */
  awake: readonly NetChange[];
  unseen: number | null;
}

/** Gives the rows their marks. */
function useMarks({ changes, awake, unseen }: Changed, filter: CountedKind | null): void {
  const minute = useClock((now) => Math.floor(now.getTime() / MINUTE_MS));
  useEffect(() => {
    const now = new Date(minute * MINUTE_MS);
    useChanges.setState({
      marks: Object.fromEntries(changes.map((change) => [change.event_id, markOf(change, now)])),
      lastGone: lastGone(changes, now),
    });
  }, [changes, minute]);
  useEffect(() => {
    const now = new Date(minute * MINUTE_MS);
    useChanges.setState({
      choose: filter && ((row) => chosenOf(row, filter, { changes: awake, now })),
      watches: filter && watchesOf(awake, filter),
    });
  }, [awake, minute, filter]);
  useEffect(() => {
    useListed.setState({ changes: awake });
    useChanges.setState({ gone: (feed) => <GoneOf feed={feed} /> });
  }, [awake]);
  useEffect(() => {
    useChanges.setState({ unseen });
  }, [unseen]);
  useEffect(() => () => useChanges.setState(NOTHING_CHANGED), []);
}

const feedOf = ({ source }: NetChange) => knownSource(source).feed;

/** The alerts of a feed that one count holds: as the row has them, otherwise as the change log names them. */
function chosenOf(
  { feed, events }: Row,
  kind: CountedKind,
  { changes, now }: { changes: readonly NetChange[]; now: Date },
): Chosen {
  const listed = new Map(events.map((alert) => [alert.event_id, alert]));
  const found = changes.filter((change) => countsAs(change, kind) && feedOf(change) === feed.slug);
  return {
    events: found.map((change) =>
      isGone(change) ? alertOf(change, now) : (listed.get(change.event_id) ?? alertOf(change, now)),
    ),
    isGone: kind === 'cleared' || kind === 'lost',
    nothing: `Nothing is ${KIND_WORDS[kind]}`,
  };
}

/** The routes that one count is about; null when the server does not name them. */
function watchesOf(changes: readonly NetChange[], kind: CountedKind): ReadonlySet<string> | null {
  const counted = changes.filter((change) => countsAs(change, kind));
  if (counted.some(({ watch_ids }) => !watch_ids)) return null;
  return new Set(counted.flatMap(({ watch_ids }) => watch_ids ?? []));
}

/** An alert made from a change. The words of the change are its line, so that they are read out too. */
const alertOf = (change: NetChange, now: Date): Alert => ({
  event_id: change.event_id,
  source: change.source,
  severity: change.severity,
  title: change.title,
  summary_line: changeWords(change, now),
  metadata: { phase: 'active' },
});

/** For each feed, the newest alert that is cleared or no longer known. */
function lastGone(changes: readonly NetChange[], now: Date): Record<string, GoneLine> {
  const last: Record<string, NetChange> = {};
  for (const change of changes) {
    const feed = feedOf(change);
    if (!feed || !isGone(change) || change.phase !== 'active') continue;
    if (!last[feed] || change.at > last[feed].at) last[feed] = change;
  }
  return Object.fromEntries(
    Object.entries(last).map(([feed, change]) => [
      feed,
      {
        id: change.event_id,
        word: change.kind === 'lost' ? 'Not known' : 'Cleared',
        title: change.title,
        text: changeWords(change, now),
      },
    ]),
  );
}

/** The changes of the span in the server's order. */
const useListed = create<{ changes: readonly NetChange[] }>(() => ({ changes: [] }));

/** All of one kind; on the board those that belong to no row, such as the team's own reports. */
function ChangedList({ kind, screen }: { kind: CountedKind; screen: LookedAt }) {
  const all = useListed(({ changes }) => changes);
  const changes = all.filter(
    (change) => countsAs(change, kind) && (screen === 'routes' || feedOf(change) === null),
  );
  if (screen === 'board' && changes.length === 0) return null;

  return (
    <section className={styles.listed} data-part data-links aria-label={`Only what is ${KIND_WORDS[kind]}`}>
      {changes.length > 0 ? (
        <ul>
          {changes.map((change) => (
            <ChangedRow key={change.event_id} change={change} />
          ))}
        </ul>
      ) : (
        <p>Nothing is {KIND_WORDS[kind]}.</p>
      )}
    </section>
  );
}

/** The alerts of one feed that are cleared or no longer known. They come last, with hollow marks. */
function GoneOf({ feed }: { feed: string }) {
  const all = useListed(({ changes }) => changes);
  const changes = all.filter((change) => isGone(change) && knownSource(change.source).feed === feed);
  if (changes.length === 0) return null;

  return (
    <section className={styles.gone} data-links aria-label="Cleared or no longer known">
      <ul>
        {changes.map((change) => (
          <ChangedRow key={change.event_id} change={change} />
        ))}
      </ul>
    </section>
  );
}

function ChangedRow({ change }: { change: NetChange }) {
  const words = useClock((now) => changeWords(change, now));
  return (
    <li data-gone={isGone(change) || undefined} data-fresh={isGone(change) ? 'stale' : undefined}>
      <span className={styles.grade}>
        <Severity grade={change.severity} />
      </span>
      <Link href={alertAddress(change)} className={styles.title}>
        {change.title}
      </Link>
      <span data-text="note">{knownSource(change.source).displayName}</span>
      <b className={styles.mark}>{words}</b>
    </li>
  );
}

const KIND_WORDS: Readonly<Record<CountedKind, string>> = {
  new: 'new',
  worse: 'worse',
  cleared: 'cleared',
  lost: 'no longer known',
};

const ENDED_BY: Readonly<Record<string, string>> = {
  publisher: ' (publisher)',
  end_time: ' (its end time)',
  absent: ' (no longer listed)',
};

const isGone = ({ kind }: Pick<NetChange, 'kind'>): boolean => kind === 'cleared' || kind === 'lost';

/** "New 07:51", "Worse: was Medium", "Changed: end time 09:00 → 14:00", "Cleared 07:58 (publisher)", "Not reported
 *  since 07:40". */
export function changeWords(change: NetChange, now: Date): string {
  const { kind, severity, severity_from, ended_reason } = change;
  const date = dateOf(change.at);
  const at = date ? shortTime(date, now) : '';
  switch (kind) {
    case 'new':
      return `New ${at}`;
    case 'worse':
    case 'better':
      // It became worse by its delay or its lanes.
      if (severity === severity_from) return `Worse since ${at}`;
      return `${kind === 'worse' ? 'Worse' : 'Better'}: was ${GRADE_WORDS[severity_from ?? 'unrated']}`;
    case 'started':
      return `Started ${at}`;
    case 'changed':
      return changedWords(change, now, at);
    case 'cleared':
      return `Cleared ${at}${ENDED_BY[ended_reason ?? ''] ?? ''}`;
    case 'lost':
      return `Not reported since ${at}`;
  }
}

function changedWords({ fields, end_time_from, end_time }: NetChange, now: Date, at: string): string {
  if (!fields.includes('end_time')) return `Changed ${at}`;
  const [from, to] = [dateOf(end_time_from), dateOf(end_time)];
  if (!to) return 'Changed: no end time now';
  if (!from) return `Changed: end time ${shortTime(to, now)}`;
  return `Changed: end time ${shortTime(from, now)} → ${shortTime(to, now)}`;
}

const markOf = (change: NetChange, now: Date): ChangeMark => ({
  newAt: change.kind === 'new' ? dateOf(change.at) : null,
  text: changeWords(change, now),
  arrow: change.kind === 'worse' ? 'up' : change.kind === 'better' ? 'down' : null,
  severity: change.kind === 'worse' || change.kind === 'better' ? change.severity : null,
});
