import { MINUTE_MS } from '#contract/durations.ts';
import { useMemo, useState } from 'react';
import type { NextUp } from '../../../api/alerts/feeds.ts';
import { dateOf, gradeOf, sinceText, titleOf } from '../../../feeds/alerts/alerts.ts';
import { endOfHours, NEXT_HOURS, nextHours } from '../../../feeds/rows/nextHours.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { formatClock } from '../../../time/london.ts';
import { fits, fitting } from '../words/textFit.ts';
import { NEXT_TEXT, useForm } from '../words/wallMeasures.ts';
import styles from './NextHours.module.css';
import { namedPlaces, shortPlaces } from '../../../feeds/alerts/titles.ts';
import { serverNow } from '../../../time/freshness.ts';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import { endOrStartWords } from '../../../feeds/alerts/alertTimes.ts';
import { Severity } from '../../../ui/signs/Severity.tsx';
import { stretchWords } from '../../../watches/routeWords.ts';
import { useOurs } from '../words/seenByTeam.ts';

/** The most entries. On a wide screen, and upright, there is room for more. */
export const MOST = 5;
const MOST_WIDE = 7;
/** The room below the map and the heading; the height of an entry, of which only whole ones are shown; and of a
 *  second line for its place. In units. */
const ROOM = 347;
const ENTRY = 58;
const SECOND_LINE = 26;
/** The width of two lines, less what is lost at the end of the first. In units. */
const TWO_LINES = 1.7 * NEXT_TEXT;

interface NextEntries {
  /** The time from which they count; on an old board, the board's time. */
  from: Date;
  /** As many as a wide screen, or an upright one, has room for. */
  wide: NextUp[];
  usual: ReadonlySet<NextUp>;
  /** When entries were withdrawn that are no longer expected. */
  goneAt: ReadonlyMap<NextUp, Date>;
  /** True: there are so few that the map grows. */
  areFew: boolean;
}

/** The times that sources state, from the server's present minute on. `asOf`: the time of an old board. `taken`: how
 *  much of the room something else has, in units. Null: the server does not send them. */
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

/** The mark is hollow if something clears or people leave, and solid if something begins. */
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
  const form = useForm();
  const shown = form === 'usual' ? wide.filter((entry) => usual.has(entry)) : wide;
  const left = ROOM - taken - usual.size * ENTRY;
  const long = form === 'upright' ? NONE : longOnes([...usual], Math.floor(left / SECOND_LINE));

  return (
    <section className={styles.next} data-faint={faint || undefined} aria-labelledby="next-hours">
      <h2 className={styles.heading} data-nowrap id="next-hours">
        {NEXT_HOURS}
        {asOf && `, as of ${sinceText(asOf, from)}`}
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

/** With fewer entries than this the map grows. */
const FEW = 3;

const inTime = (entries: NextUp[]) => entries.toSorted((a, b) => ((a.at ?? '') < (b.at ?? '') ? -1 : 1));

const placeWithin = ({ places, last }: NextWords, width: number) => fitting([...places, last], width, 'next');

/** The entries that get two lines because one would cut them, at most `most`: warnings first, then names of venues,
 *  then stretches. */
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

// The entries for the next hours, in the words of the wall.

/** Two lines: the place in several lengths, then what happens. */
interface NextWords {
  /** The fullest first. */
  places: string[];
  /** The text if none of them fits. */
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

/** Both carriageways of one road at one time become one entry, without a direction. */
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

/** The form without its direction, if no other entry has the same time and road. */
const withoutDirection = (form: string) =>
  form.replace(/ (?:[a-z]+bound|both ways|(?:anti-)?clockwise)(?=,|$)/i, '');

// Entries that are no longer expected. Each says so for ten minutes, in its place.

const WITHDRAWN_MS = 10 * 60_000;

interface Withdrawn {
  entry: NextUp;
  /** In milliseconds, by the server's clock. */
  at: number;
}

/** The entries that were withdrawn. An entry whose incident is expected at another time has moved, and one whose
 *  minute has come has gone by itself; neither counts. */
function withdrawnBetween(before: readonly NextUp[], after: readonly NextUp[], now: Date): Withdrawn[] {
  const keyOf = ({ event_id, kind }: NextUp) => `${event_id} ${kind}`;
  const known = new Set(after.map(keyOf));
  return before
    .filter((entry) => !known.has(keyOf(entry)) && (dateOf(entry.at) ?? now) > now)
    .map((entry) => ({ entry, at: now.getTime() }));
}

/** The withdrawals of the last ten minutes. An answer that is null withdraws nothing, because the server does not
 *  send them. */
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
  // The oldest come first, and are removed first.
  return known.gone.slice(known.gone.length - count);
}

/** How many reports are shown. The others are a number. */
const SHOWN = 2;

/** The height of the heading with its rule, and of one report. In units. */
const HEADING = 56;
const REPORT = 58;
/** How much of the room for the next hours the reports take. In units. */
export const useOursRoom = (): number => {
  const count = useOurs(({ ours }) => ours.length);
  return count === 0 ? 0 : HEADING + Math.min(count, SHOWN) * REPORT;
};

/** "Ours": drivers' reports to the team, which are in no feed. */
export function WallOurs() {
  const ours = useOurs((known) => known.ours);
  if (ours.length === 0) return null;
  const more = ours.length - SHOWN;

  return (
    <section className={`${styles.next} ${styles.ours}`} aria-labelledby="wall-ours">
      <h2 className={styles.heading} data-nowrap id="wall-ours">
        Ours{more > 0 && `, and ${more} more`}
      </h2>
      <ul>
        {ours.slice(0, SHOWN).map((alert) => (
          <Own key={alert.event_id} alert={alert} />
        ))}
      </ul>
    </section>
  );
}

function Own({ alert }: { alert: Alert }) {
  const until = useClock((now) => endOrStartWords(alert, now));
  const { place, effect } = alert.facts ?? {};
  const title = place && effect ? place : titleOf(alert);
  const more = place && effect ? effect : stretchWords(alert) || alert.metadata?.location_names?.[0] || '';
  return (
    <li>
      <Severity grade={gradeOf(alert)} wordless />
      <p>
        <b>{fitting([title], NEXT_TEXT, 'next')}</b>
        <span>{fitting([[more, until].filter(Boolean).join(', '), more || until], NEXT_TEXT, 'next')}</span>
      </p>
    </li>
  );
}
