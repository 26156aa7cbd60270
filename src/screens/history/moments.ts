/** Times on the slider: days in London with 23 to 25 hours, minutes as instants, and the marks of a day. */
import { MINUTE_MS } from '#contract/durations.ts';
import { dayAfter, londonInstant } from '#contract/watches/departures.ts';
import { london, LONDON_CLOCK, londonDay, monthOf } from '#contract/london.ts';
import type { Timeline } from '../../api/alerts/history.ts';

const WEEKDAY = london({ weekday: 'long', day: 'numeric', month: 'long' });
const WEEKDAY_OF_YEAR = london({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const ZONE = london({ timeZoneName: 'short' });

/** From the first instant of a day to the first of the next. */
export interface DaySpan {
  day: string;
  from: Date;
  to: Date;
}

export function dayOf(at: Date): DaySpan {
  const day = londonDay(at);
  return { day, from: londonInstant(day, '00:00'), to: londonInstant(dayAfter(day), '00:00') };
}

/** The minute that holds this time. */
export const minuteOf = (at: Date): Date => new Date(at.getTime() - (at.getTime() % MINUTE_MS));

/** The first full minute at or after this time. */
export const minuteAfter = (at: Date): Date => new Date(Math.ceil(at.getTime() / MINUTE_MS) * MINUTE_MS);

/** "08:10"; "01:30 BST" and "01:30 GMT" in the hour that comes twice. */
export function clockOf(at: Date): string {
  const clock = LONDON_CLOCK.format(at);
  const isTwice = [-60, 60].some(
    (minutes) => LONDON_CLOCK.format(new Date(at.getTime() + minutes * MINUTE_MS)) === clock,
  );
  const zone = ZONE.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
  return isTwice && zone ? `${clock} ${zone}` : clock;
}

/** "Saturday 21 November, 08:10"; with the year when it is not this year. */
export function momentWords(at: Date, now: Date): string {
  const isThisYear = londonDay(at).slice(0, 4) === londonDay(now).slice(0, 4);
  const day = (isThisYear ? WEEKDAY : WEEKDAY_OF_YEAR).format(at).replace(',', '');
  return `${day}, ${clockOf(at)}`;
}

/** "Nothing was recorded before 23 August."; "before 06:00 on 23 August" when a part of that day is shown, or an
 *  earlier time. */
export function beforeWords(from: Date, shown: Date, now: Date): string {
  const day = londonDay(from);
  const isThisYear = day.slice(0, 4) === londonDay(now).slice(0, 4);
  const date = london({ day: 'numeric', month: 'long', ...(!isThisYear && { year: 'numeric' as const }) });
  const time = day === londonDay(shown) ? `${clockOf(from)} on ` : '';
  return `Nothing was recorded before ${time}${date.format(from)}.`;
}

/** A time as people write it: "21 Nov 2026, 08:10", "21/11/2026 8:10", "2026-11-21 08:10", or "08:10" on the day of
 *  `beside`. Null when the text is not a time. */
export function momentOf(text: string, beside: Date): Date | null {
  const clock = /(?<!\d)(\d{1,2}):(\d\d)$/.exec(text.trim());
  if (!clock) return null;
  const [, hour = '', minute = ''] = clock;
  if (Number(hour) > 23 || Number(minute) > 59) return null;
  const date = text.trim().slice(0, clock.index).replaceAll(',', ' ').trim();
  const day = date === '' ? londonDay(beside) : dayIn(date, londonDay(beside).slice(0, 4));
  return day === null ? null : londonInstant(day, `${hour.padStart(2, '0')}:${minute}`);
}

/** `year`: the year for a date without one. */
function dayIn(date: string, year: string): string | null {
  const [, y, m, d] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(date) ?? [];
  const [, sd, sm, sy] = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(date) ?? [];
  const [, wd, wm = '', wy] = /^(?:[a-z]+ +)?(\d{1,2}) +([a-z]+)(?: +(\d{4}))?$/i.exec(date) ?? [];
  const month = m ?? sm ?? String(monthOf(wm));
  const parts = [y ?? sy ?? wy ?? year, month.padStart(2, '0'), (d ?? sd ?? wd ?? '').padStart(2, '0')];
  const day = parts.join('-');
  const read = new Date(`${day}T12:00:00Z`);
  return Number.isNaN(read.getTime()) || read.toISOString().slice(0, 10) !== day ? null : day;
}

/** The place of a time on its day, from 0 to 1. */
export const shareOf = (at: Date, { from, to }: DaySpan): number =>
  Math.min(1, Math.max(0, (at.getTime() - from.getTime()) / (to.getTime() - from.getTime())));

/** The minute at this share of a day. */
export const momentAt = (share: number, { from, to }: DaySpan): Date =>
  minuteOf(new Date(from.getTime() + share * (to.getTime() - from.getTime())));

/** Every sixth hour in London, and midnight. More would touch each other on a laptop. */
export function hoursOf(span: DaySpan): { words: string; share: number }[] {
  const hours = [0, 6, 12, 18].map((hour) => {
    const words = `${String(hour).padStart(2, '0')}:00`;
    return { words, share: shareOf(londonInstant(span.day, words), span) };
  });
  return [...hours, { words: '24:00', share: 1 }];
}

/** The span that can be shown: from the first record to the last. Null while no full minute is recorded. */
export function recordedSpan(timeline: Timeline | null): { from: Date; to: Date } | null {
  if (!timeline?.recorded_from || !timeline.recorded_to) return null;
  const from = minuteAfter(new Date(timeline.recorded_from));
  const to = minuteOf(new Date(timeline.recorded_to));
  return from <= to ? { from, to } : null;
}

/** The minute in which the change before or after this time came on the board; null when there is none on this day. */
export function changeBeside(timeline: Timeline | null, at: Date, step: 1 | -1): Date | null {
  const minutes = (timeline?.changes ?? []).map((change) => minuteAfter(new Date(change.at)).getTime());
  const beside = minutes.filter((minute) => (minute - at.getTime()) * step > 0);
  if (beside.length === 0) return null;
  return new Date(step > 0 ? Math.min(...beside) : Math.max(...beside));
}

/** How far a key moves the slider, in minutes; null when it is another key. */
export function stepOf({ key, shiftKey }: { key: string; shiftKey: boolean }): number | null {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return shiftKey ? -10 : -1;
  if (key === 'ArrowRight' || key === 'ArrowUp') return shiftKey ? 10 : 1;
  if (key === 'PageUp') return 60;
  if (key === 'PageDown') return -60;
  return null;
}
