import { pageAddress } from '#contract/addresses.ts';
import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft';
import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight';
import { useMemo, useRef, useState, type KeyboardEvent, useId } from 'react';
import { Link } from 'wouter';
import { useNavigate, usePageQuery } from '../../device/address/useAddress.ts';
import { BoardJump } from '../board/frame/BoardJump.tsx';
import { FeedRow } from '../board/rows/FeedRow.tsx';
import { WorstNow } from '../board/WorstNow.tsx';
import { dateOf, sinceText } from '../../feeds/alerts/alerts.ts';
import { totalCounts, withOurs } from '../../feeds/alerts/counts.ts';
import { AppSign } from '../../session/OfflineNotice.tsx';
import { OursList } from '../../shift/reports/Ours.tsx';
import { StandingAt } from '../../time/tickingClock.ts';
import { serverNow } from '../../time/freshness.ts';
import { formatClock, formatDateTime } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import buttonStyles from '../../ui/controls/Button.module.css';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted } from '#contract/numbers.ts';
import styles from './HistoryPage.module.css';
import {
  changeBeside,
  dayOf,
  beforeWords,
  minuteOf,
  momentWords,
  recordedSpan,
  momentOf,
} from './moments.ts';
import { MINUTE_MS } from '#contract/durations.ts';
import { TimeSlider } from './TimeSlider.tsx';
import { usePast, useTimeline, type Speed, usePlay } from './usePast.ts';
import { bound, ToolField, optionsOf } from '../../ui/controls/Field.tsx';
import { knownSource } from '#contract/feeds/knownSources.ts';
import type { FeedEntry } from '../../api/alerts/feeds.ts';
import { isSilent, sourcesOf } from '../../feeds/alerts/sourceStatus.ts';
import type { PastJob } from '#contract/history/history.ts';
import { Severity } from '../../ui/signs/Severity.tsx';
import { Table } from '../../ui/page/Table.tsx';
import { useScrollPadding } from '../../ui/useScrollPadding.ts';

const SPEEDS: readonly Speed[] = [60, 600];

