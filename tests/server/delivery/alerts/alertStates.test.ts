import { describe, expect, it } from 'vitest';
import type { Severity } from '#contract/incidents/severity.ts';
import {
  type Alert,
  alertDueAt,
  nextAlert,
  NORMAL,
  RECOVER_MS,
  type Sight,
} from '../../../../server/delivery/alerts/alertStates.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-11-21T08:00:00Z');
const there = (severity: Severity = 'critical'): Sight => ({ seen: 'there', severity });
const ENDED: Sight = { seen: 'ended' };
const OUT: Sight = { seen: 'out' };
const UNKNOWN: Sight = { seen: 'unknown' };

/** The alert of a server that is stopped and started again: only stored data remains. */
const restarted = (alert: Alert): Alert => JSON.parse(JSON.stringify(alert)) as Alert;

type Looks = [seconds: number, sight: Sight, state: Alert['state'], blind?: 'blind'];

/** Rows of the table of states: the sights with their times, and the state that follows. */
const TABLE: Record<string, Looks[]> = {
  'a critical one fires at once': [[0, there(), 'firing']],
  'a high one is held for 60 s': [
    [0, there('high'), 'pending'],
    [59, there('high'), 'pending'],
    [60, there('high'), 'firing'],
  ],
  'a medium one is held for 5 min': [
    [0, there('medium'), 'pending'],
    [299, there('medium'), 'pending'],
    [300, there('medium'), 'firing'],
  ],
  'a low one never fires': [
    [0, there('low'), 'pending'],
    [100_000, there('low'), 'pending'],
  ],
  'one that turns critical while it is held fires at once': [
    [0, there('medium'), 'pending'],
    [30, there('critical'), 'firing'],
  ],
  'one that is over before it fired is never sent': [
    [0, there('high'), 'pending'],
    [30, ENDED, 'normal'],
    [40, there('high'), 'pending'],
    [99, there('high'), 'pending'],
    [100, there('high'), 'firing'],
  ],
  'one that ends recovers, and is normal after 10 min': [
    [0, there(), 'firing'],
    [60, ENDED, 'recovering'],
    [659, ENDED, 'recovering'],
    [660, ENDED, 'normal'],
  ],
  'one that is back within 10 min was never gone': [
    [0, there(), 'firing'],
    [60, ENDED, 'recovering'],
    [500, there(), 'firing'],
    [560, ENDED, 'recovering'],
    [1159, ENDED, 'recovering'],
    [1160, ENDED, 'normal'],
  ],
  'one that leaves the window or the threshold recovers as well': [
    [0, there('high'), 'pending'],
    [60, there('high'), 'firing'],
    [70, OUT, 'recovering'],
    [670, OUT, 'normal'],
  ],
  'a silent source changes no state, however long': [
    [0, there(), 'firing'],
    [60, UNKNOWN, 'firing', 'blind'],
    [4260, UNKNOWN, 'firing', 'blind'],
    [4320, there(), 'firing'],
  ],
  'a silent source keeps one pending and one recovering': [
    [0, there('high'), 'pending'],
    [60, UNKNOWN, 'pending', 'blind'],
    [120, there('high'), 'firing'],
    [130, ENDED, 'recovering'],
    [140, UNKNOWN, 'recovering', 'blind'],
    [9000, UNKNOWN, 'recovering', 'blind'],
  ],
  'what nobody saw stays normal': [
    [0, OUT, 'normal'],
    [1, ENDED, 'normal'],
    [2, UNKNOWN, 'normal', 'blind'],
  ],
};

describe('the state of an alert', () => {
  for (const [name, steps] of Object.entries(TABLE)) {
    // 0: never; otherwise before that step.
    for (const restart of [0, ...steps.keys()].slice(0, steps.length + 1)) {
      it(`${name}${restart ? `, with a restart before step ${restart + 1}` : ''}`, () => {
        let alert = NORMAL(START, 'low');
        for (const [at, [seconds, sight, state, blind]] of steps.entries()) {
          if (at === restart) alert = restarted(alert);
          alert = nextAlert(alert, sight, START + seconds * 1000);
          expect([alert.state, alert.no_data_since !== null], `after ${seconds} s`).toEqual([
            state,
            blind === 'blind',
          ]);
        }
      });
    }
  }

  it('is urgent when it turns critical, or begins so, and not when it was found so', () => {
    const found = nextAlert(NORMAL(START, 'low'), there(), START);
    expect(found.urgent_at).toBeNull();
    const rose = nextAlert(nextAlert(NORMAL(START, 'low'), there('high'), START), there(), START + 5);
    expect([rose.state, rose.urgent_at]).toEqual(['firing', START + 5]);
    const began = nextAlert(NORMAL(START, 'low'), { ...there(), isUrgent: true }, START);
    expect([began.state, began.urgent_at]).toEqual(['firing', START]);
    const back = nextAlert(nextAlert(found, ENDED, START + 10), there(), START + 20);
    expect([back.urgent_at, back.since]).toEqual([null, START]);
    // An incident that comes back after it was put off has begun again, as critical as before.
    const over = nextAlert(found, OUT, START + 10);
    expect(nextAlert(over, { ...there(), isUrgent: true }, START + 20).urgent_at).toBe(START + 20);
  });

  it('is urgent only if it became critical', () => {
    const medium = nextAlert(NORMAL(START, 'low'), there('medium'), START);
    const high = nextAlert(medium, there('high'), START + MINUTE);
    expect(high.urgent_at).toBeNull();
    expect(nextAlert(high, { ...there('high'), isUrgent: true }, START + 2 * MINUTE).urgent_at).toBeNull();
    expect(nextAlert(high, there('critical'), START + 2 * MINUTE).urgent_at).toBe(START + 2 * MINUTE);
  });

  it('is the same object when nothing changed', () => {
    const firing = nextAlert(NORMAL(START, 'low'), there(), START);
    expect(nextAlert(firing, there(), START + MINUTE)).toBe(firing);
    const normal = NORMAL(START, 'low');
    expect(nextAlert(normal, OUT, START + MINUTE)).toBe(normal);
    const blind = nextAlert(firing, UNKNOWN, START + MINUTE);
    expect(nextAlert(blind, UNKNOWN, START + 2 * MINUTE)).toBe(blind);
  });

  it('says when it changes by itself', () => {
    const pending = nextAlert(NORMAL(START, 'low'), there('medium'), START);
    expect(alertDueAt(pending)).toBe(START + 5 * MINUTE);
    const firing = nextAlert(pending, there('medium'), START + 5 * MINUTE);
    expect(alertDueAt(firing)).toBeNull();
    expect(alertDueAt(nextAlert(firing, ENDED, START))).toBe(START + RECOVER_MS);
    // Alerts of a silent source do not change by themselves.
    expect(alertDueAt({ ...pending, no_data_since: START })).toBeNull();
  });

  it('is not held for long by a clock that was set back', () => {
    const hour = 60 * MINUTE;
    const pending = nextAlert(NORMAL(START, 'low'), there('high'), START);
    const back = nextAlert(pending, there('high'), START - hour);
    expect(nextAlert(back, there('high'), START - hour + MINUTE).state).toBe('firing');
    const over = nextAlert(nextAlert(NORMAL(START, 'low'), there(), START), ENDED, START);
    const again = nextAlert(over, ENDED, START - hour);
    expect(nextAlert(again, ENDED, START - hour + RECOVER_MS).state).toBe('normal');
  });
});
