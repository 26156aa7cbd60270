import { describe, expect, it } from 'vitest';
import type { Disruption } from '#contract/incidents/disruptions.ts';
import type { Leaving } from '../../../server/geography/events/crowds.ts';
import { nextUp } from '../../../server/feeds/feedAnswers.ts';
import { factsOf } from '../../support/facts.ts';

const NOW = new Date('2026-11-22T06:14:00.000Z');
const at = (time: string) => `2026-11-22T${time}:00.000Z`;

const incident = (changes: Partial<Disruption>): Disruption => ({
  event_id: 'national-highways:1',
  source: 'national-highways',
  severity: 'high',
  event_type: 'road.closure',
  title: 'M62 eastbound closed',
  summary_line: '',
  collected_at: at('06:13'),
  updated_at: at('06:00'),
  start_time: at('05:31'),
  end_time: null,
  latitude: null,
  longitude: null,
  metadata: { phase: 'active' },
  ...changes,
});
const words = (incidents: Disruption[], events: Leaving[] = []) =>
  nextUp(incidents, events, NOW).map(
    ({ at: time, kind, place, what }) => `${time.slice(11, 16)} ${kind} ${place}: ${what}`,
  );

describe('the next expected times', () => {
  it.each<[string, Partial<Disruption>, string[]]>([
    ['nothing of an incident without an end', {}, []],
    [
      'nothing of an end that is only how long we keep a story',
      { source: 'news-rss', end_time: at('11:00'), facts: factsOf({ place: 'Whitehall' }) },
      [],
    ],
    ['the end of a record', { end_time: at('11:00') }, ['11:00 clears M62 eastbound closed: expected clear']],
    [
      'the end that its words say, with its place',
      {
        end_time: at('23:00'),
        facts: factsOf({
          place: 'M62 eastbound, J26 to J27',
          expected_clear: at('11:00'),
          expected_clear_from: 'words',
        }),
      },
      ['11:00 clears M62 eastbound, J26 to J27: expected clear'],
    ],
    [
      'a line that opens',
      {
        event_type: 'rail.incident',
        end_time: at('10:00'),
        facts: factsOf({ place: 'Huddersfield line', effect: 'no trains', expected_clear: at('10:00') }),
      },
      ['10:00 opens Huddersfield line: expected open'],
    ],
    [
      'a warning that begins, and not its end',
      {
        event_type: 'weather.wind',
        title: 'Amber wind, Wales',
        start_time: at('09:00'),
        end_time: at('20:00'),
        metadata: { phase: 'planned' },
      },
      ['09:00 begins Amber wind, Wales: warning begins'],
    ],
    [
      'the next night of works that began days ago',
      {
        event_type: 'road.roadworks',
        start_time: '2026-11-16T20:00:00.000Z',
        metadata: { phase: 'planned' },
        windows: [{ start: '2026-11-16T20:00:00.000Z', end: null, from: '20:00', to: '06:00' }],
      },
      ['20:00 begins M62 eastbound closed: roadworks begin'],
    ],
    [
      'which warning begins',
      {
        event_type: 'weather.wind',
        start_time: at('09:00'),
        metadata: { phase: 'planned' },
        facts: factsOf({ place: 'Wales', effect: 'amber wind warning' }),
      },
      ['09:00 begins Wales: amber wind warning begins'],
    ],
    ...(
      [
        ['road.lane_closure', 'lane 1 closed', 'resurfacing', 'roadworks begin'],
        ['rail.engineering_works', 'trains diverted', 'engineering work', 'works begin'],
        ['police.road_closure', 'road closures', 'demonstration', 'demonstration begins'],
        ['rail.line_status', 'no service', null, 'closure begins'],
        ['news.bus', 'drivers to strike', null, 'begins'],
      ] as const
    ).map(([event_type, effect, cause, what]): [string, Partial<Disruption>, string[]] => [
      `what begins: ${event_type}, ${effect}`,
      {
        event_type,
        start_time: at('09:00'),
        metadata: { phase: 'planned' },
        facts: factsOf({ place: 'Hull', effect, cause }),
      },
      [`09:00 begins Hull: ${what}`],
    ]),
    [
      'roadworks that begin',
      {
        event_type: 'road.roadworks',
        title: 'A1(M)',
        start_time: at('21:00'),
        metadata: { phase: 'planned' },
      },
      ['21:00 begins A1(M): roadworks begin'],
    ],
    ['nothing that is past', { end_time: at('06:00') }, []],
    ['nothing of tomorrow after next', { end_time: '2026-11-24T06:00:00.000Z' }, []],
    [
      'nothing for which another alert stands',
      { end_time: at('11:00'), see: { event_id: 'x:1', feed: 'roads-uk' } },
      [],
    ],
  ])('has %s', (_, changes, expected) => {
    expect(words([incident(changes)])).toEqual(expected);
  });

  it('has each incident once, and crowds among them by time', () => {
    const one = incident({ end_time: at('11:00') });
    const concert: Leaving = {
      performance_id: 'p',
      event_id: 'e',
      name: 'Concert',
      category: 'Music',
      start_datetime: at('08:00'),
      end_datetime: at('10:30'),
      venue_name: 'Leeds First Direct Arena',
      venue_town: 'Leeds',
      postcode: null,
      capacity: 13_500,
      booking_url: null,
      description: null,
      latitude: null,
      longitude: null,
      is_sample: false,
    };
    expect(words([one, one], [concert])).toEqual([
      '10:30 leaves Leeds First Direct Arena: 13,500 leave',
      '11:00 clears M62 eastbound closed: expected clear',
    ]);
  });
});
