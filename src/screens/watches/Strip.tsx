import { type ComponentProps, useState } from 'react';
import type { RoutePlace } from '#contract/watches/watches.ts';
import { gradeOf } from '../../feeds/alerts/alerts.ts';
import { formatClock } from '../../time/london.ts';
import { junctionsText, type StripRow } from '../../watches/routeStrip.ts';
import type { Touch } from '../../watches/timeWindow.ts';
import { TouchItem } from './TouchItem.tsx';
import { Disclosure } from '../../ui/controls/Disclosure.tsx';
import { StatusLine } from '../../ui/signs/StatusLine.tsx';
import styles from './Strip.module.css';

/** The route from its start to its end, on the screen, on paper and read aloud. */
export function Strip({
  rows,
  item,
  small,
}: {
  rows: readonly StripRow[];
  /** Needed only if something touches the route. */
  item?: (touch: Touch) => ComponentProps<typeof TouchItem>;
  small?: boolean;
}) {
  return (
    <ol
      className={styles.strip}
      data-small={small || undefined}
      aria-label="The route from start to end, with times and trouble"
    >
      {rows.map((row, index) => {
        switch (row.kind) {
          case 'place':
            return <Place key={`${row.place.km} place`} {...row} />;
          case 'touch':
            return (
              <li
                key={row.touch.match.subject_id}
                className={styles.part}
                data-level={row.touch.match.level}
                data-severity={row.touch.alert ? gradeOf(row.touch.alert) : 'unrated'}
              >
                <span className={styles.bar} aria-hidden="true" />
                {item && <TouchItem {...item(row.touch)} />}
              </li>
            );
          case 'silent':
            return (
              <li key={`${row.words} ${index}`} className={styles.part} data-level="none">
                <span className={styles.bar} aria-hidden="true" />
                <p data-line data-text="strong" data-tone="2">
                  <StatusLine status="none">{row.words}</StatusLine>
                </p>
              </li>
            );
          case 'run':
            return <Run key={row.label} {...row} />;
        }
      })}
    </ol>
  );
}

function Place({
  place,
  at,
  end = null,
  silent,
}: {
  place: RoutePlace;
  at: Date | null;
  end?: 'first' | 'last' | null;
  silent?: boolean;
}) {
  const junctions = junctionsText(place);

  return (
    <li
      className={styles.place}
      data-minor={(place.minor && end === null) || undefined}
      data-end={end ?? undefined}
      data-silent={silent || undefined}
    >
      <time data-text="strong">{at && formatClock(at)}</time>
      <span className={styles.km} data-text="note">
        <span data-hidden>km </span>
        {Math.round(place.km)}
      </span>
      <span className={styles.bar} aria-hidden="true" />
      <b data-text="strong">
        {junctions || place.name}
        {junctions && place.name && <span> {place.name}</span>}
      </b>
    </li>
  );
}

/** A long stretch without alerts: one line, until it is opened. */
function Run({ label, hidden, silent }: Extract<StripRow, { kind: 'run' }>) {
  const [open, setOpen] = useState(false);

  return (
    <>
      <li className={styles.part} data-level={silent ? 'none' : 'calm'}>
        <span className={styles.bar} aria-hidden="true" />
        {hidden.length > 0 ? (
          <Disclosure open={open} onOpen={setOpen}>
            <span>{label}</span>
          </Disclosure>
        ) : (
          <p className={styles.calm} data-text="line" data-tone="2">
            {label}
          </p>
        )}
      </li>
      {open && hidden.map((one) => <Place key={one.place.km} {...one} silent={silent} />)}
    </>
  );
}