/** The board at a past time, with the board's own parts. It offers no actions. */
export function HistoryPage() {
  const band = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const { at: asked, near = '', radius: wide } = usePageQuery('history');
  const radius: number = RADII.find((km) => String(km) === wide) ?? RADII[1]!; // there are several
  const [arrived] = useState(() => minuteOf(serverNow()));
  const at = useMemo(() => minuteOf(dateOf(asked) ?? arrived), [asked, arrived]);

  const day = useMemo(() => dayOf(at), [at]);
  const { timeline } = useTimeline(day.day);
  const recorded = recordedSpan(timeline);
  const past = usePast(at, { near: near.trim(), radius });
  const { board } = past;
  const isShown = board !== null && board.at.getTime() === at.getTime() && !past.loading;
  const [open, setOpen] = useState<string | null>(null);

  const latest = Math.min(recorded?.to.getTime() ?? Infinity, arrived.getTime());
  const goTo = (moment: Date, place = { near, radius }) =>
    navigate(
      pageAddress('history', {
        at: moment.toISOString().replace(':00.000Z', 'Z'),
        ...(place.near && { near: place.near, radius: String(place.radius) }),
      }),
      { replace: true },
    );
  /** The slider, the keys and the playback end at the ends of the record. */
  const show = (to: Date) => {
    const least = recorded?.from.getTime() ?? -Infinity;
    goTo(new Date(Math.max(Math.min(to.getTime(), Math.max(latest, least)), least)));
  };
  const play = usePlay(isShown || past.failure !== null, (minutes) => {
    const next = at.getTime() + minutes * MINUTE_MS;
    show(new Date(next));
    return next < latest;
  });
  const move = (to: Date) => {
    play.stop();
    show(to);
  };
  const beside = (step: 1 | -1) => changeBeside(timeline, at, step);

  useScrollPadding(band);
  const outside =
    recorded !== null && at < recorded.from
      ? beforeWords(recorded.from, at, arrived)
      : at > arrived
        ? 'This time is still to come: nothing is recorded.'
        : null;
  const words = momentWords(board && !outside ? board.at : at, arrived);

  return (
    <div className={styles.page} aria-busy={past.loading}>
      <div ref={band} className={styles.band} data-text="line" data-forced="frame" data-stripes role="status">
        <svg data-only="desk" viewBox="0 0 24 24" aria-hidden="true">
          <path
            fillRule="evenodd"
            d="M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22zm0 3a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm-1.4 2.5h2.8v5.2l3.6 2.1-1.4 2.4-5-2.9z"
          />
        </svg>
        <h1>HISTORY: {words}</h1>
        <span className={styles.what}>What was known then, not what is known now</span>
        <Link href={pageAddress('board')} className={`${buttonStyles.button} ${styles.back}`}>
          Back to the live board
        </Link>
      </div>
      <AppSign />
      <section className={styles.time} aria-label="Time" data-columns="80" data-align="center">
        <div className={styles.tools} data-line data-align="stretch">
          <Button aria-label="Earlier change" disabled={!beside(-1)} onClick={() => move(beside(-1) ?? at)}>
            <CaretLeftIcon weight="bold" aria-hidden />
          </Button>
          <Button aria-label="Later change" disabled={!beside(1)} onClick={() => move(beside(1) ?? at)}>
            <CaretRightIcon weight="bold" aria-hidden />
          </Button>
          <TimeField
            key={at.getTime()}
            at={at}
            onMove={(to) => {
              play.stop();
              goTo(to); // shown as it was written: another time never replaces it
            }}
          />
          <PlaceFields key={near} near={near} radius={radius} onPlace={(place) => goTo(at, place)} />
          <div className={styles.play} data-only="screen" role="group" aria-label="Play">
            {SPEEDS.map((speed) => (
              <button
                key={speed}
                type="button"
                className={styles.speed}
                data-toggle
                aria-pressed={play.speed === speed}
                onClick={() => play.toggle(speed)}
              >
                Play ×{speed}
              </button>
            ))}
          </div>
        </div>
        <TimeSlider
          day={day}
          at={at}
          timeline={timeline}
          active={isShown ? totalCounts(withOurs(board.feeds.rows, board.ours)).active : null}
          onMove={move}
          onPlay={() => play.toggle(play.speed ?? 60)}
        />
        <p className={styles.key} data-row="5" data-text="small" data-tone="2">
          <span>
            <i data-of="change" data-forced="ink" />
            changes
          </span>
          <span>
            <i data-of="silence" data-forced="ink" />a source was silent
          </span>
          {recorded && (
            <span>
              Recorded to{' '}
              {recorded.to >= day.from && recorded.to < day.to
                ? formatClock(recorded.to)
                : momentWords(recorded.to, arrived)}
            </span>
          )}
          {recorded && recorded.from > day.from && <span>{beforeWords(recorded.from, at, arrived)}</span>}
        </p>
      </section>

      {(outside ?? past.failure) && (
        <div className={styles.failure}>
          <Notice>{outside ?? past.failure}</Notice>
        </div>
      )}
      {board && !outside && !past.failure && (
        <StandingAt value={board.at}>
          {board.near && (
            <p className={styles.place}>
              Within {board.near.radius_km} km of {board.near.label} only.
              {board.near.without_position > 0 &&
                ` ${counted(board.near.without_position, 'alert')} had no known place then, and may have been there.`}
            </p>
          )}
          <BoardJump rows={board.feeds.rows} ours={board.ours} at={board.at} />
          <WorstNow
            rows={board.feeds.rows}
            ours={board.ours}
            at={board.at}
            outlook={board.feeds.outlook}
            stale={false}
          />
          {board.feeds.rows.map((row, place) => (
            <FeedRow
              key={row.feed.slug}
              row={row}
              place={place}
              at={board.at}
              freshness="fresh"
              change={undefined}
              compact
              expanded={open === row.feed.slug}
              onToggle={(slug) => setOpen(open === slug ? null : slug)}
            >
              <PastSources feed={row.feed} at={board.at} />
            </FeedRow>
          ))}
          <OursList ours={board.ours} />
          <PastJobs jobs={board.jobs} />
        </StandingAt>
      )}
      {!board && past.loading && <p className={styles.loading}>Loading...</p>}
    </div>
  );
}

const RADII = [10, 25, 50, 100] as const;

