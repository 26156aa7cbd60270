import { beforeEach, describe, expect, it } from 'vitest';
import type { Facts } from '#contract/incidents/facts.ts';
import { changesSince } from '../../../../server/db/changeLog.ts';
import { disruptions } from '../../../../server/incidents/list/disruptions.ts';
import { reportsOf } from '../../../../server/incidents/list/duplicates.ts';
import { split, unsplit } from '../../../../server/incidents/merging/mergedIdentity.ts';
import type { Db } from '../../../../server/db/open.ts';
import { allSplits, pruneSplits } from '../../../../server/incidents/merging/keptApart.ts';
import { feedAnswers } from '../../../../server/feeds/feedAnswers.ts';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import { DATABASES, emptyTables, useDatabase } from '../../../support/databases.ts';
import { factsOf as readFactsOf, placeAsItsSource } from '../../../support/readAs.ts';
import { COLLECTORS as ALL } from '../../../../server/sources/allSources.ts';
import { collect, incident } from '../incidents.ts';
import { factsOf } from '../../../support/facts.ts';

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
  const together = (ids: [string, string]) =>
    db.transaction().execute((trx) => unsplit(trx, ids, '2026-11-21T12:02:00.000Z'));
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
      events: [
        'national-highways:n, critical, see national-highways:n in roads-uk, also met-police: Both name the M62, J26 to J27. They began 12 minutes apart.',
      ],
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

  it('is found under its one id by what any of its reports says', async () => {
    await collectBoth(closure('national-highways:n'), police({ title: 'Road shut at Chain Bar' }));
    for (const query of [{ feed: 'public-safety' }, { source: 'met-police' }, { q: 'chain bar' }]) {
      const { events, total } = await disruptions(db).page(query);
      expect(events.map(({ event_id, severity }) => [event_id, severity])).toEqual([
        ['national-highways:n', 'critical'],
      ]);
      expect(total).toBe(1);
    }
  });

  it('keeps the id that people know, even if another report says that it began earlier', async () => {
    await collect(db, '12:00', [police()], { source: 'met-police' });
    await collect(db, '12:05', [closure('national-highways:n')], { source: 'national-highways' });
    const { events } = await disruptions(db).page({ limit: 10 });
    expect(events.map(({ event_id }) => event_id)).toEqual(['met-police:p']);
    const { changes } = await changesSince(db, 0, 100);
    expect(changes.map(({ kind, event_id }) => `${kind} ${event_id}`)).toEqual([
      'began met-police:p',
      'changed met-police:p',
    ]);
  });

  it('is worse when its own report moves to where a graver one is', async () => {
    const elsewhere = factsOf({ ...M62, stretch: [{ road: 'M62', from: 'J30', to: 'J31' }] });
    await collectBoth(closure('national-highways:n', { facts: elsewhere }));
    const { batch } = await changesSince(db, 0, 100);
    await collect(db, '12:05', [closure('national-highways:n')], { source: 'national-highways' });
    const { changes } = await changesSince(db, batch, 100);
    expect(
      changes.map(
        ({ kind, event_id, severity_from, severity_to }) =>
          `${kind} ${event_id} ${severity_from} ${severity_to}`,
      ),
    ).toEqual(['merged met-police:p critical critical', 'worse national-highways:n medium critical']);
  });

  it.each(['critical', 'low'] as const)(
    'is neither worse nor better when it is put off, as %s',
    async (severity) => {
      await collectBoth(closure('national-highways:n'), police({ severity: 'medium' }));
      const { batch } = await changesSince(db, 0, 100);
      const putOff = closure('national-highways:n', {
        severity,
        phase: 'planned',
        start_time: '2026-11-23T20:00:00.000Z',
      });
      await collect(db, '12:05', [putOff], { source: 'national-highways' });
      const { changes } = await changesSince(db, batch, 100);
      expect(changes.filter(({ event_id }) => event_id === putOff.event_id)).toMatchObject([
        { kind: 'changed', severity_from: 'medium', severity_to: severity, phase_to: 'planned' },
      ]);
    },
  );

  it('says why, even for one that was alone before', async () => {
    const elsewhere = factsOf({ ...M62, stretch: [{ road: 'M62', from: 'J30', to: 'J31' }] });
    await collectBoth(closure('national-highways:n'), police({ facts: elsewhere }));
    expect((await disruptions(db).page({ limit: 10 })).total).toBe(2);
    await collect(db, '12:05', [police()], { source: 'met-police' });
    const { events } = await disruptions(db).page({ limit: 10 });
    expect(events.map(({ metadata }) => metadata.also_reported_by)).toEqual([
      [expect.objectContaining({ event_id: 'met-police:p', why: expect.stringContaining('M62') as string })],
    ]);
  });

  const kindsSince = async (batch: number) =>
    (await changesSince(db, batch, 100)).changes.map(
      ({ kind, event_id, other_id }) => `${kind} ${event_id}${other_id === null ? '' : ` ${other_id}`}`,
    );

  it('is one again at the very time at which it was parted', async () => {
    await collectBoth();
    const ids = ['national-highways:n', 'met-police:p'] as const;
    await db.transaction().execute((trx) => split(trx, ids, '2026-11-21T12:00:00.000Z'));
    expect((await disruptions(db).page({ limit: 10 })).total).toBe(2);
    await db.transaction().execute((trx) => unsplit(trx, ids, '2026-11-21T12:00:00.000Z'));
    expect((await disruptions(db).page({ limit: 10 })).total).toBe(1);
  });

  it('goes on as the first of those that it was the bridge between', async () => {
    const on = (from: string, to: string) => ({
      facts: factsOf({ ...M62, stretch: [{ road: 'M62', from, to }] }),
      metadata: { related_event_ids: ['national-highways:n'] },
    });
    await collect(db, '12:00', [closure('national-highways:n')], { source: 'national-highways' });
    await collect(db, '12:01', [closure('tfl:t', on('J30', 'J31'))], { source: 'tfl' });
    await collect(db, '12:02', [police(on('J33', 'J34'))], { source: 'met-police' });
    expect((await disruptions(db).page({ limit: 10 })).total).toBe(1);
    const { batch } = await changesSince(db, 0, 100);
    await collect(db, '12:05', [], { source: 'national-highways' });
    expect(await kindsSince(batch)).toEqual([
      'merged national-highways:n met-police:p',
      'split tfl:t national-highways:n',
    ]);
  });

  it('ends at once even if an operator that named it goes on, which then joins the next line that it names', async () => {
    const line = (id: string) =>
      incident({ event_id: `kb-incidents:${id}`, event_type: 'rail.incident', title: `Line ${id}` });
    const operator = (id: string) =>
      incident({
        event_id: 'nsi-service:NT',
        event_type: 'rail.operator_status',
        title: 'Northern',
        metadata: {
          related_event_ids: [`kb-incidents:${id}`],
          nsi: {
            toc_code: 'NT',
            toc_name: 'Northern',
            status: 'Minor delays',
            service_groups: [{ current_disruption: id }],
          },
        },
      });
    const lists = async (lines: readonly string[], named: string) => {
      const { batch } = await changesSince(db, 0, 100);
      await collect(db, '12:00', lines.map(line), { source: 'kb-incidents' });
      await collect(db, '12:00', [operator(named)], { source: 'nsi-service' });
      return kindsSince(batch);
    };
    await lists(['A', 'B'], 'A');
    // Both change in one round; in the next round the operator is late.
    expect(await lists(['B', 'C'], 'B')).toEqual(expect.arrayContaining(['ended kb-incidents:A']));
    expect(await lists(['C'], 'B')).toEqual(expect.arrayContaining(['ended kb-incidents:B']));
    expect(await lists(['C'], 'C')).toEqual(expect.arrayContaining(['merged nsi-service:NT kb-incidents:C']));
    expect((await disruptions(db).page({ limit: 10 })).events.map(({ event_id }) => event_id)).toEqual([
      'kb-incidents:C',
    ]);
  });

  it('is compared by when it began this time, not the time before', async () => {
    const again = closure('national-highways:n', { start_time: null });
    await collect(db, '06:00', [again], { source: 'national-highways' });
    await collect(db, '06:05', [], { source: 'national-highways' });
    await collect(db, '11:40', [again], { source: 'national-highways' });
    await collect(db, '11:45', [police()], { source: 'met-police' });
    expect((await disruptions(db).page({ limit: 10 })).total).toBe(1);
  });

  it('is one from the minute in which both reports of planned works begin', async () => {
    const works = { phase: 'planned' as const, start_time: '2026-11-21T12:10:00.000Z' };
    await collectBoth(closure('national-highways:n', works), police(works));
    expect((await disruptions(db).page({ limit: 10 })).total).toBe(2);
    for (const source of ['national-highways', 'met-police'])
      expect(await disruptions(db).begin({ source, now: '2026-11-21T12:10:00.000Z' })).toBe(1);
    expect((await disruptions(db).page({ limit: 10 })).total).toBe(1);
  });

  it('holds no report that is kept apart from another of its reports, in any order', async () => {
    // The police report is like both: the surest pair becomes one first, and the other is kept apart.
    await collect(db, '12:00', [closure('tfl:t', { start_time: '2026-11-21T11:43:00.000Z' })], {
      source: 'tfl',
    });
    await collect(db, '12:00', [closure('national-highways:n')], { source: 'national-highways' });
    await apart(['tfl:t', 'national-highways:n']);
    await collect(db, '12:02', [police()], { source: 'met-police' });
    const { events } = await disruptions(db).page({ limit: 10 });
    const all = events.map(({ event_id, metadata: { also_reported_by: also = [] } }) =>
      [event_id, ...also.map((one) => one.event_id)].sort().join(' '),
    );
    expect(all.sort()).toEqual(['met-police:p tfl:t', 'national-highways:n']);
  });

  it('is parted and joined by its two ids in either order, and then has the reports of each alone', async () => {
    await collectBoth();
    const ids: [string, string][] = [
      ['national-highways:n', 'met-police:p'],
      ['met-police:p', 'national-highways:n'],
    ];
    for (const [one, other] of ids) {
      await apart([one, other]);
      expect(await reportsOf(db, one)).toEqual([one]);
      expect(await reportsOf(db, other)).toEqual([other]);
      expect(await together([other, one])).toBe(true);
      expect((await reportsOf(db, one)).sort()).toEqual(['met-police:p', 'national-highways:n']);
      expect(await together([one, other])).toBe(false);
    }
  });

  it('says why again, although nothing else that its log names has changed', async () => {
    const upTo = (to: string) => factsOf({ ...M62, stretch: [{ road: 'M62', from: 'J26', to }] });
    const whyNow = async () =>
      (await disruptions(db).page({ limit: 10 })).events.map(
        ({ metadata }) => metadata.also_reported_by?.[0]?.why,
      );
    await collectBoth(closure('national-highways:n'), police({ facts: upTo('J28') }));
    expect(await whyNow()).toEqual([expect.stringContaining('J26 to J28')]);
    // This is the very time at which they were found to be one.
    await collect(db, '12:00', [police({ facts: upTo('J29') })], { source: 'met-police' });
    expect(await whyNow()).toEqual([expect.stringContaining('J26 to J29')]);
    const { batch } = await changesSince(db, 0, 100);
    await collect(db, '12:05', [police()], { source: 'met-police' });
    expect(await whyNow()).toEqual([expect.stringContaining('J26 to J27')]);
    expect(await kindsSince(batch)).toEqual(['changed national-highways:n']);
  });

  it('is one for as long as both are in force, however long ago it was found', async () => {
    await collectBoth();
    await disruptions(db).prune('2026-11-21T13:00:00.000Z');
    expect((await disruptions(db).page({ limit: 10 })).total).toBe(1);
  });

  it('is two once, even if two administrators say so', async () => {
    await collectBoth();
    await apart(['national-highways:n', 'met-police:p']);
    await apart(['met-police:p', 'national-highways:n']);
    expect(await allSplits(db)).toHaveLength(1);
    expect((await disruptions(db).page({ limit: 10 })).total).toBe(2);
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

describe.each(DATABASES)('an operator, on $engine', ({ open }) => {
  const database = useDatabase(open);

  it.each([
    ['is compared with others if it names no incident', [], ['kb-incidents:k']],
    ['is compared with none if it names one', ['kb-incidents:else'], ['kb-incidents:k', 'nsi-service:SW']],
  ])('%s', async (_, related_event_ids, listed) => {
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
    const metadata = { ...rail.metadata, related_event_ids };
    await collect(db, '12:00', [incident({ event_id: 'nsi-service:SW', ...rail, metadata })], {
      source: 'nsi-service',
    });
    const { events } = await disruptions(db).page({});
    expect(events.map(({ event_id }) => event_id).sort()).toEqual(listed);
  });
});

/** SQLite alone is enough here: the test is about the memory, and the number of merges. */
describe('more incidents in force than any day has', () => {
  const database = useDatabase(DATABASES[0]!.open);
  const many = (count: number, one: (n: number) => DisruptionRecord) =>
    Array.from({ length: count }, (_, n) => one(n));

  it('are merged two hundred times, and stand alone beyond', async () => {
    const { db } = database;
    const on = (source: string) => (n: number) => {
      const road = `A${1000 + n}`;
      const stretch = [{ road, from: 'J26', to: 'J27' }];
      const facts = factsOf({ ...M62, place: `${road} eastbound, J26 to J27`, roads: [road], stretch });
      return incident({ event_id: `${source}:${n}`, start_time: '2026-11-21T11:31:00.000Z', facts });
    };
    for (const source of ['met-police', 'national-highways'])
      await collect(db, '12:00', many(201, on(source)), { source });
    expect((await disruptions(db).page({ limit: 1 })).total).toBe(202);
  });

  it('are named by two hundred operators, and the others stand alone', async () => {
    const { db } = database;
    const named = (n: number) => `kb-incidents:${n}`;
    const line = (n: number) =>
      incident({ event_id: named(n), event_type: 'rail.incident', title: `Line ${n}` });
    const operator = (n: number) =>
      incident({
        event_id: `nsi-service:${n}`,
        event_type: 'rail.operator_status',
        title: `Operator ${n}`,
        metadata: {
          related_event_ids: [named(n)],
          nsi: {
            toc_code: `${n}`,
            toc_name: `${n}`,
            status: 'Minor delays',
            service_groups: [{ current_disruption: `${n}` }],
          },
        },
      });
    await collect(db, '12:00', many(201, line), { source: 'kb-incidents' });
    await collect(db, '12:00', many(201, operator), { source: 'nsi-service' });
    expect((await disruptions(db).page({ limit: 1 })).total).toBe(202);
  });

  it('are stored, and one of two reports among them', async () => {
    const { db } = database;
    const rivers = many(10_001, (n) =>
      incident({ event_id: `tfl:${n}`, event_type: 'flood.warning', title: `River ${n}` }),
    );
    const report = (id: string) =>
      incident({ event_id: id, start_time: '2026-11-21T11:31:00.000Z', facts: M62 });
    await collect(db, '12:00', [report('met-police:p')], { source: 'met-police' });
    await collect(db, '12:00', rivers);
    await collect(db, '12:05', [report('national-highways:n')], { source: 'national-highways' });
    const { total } = await disruptions(db).page({ limit: 1 });
    expect(total).toBe(10_002);
    const { events } = await disruptions(db).page({ source: 'met-police', limit: 1 });
    expect(events[0]?.metadata.also_reported_by).toMatchObject([{ event_id: 'national-highways:n' }]);
  });
});

/** Each order of the items. */
const ordersOf = <T>(items: readonly T[]): T[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((first) =>
        ordersOf(items.filter((one) => one !== first)).map((rest) => [first, ...rest]),
      );

/** SQLite alone is enough: the rule sees the same reports on both. */
describe('four reports of one incident, in words', () => {
  const database = useDatabase(DATABASES[0]!.open);
  const told = (
    event_id: string,
    event_type: string,
    minute: number,
    [title, summary_line]: readonly [string, string],
    metadata: DisruptionRecord['metadata'] = {},
  ): DisruptionRecord => {
    const start_time = `2026-11-21T11:${minute}:00.000Z`;
    const record = incident({
      event_id,
      event_type,
      title,
      summary_line,
      start_time,
      updated_at: start_time,
    });
    record.metadata = metadata;
    placeAsItsSource(record);
    return { ...record, facts: readFactsOf(record) };
  };
  const BBC = { publisher: 'BBC News' };
  const operator = (words: readonly [string, string]) =>
    told('national-highways:n', 'road.closure', 31, words);
  /** The other carriageway: another incident, however alike the words are. */
  const other = operator(['M62 westbound between J27 and J26 closed', 'Due to a collision.']);
  other.event_id = 'national-highways:w';
  /** The list of each source, first as it is, then with changed words. */
  const LISTS: Readonly<Record<string, readonly [DisruptionRecord[], DisruptionRecord[]]>> = {
    'national-highways': [
      [operator(['M62 eastbound between J26 and J27 closed', 'Due to an overturned lorry.']), other],
      [operator(['M62 eastbound J26 to J27: one lane open', 'Due to an overturned lorry.']), other],
    ],
    'met-police': [
      [
        told('met-police:p', 'police.road_closure', 36, [
          'M62 eastbound closed at J26, Chain Bar',
          'Officers are at the scene of an overturned lorry.',
        ]),
      ],
      [
        told('met-police:p', 'police.road_closure', 36, [
          'M62 eastbound partly reopened at J26, Chain Bar',
          'An overturned lorry is being recovered.',
        ]),
      ],
    ],
    'twitter.metpoliceuk': [
      [told('twitter.metpoliceuk:t', 'social.road', 41, ['M62 EB J26-27 shut, lorry on its side', ''])],
      [told('twitter.metpoliceuk:t', 'social.road', 41, ['M62 EB J26-27, lorry now upright', ''])],
    ],
    'news-rss': [
      [told('news-rss:b', 'news.road', 55, ['Overturned lorry closes M62 eastbound at Chain Bar', ''], BBC)],
      [told('news-rss:b', 'news.road', 55, ['M62 eastbound: overturned lorry at Chain Bar moved', ''], BBC)],
    ],
  };
  const SOURCES = Object.keys(LISTS);
  const OFFICIAL = ['national-highways', 'met-police'];

  it('are one in each order in which they arrive, change, end and come back', async () => {
    const { db } = database;
    for (const order of ordersOf(SOURCES)) {
      await emptyTables(db);
      const listed = new Map<string, DisruptionRecord[]>();
      let minute = 0;
      const list = async (source: string, records: DisruptionRecord[]) => {
        listed.set(source, records);
        await collect(db, `12:${String(minute++).padStart(2, '0')}`, records, { source });
        const { events } = await disruptions(db).page({});
        const groups = events.map(({ event_id, metadata }) =>
          [event_id, ...(metadata.also_reported_by ?? []).map((also) => also.event_id)].toSorted().join(),
        );
        const ours = [...listed.values()].flat().filter((record) => record !== other);
        const wanted = [
          ours
            .map(({ event_id }) => event_id)
            .toSorted()
            .join(),
        ];
        if (listed.get('national-highways')?.includes(other)) wanted.push(other.event_id);
        expect(groups.toSorted(), `${order.join()}, step ${minute}`).toEqual(
          wanted.filter(Boolean).toSorted(),
        );
      };
      for (const source of order) await list(source, LISTS[source]![0]);
      for (const source of order) await list(source, LISTS[source]![1]);
      for (const source of order) {
        await list(
          source,
          LISTS[source]![1].filter((record) => record === other),
        );
        await list(source, LISTS[source]![1]);
      }
      const { events } = await disruptions(db).page({});
      // Either the operator or the police: people knew the incident by this id last, when the other was away.
      const home = order.find((source) => OFFICIAL.includes(source))!;
      expect(
        events.map(({ event_id, severity, metadata }) => [
          event_id,
          severity,
          metadata.also_reported_by?.length,
        ]),
      ).toEqual(
        expect.arrayContaining([
          [LISTS[home]![0][0]!.event_id, 'high', 3],
          ['national-highways:w', 'high', undefined],
        ]),
      );
    }
  });
});
