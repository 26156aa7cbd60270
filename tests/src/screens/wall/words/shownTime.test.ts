import { expect, it } from 'vitest';
import type { Alert } from '../../../../../src/api/alerts/disruptions.ts';
import { sinceOnWall, timeOnWall, untilOnWall } from '../../../../../src/screens/wall/words/shownTime.ts';

/** A Sunday, 06:14 in London. */
const NOW = new Date('2026-11-22T06:14:00Z');
const at = (time: string, day = '2026-11-22') => `${day}T${time}:00.000Z`;
const clears = (time: string | null, day?: string): Partial<Alert> => ({
  facts: { expected_clear: time && at(time, day) },
});

it.each<[string, Partial<Alert>, until: string, since: string]>([
  ['start and end', { start_time: at('05:31'), ...clears('11:00') }, 'until about 11:00', 'since 05:31'],
  [
    'an end that is set beforehand',
    { event_type: 'weather.wind', start_time: at('05:31'), ...clears('11:00') },
    'until 11:00',
    'since 05:31',
  ],
  ['start only', { start_time: at('05:31') }, '', 'since 05:31'],
  ['last night', { start_time: at('21:40', '2026-11-21') }, '', 'since Sat 21:40'],
  ['days ago', { start_time: at('21:40', '2026-11-16') }, '', 'since 16 Nov'],
  ['tomorrow', { ...clears('02:00', '2026-11-23') }, 'until about Mon 02:00', ''],
  ['an end that has passed', { start_time: at('01:00'), ...clears('06:00') }, '', 'since 01:00'],
  [
    'a start that nobody states: since it is known',
    { start_time: at('05:31'), metadata: { start_seen: true } },
    '',
    'since 05:31',
  ],
  ['no start: since its publisher wrote', { updated_at: at('05:33') }, '', 'since 05:33'],
  ['a start that has not come', { start_time: at('07:00'), updated_at: at('06:00') }, '', 'since 06:00'],
  ['nothing', {}, '', ''],
])('%s', (_, fields, until, since) => {
  const alert: Alert = { event_id: 'a', ...fields };
  expect([untilOnWall(alert, NOW), sinceOnWall(alert, NOW), timeOnWall(alert, NOW)]).toEqual([
    until,
    since,
    until || since,
  ]);
});
