import { describe, expect, it } from 'vitest';
import type { MapEvent } from '../../../src/api/places/events.ts';
import type { ListedWatch } from '../../../src/api/watches/watches.ts';
import {
  isInWindow,
  isMetBy,
  judgedIn,
  NEXT_DEPARTURE,
  NOW,
  type Touch,
  type Window,
} from '../../../src/watches/timeWindow.ts';

const AT = new Date('2026-11-22T06:14:30Z');
const ROUTE: Pick<ListedWatch, 'departures' | 'length_km'> = {
  length_km: 320,
  departures: [
    {
      id: 'early',
      name: null,
      at_local: '06:30',
      days: 127,
      from_date: null,
      to_date: null,
      except: [],
      duration_min: 240,
    },
  ],
};
const WINDOWS: Record<string, Window> = {
  now: NOW,
  'the next hours': { kind: 'hours' },
  'the next departure': NEXT_DEPARTURE,
  'a day': { kind: 'date', day: '2026-11-22', clock: null },
  'a time of a day': { kind: 'date', day: '2026-11-24', clock: '06:00' },
};

const touching = (times: Pick<MapEvent, 'start_datetime' | 'end_datetime'>): Touch => ({
  match: { subject: 'event', subject_id: 'p1', level: 'near', why: 'near it', from_km: 20, to_km: 20 },
  alert: null,
  event: { event_id: 'e1', performance_id: 'p1', ...times },
});

describe('an event without times', () => {
  it.each(Object.entries(WINDOWS))('does not vanish from %s', (_, window) => {
    const judged = judgedIn(ROUTE, window, AT);
    expect(isInWindow(touching({}), judged, AT)).toBe(true);
    expect(isInWindow(touching({ start_datetime: null, end_datetime: null }), judged, AT)).toBe(true);
    // One that is known to be another day is not in it.
    const later = touching({ start_datetime: '2026-12-06T15:00:00Z' });
    expect(isInWindow(later, judged, AT)).toBe(false);
  });

  it('is met by every vehicle on its way', () => {
    const { trips } = judgedIn(ROUTE, NEXT_DEPARTURE, AT);
    expect(trips).toHaveLength(1);
    expect(isMetBy(trips[0]!, touching({}), AT)).toBe(true);
    expect(isMetBy(trips[0]!, touching({ start_datetime: '2026-12-06T15:00:00Z' }), AT)).toBe(false);
  });
});