/** The place around which the past is shown; empty: everywhere. Enter loads it. */
function PlaceFields({
  near,
  radius,
  onPlace,
}: {
  near: string;
  radius: number;
  onPlace: (place: { near: string; radius: number }) => void;
}) {
  const [words, setWords] = useState(near);
  const go = () => words.trim() !== near && onPlace({ near: words.trim(), radius });

  return (
    <ToolField label="Near">
      <input
        aria-label="Near"
        {...bound(words, setWords)}
        placeholder="everywhere"
        maxLength={100}
        autoComplete="off"
        onKeyDown={({ key }) => key === 'Enter' && go()}
        onBlur={go}
      />
      <select
        aria-label="Radius"
        {...bound(radius, (value) => onPlace({ near: words.trim(), radius: Number(value) }))}
      >
        {optionsOf(RADII.map((km) => [km, `${km} km`]))}
      </select>
    </ToolField>
  );
}

/** The time of the board as text, in London's words whatever the device's settings. Enter goes to it. */
function TimeField({ at, onMove }: { at: Date; onMove: (to: Date) => void }) {
  const id = useId();
  const [text, setText] = useState(formatDateTime(at));
  const [wrong, setWrong] = useState(false);

  const go = () => {
    if (text === formatDateTime(at)) return;
    const moment = momentOf(text, at);
    setWrong(moment === null);
    if (moment) onMove(moment);
  };

  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go();
    if (event.key !== 'Escape') return;
    setText(formatDateTime(at));
    setWrong(false);
  };

  return (
    <>
      <ToolField label="Board at" className={styles.field}>
        <input
          value={text}
          maxLength={40}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={wrong}
          aria-describedby={wrong ? `${id}-how` : undefined}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={press}
          onBlur={go}
        />
      </ToolField>
      {wrong && (
        <span id={`${id}-how`} role="alert" className={styles.wrong} data-text="label">
          Write it as 21 Nov 2026, 08:10, or as 08:10 on the same day.
        </span>
      )}
    </>
  );
}

/** The sources of a feed, and how fresh each of them was. */
function PastSources({ feed, at }: { feed: FeedEntry; at: Date }) {
  const entries = new Map(feed.sources?.map((entry) => [entry.source, entry]));

  return (
    <ul data-stack="1" data-text="note">
      {sourcesOf(feed).map((source) => {
        const entry = entries.get(source);
        const last = dateOf(entry?.last_collected);
        return (
          <li key={source}>
            <b data-tone="1">{knownSource(source).displayName}</b>{' '}
            {!entry || entry.state === 'not_configured' || !last
              ? 'Not connected'
              : isSilent(entry)
                ? `had not answered since ${sinceText(last, at)}`
                : `${counted(entry.event_count ?? 0, 'alert')}, answered ${sinceText(last, at)}`}
          </li>
        );
      })}
    </ul>
  );
}

/** The team's jobs at that time: those on the way or with trouble. One press shows the others. */
function PastJobs({ jobs }: { jobs: readonly PastJob[] }) {
  const [all, setAll] = useState(false);
  if (jobs.length === 0) return null;
  const told = jobs.filter(({ stood, touched_by }) => touched_by !== '' || stood.startsWith('left'));
  const shown = all ? jobs : told;
  const touched = jobs.filter(({ touched_by }) => touched_by !== '').length;

  return (
    <section className={styles.jobs} data-part data-text="line" aria-label="Jobs">
      <header data-row="4" data-align="baseline">
        <h2 data-text="lead">Jobs</h2>
        <p data-text="note">
          {touched} of {counted(jobs.length, 'job')} had certain trouble ahead
        </p>
      </header>
      {shown.length > 0 && (
        <Table
          label="Jobs as they stood"
          rows={shown}
          keyOf={({ id }) => id}
          columns={{
            Job: {
              as: 'head',
              cell: ({ time, what, stood }) => (
                <>
                  <time>{time}</time> {what} {stood && <small>{stood}</small>}
                </>
              ),
            },
            'Touched by': ({ touched_by, severity }) => (
              <span>
                {touched_by && <Severity grade={severity ?? 'unrated'} wordless />} {touched_by || '–'}
              </span>
            ),
            Arrives: ({ arrives }) => arrives || '–',
          }}
        />
      )}
      {told.length < jobs.length && (
        <Button kind="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Only those on the way or in trouble' : `All ${counted(jobs.length, 'job')}`}
        </Button>
      )}
    </section>
  );
}
