import { MINUTE_MS } from '#contract/durations.ts';
import { useMemo, useState } from 'react';
import type { NextUp } from '../../../api/alerts/feeds.ts';
import { dateOf, sinceText } from '../../../feeds/alerts/alerts.ts';
import { endOfHours, nextHours } from '../../../feeds/rows/nextHours.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { formatClock } from '../../../time/london.ts';
import { fits, fitting, useFacesLoaded } from '../words/wallFit.ts';
import { useForm } from '../words/form.ts';
import { NEXT_TEXT } from '../words/wallMeasures.ts';
import styles from './NextHours.module.css';
import { namedPlaces, shortPlaces } from '../../../feeds/alerts/titles.ts';
import { serverNow } from '../../../time/freshness.ts';

/** On a wide screen, and upright, there is room for more. */
export const MOST = 5;
const MOST_WIDE = 7;
/** Under the map and the heading; an entry, of which only whole ones are shown; a second line of its place. In units. */
const ROOM = 347;
const ENTRY = 58;
const SECOND_LINE = 26;
/** Less what is lost at the end of the first. In units. */
const TWO_LINES = 1.7 * NEXT_TEXT;

interface NextEntries {
  /** When they are read from; the time of an old board. */
  from: Date;
  /** Up to the most that a wide screen has room for, and one that stands upright. */
  wide: NextUp[];
  usual: ReadonlySet<NextUp>;
  /** When those were withdrawn that are no longer expected. */
  goneAt: ReadonlyMap<NextUp, Date>;
  /** So few that the map grows. */
  areFew: boolean;
}

/** The times that sources state, from the server's minute on. `asOf`: the time of an old board; `taken`: so much of the room
 *  has something else, in units. Null: the server does not say. */
export function useNextEntries(
  nextUp: readonly NextUp[] | null,
  { asOf, taken }: { asOf: Date | null; taken: number },
): NextEntries | null {
  const gone = useWithdrawn(nextUp);
  const minute = useClock((now) => (asOf ?? now).getTime() - ((asOf ?? now).getTime() % MINUTE_MS));
  return useMemo(() => {
    if (!nextUp) return null;
    const most = Math.max(0, Math.min(MOST, Math.floor((ROOM - taken) / ENTRY)));
    const from = new Date(minute);
    // An entry goes when the clock shows its minute, whatever its seconds.
    const shown = new Date(minute + MINUTE_MS - 1);
    const entries = inTime([...bothWays(nextUp), ...gone.map(({ entry }) => entry)]);
    const usual = new Set(nextHours(entries, shown, most));
    return {
      from,
      wide: nextHours(entries, shown, MOST_WIDE - MOST + most),
      usual,
      goneAt: new Map(gone.map(({ entry, at }) => [entry, new Date(at)])),
      areFew: usual.size < FEW,
    };
  }, [nextUp, gone, minute, taken]);
}

