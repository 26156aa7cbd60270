import { beforeEach, describe, expect, it } from 'vitest';
import type { Facts } from '#contract/facts.ts';
import { disruptions } from '../../../server/db/disruptions.ts';
import { allSplits, pruneSplits, split, unsplit } from '../../../server/db/merges.ts';
import type { Db } from '../../../server/db/open.ts';
import { feedAnswers } from '../../../server/feeds/answers.ts';
import type { DisruptionRecord } from '../../../server/incidents/collector.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';
import { COLLECTORS as ALL } from '../../../server/collectors/all.ts';
import { collect, incident } from './incidents.ts';
import { factsOf } from '../../support/facts.ts';

const M62: Facts = factsOf({
  place: 'M62 eastbound, J26 to J27',
  effect: 'closed',
  roads: ['M62'],
  stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
  direction: 'E',
});

describe.each(DATABASES)('one incident in two feeds, on $engine', ({ open }) => {
  const database = useDatabase(open);
  let db: Db;
  beforeEach(() => {
    db = database.db;
  });

  const closure = (id: string, changes: Partial<DisruptionRecord> = {}) =>
    incident({
      event_id: id,
      event_type: 'road.closure',
      severity: 'medium',
      start_time: '2026-11-21T11:31:00.000Z',
      facts: M62,
      ...changes,
    });
  const police = (changes: Partial<DisruptionRecord> = {}) =>
    closure('met-police:p', {
      event_type: 'police.road_closure',
      severity: 'critical',
      start_time: '2026-11-21T11:43:00.000Z',
      ...changes,
    });
  async function collectBoth(one = closure('national-highways:n'), other = police()) {
    await collect(db, '12:00', [one], { source: 'national-highways' });
    await collect(db, '12:00', [other], { source: 'met-police' });
  }
  const apart = (ids: [string, string]) =>
    db.transaction().execute((trx) => split(trx, ids, '2026-11-21T12:01:00.000Z'));
  const together = (ids: [string, string]) => db.transaction().execute((trx) => unsplit(trx, ids));
  const read = async () => {
    const now = () => new Date('2026-11-21T12:01:00.000Z');
    const set = await feedAnswers({ db, collectors: ALL, now }).current();
    return (slug: string) => {
      const { feed, events } = set.feed(slug)!;
      return {
        count: feed.alert_count,
        by_severity: feed.by_severity,
        events: events.map(({ event_id, severity, see, metadata }) =>
          [
            event_id,
            severity,
            see && `see ${see.event_id} in ${see.feed}`,
            ...(metadata.also_reported_by ?? []).map(({ source, why }) => `also ${source}: ${why}`),
          ]
            .filter(Boolean)
            .join(', '),
        ),
      };
    };
  };

  it('counts once, in the feed of the first official report, with the graver severity', async () => {
    await collectBoth();
    const feed = await read();
    expect(feed('roads-uk')).toMatchObject({
      count: 1,
      by_severity: { critical: 1, medium: 0 },
      events: [
        'national-highways:n, critical, also met-police: Both name the M62, J26 to J27. They began 12 minutes apart.',
      ],
    });
    expect(feed('public-safety')).toMatchObject({
      count: 0,
      by_severity: { critical: 0 },
      events: ['met-police:p, critical, see national-highways:n in roads-uk'],
    });
    const { events, total } = await disruptions(db).page({});
    expect([events.map(({ event_id }) => event_id), total]).toEqual([['national-highways:n'], 1]);
  });

  it('is two again when an administrator says so, and one when they take it back', async () => {
    await collectBoth();
    await apart(['national-highways:n', 'met-police:p']);
    expect((await read())('public-safety')).toMatchObject({ count: 1, events: ['met-police:p, critical'] });

    expect(await together(['met-police:p', 'national-highways:n'])).toBe(true);
    expect((await read())('public-safety').count).toBe(0);
    expect(await together(['met-police:p', 'national-highways:n'])).toBe(false);
  });

  it('is two when one of them ends, or moves away', async () => {
    await collectBoth();
    expect((await read())('public-safety').count).toBe(0);
    const elsewhere = { ...M62, stretch: [{ road: 'M62', from: 'J30', to: 'J31' }] };
    await collect(db, '12:02', [police({ facts: elsewhere })], { source: 'met-police' });
    expect((await read())('public-safety').count).toBe(1);
  });

  it('is listed as it is where the filter leaves its main alert out', async () => {
    await collectBoth();
    const { events } = await disruptions(db).page({ feed: 'public-safety' });
    expect(events.map(({ event_id }) => event_id)).toEqual(['met-police:p']);
  });

  it('keeps a split while both are stored', async () => {
    await collectBoth();
    await apart(['national-highways:n', 'met-police:p']);
    await apart(['national-highways:n', 'gone:x']);
    await pruneSplits(db);
    expect((await allSplits(db)).map(({ one, other }) => [one, other])).toEqual([
      ['met-police:p', 'national-highways:n'],
    ]);
  });
});

describe.each(DATABASES)('an operator that names no incident, on $engine', ({ open }) => {
  const database = useDatabase(open);

  it('is compared with others', async () => {
    const { db } = database;
    const rail = {
      event_type: 'rail.incident',
      start_time: '2026-11-21T11:31:00.000Z',
      latitude: 51.3185,
      longitude: -0.5578,
      metadata: { location_method: 'station', location_names: ['Woking'], location_reach_km: 1 },
      facts: { ...M62, place: 'Woking', cause: 'points failure', roads: [], stretch: [], direction: null },
    };
    await collect(db, '12:00', [incident({ event_id: 'kb-incidents:k', ...rail })], {
      source: 'kb-incidents',
    });
    await collect(db, '12:00', [incident({ event_id: 'nsi-service:SW', ...rail })], {
      source: 'nsi-service',
    });
    const { events } = await disruptions(db).page({});
    expect(events.map(({ event_id }) => event_id)).toEqual(['kb-incidents:k']);
  });
});
