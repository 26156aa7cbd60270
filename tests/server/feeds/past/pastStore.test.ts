import { describe, expect, it } from 'vitest';
import { history } from '../../../../server/feeds/past/pastStore.ts';
import type { Db } from '../../../../server/db/open.ts';
import { summaries } from '../../../../server/feeds/summaries/summaryStore.ts';
import { poll, record } from '../../feedsWorld.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';

const at = (time: string) => new Date(`2026-11-21T${time}:00.000Z`);
const SOURCE = 'tfl';

describe.each(DATABASES)('the past on $engine', ({ open }) => {
  const database = useDatabase(open);
  const saysAt = async (db: Db, time: string) =>
    (await history(db).inForceAt(at(time)))
      .map(({ title, metadata }) => [title, JSON.parse(metadata).note].filter(Boolean).join(' '))
      .sort();

  it('has each incident as it was, even if only its metadata changed', async () => {
    const { db } = database;
    const one = (title: string, note: string) => record('tfl:1', { title, metadata: { note } });
    const two = record('tfl:2', { title: 'Two' });
    await poll(db, SOURCE, [one('One', 'a')], at('08:00'));
    await poll(db, SOURCE, [one('One', 'b'), two], at('08:10'));
    await poll(db, SOURCE, [one('One, worse', 'b')], at('08:20'));
    await poll(db, SOURCE, [one('One, worse', 'c'), two], at('08:30'));
    await poll(db, SOURCE, [], at('08:40'));

    expect(await saysAt(db, '07:59')).toEqual([]);
    expect(await saysAt(db, '08:05')).toEqual(['One a']);
    expect(await saysAt(db, '08:10')).toEqual(['One b', 'Two']);
    expect(await saysAt(db, '08:25')).toEqual(['One, worse b']);
    expect(await saysAt(db, '08:35')).toEqual(['One, worse c', 'Two']);
    expect(await saysAt(db, '08:40')).toEqual([]);
  });

  it('knows when an incident was last seen that a poll had missed', async () => {
    const { db } = database;
    await poll(db, SOURCE, [record('tfl:1')], at('08:00'));
    await db
      .updateTable('disruptions')
      .set({ unseen: 1, last_seen_at: at('08:00').toISOString() })
      .execute();
    await poll(db, SOURCE, [record('tfl:1')], at('08:20'));
    const [then] = await history(db).inForceAt(at('08:10'));
    expect(then).toMatchObject({ unseen: 1, last_seen_at: at('08:00').toISOString() });
    expect(await history(db).inForceAt(at('08:30'))).toMatchObject([{ unseen: 0 }]);
  });

  it('knows which reports were one incident then', async () => {
    const { db } = database;
    const row = { event_id: 'tfl:1', incident_id: 'kb-incidents:A', why: null };
    const until = at('08:20').toISOString();
    await db
      .insertInto('merged_reports')
      .values({ ...row, since: at('08:10').toISOString(), until })
      .execute();
    expect(await history(db).mergedAt(at('08:09'))).toEqual([]);
    expect(await history(db).mergedAt(at('08:10'))).toMatchObject([row]);
    expect(await history(db).mergedAt(at('08:20'))).toEqual([]);
  });

  it('has the second of two summaries of one time, as the board has', async () => {
    const { db } = database;
    const row = {
      feed: 'rail-network',
      text: 'First',
      model: 'built-in',
      prompt_version: '1',
      generated_at: at('08:00').toISOString(),
      expires_at: at('08:15').toISOString(),
      event_ids: '[]',
      event_count: 0,
      last_event_at: null,
      tokens_prompt: 0,
      tokens_completion: 0,
      metadata: '{}',
      input_hash: 'a',
    };
    await summaries(db).put(row);
    await summaries(db).put({ ...row, text: 'Second', input_hash: 'b' });
    expect((await history(db).summariesAt(at('09:00'))).map(({ text }) => text)).toEqual(['Second']);
  });

  it('has the last summary of each feed that was written before', async () => {
    const { db } = database;
    const said = (generated_at: string, text: string) => ({
      feed: 'rail-network',
      generated_at: at(generated_at).toISOString(),
      text,
      model: 'built-in',
      event_ids: '[]',
      prompt_version: null,
      expires_at: null,
      metadata: null,
      last_event_at: null,
      event_count: null,
      tokens_prompt: null,
      tokens_completion: null,
    });
    await db
      .insertInto('summary_versions')
      .values([said('08:00', 'Early'), said('09:00', 'Late')])
      .execute();
    const texts = async (time: string) => (await history(db).summariesAt(at(time))).map(({ text }) => text);
    expect([await texts('07:00'), await texts('08:59'), await texts('10:00')]).toEqual([
      [],
      ['Early'],
      ['Late'],
    ]);
  });
});
