import { describe, expect, it } from 'vitest';
import type { Disruption } from '#contract/incidents/disruptions.ts';
import type { Facts } from '#contract/incidents/facts.ts';
import type { SummaryInput } from '../../../../server/feeds/readFeeds.ts';
import { partsOf } from '../../../../server/feeds/summaries/summaryParts.ts';
import { factsOf } from '../../../support/facts.ts';

const NOW = new Date('2026-11-22T06:14:00.000Z');

const facts = (changes: Partial<Facts> = {}): Facts =>
  factsOf({ place: 'M62 eastbound, J26 to J27', effect: 'closed', ...changes });
const alert = (changes: Partial<Disruption> = {}): Disruption => ({
  event_id: 'national-highways:1',
  source: 'national-highways',
  severity: 'critical',
  event_type: 'road.closure',
  title: 'M62 eastbound closed',
  summary_line: '',
  collected_at: NOW.toISOString(),
  updated_at: null,
  start_time: null,
  end_time: null,
  latitude: null,
  longitude: null,
  metadata: { phase: 'active' },
  facts: facts(),
  ...changes,
});
const input = (events: Disruption[], standing: 'current' | 'stale' = 'current'): SummaryInput => ({
  slug: 'roads-uk',
  title: 'UK Roads',
  sources: [{ source: 'national-highways', displayName: 'NH', standing, last_collected: null, since: null }],
  alert_count: events.length,
  by_severity: { critical: events.length, high: 0, medium: 0, low: 0 },
  events,
});
const of = (changes: Partial<Disruption>) => {
  const parts = partsOf(input([alert(changes)]), NOW);
  return parts && [parts.affected, parts.advice, parts.until];
};

describe('the parts of a built-in summary', () => {
  it.each<[string, Partial<Disruption>, (string | null)[] | null]>([
    ['nothing is said', {}, null],
    ['its end is only how long we keep a story', { end_time: '2026-11-22T11:00:00.000Z' }, null],
    [
      'operators are named, of which the title names one',
      {
        title: 'Northern: no trains',
        metadata: {
          phase: 'active',
          operators: [{ name: 'Northern' }, { name: 'TransPennine' }, { name: null }],
        },
      },
      ['TransPennine', null, null],
    ],
    [
      'many lines are named',
      { metadata: { phase: 'active', lines: ['1', '2', '3', '4', '5'] } },
      ['1, 2, 3 and 2 more', null, null],
    ],
    [
      'lanes and delay are known',
      { facts: facts({ lanes: { closed: 2, of: 3 }, delay_minutes: 45 }) },
      ['2 of 3 lanes closed, delay of 45 minutes', null, null],
    ],
    [
      'its title says the delay itself',
      { facts: facts({ effect: 'departures 48 minutes late', delay_minutes: 48 }) },
      null,
    ],
    [
      'its title names the only operator, and an end is known',
      {
        title: 'Northern: no trains',
        metadata: { phase: 'active', operators: ['Northern'] },
        facts: facts({ expected_clear: '2026-11-22T11:00:00.000Z' }),
      },
      ['Northern', null, 'About 11:00'],
    ],
    [
      'the effect says the lanes already',
      { facts: facts({ effect: '2 lanes closed', lanes: { closed: 2, of: 3 } }) },
      null,
    ],
    [
      'the first advice is too long',
      { facts: facts({ advice: [`${'Go round '.repeat(20)}.`, 'At J26 take the A58.'] }) },
      ['M62 eastbound, J26 to J27', 'At J26 take the A58.', null],
    ],
    [
      'it clears today',
      { facts: facts({ expected_clear: '2026-11-22T11:00:00.000Z' }) },
      ['M62 eastbound, J26 to J27', null, 'About 11:00'],
    ],
    [
      'it clears another day',
      { facts: facts({ expected_clear: '2026-11-23T23:30:00.000Z' }) },
      ['M62 eastbound, J26 to J27', null, 'About 23:30 on 23 Nov'],
    ],
    [
      'no end is in sight',
      { summary_line: 'Closed until further notice.' },
      ['M62 eastbound, J26 to J27', null, 'Until further notice'],
    ],
    [
      'the names are hostile',
      { metadata: { phase: 'active', operators: ['<b>Ace</b>', { name: 7 }, 'x'.repeat(300), null] } },
      ['Ace', null, null],
    ],
  ])('are only what the publisher says where %s', (_, changes, expected) => {
    expect(of(changes)).toEqual(expected);
  });

  it('are none when nothing is in force, or nothing recent is known', () => {
    expect(partsOf(input([]), NOW)).toBeNull();
    expect(
      partsOf(input([alert({ metadata: { phase: 'planned' }, facts: facts({ delay_minutes: 5 }) })]), NOW),
    ).toBeNull();
    const late = alert({ facts: facts({ delay_minutes: 5 }) });
    expect(partsOf(input([late]), NOW)).not.toBeNull();
    expect(partsOf(input([late], 'stale'), NOW)).toBeNull();
  });
});
