import { expect, it } from 'vitest';
import { stepsOf } from '../../../../src/screens/alert/timeline.ts';

const NOW = new Date('2026-11-21T09:00:00.000Z');
const at = (time: string) => `2026-11-21T${time}:00.000Z`;
const version = {
  severity: 'high',
  title: 'Two lanes closed',
  summary_line: '',
  phase: 'active',
  start_time: null,
  end_time: at('09:30'),
} as const;

it('tells every version, the newest first, with what changed and when it ended and began again', () => {
  const steps = stepsOf(
    {
      event_id: 'x',
      history: [
        { ...version, seen_at: at('07:31'), changed: [] },
        {
          ...version,
          seen_at: at('07:48'),
          severity: 'critical',
          title: 'Closed',
          end_time: at('11:00'),
          changed: ['severity', 'title', 'end_time'],
          ended_at: at('08:00'),
          ended_reason: 'absent',
        },
        { ...version, seen_at: at('08:10'), changed: ['severity', 'title'] },
      ],
    },
    NOW,
  );
  expect(
    steps.map(({ at: time, head, detail }) => `${time.toISOString().slice(11, 16)} ${head} ${detail}`),
  ).toEqual([
    '08:10 Began again “Two lanes closed”',
    '08:00 Gone: no longer listed ',
    '07:48 Worse: was High. Changed: end time 09:30 → 11:00 “Closed”',
    '07:31 New High. “Two lanes closed”',
  ]);
});

it('is empty if another server tells no versions', () => {
  expect(stepsOf({ event_id: 'x' }, NOW)).toEqual([]);
});
