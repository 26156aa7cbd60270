import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { DisruptionHistory, VERSIONS_SHOWN } from '../../../../contract/incidents/disruptionHistory.ts';
import { disruptions } from '../../../../server/incidents/list/disruptions.ts';
import type { Db } from '../../../../server/db/open.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { clock, collect, incident } from '../incidents.ts';

/** A line such as "12:00", a version, its changes, and why it ended. */
async function story(db: Db, eventId = 'a') {
  const { history } = (await disruptions(db).history(eventId))!;
  return history.map(({ seen_at, severity, changed, ended_at, ended_reason }) =>
    [
      seen_at.slice(11, 16),
      severity,
      changed.join('+'),
      ended_at && `ended ${ended_reason} ${ended_at.slice(11, 16)}`,
    ]
      .filter(Boolean)
      .join(' '),
  );
}

const versionRows = (db: Db) => db.selectFrom('disruption_versions').selectAll().execute();

describe.each(DATABASES)('versions on $engine', ({ open }) => {
  const database = useDatabase(open);
  let db: Db;
  beforeEach(() => {
    db = database.db;
  });

  it('say what changed and when, and record the end', async () => {
    await collect(db, '12:00', [incident({ event_id: 'a', phase: 'planned', severity: 'low' })]);
    await collect(db, '12:05', [incident({ event_id: 'a', severity: 'high', title: 'Closed' })]);
    await collect(db, '12:10', [incident({ event_id: 'a', severity: 'high', title: 'Closed' })]);
    await collect(db, '12:15', [incident({ event_id: 'a', severity: 'medium', title: 'Closed' })]);
    await collect(db, '12:20', [], { ended: ['a'] });

    expect(await story(db)).toEqual([
      '12:00 low',
      '12:05 high severity+title+phase',
      '12:15 medium severity ended publisher 12:20',
    ]);
    const found = await disruptions(db).history('a');
    // The call adds the rest of the answer.
    const Stored = z.omit(DisruptionHistory, { published: true, nearby: true });
    expect(Stored.parse(found)).toEqual(found);
    expect(found).toMatchObject({
      first_seen_at: '2026-11-21T12:00:00.000Z',
      ended_at: '2026-11-21T12:20:00.000Z',
      ended_reason: 'publisher',
      collected_at: '2026-11-21T12:15:00.000Z',
      versions: 3,
    });
  });

  it('are empty for an incident that never was', async () => {
    expect(await disruptions(db).history('a')).toBeUndefined();
  });

  it('are written only when something that readers see has changed', async () => {
    const a = incident({ event_id: 'a', metadata: { lanes: 1 }, updated_at: clock('11:00').toISOString() });
    await collect(db, '12:00', [a, incident({ event_id: 'b' })]);
    await collect(db, '12:05', [{ ...a, metadata: { lanes: 2 } }, incident({ event_id: 'b' })]);
    await collect(db, '12:10', [{ ...a, updated_at: clock('12:09').toISOString() }]);
    expect(await versionRows(db)).toEqual([]);
    // An incident that is known since 12:00 is not called new.
    expect(await story(db)).toEqual(['12:00 high']);

    await collect(db, '12:15', [{ ...a, end_time: clock('13:00').toISOString() }]);
    expect(await story(db)).toEqual(['12:00 high', '12:15 high end_time']);
  });

  it('keep an earlier end when the same incident begins again', async () => {
    await collect(db, '12:00', [incident({ event_id: 'a' })]);
    await collect(db, '12:05', []);
    await collect(db, '12:10', [incident({ event_id: 'a' })]);

    expect(await story(db)).toEqual(['12:00 high ended absent 12:05', '12:10 high start_time']);
    expect(await disruptions(db).history('a')).toMatchObject({
      first_seen_at: '2026-11-21T12:10:00.000Z',
      ended_at: null,
      ended_reason: null,
    });
  });

  it('keep an earlier end even if the incident begins again as it was', async () => {
    const closed = incident({ event_id: 'a', start_time: '2026-11-21T11:30:00.000Z' });
    await collect(db, '12:00', [closed]);
    await collect(db, '12:05', []);
    await collect(db, '12:10', [closed]);
    expect(await story(db)).toEqual(['12:00 high ended absent 12:05', '12:10 high']);
    const gaps = await db.selectFrom('absences').select(['seen_at', 'back_at']).execute();
    expect(gaps).toEqual([{ seen_at: '2026-11-21T12:00:00.000Z', back_at: '2026-11-21T12:10:00.000Z' }]);
  });

  it('keep the end of an alert of an operator that is listed again as running normally', async () => {
    await collect(db, '12:00', [incident({ event_id: 'a' })]);
    await collect(db, '12:05', []);
    await collect(db, '12:10', [incident({ event_id: 'a', kind: 'status', severity: 'low' })]);
    expect((await story(db))[0]).toBe('12:00 high ended absent 12:05');
  });

  it('end for a rail operator that runs normally again, and begin with its next disruption', async () => {
    const operator = (kind: 'alert' | 'status') =>
      incident({ event_id: 'a', kind, severity: kind === 'alert' ? 'high' : 'low' });
    await collect(db, '12:00', [operator('status')]);
    await collect(db, '12:05', [operator('alert')]);
    await collect(db, '12:10', [operator('status')]);
    await collect(db, '12:15', [operator('alert')]);

    expect(await story(db)).toEqual([
      '12:00 low',
      '12:05 high severity+start_time ended publisher 12:10',
      '12:10 low severity+start_time',
      '12:15 high severity+start_time',
    ]);
    expect(await disruptions(db).byId('a')).toMatchObject({ start_time: '2026-11-21T12:15:00.000Z' });
  });

  it('belong to the source that has the id', async () => {
    await collect(db, '12:00', [incident({ event_id: 'a' })], { source: 'one' });
    await collect(db, '12:05', [incident({ event_id: 'a', title: 'Mine' })], { source: 'two' });
    expect(await versionRows(db)).toEqual([]);
  });

  it('are missing for a poll that could not be stored', async () => {
    await collect(db, '12:00', [incident({ event_id: 'a' })]);
    const broken = incident({ event_id: 'b', severity: 'odd' as never });
    await expect(collect(db, '12:05', [incident({ event_id: 'a', title: 'New' }), broken])).rejects.toThrow();
    expect(await versionRows(db)).toEqual([]);
  });

  it('are deleted after their time, even for an incident in force', async () => {
    for (const time of ['12:00', '12:05', '12:10'])
      await collect(db, time, [incident({ event_id: 'a', title: time })]);
    await disruptions(db).prune(clock('12:06'));
    expect(await story(db)).toEqual(['12:05 high', '12:10 high title']);

    await collect(db, '12:15', []);
    await disruptions(db).prune(clock('12:16'));
    expect(await versionRows(db)).toEqual([]);
    expect(await disruptions(db).history('a')).toBeUndefined();
  });

  it('are limited to the newest of very many, with their total', async () => {
    await collect(db, '12:00', [incident({ event_id: 'a' })]);
    const said = {
      event_id: 'a',
      severity: 'low' as const,
      title: 'Title of a',
      summary_line: 'A lane is closed.',
      phase: 'active' as const,
      kind: 'alert' as const,
      updated_at: clock('09:00').toISOString(),
      start_time: clock('12:00').toISOString(),
      end_time: null,
      ended_at: null,
      ended_reason: null,
      details: '{}',
    };
    const old = Array.from({ length: VERSIONS_SHOWN + 3 }, (_, n) => {
      const seen_at = new Date(clock('09:00').getTime() + n * 1000).toISOString();
      return { ...said, seen_at, replaced_at: seen_at };
    });
    await db.insertInto('disruption_versions').values(old).execute();

    const { history, versions } = (await disruptions(db).history('a'))!;
    expect(versions).toBe(VERSIONS_SHOWN + 4);
    expect(history).toHaveLength(VERSIONS_SHOWN);
    expect(history[0]).toMatchObject({ seen_at: '2026-11-21T09:00:04.000Z', changed: [] });
    expect(history.at(-1)).toMatchObject({ severity: 'high', changed: ['severity'] });
  });
});
