import { describe, expect, it } from 'vitest';
import type { QuietHours } from '#contract/messages/messages.ts';
import type { RowOf } from '../../../../server/db/schema.ts';
import { isPaused, isQuiet, mutedBy, mutedUntil } from '../../../../server/delivery/alerts/quietHours.ts';

const at = (time: string, day = '2026-11-21') => new Date(`${day}T${time}:00.000Z`);
const NIGHT: QuietHours = { from: '22:00', to: '06:00', critical: false };
const channel = (changes: Partial<RowOf<'channels'>> = {}): RowOf<'channels'> =>
  ({ kind: 'device', paused_until: null, quiet: JSON.stringify(NIGHT), ...changes }) as RowOf<'channels'>;

describe('quiet hours', () => {
  it.each([
    ['21:59', NIGHT, false],
    ['22:00', NIGHT, true],
    ['05:59', NIGHT, true],
    ['06:00', NIGHT, false],
    ['11:59', { ...NIGHT, from: '12:00', to: '14:00' }, false],
    ['12:00', { ...NIGHT, from: '12:00', to: '14:00' }, true],
    ['13:59', { ...NIGHT, from: '12:00', to: '14:00' }, true],
    ['14:00', { ...NIGHT, from: '12:00', to: '14:00' }, false],
    ['12:00', { ...NIGHT, from: '12:00', to: '12:00' }, false],
  ])('at %s', (time, quiet, expected) => {
    expect(isQuiet(quiet, at(time))).toBe(expected);
  });

  it('let a critical alert through only if they are set so, and hold nothing back in the app', () => {
    expect(mutedBy(channel(), at('23:00'), true)).toBe('Held: quiet hours');
    const open = channel({ quiet: JSON.stringify({ ...NIGHT, critical: true }) });
    expect(mutedBy(open, at('23:00'), true)).toBeNull();
    expect(mutedBy(open, at('23:00'), false)).toBe('Held: quiet hours');
    expect(
      mutedBy(channel({ kind: 'app', paused_until: '2099-01-01T00:00:00.000Z' }), at('23:00'), false),
    ).toBeNull();
  });

  it('end at the next time that is not quiet, also after a pause that ends within them', () => {
    expect(mutedUntil(channel(), at('23:00'))).toEqual(at('06:00', '2026-11-22'));
    expect(mutedUntil(channel(), at('05:59'))).toEqual(at('06:00'));
    const paused = channel({ paused_until: at('22:30').toISOString() });
    expect(mutedUntil(paused, at('21:30'))).toEqual(at('06:00', '2026-11-22'));
    const byDay = channel({ paused_until: at('09:00').toISOString() });
    expect(mutedUntil(byDay, at('08:00'))).toEqual(at('09:00'));
    const nearlyAlways = channel({ quiet: JSON.stringify({ ...NIGHT, from: '06:30' }) });
    expect(mutedUntil(nearlyAlways, at('06:45'))).toEqual(at('06:00', '2026-11-22'));
  });

  it.each([
    ['the hour that comes twice, the first time', '2026-10-25', '00:15', '00:30'],
    ['the hour that comes twice, the second time', '2026-10-25', '01:15', '01:30'],
    ['an hour that is left out', '2027-03-28', '00:45', '01:30'],
  ])('end in %s', (_, day, from, end) => {
    const quiet = channel({ quiet: JSON.stringify({ ...NIGHT, to: '01:30' }) });
    expect(mutedUntil(quiet, at(from, day))).toEqual(at(end, day));
  });
});

it('a pause ends at its minute', () => {
  const paused = channel({ quiet: 'null', paused_until: at('09:00').toISOString() });
  expect(mutedBy(paused, new Date(at('09:00').getTime() - 1), true)).toBe('Held: paused until 09:00');
  expect(isPaused(paused, at('09:00'))).toBe(false);
  expect(mutedBy(paused, at('09:00'), false)).toBeNull();
  expect(mutedUntil(paused, at('09:00'))).toEqual(at('09:00'));
});
