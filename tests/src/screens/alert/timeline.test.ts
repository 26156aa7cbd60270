import { expect, it } from 'vitest';
import { type LoggedAction, STRIKE_MS } from '#contract/shift/responses.ts';
import { canStrike, noteSteps, teamSteps, withStrikes } from '../../../../src/screens/alert/TeamPart.tsx';
import type { WaitingAction } from '../../../../src/shift/inHand/sendActions.ts';
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

it('has every version, the newest first, with what changed and when it ended and began again', () => {
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

it('is empty if another server sends no versions', () => {
  expect(stepsOf({ event_id: 'x' }, NOW)).toEqual([]);
});

const note = (over: Partial<LoggedAction> = {}): LoggedAction => ({
  id: 'n1',
  event_id: 'x',
  at: at('08:50'),
  received_at: at('08:50'),
  by: { id: 'anna', name: 'Anna' },
  action: 'note',
  text: 'Rang.',
  detail: {},
  struck_at: null,
  ...over,
});
const waiting = (doing: WaitingAction['doing'], refused: string | null = null) =>
  ({ id: 'w1', event_id: 'x', at: at('08:55'), doing, refused }) as WaitingAction;

it('a note is struck out by its author, once, and only for a short time', () => {
  const made = Date.parse(at('08:50'));
  const may = (over: Partial<LoggedAction>, userId: string | undefined, ms: number) =>
    canStrike(note(over), userId, new Date(made + ms));
  expect([may({}, 'anna', STRIKE_MS - 1), may({}, 'anna', STRIKE_MS)]).toEqual([true, false]);
  expect(may({}, 'ben', 0)).toBe(false);
  expect(may({ by: null }, undefined, 0)).toBe(false);
  expect(may({ struck_at: at('08:51') }, 'anna', 0)).toBe(false);
  expect(may({ action: 'reopened' }, 'anna', 0)).toBe(false);
});

it('a strike that the log does not know yet counts, unless it was refused, and moves no other', () => {
  const strike = { kind: 'strike', note: 'n1' } as const;
  const struck = (entry: LoggedAction, action: WaitingAction) => withStrikes([entry], [action])[0]!.struck_at;
  expect(struck(note(), waiting(strike))).toBe(at('08:55'));
  expect(struck(note(), waiting(strike, 'Ten minutes have passed.'))).toBeNull();
  expect(struck(note({ id: 'n2' }), waiting(strike))).toBeNull();
  expect(struck(note({ struck_at: at('08:52') }), waiting(strike))).toBe(at('08:52'));
});

it('a refused note says why, and other actions are no notes', () => {
  const words = { kind: 'note', text: 'Rang.' } as const;
  const said = (action: WaitingAction) => noteSteps([action], 'Not sent yet').map(({ by }) => by);
  expect(said(waiting(words))).toEqual(['Not sent yet']);
  expect(said(waiting(words, 'Too many notes.'))).toEqual(['Too many notes.']);
  expect(said(waiting({ kind: 'reopen' }))).toEqual([]);
});

it('the log of the team leaves out lapses, and incomplete entries', () => {
  const heads = (over: Partial<LoggedAction>) => teamSteps([note(over)], NOW).map(({ head }) => head);
  expect(heads({ action: 'lapsed' as LoggedAction['action'] })).toEqual([]);
  expect(heads({ at: 'yesterday' })).toEqual([]);
  expect(heads({ action: 'acknowledged', detail: { disposition: 'shouted' } })).toEqual(['Acknowledged']);
  expect(heads({ action: 'snoozed', detail: { until: 'soon' } })).toEqual(['Snoozed']);
  expect(heads({ action: 'snoozed', detail: { until: at('09:30') } })).toEqual(['Snoozed until 09:30']);
});
