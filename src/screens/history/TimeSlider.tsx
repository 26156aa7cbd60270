import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { Timeline } from '../../api/alerts/history.ts';
import { clockOf, type DaySpan, hoursOf, momentAt, recordedSpan, shareOf, stepOf } from './moments.ts';
import { MINUTE_MS } from '#contract/durations.ts';
import styles from './TimeSlider.module.css';

/** The width of the drawing in its own units; it is stretched to the available width. */
const WIDTH = 1200;
/** From this many changes in a minute on, all marks have the same height. */
const HIGHEST = 4;

/** One day: the minutes with a change, the silent times of sources, the extent of the record, and the chosen time. */
export function TimeSlider({
  day,
  at,
  timeline,
  active,
  onMove,
  onPlay,
}: {
  day: DaySpan;
  at: Date;
  timeline: Timeline | null;
  /** The number of alerts that were active at that time; null: not known yet. */
  active: number | null;
  onMove: (to: Date) => void;
  /** Space. */
  onPlay: () => void;
}) {
  const track = useRef<HTMLDivElement>(null);
  const recorded = recordedSpan(timeline);
  const x = (time: Date) => shareOf(time, day) * WIDTH;
  const least = recorded ? Math.max(day.from.getTime(), recorded.from.getTime()) : day.from.getTime();
  const most = recorded ? Math.min(day.to.getTime(), recorded.to.getTime()) : day.to.getTime();

  const press = (event: KeyboardEvent) => {
    const step = stepOf(event);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step !== null) onMove(new Date(at.getTime() + step * MINUTE_MS));
    else if (event.key === 'Home') onMove(new Date(least));
    else if (event.key === 'End') onMove(new Date(most));
    else if (event.key === ' ') onPlay();
    else return;
    event.preventDefault();
  };

  const follow = (event: PointerEvent<HTMLDivElement>) => {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    if (width > 0) onMove(momentAt(Math.min(1, Math.max(0, (event.clientX - left) / width)), day));
  };

  return (
    <div
      ref={track}
      className={styles.slider}
      role="slider"
      tabIndex={0}
      aria-label="Board at"
      aria-orientation="horizontal"
      aria-valuemin={Math.round(least / MINUTE_MS)}
      aria-valuemax={Math.round(most / MINUTE_MS)}
      aria-valuenow={Math.round(at.getTime() / MINUTE_MS)}
      aria-valuetext={active === null ? clockOf(at) : `${clockOf(at)}, ${active} active`}
      onKeyDown={press}
      onPointerDown={follow}
      onPointerMove={follow}
    >
      <svg viewBox={`0 0 ${WIDTH} 64`} preserveAspectRatio="none" aria-hidden="true">
        <rect fill="var(--line)" x={0} y={40} width={WIDTH} height={8} />
        {recorded && recorded.to > day.from && recorded.from < day.to && (
          <rect
            fill="var(--line-ink)"
            x={x(recorded.from)}
            y={40}
            width={x(recorded.to) - x(recorded.from)}
            height={8}
          />
        )}
        {timeline?.silent.map(({ source, from, to }) => (
          <rect
            key={`${source} ${from}`}
            fill="var(--text-3)"
            x={x(new Date(from))}
            y={52}
            width={x(to ? new Date(to) : (recorded?.to ?? day.to)) - x(new Date(from))}
            height={6}
          />
        ))}
        {timeline?.changes.map((change) => {
          const height = 7 * Math.min(HIGHEST, change.count);
          return (
            <rect
              key={change.at}
              fill="var(--text-2)"
              x={x(new Date(change.at)) - 1.5}
              y={38 - height}
              width={3}
              height={height}
            />
          );
        })}
      </svg>
      <i className={styles.thumb} style={{ left: `${shareOf(at, day) * 100}%` }} />
      <ol className={styles.hours} data-figures data-text="small" data-tone="2" aria-hidden="true">
        {hoursOf(day).map(({ words, share }) => (
          <li key={words} style={{ left: `${share * 100}%` }}>
            {words}
          </li>
        ))}
      </ol>
    </div>
  );
}
