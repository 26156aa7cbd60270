/** When a person is not to be disturbed: quiet hours and pauses, by London's clock. */
import { MINUTE_MS } from '#contract/durations.ts';
import { dayAfter, londonInstant } from '#contract/watches/departures.ts';
import { LONDON_CLOCK, londonDay } from '#contract/london.ts';
import type { QuietHours } from '#contract/messages/messages.ts';
import { quietOf } from '../outbox/channelStore.ts';
import type { RowOf } from '../../db/schema.ts';

/** Hours that occur twice are quiet twice. */
export function isQuiet(quiet: QuietHours | null, now: Date): boolean {
  if (!quiet || quiet.from === quiet.to) return false;
  const clock = LONDON_CLOCK.format(now);
  return quiet.from < quiet.to
    ? clock >= quiet.from && clock < quiet.to
    : clock >= quiet.from || clock < quiet.to;
}

/** The reason why nothing is sent to this channel now; null: messages are sent. The list in the app always gets
 *  messages: it disturbs nobody. */
export function mutedBy(channel: RowOf<'channels'>, at: Date, isCritical: boolean): string | null {
  if (channel.kind === 'app') return null;
  if (isPaused(channel, at))
    return `Held: paused until ${LONDON_CLOCK.format(new Date(channel.paused_until))}`;
  const quiet = quietOf(channel);
  return isQuiet(quiet, at) && !(isCritical && quiet?.critical) ? 'Held: quiet hours' : null;
}

export const isPaused = (
  channel: RowOf<'channels'>,
  at: Date,
): channel is RowOf<'channels'> & { paused_until: string } =>
  channel.paused_until !== null && channel.paused_until > at.toISOString();

/** When a message that is muted now may be sent. */
export function mutedUntil(channel: RowOf<'channels'>, at: Date): Date {
  const from = isPaused(channel, at) ? new Date(channel.paused_until) : at;
  const quiet = quietOf(channel);
  if (!quiet || !isQuiet(quiet, from)) return from;
  const day = londonDay(from);
  const ends = [day, dayAfter(day, 1)]
    .flatMap((one) => {
      const end = londonInstant(one, quiet.to);
      // In an hour that occurs twice they end twice.
      return [end, new Date(end.getTime() + 60 * MINUTE_MS)];
    })
    .filter((end) => end > from && !isQuiet(quiet, end));
  return ends[0]!; // at the latest on the next day
}
