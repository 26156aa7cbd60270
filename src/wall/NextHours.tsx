import { useMemo } from 'react';
import type { NextUp } from '../api/feeds.ts';
import { dateOf, sinceText } from '../feeds/alerts.ts';
import { endOfHours, nextHours } from '../feeds/nextHours.ts';
import { useClock } from '../time/clock.ts';
import { formatClock } from '../time/london.ts';
import { fits, fitting, useFacesLoaded } from './fit.ts';
import { NEXT_TEXT } from './measures.ts';
import styles from './NextHours.module.css';
import { bothWays, type NextWords, nextWords } from './nextWords.ts';

/** On a wide screen there is room for more; the others are hidden elsewhere. */
const MOST = 5;
const MOST_WIDE = 7;
/** So many of the usual number have room for two lines of their place. */
const MOST_LONG = 2;
/** Less what is lost at the end of the first. In units. */
const TWO_LINES = 1.7 * NEXT_TEXT;

/** The times that sources state: hollow where something clears or people leave, solid where something begins. */
export function NextHours({
  nextUp,
  asOf,
  faint,
  fewer,
}: {
  /** Null: the server does not say. */
  nextUp: readonly NextUp[] | null;
  /** The time of an old board, to which the hours belong; null while it is current. */
  asOf: Date | null;
  faint: boolean;
  /** So many lines are taken by something else. */
  fewer: number;
}) {
  useFacesLoaded();
  const minute = useClock((now) => (asOf ?? now).getTime() - ((asOf ?? now).getTime() % 60_000));
  const from = useMemo(() => new Date(minute), [minute]);
  const entries = useMemo(() => bothWays(nextUp ?? []), [nextUp]);
  const wide = useMemo(() => nextHours(entries, from, MOST_WIDE - fewer), [entries, from, fewer]);
  const usual = useMemo(() => new Set(nextHours(entries, from, MOST - fewer)), [entries, from, fewer]);
  if (!nextUp) return null;

  const long = longOnes([...usual], MOST_LONG + 2 * Math.max(0, MOST - fewer - usual.size));

  return (
    <section className={styles.next} data-faint={faint || undefined} aria-labelledby="next-hours">
      <h2 className={styles.heading} id="next-hours">
        Next 6 hours{asOf && `, as of ${sinceText(asOf, from)}`}
      </h2>
      {wide.length === 0 ? (
        <p className={styles.nothing}>Nothing expected before {formatClock(endOfHours(from))}</p>
      ) : (
        <ol className={styles.entries}>
          {wide.map((entry, index) => {
            const words = nextWords(entry);
            const isLong = long.has(entry);
            return (
              <li
                key={`${entry.event_id} ${index}`}
                data-kind={entry.kind}
                data-more={!usual.has(entry) || undefined}
                data-long={isLong || undefined}
              >
                <time>{clockOf(entry)}</time>
                <p>
                  <b>{placeWithin(words, isLong ? TWO_LINES : NEXT_TEXT)}</b> <span>{words.what}</span>
                </p>
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}

const placeWithin = ({ places, last }: NextWords, width: number) => fitting([...places, last], width, 'next');

/** So many of those that would be cut on one line have two: warnings first, then names of venues, then stretches. */
function longOnes(entries: readonly NextUp[], most: number): ReadonlySet<NextUp> {
  const isCut = (entry: NextUp) => !nextWords(entry).places.some((form) => fits(form, NEXT_TEXT, 'next'));
  const rank = (entry: NextUp) =>
    entry.what?.includes('warning')
      ? 0
      : entry.kind === 'leaves'
        ? 1
        : nextWords(entry).last.includes(' to ')
          ? 2
          : 3;
  return new Set(
    entries
      .filter(isCut)
      .toSorted((a, b) => rank(a) - rank(b))
      .slice(0, most),
  );
}

const clockOf = ({ at }: NextUp) => {
  const time = dateOf(at);
  return time && formatClock(time);
};