/** Hollow where something clears or people leave, solid where something begins. */
export function NextHours({
  next: { from, wide, usual, goneAt },
  asOf,
  faint,
  taken,
}: {
  next: NextEntries;
  asOf: Date | null;
  faint: boolean;
  taken: number;
}) {
  useFacesLoaded();
  const form = useForm();
  const shown = form === 'usual' ? wide.filter((entry) => usual.has(entry)) : wide;
  const left = ROOM - taken - usual.size * ENTRY;
  const long = form === 'upright' ? NONE : longOnes([...usual], Math.floor(left / SECOND_LINE));

  return (
    <section className={styles.next} data-faint={faint || undefined} aria-labelledby="next-hours">
      <h2 className={styles.heading} id="next-hours">
        Next 6 hours{asOf && `, as of ${sinceText(asOf, from)}`}
      </h2>
      {shown.length === 0 ? (
        <p className={styles.nothing}>Nothing expected before {formatClock(endOfHours(from))}</p>
      ) : (
        <ol className={styles.entries}>
          {shown.map((entry, index) => {
            const words = nextWords(entry);
            const isLong = long.has(entry);
            const withdrawn = goneAt.get(entry);
            return (
              <li
                key={`${entry.event_id} ${index}`}
                data-kind={withdrawn ? 'gone' : entry.kind}
                data-long={isLong || undefined}
              >
                <time>{clockOf(entry)}</time>
                <p>
                  <b>{placeWithin(words, isLong ? TWO_LINES : NEXT_TEXT)}</b>{' '}
                  <span>{withdrawn ? `withdrawn ${formatClock(withdrawn)}` : words.what}</span>
                </p>
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}

const NONE: ReadonlySet<NextUp> = new Set();

/** With fewer the map grows. */
const FEW = 3;

const inTime = (entries: NextUp[]) => entries.toSorted((a, b) => ((a.at ?? '') < (b.at ?? '') ? -1 : 1));

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

// Entries expected in the next hours, in the words of the wall.

/** On two lines: where, in several lengths, then what. */
interface NextWords {
  /** The fullest first. */
  places: string[];
  /** Text for where none of them fits. */
  last: string;
  what: string;
}

/** "Amber wind, Wales" and "warning begins"; "M62, J26 to J27" and "expected clear". */
export function nextWords({ place, what }: NextUp): NextWords {
  const [, kind, begins] = /^(.+) ((?:warning|alert) begins)$/.exec(what ?? '') ?? [];
  if (!kind || !begins) {
    const forms = shortPlaces(place ?? '');
    const places = [...new Set([...forms, ...forms.map(withoutDirection)])];
    return { places, last: places.at(-1)!, what: what ?? '' }; // there is at least one
  }
  const named = kind.charAt(0).toUpperCase() + kind.slice(1);
  return { places: namedPlaces(named, place ?? ''), last: named, what: begins };
}

/** Both carriageways of one road at one time are one entry, without a direction. */
export function bothWays(nextUp: readonly NextUp[]): NextUp[] {
  const keyOf = ({ at, kind, place, what }: NextUp) =>
    `${at?.slice(0, 16)} ${kind} ${withoutDirection(place ?? '')} ${what}`;
  const merged = new Map<string, NextUp>();
  for (const entry of nextUp) {
    const first = merged.get(keyOf(entry));
    if (!first) merged.set(keyOf(entry), entry);
    else if (first.place !== entry.place)
      merged.set(keyOf(entry), { ...first, place: withoutDirection(first.place ?? '') });
  }
  return [...merged.values()];
}

/** No other entry has the same time and road. */
const withoutDirection = (form: string) =>
  form.replace(/ (?:[a-z]+bound|both ways|(?:anti-)?clockwise)(?=,|$)/i, '');

// Entries no longer expected: each says so for ten minutes, in its place.

const WITHDRAWN_MS = 10 * 60_000;

interface Withdrawn {
  entry: NextUp;
  /** In milliseconds, by the server's clock. */
  at: number;
}

/** An entry whose incident is expected at another time has moved, and one whose minute has come has gone by itself. */
function withdrawnBetween(before: readonly NextUp[], after: readonly NextUp[], now: Date): Withdrawn[] {
  const keyOf = ({ event_id, kind }: NextUp) => `${event_id} ${kind}`;
  const known = new Set(after.map(keyOf));
  return before
    .filter((entry) => !known.has(keyOf(entry)) && (dateOf(entry.at) ?? now) > now)
    .map((entry) => ({ entry, at: now.getTime() }));
}

/** Withdrawals of the last ten minutes. Null as an answer withdraws nothing: the server does not say. */
function useWithdrawn(nextUp: readonly NextUp[] | null): readonly Withdrawn[] {
  const [known, setKnown] = useState<{ nextUp: readonly NextUp[] | null; gone: readonly Withdrawn[] }>({
    nextUp,
    gone: [],
  });
  const isRecent = ({ at }: Withdrawn, now: Date) => {
    const age = now.getTime() - at;
    return age >= 0 && age < WITHDRAWN_MS;
  };
  if (nextUp && nextUp !== known.nextUp) {
    const now = serverNow();
    const back = new Set(nextUp.map(({ event_id }) => event_id));
    setKnown({
      nextUp,
      gone: [
        ...known.gone.filter((one) => isRecent(one, now) && !back.has(one.entry.event_id)),
        ...withdrawnBetween(known.nextUp ?? [], nextUp, now),
      ],
    });
  }
  const count = useClock((now) => known.gone.filter((one) => isRecent(one, now)).length);
  // The oldest come first, and go first.
  return known.gone.slice(known.gone.length - count);
}
