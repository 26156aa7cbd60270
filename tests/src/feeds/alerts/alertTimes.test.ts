import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../../src/api/alerts/disruptions.ts';
import {
  briefTime,
  endOrStartWords,
  fromToday,
  fromWords,
  spanWords,
} from '../../../../src/feeds/alerts/alertTimes.ts';

/** A Sunday, 06:14 in London. */
const NOW = new Date('2026-11-22T06:14:00Z');
const at = (time: string, day = '2026-11-22') => `${day}T${time}:00.000Z`;

const active = (fields: Partial<Alert>): Alert => ({ event_id: 'a', ...fields });
const planned = (fields: Partial<Alert>): Alert => active({ ...fields, metadata: { phase: 'planned' } });
const clears = (time: string | null, day?: string): Partial<Alert> => ({
  facts: { expected_clear: time && at(time, day) },
});

describe('the times of an active alert', () => {
  it.each<[string, Partial<Alert>, span: string, endOrStart: string, brief: string]>([
    [
      'start and end',
      { start_time: at('05:31'), ...clears('11:00') },
      '05:31 to about 11:00',
      'until 11:00',
      '05:31',
    ],
    [
      'a start that is only when we first saw it',
      { start_time: at('05:31'), updated_at: at('05:33'), metadata: { start_seen: true } },
      'reported 05:33',
      'reported 05:33',
      '05:33',
    ],
    [
      'another grade or effect since',
      { start_time: at('05:31'), since: at('05:58') },
      'since 05:58',
      'since 05:58',
      '05:58',
    ],
    ['start only', { start_time: at('05:31') }, 'since 05:31', 'since 05:31', '05:31'],
    ['end only', clears('11:00'), 'until 11:00', 'until 11:00', ''],
    ['an end that only its record has', { end_time: at('11:00') }, 'until 11:00', 'until 11:00', ''],
    ['an end of the record that its words deny', { end_time: at('11:00'), ...clears(null) }, '', '', ''],
    ['neither', { updated_at: at('05:33') }, 'reported 05:33', 'reported 05:33', '05:33'],
    ['a start days ago', { start_time: at('09:00', '2026-11-16') }, 'since 16 Nov', 'since 16 Nov', '16 Nov'],
    [
      'a start last night',
      { start_time: at('21:04', '2026-11-21'), ...clears('11:00') },
      '21:04 yesterday to about 11:00',
      'until 11:00',
      '21:04 yesterday',
    ],
    [
      'an end tonight, after midnight',
      clears('02:00', '2026-11-23'),
      'until 02:00 tomorrow',
      'until 02:00 tomorrow',
      '',
    ],
    ['an end in days', clears('09:00', '2026-11-25'), 'until 25 Nov', 'until 25 Nov', ''],
    [
      'an end that has passed',
      { start_time: at('01:00'), ...clears('06:00') },
      'expected clear at 06:00, still listed',
      'since 01:00',
      '01:00',
    ],
    [
      'an end that passed days ago',
      clears('06:00', '2026-11-19'),
      'expected clear on 19 Nov, still listed',
      '',
      '',
    ],
    ['an end this minute', clears('06:14'), 'until 06:14', 'until 06:14', ''],
    [
      'a start that has not come',
      { start_time: at('07:00'), updated_at: at('06:00') },
      'reported 06:00',
      'reported 06:00',
      '06:00',
    ],
    ['an unreadable time', { start_time: 'soon' }, '', '', ''],
  ])('%s', (_, fields, span, endOrStart, brief) => {
    const alert = active(fields);
    expect([spanWords(alert, NOW), endOrStartWords(alert, NOW), briefTime(alert, NOW)]).toEqual([
      span,
      endOrStart,
      brief,
    ]);
  });
});

describe('the start of a planned alert', () => {
  it.each([
    [at('09:00'), 'from 09:00', 'From 09:00 today'],
    [at('05:00'), 'from 05:00', 'From 05:00 today'],
    [at('10:00', '2026-11-23'), 'from Mon 10:00', 'From Mon 10:00'],
    [at('10:00', '2026-11-28'), 'from 28 Nov', 'From 28 Nov'],
    [at('10:00', '2027-01-03'), 'from 3 Jan 2027', 'From 3 Jan 2027'],
    [null, '', 'Planned'],
  ])('%s', (start_time, words, alone) => {
    const alert = planned({ start_time });
    expect([fromWords(alert, NOW), fromToday(alert, NOW), spanWords(alert, NOW)]).toEqual([
      words,
      alone,
      alone,
    ]);
  });

  it('is not the time at which it was announced', () => {
    expect(fromToday(planned({ start_time: at('05:00'), collected_at: at('06:00') }), NOW)).toBe('Planned');
  });

  it('is that of its next night once its first is over', () => {
    const nightly = { start: at('20:00', '2026-11-16'), end: null, from: '20:00', to: '06:00' };
    const works = { collected_at: at('06:10'), windows: [nightly] };
    const [begun, ahead] = [at('20:00', '2026-11-16'), at('10:00', '2026-11-23')].map((start_time) =>
      fromToday(planned({ ...works, start_time }), NOW),
    );
    expect([begun, ahead]).toEqual(['From 20:00 today', 'From Mon 10:00']);
  });

  it('is not the time at which we first saw it', () => {
    const strike = planned({ start_time: at('06:00'), collected_at: at('06:00') });
    const seen = { ...strike, metadata: { ...strike.metadata, start_seen: true } };
    expect([fromToday(strike, NOW), fromToday(seen, NOW)]).toEqual(['From 06:00 today', 'Planned']);
  });
});
