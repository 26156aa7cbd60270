import { describe, expect, it } from 'vitest';
import { floodLevel } from '../../../../server/sources/parts/floodGrading.ts';

describe('floodLevel', () => {
  it.each([
    [1, 'Severe Flood Warning', 'critical', 'flood.severe_warning'],
    [2, 'Flood Warning', 'high', 'flood.warning'],
    [3, 'Flood Alert', 'medium', 'flood.alert'],
    ['3', 'Flood alert', 'medium', 'flood.alert'],
    // The number counts, whatever the words say.
    [1, 'Flood Alert', 'critical', 'flood.severe_warning'],
    [null, 'SEVERE FLOOD WARNING for the coast', 'critical', 'flood.severe_warning'],
    [null, 'Flood warning', 'high', 'flood.warning'],
    [9, 'flood alert', 'medium', 'flood.alert'],
  ])('grades level %s, "%s" as %s', (level, words, severity, eventType) => {
    expect(floodLevel(level, words)).toMatchObject({ severity, event_type: eventType });
  });

  it.each([
    [4, 'Warning no longer in force'],
    ['4', null],
    [null, 'Flood Warning no longer in force'],
    [null, 'Flood alert removed'],
  ])('reads level %s, "%s" as ended', (level, words) => {
    expect(floodLevel(level, words)).toBe('ended');
  });

  it.each([
    [7, 'Something new'],
    [null, null],
    ['toString', ''],
  ])('knows no level %s, "%s"', (level, words) => {
    expect(floodLevel(level, words)).toBeUndefined();
  });
});
