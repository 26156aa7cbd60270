import { beforeEach, describe, expect, it } from 'vitest';
import { Disruption } from '../../../../contract/incidents/disruptions.ts';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import { changesSince } from '../../../../server/db/changeLog.ts';
import { disruptions } from '../../../../server/incidents/list/disruptions.ts';
import { countedOnce } from '../../../../server/incidents/list/duplicates.ts';
import { split } from '../../../../server/incidents/merging/mergedIdentity.ts';
import type { Db } from '../../../../server/db/open.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { collect, incident } from '../incidents.ts';

const RAIL = ['kb-incidents', 'tfl', 'nsi-service'];

const kb = (id: string, changes: Partial<DisruptionRecord> = {}) =>
  incident({ event_id: `kb-incidents:${id}`, event_type: 'rail.incident', severity: 'medium', ...changes });

/** A disrupted operator whose groups of services name these incidents; null: a group that names none. */
const operator = (code: string, named: (string | null)[], changes: Partial<DisruptionRecord> = {}) => {
  const ids = named.flatMap((id) => (id ? `kb-incidents:${id}` : []));
  return incident({
    event_id: `nsi-service:${code}`,
    event_type: 'rail.operator_status',
    severity: 'medium',
    ...changes,
    metadata: {
      ...(ids.length > 0 && { related_event_ids: [...new Set(ids)] }),
      nsi: {
        toc_code: code,
        toc_name: code,
        status: 'Minor delays',
        service_groups: named.map((current_disruption) => ({ current_disruption })),
      },
      ...changes.metadata,
    },
  });
};

