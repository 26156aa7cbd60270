import { describe, expect, it } from 'vitest';
import type { Severity } from '#contract/incidents/severity.ts';
import type { Facts } from '#contract/incidents/facts.ts';
import { type Said, trendOf } from '../../../server/incidents/trend.ts';
import { factsOf } from '../../support/facts.ts';

const said = (time: string, severity: Severity, facts: Partial<Facts> = {}): Said => ({
  seen_at: `2026-11-22T${time}:00.000Z`,
  severity,
  facts: factsOf(facts),
});
const lanes = (closed: number) => ({ lanes: { closed, of: 3 } });

describe('an incident', () => {
  it.each<[string, Said[], string | null]>([
    ['with one version has no trend', [said('06:00', 'high')], null],
    [
      'of a graver severity is worse',
      [said('06:00', 'medium'), said('06:10', 'high')],
      'worse 06:10: Medium to High',
    ],
    [
      'of a milder severity is easing',
      [said('06:00', 'critical'), said('06:10', 'low')],
      'easing 06:10: Critical to Low',
    ],
    [
      'is judged by its severity before its delay',
      [said('06:00', 'medium', { delay_minutes: 60 }), said('06:10', 'high', { delay_minutes: 20 })],
      'worse 06:10: Medium to High',
    ],
    [
      'with more delay is worse',
      [said('06:00', 'high', { delay_minutes: 20 }), said('06:10', 'high', { delay_minutes: 45 })],
      'worse 06:10: Delay 20 to 45 minutes',
    ],
    [
      'with less delay is easing',
      [said('06:00', 'high', { delay_minutes: 20 }), said('06:10', 'high', { delay_minutes: 1 })],
      'easing 06:10: Delay 20 to 1 minute',
    ],
    [
      'whose delay is no longer said has no trend',
      [said('06:00', 'high', { delay_minutes: 20 }), said('06:10', 'high')],
      null,
    ],
    [
      'with lanes closed is worse',
      [said('06:00', 'high'), said('06:10', 'high', lanes(2))],
      'worse 06:10: all lanes open to 2 lanes closed',
    ],
    [
      'that was closed and has a lane open is easing',
      [said('06:00', 'high', { effect: 'closed' }), said('06:10', 'high', lanes(1))],
      'easing 06:10: closed to 1 lane closed',
    ],
    [
      'whose closed lanes are no longer mentioned has no trend',
      [said('06:00', 'high', lanes(2)), said('06:10', 'high')],
      null,
    ],
    [
      'that is back where it was has no trend',
      [said('06:00', 'medium'), said('06:10', 'critical'), said('06:20', 'medium')],
      null,
    ],
    [
      'that went down and further up is worse since it went up',
      [said('06:00', 'medium'), said('06:05', 'low'), said('06:10', 'critical')],
      'worse 06:10: Medium to Critical',
    ],
    [
      'that became worse twice is worse since the second time',
      [said('06:00', 'low'), said('06:05', 'medium'), said('06:10', 'high'), said('06:20', 'high')],
      'worse 06:10: Low to High',
    ],
    [
      'of which nothing was read has no trend',
      [
        { ...said('06:00', 'high'), facts: undefined },
        { ...said('06:10', 'high'), facts: undefined },
      ],
      null,
    ],
  ])('%s', (_, versions, expected) => {
    const trend = trendOf(versions.slice(0, -1), versions.at(-1)!);
    expect(trend && `${trend.direction} ${trend.since.slice(11, 16)}: ${trend.change}`).toBe(expected);
  });
});
