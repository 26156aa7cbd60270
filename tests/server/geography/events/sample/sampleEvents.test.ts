import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CATEGORIES, type MapEvent } from '#contract/places/events.ts';
import { events } from '../../../../../server/geography/events/events.ts';
import { londonDay } from '#contract/london.ts';
import { daysAfter } from '../../../../../server/http/documents/londonTime.ts';
import { EventInput } from '../../../../../server/geography/events/eventInput.ts';
import { keepSample, sampleEvents } from '../../../../../server/geography/events/sample/sampleEvents.ts';
import { viewIndex } from '../../../../../server/geography/events/indexes/viewIndex.ts';
import { DATABASES, useDatabase } from '../../../../support/databases.ts';
import { event } from '../import/oneEvent.ts';

const NOW = new Date('2026-11-21T09:00:00.000Z');
const UK = { south: 49, north: 61, west: -9, east: 2, from: NOW, max: 500 };

describe('the sample', () => {
  const sample = sampleEvents('2026-11-21');
  const townsOf = (list: typeof sample) => new Set(list.map(({ venue }) => venue!.town));
  const startOf = (one: (typeof sample)[number]) => one.performances[0]!.start_datetime;

  it('has exactly 3,183 events in 158 towns, each one performance with a position, marked as a sample', () => {
    expect(sample).toHaveLength(3183);
    expect(townsOf(sample).size).toBe(158);
    expect(new Set(sample.map(({ event_id }) => event_id)).size).toBe(3183);
    for (const one of sample) {
      expect(one.performances).toHaveLength(1);
      expect(one.venue!.latitude).not.toBeNull();
      expect(one.description).toContain('This is a sample');
      expect([one.performances[0]!.booking_url, one.links, one.images, one.trailers]).toEqual([
        null,
        [],
        [],
        [],
      ]);
      expect(one.name + one.description).not.toMatch(/[{}]/);
    }
    z.array(EventInput).parse(sample);
  });

  it('is the same all day, and has as many events ahead on every day of the year, none past', () => {
    expect(sampleEvents('2026-11-21')).toEqual(sample);
    for (const day of ['2026-12-31', '2027-03-28', '2027-10-31', '2028-02-29', '2031-07-01']) {
      const then = sampleEvents(day);
      expect(then).toHaveLength(3183);
      expect(new Set(then.map(({ event_id }) => event_id)).size).toBe(3183);
      const days = then.map((one) => londonDay(new Date(startOf(one))));
      expect(days.every((one) => one >= day && one < daysAfter(day, 364))).toBe(true);
    }
  });

  it('changes from one day to the next only if events have passed', () => {
    const ids = new Set(sample.map(({ event_id }) => event_id));
    const gone = sample.filter((one) => londonDay(new Date(startOf(one))) === '2026-11-21');
    const come = sampleEvents('2026-11-22').filter(({ event_id }) => !ids.has(event_id));

    expect(gone.length).toBeGreaterThan(0);
    expect(come).toHaveLength(gone.length);
  });

  it('is spread as real calendars are', () => {
    const share = (test: (one: (typeof sample)[number]) => boolean) =>
      sample.filter(test).length / sample.length;
    const hour = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: '2-digit' });
    const weekday = (one: (typeof sample)[number]) => new Date(startOf(one)).getUTCDay();
    // 52 weeks are a day short of a year, so in a few years the seasons move by only as many days.
    const months = (one: (typeof sample)[number]) => [
      startOf(one).slice(5, 7),
      daysAfter(startOf(one).slice(0, 10), 7).slice(5, 7),
    ];
    const isIn = (season: readonly string[]) => (one: (typeof sample)[number]) =>
      months(one).some((month) => season.includes(month));

    expect(new Set(sample.map(({ category }) => category))).toEqual(new Set(CATEGORIES));
    // Friday to Sunday are three sevenths of the week.
    expect(share((one) => [5, 6, 0].includes(weekday(one)))).toBeGreaterThan(0.6);
    expect(share((one) => Number(hour.format(new Date(startOf(one)))) >= 17)).toBeGreaterThan(0.5);
    expect(share(({ venue }) => venue!.town === 'London')).toBeGreaterThan(0.07);
    const panto = sample.filter(({ name }) => name.includes('pantomime'));
    expect(panto.length).toBeGreaterThan(10);
    expect(panto.every(isIn(['11', '12', '01']))).toBe(true);
    const festivals = sample.filter((one) => one.sub_categories.includes('Music festival'));
    expect(festivals.every(isIn(['04', '05', '06', '07', '08', '09']))).toBe(true);
    expect(
      sample.filter(({ category }) => category === 'Conferences').every((one) => weekday(one) % 6 !== 0),
    ).toBe(true);
  });
});

describe.each(DATABASES)('the sample on $engine', ({ open }) => {
  const database = useDatabase(open);

  it('is there after the first start, is kept up to date, and goes when real events come', async () => {
    const { db } = database;
    await keepSample(db, NOW);
    await keepSample(db, NOW);
    const index = viewIndex(db);

    expect((await index.view(UK)).total).toBe(3183);
    expect((await index.inUse(NOW)).towns).toHaveLength(158);
    const { shown, total } = await viewIndex(db).page({ from: NOW, limit: 500 });
    expect(total).toBe(3183);
    expect(shown.every((text) => (JSON.parse(text) as MapEvent).is_sample)).toBe(true);

    // The hour makes no difference.
    expect((await viewIndex(db).page({ from: new Date('2026-11-21T23:59:00.000Z') })).total).toBe(3183);

    const later = new Date('2027-02-03T09:00:00.000Z');
    await keepSample(db, later);
    expect((await index.view({ ...UK, from: later })).total).toBe(3183);
    expect(await events(db).countOf('sample')).toBe(3183);

    await events(db).store({ source: 'hall', arriving: [event()], now: later });
    await keepSample(db, later);
    expect(await events(db).countOf('sample')).toBe(0);
    expect((await viewIndex(db).page({ from: NOW })).total).toBe(1);
    expect(await db.selectFrom('venues').select('venue_id').execute()).toEqual([{ venue_id: 'v1' }]);
  });
});