describe.each(DATABASES)('one incident by two routes, on $engine', ({ open }) => {
  const database = useDatabase(open);
  let db: Db;
  beforeEach(() => {
    db = database.db;
  });

  async function rail(incidents: DisruptionRecord[], operators: DisruptionRecord[], time = '12:00') {
    await collect(db, time, incidents, { source: 'kb-incidents' });
    await collect(db, time, operators, { source: 'nsi-service' });
  }
  const brief = ({ event_id, severity, metadata }: Disruption) =>
    [event_id.split(':')[1], severity, ...(metadata.also_reported_by ?? []).map((one) => one.event_id)].join(
      ' ',
    );
  /** Alerts that the rail feed shows, and the number that it gives. */
  async function feed(sources = RAIL) {
    const { events, alert_count } = await disruptions(db).alertsOf(sources, 20);
    return { events: events.map(brief), alert_count };
  }

  it('is two if two operators refer to each other: neither disappears', async () => {
    const referring = (code: string, to: string) =>
      operator(code, [], { metadata: { related_event_ids: [`nsi-service:${to}`] } });
    await rail([], [referring('SE', 'SW'), referring('SW', 'SE')]);
    expect(await feed()).toEqual({ events: ['SE medium', 'SW medium'], alert_count: 2 });
  });

  it('is two when an administrator keeps the operator apart from it', async () => {
    await rail([kb('A')], [operator('SW', ['A'])]);
    await db
      .transaction()
      .execute((trx) => split(trx, ['nsi-service:SW', 'kb-incidents:A'], '2026-11-21T12:01:00.000Z'));
    expect(await feed()).toEqual({ events: ['A medium', 'SW medium'], alert_count: 2 });
  });

  it('is neither worse nor better when it is put off, and its operator stands alone', async () => {
    await rail([kb('A', { severity: 'critical' })], [operator('SW', ['A'])]);
    const { batch } = await changesSince(db, 0, 100);
    await collect(db, '12:05', [kb('A', { severity: 'low', phase: 'planned' })], { source: 'kb-incidents' });
    const { changes } = await changesSince(db, batch, 100);
    expect(
      changes.map(({ kind, severity_from, severity_to }) => `${kind} ${severity_from} ${severity_to}`),
    ).toEqual(['split critical medium', 'changed critical low']);
  });

  it('is one alert that names both', async () => {
    await rail([kb('A'), kb('B')], [operator('SW', ['A', 'A'], { title: 'South Western Railway' })]);

    expect(await feed()).toEqual({ events: ['A medium nsi-service:SW', 'B medium'], alert_count: 2 });
    const { events } = await disruptions(db).alertsOf(RAIL, 20);
    expect(events[0]?.metadata.also_reported_by).toEqual([
      {
        source: 'nsi-service',
        event_id: 'nsi-service:SW',
        title: 'South Western Railway',
        severity: 'medium',
      },
    ]);
    expect(Disruption.parse(events[0])).toEqual(events[0]);
  });

  it('is as severe as the worse of the two', async () => {
    await rail(
      [kb('A', { severity: 'low', metadata: { severity_unrated: true } }), kb('B', { severity: 'medium' })],
      [operator('SW', ['A'], { severity: 'critical' }), operator('SE', ['A'], { severity: 'high' })],
    );

    expect(await feed()).toEqual({
      events: ['A critical nsi-service:SE nsi-service:SW', 'B medium'],
      alert_count: 2,
    });
    const [worst] = (await disruptions(db).alertsOf(RAIL, 1)).events;
    expect(worst).toMatchObject({ event_id: 'kb-incidents:A', severity: 'critical' });
    expect(worst?.metadata.severity_unrated).toBeUndefined();
  });

  it('stays unrated if its publisher did not rate it and nobody says worse', async () => {
    await rail([kb('A', { metadata: { severity_unrated: true } })], [operator('SW', ['A'])]);
    const { events } = await disruptions(db).alertsOf(RAIL, 20);
    expect(events[0]?.metadata.severity_unrated).toBe(true);
  });

  it('is described by the worst of several', async () => {
    await rail(
      [kb('A', { severity: 'low' }), kb('B', { severity: 'medium' })],
      [operator('SW', ['A', 'B'], { severity: 'high' })],
    );
    expect(await feed()).toEqual({ events: ['B high nsi-service:SW', 'A low'], alert_count: 2 });
  });

  it.each<[string, DisruptionRecord[], DisruptionRecord]>([
    ['points to nothing', [kb('A')], operator('SW', [])],
    ['points to what is not there', [kb('A')], operator('SW', ['C'])],
    ['points to one that is there and one that is not', [kb('A')], operator('SW', ['A', 'C'])],
    ['says something beyond what it points to', [kb('A')], operator('SW', ['A', null])],
    ['points to what has not begun', [kb('A', { phase: 'planned' })], operator('SW', ['A'])],
  ])('is two where the operator %s', async (_, incidents, one) => {
    await rail(incidents, [one]);
    expect((await feed()).events.toSorted()).toEqual(['A medium', 'SW medium']);
  });

  it('stays with the operator once the incident has ended, or its source no longer counts', async () => {
    await rail([kb('A')], [operator('SW', ['A'])]);
    expect(await feed(['tfl', 'nsi-service'])).toEqual({ events: ['SW medium'], alert_count: 1 });

    await collect(db, '12:05', [], { source: 'kb-incidents', ended: ['kb-incidents:A'] });
    expect(await feed()).toEqual({ events: ['SW medium'], alert_count: 1 });
  });

  it('leaves alone an operator that runs normally, and references from other sources', async () => {
    await rail([kb('A')], [operator('SW', ['A'], { kind: 'status' })]);
    await collect(db, '12:00', [
      incident({ event_id: 'tfl:x', metadata: { related_event_ids: ['kb-incidents:A'] } }),
    ]);
    expect(await feed()).toEqual({ events: ['x high', 'A medium'], alert_count: 2 });
  });

  it('leaves the answer of each source as it is', async () => {
    await rail([kb('A')], [operator('SW', ['A'], { severity: 'high' })]);

    const nsi = await disruptions(db).ofSource('nsi-service', { limit: 12 });
    expect(nsi).toMatchObject({ total: 1, event_count: 1, operators_total: 1, operators_disrupted: 1 });
    expect(nsi.events.map(brief)).toEqual(['SW high']);
    const incidents = await disruptions(db).ofSource('kb-incidents', { limit: 12 });
    expect(incidents.events.map(brief)).toEqual(['A medium']);
  });

  it('counts once', async () => {
    await rail(
      [kb('A', { severity: 'low' }), kb('B')],
      [operator('SW', ['A'], { severity: 'high' }), operator('SE', ['A']), operator('GW', [])],
    );
    const counts = await disruptions(db).counts();
    const once = countedOnce(counts, await disruptions(db).duplicates(RAIL));

    expect(
      once.toSorted((a, b) => (`${a.source} ${a.severity}` < `${b.source} ${b.severity}` ? -1 : 1)),
    ).toEqual([
      { source: 'kb-incidents', severity: 'high', count: 1 },
      { source: 'kb-incidents', severity: 'medium', count: 1 },
      { source: 'nsi-service', severity: 'medium', count: 1 },
    ]);
  });

  describe('in pages', () => {
    const page = async (query: Parameters<ReturnType<typeof disruptions>['page']>[0]) => {
      const { events, total } = await disruptions(db).page(query);
      return [total, ...events.map(brief)];
    };
    beforeEach(() =>
      rail(
        [
          kb('A', { severity: 'low', title: 'Signal failure at Surbiton' }),
          kb('B'),
          kb('C', { severity: 'low' }),
        ],
        [operator('SW', ['A'], { severity: 'high', title: 'South Western Railway' }), operator('GW', [])],
      ),
    );

    it.each([
      [{}, [4, 'A high nsi-service:SW', 'B medium', 'GW medium', 'C low']],
      [{ feed: 'rail-network' }, [4, 'A high nsi-service:SW', 'B medium', 'GW medium', 'C low']],
      [{ severity: ['high'] }, [1, 'A high nsi-service:SW']],
      [{ severity: ['low'] }, [1, 'C low']],
      // Anyone who asks for one of the two gets the incident.
      [{ source: 'nsi-service' }, [2, 'A high nsi-service:SW', 'GW medium']],
      [{ source: 'kb-incidents' }, [3, 'A high nsi-service:SW', 'B medium', 'C low']],
      [{ q: 'south western' }, [1, 'A high nsi-service:SW']],
      [{ q: 'surbiton' }, [1, 'A high nsi-service:SW']],
    ])('%j', async (query, expected) => {
      expect(await page(query)).toEqual(expected);
    });

    it('neither lost nor repeated from page to page', async () => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const { events, next_cursor } = await disruptions(db).page({ limit: 1, cursor });
        seen.push(...events.map(brief));
        cursor = next_cursor;
      } while (cursor);
      expect(seen).toEqual(['A high nsi-service:SW', 'B medium', 'GW medium', 'C low']);
    });
  });
});
