import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { Disruption } from '../../../../contract/incidents/disruptions.ts';
import { collections } from '../../../../server/incidents/collectionState.ts';
import { disruptions } from '../../../../server/incidents/list/disruptions.ts';
import type { Db } from '../../../../server/db/open.ts';
import { revision } from '../../../../server/db/revisions.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { clock, collect, incident, poll, type PollOptions, rowsOf } from '../incidents.ts';
import { storePoll } from '../../../../server/sources/polling/poll.ts';
import { factsOf } from '../../../support/facts.ts';

/** A poll: its time, its ids (`*`: the text has changed), and how it went; `expire` is the minute's clean-up. */
type Step = [time: string, ids: string[] | 'expire', options?: PollOptions & { end_time?: string }];

const LIFECYCLES: { promise: string; steps: Step[]; rows: string[] }[] = [
  {
    promise: 'an incident is in force from the poll that first has it',
    steps: [['12:00', ['a']]],
    rows: ['a in force, first seen 12:00'],
  },
  {
    promise: 'it ends when a complete poll no longer has it',
    steps: [
      ['12:00', ['a', 'b']],
      ['12:05', ['b']],
    ],
    rows: ['a ended absent 12:05, last seen 12:00', 'b in force, first seen 12:00'],
  },
  {
    promise: 'one that is listed and could not be read is not over, unlike those that are gone',
    steps: [
      ['12:00', ['a', 'b', 'c']],
      ['12:05', ['c'], { unreadable: ['a'] }],
    ],
    rows: [
      'a in force, first seen 12:00',
      'b ended absent 12:05, last seen 12:00',
      'c in force, first seen 12:00',
    ],
  },
  {
    promise: 'an incident that could not be read ends like any other once it is no longer listed',
    steps: [
      ['12:00', ['a', 'b']],
      ['12:05', ['b'], { unreadable: ['a'] }],
      ['12:10', ['b']],
    ],
    rows: ['a ended absent 12:10, last seen 12:00', 'b in force, first seen 12:00'],
  },
  {
    promise: 'an incident too old for a full list of the newest is not over',
    steps: [
      ['12:00', ['a']],
      ['12:05', ['a', 'b', 'c']],
      ['12:10', ['c'], { listedSince: '12:05' }],
    ],
    rows: [
      'a in force, first seen 12:00',
      'b ended absent 12:10, last seen 12:05',
      'c in force, first seen 12:05',
    ],
  },
  {
    promise: 'a source with unreliable lists ends it only after two complete polls in a row without it',
    steps: [
      ['12:00', ['a', 'b'], { absentPolls: 2 }],
      ['12:05', ['b'], { absentPolls: 2 }],
    ],
    rows: ['a in force, first seen 12:00', 'b in force, first seen 12:00'],
  },
  {
    promise: 'and then it was last seen when it was last listed',
    steps: [
      ['12:00', ['a', 'b'], { absentPolls: 2 }],
      ['12:05', ['a', 'b'], { absentPolls: 2 }],
      ['12:10', ['b'], { absentPolls: 2 }],
      ['12:15', ['b'], { absentPolls: 2 }],
    ],
    rows: ['a ended absent 12:15, last seen 12:05', 'b in force, first seen 12:00'],
  },
  {
    promise: 'one that reappears in between starts the count again',
    steps: [
      ['12:00', ['a', 'b'], { absentPolls: 2 }],
      ['12:05', ['b'], { absentPolls: 2 }],
      ['12:10', ['a', 'b'], { absentPolls: 2 }],
      ['12:15', ['b'], { absentPolls: 2 }],
    ],
    rows: ['a in force, first seen 12:00', 'b in force, first seen 12:00'],
  },
  {
    promise: 'so does one that reappears with a change',
    steps: [
      ['12:00', ['a'], { absentPolls: 2 }],
      ['12:05', [], { absentPolls: 2 }],
      ['12:10', ['a*'], { absentPolls: 2 }],
      ['12:15', [], { absentPolls: 2 }],
    ],
    rows: ['a in force, first seen 12:00'],
  },
  {
    promise: 'a poll that was read only in part adds and ends nothing',
    steps: [
      ['12:00', ['a']],
      ['12:05', ['b'], { complete: false }],
    ],
    rows: ['a in force, first seen 12:00', 'b in force, first seen 12:05'],
  },
  {
    promise:
      'but what none of the parts has shown for too long expires, unless it could not be read or is too old for the list',
    steps: [
      ['12:00', ['a', 'b']],
      ['12:05', ['a', 'b', 'c', 'd']],
      ['12:20', ['d'], { complete: false, maxAgeMinutes: 30, unreadable: ['b'] }],
      ['12:35', ['d'], { complete: false, maxAgeMinutes: 30, unreadable: ['b'] }],
      ['12:36', ['d'], { complete: false, maxAgeMinutes: 30, unreadable: ['b'], listedSince: '12:05' }],
    ],
    rows: [
      'a in force, first seen 12:00',
      'b in force, first seen 12:00',
      'c ended expired 12:36, last seen 12:05',
      'd in force, first seen 12:05',
    ],
  },
  {
    promise: 'nor does such a poll count between two complete ones',
    steps: [
      ['12:00', ['a'], { absentPolls: 2 }],
      ['12:05', [], { absentPolls: 2 }],
      ['12:10', [], { absentPolls: 2, complete: false }],
    ],
    rows: ['a in force, first seen 12:00'],
  },
  {
    promise: 'it ends by its publisher when the publisher lists it as over',
    steps: [
      ['12:00', ['a', 'b']],
      ['12:05', ['b'], { ended: ['a', 'never-heard-of'] }],
    ],
    rows: ['a ended publisher 12:05, last seen 12:00', 'b in force, first seen 12:00'],
  },
  {
    promise: 'that ends it at once',
    steps: [
      ['12:00', ['a', 'b'], { absentPolls: 2 }],
      ['12:05', ['b'], { absentPolls: 2, ended: ['a'] }],
    ],
    rows: ['a ended publisher 12:05, last seen 12:00', 'b in force, first seen 12:00'],
  },
  {
    promise: 'but not in a poll that was read only in part, which ends nothing',
    steps: [
      ['12:00', ['a', 'b'], { absentPolls: 2 }],
      ['12:05', ['b'], { absentPolls: 2, ended: ['a'], complete: false }],
    ],
    rows: ['a in force, first seen 12:00', 'b in force, first seen 12:00'],
  },
  {
    promise: 'but not when it also stands in a record that could not be read, or in one that is in force',
    steps: [
      ['12:00', ['a', 'b']],
      ['12:05', ['b'], { ended: ['a', 'b'], unreadable: ['a'] }],
    ],
    rows: ['a in force, first seen 12:00', 'b in force, first seen 12:00'],
  },
  {
    promise: 'one that is dropped, or listed as over, past its end time has ended by that',
    steps: [
      ['12:00', ['a', 'b'], { end_time: '12:30' }],
      ['12:31', [], { ended: ['b'] }],
    ],
    rows: ['a ended end_time 12:31, last seen 12:00', 'b ended end_time 12:31, last seen 12:00'],
  },
  {
    promise: 'from a source that is never empty, a list of only ended incidents is no collapse',
    steps: [
      ['12:00', ['a', 'b'], { neverEmpty: true }],
      ['12:05', [], { neverEmpty: true, ended: ['a', 'b'] }],
    ],
    rows: ['a ended publisher 12:05, last seen 12:00', 'b ended publisher 12:05, last seen 12:00'],
  },
  {
    promise: 'but what is not listed then waits for confirmation',
    steps: [
      ['12:00', ['a', 'b'], { neverEmpty: true }],
      ['12:05', [], { neverEmpty: true, ended: ['a'] }],
      ['12:10', [], { neverEmpty: true, ended: ['a'] }],
    ],
    rows: ['a ended publisher 12:05, last seen 12:00', 'b in force, first seen 12:00'],
  },
  {
    promise: 'where calm is normal, one empty poll ends everything',
    steps: [
      ['12:00', ['a', 'b']],
      ['12:05', []],
    ],
    rows: ['a ended absent 12:05, last seen 12:00', 'b ended absent 12:05, last seen 12:00'],
  },
  {
    promise: 'where it is not, two empty polls end nothing',
    steps: [
      ['12:00', ['a'], { neverEmpty: true }],
      ['12:05', [], { neverEmpty: true }],
      ['12:10', [], { neverEmpty: true }],
    ],
    rows: ['a in force, first seen 12:00'],
  },
  {
    promise: 'and the third in a row confirms it',
    steps: [
      ['12:00', ['a'], { neverEmpty: true, absentPolls: 2 }],
      ['12:05', [], { neverEmpty: true, absentPolls: 2 }],
      ['12:10', [], { neverEmpty: true, absentPolls: 2 }],
      ['12:15', [], { neverEmpty: true, absentPolls: 2 }],
    ],
    rows: ['a ended absent 12:15, last seen 12:00'],
  },
  {
    promise: 'unless a poll in between found anything at all',
    steps: [
      ['12:00', ['a', 'b'], { neverEmpty: true }],
      ['12:05', [], { neverEmpty: true }],
      ['12:10', [], { neverEmpty: true }],
      ['12:15', ['a'], { neverEmpty: true }],
      ['12:20', [], { neverEmpty: true }],
    ],
    rows: ['a in force, first seen 12:00', 'b ended absent 12:15, last seen 12:00'],
  },
  {
    promise: 'empty polls that were read only in part confirm nothing',
    steps: [
      ['12:00', ['a'], { neverEmpty: true }],
      ['12:05', [], { neverEmpty: true, complete: false }],
      ['12:10', [], { neverEmpty: true, complete: false }],
      ['12:15', [], { neverEmpty: true }],
      ['12:20', [], { neverEmpty: true, complete: false }],
      ['12:25', [], { neverEmpty: true }],
    ],
    rows: ['a in force, first seen 12:00'],
  },
  {
    promise: 'nor do they undo what whole ones have shown before them',
    steps: [
      ['12:00', ['a'], { neverEmpty: true }],
      ['12:05', [], { neverEmpty: true }],
      ['12:10', [], { neverEmpty: true }],
      ['12:15', [], { neverEmpty: true, complete: false }],
      ['12:20', [], { neverEmpty: true }],
    ],
    rows: ['a ended absent 12:20, last seen 12:00'],
  },
  {
    promise: 'nor does age end what a collapse that is not confirmed has left out',
    steps: [
      ['12:00', ['a'], { neverEmpty: true, maxAgeMinutes: 30 }],
      ['12:05', [], { neverEmpty: true, maxAgeMinutes: 30 }],
      ['12:40', [], { neverEmpty: true, maxAgeMinutes: 30 }],
    ],
    rows: ['a in force, first seen 12:00'],
  },
  {
    promise: 'what the poll before still had is not too old, however long ago it last changed',
    steps: [
      ['12:00', ['a', 'b']],
      ['12:40', ['a', 'b']],
      ['12:45', ['b'], { complete: false, maxAgeMinutes: 30 }],
    ],
    rows: ['a in force, first seen 12:00', 'b in force, first seen 12:00'],
  },
  {
    promise: 'nor is what came back meanwhile, unchanged',
    steps: [
      ['12:00', ['a', 'b']],
      ['12:05', ['b'], { complete: false }],
      ['12:10', ['a', 'b']],
      ['12:37', ['b'], { complete: false, maxAgeMinutes: 30 }],
    ],
    rows: ['a in force, first seen 12:00', 'b in force, first seen 12:00'],
  },
  {
    promise: 'nor does it expire while it is listed and cannot be read',
    steps: [
      ['12:00', ['a', 'b']],
      ['12:05', ['b'], { complete: false, maxAgeMinutes: 30, unreadable: ['a'] }],
      ['12:40', ['b'], { complete: false, maxAgeMinutes: 30, unreadable: ['a'] }],
    ],
    rows: ['a in force, first seen 12:00', 'b in force, first seen 12:00'],
  },
  {
    promise: 'one that comes back after its end begins again',
    steps: [
      ['12:00', ['a', 'b']],
      ['12:05', ['b']],
      ['12:10', ['a', 'b']],
    ],
    rows: ['a in force, first seen 12:10', 'b in force, first seen 12:00'],
  },
  {
    promise: 'it ends when its end time has passed, without any poll',
    steps: [
      ['12:00', ['a'], { end_time: '12:30' }],
      ['12:05', ['a'], { end_time: '12:30' }],
      ['12:30', 'expire'],
    ],
    rows: ['a ended end_time 12:30, last seen 12:05'],
  },
  {
    promise: 'and not a minute earlier',
    steps: [
      ['12:00', ['a'], { end_time: '12:30' }],
      ['12:29', 'expire'],
    ],
    rows: ['a in force, first seen 12:00'],
  },
  {
    promise: 'a publisher that goes on listing it does not bring it back',
    steps: [
      ['12:00', ['a'], { end_time: '12:30' }],
      ['12:31', 'expire'],
      ['12:35', ['a'], { end_time: '12:30' }],
      ['12:40', ['a'], { end_time: '12:30' }],
    ],
    rows: ['a ended end_time 12:31, last seen 12:00'],
  },
  {
    promise: 'a poll that finds it past its end ends it too',
    steps: [
      ['12:00', ['a'], { end_time: '12:30' }],
      ['12:35', ['a'], { end_time: '12:30' }],
    ],
    rows: ['a ended end_time 12:35, last seen 12:35'],
  },
  {
    promise: 'one that was over before we first heard of it never begins',
    steps: [['12:00', ['a'], { end_time: '11:30' }]],
    rows: [],
  },
  {
    promise: 'an end that was moved to later brings it back',
    steps: [
      ['12:00', ['a'], { end_time: '12:30' }],
      ['12:31', 'expire'],
      ['12:35', ['a'], { end_time: '13:30' }],
    ],
    rows: ['a in force, first seen 12:35'],
  },
];

describe.each(DATABASES)('disruptions on $engine: what a poll does', ({ engine, open }) => {
  const database = useDatabase(open);
  let db: Db;
  beforeEach(() => {
    db = database.db;
  });

  it.each(LIFECYCLES)('$promise', async ({ steps, rows }) => {
    for (const [time, ids, options = {}] of steps) {
      if (ids === 'expire') {
        await disruptions(db).expire({ source: 'tfl', now: clock(time) });
        continue;
      }
      const end_time = options.end_time ? clock(options.end_time).toISOString() : null;
      const records = ids.map((id) =>
        incident({ event_id: id.replace('*', ''), title: `About ${id}`, end_time }),
      );
      await collect(db, time, records, options);
    }

    expect((await rowsOf(db)).map(inWords)).toEqual(rows);
  });

  it('counts what became of every incident', async () => {
    await collect(
      db,
      '12:00',
      ['gone', 'same', 'changed'].map((event_id) => incident({ event_id })),
    );
    const stored = await collect(db, '12:05', [
      incident({ event_id: 'same' }),
      incident({ event_id: 'changed', severity: 'critical' }),
      incident({ event_id: 'new' }),
    ]);

    expect(stored).toEqual({ inserted: 1, updated: 1, ended: 1, kept: 1, suspect: false });

    const over = await collect(db, '12:10', [incident({ event_id: 'same' })], { ended: ['changed', 'new'] });
    expect(over).toEqual({ inserted: 0, updated: 0, ended: 2, kept: 1, suspect: false });
  });

  it('says when a collapse is suspect, and when it is confirmed', async () => {
    const options = { neverEmpty: true };
    await collect(db, '12:00', [incident({ event_id: 'a' })], options);

    const outcomes = [];
    for (const time of ['12:05', '12:10', '12:15', '12:20'])
      outcomes.push(await collect(db, time, [], options));
    expect(outcomes.map(({ suspect, ended, kept }) => ({ suspect, ended, kept }))).toEqual([
      { suspect: true, ended: 0, kept: 1 },
      { suspect: true, ended: 0, kept: 1 },
      { suspect: false, ended: 1, kept: 0 },
      { suspect: false, ended: 0, kept: 0 },
    ]);
  });

  it('calls a source suspect no longer once its collapse is confirmed', async () => {
    const options = { neverEmpty: true };
    await collect(db, '12:00', [incident({ event_id: 'a' })], options);
    const suspects = [];
    for (const time of ['12:05', '12:10', '12:15']) {
      await collect(db, time, [], options);
      suspects.push((await collections(db).of('tfl'))?.suspect_polls);
    }
    expect(suspects).toEqual([1, 2, 0]);
  });

  it('writes no row if a poll brings no news', async () => {
    const records = ['a', 'b', 'c'].map((event_id) => incident({ event_id, metadata: { roads: ['M6'] } }));
    await collect(db, '12:00', records);
    const written = await writesTo(db, engine);

    await collect(db, '12:05', structuredClone(records));
    expect(await written()).toBe(0);
    await collect(db, '12:10', [...records.slice(1), incident({ event_id: 'a', title: 'Changed' })]);
    expect(await written()).toBe(1);
  });

  it('raises the revision of the feeds once for a poll that changes something, and never otherwise', async () => {
    const store = (time: string, records: ReturnType<typeof incident>[]) =>
      storePoll(db, {
        source: 'tfl',
        collected: poll(records),
        now: clock(time),
        absentPolls: 1,
        neverEmpty: false,
      });
    await store('12:00', [incident({ event_id: 'a' }), incident({ event_id: 'b' })]);
    expect(await revision(db, 'feeds')).toBe(1);
    await store('12:05', [incident({ event_id: 'a' }), incident({ event_id: 'b' })]);
    expect(await revision(db, 'feeds')).toBe(1);
    await store('12:10', [incident({ event_id: 'a' })]);
    expect(await revision(db, 'feeds')).toBe(2);
    await disruptions(db).expire({ source: 'tfl', now: clock('12:11') });
    expect(await revision(db, 'feeds')).toBe(2);
  });

  it('raises it once for an incident that partial polls no longer list, not for each of them', async () => {
    const store = (time: string, complete: boolean, ids: string[]) =>
      storePoll(db, {
        source: 'tfl',
        collected: poll(
          ids.map((event_id) => incident({ event_id })),
          complete,
        ),
        now: clock(time),
        absentPolls: 1,
        neverEmpty: false,
      });
    await store('12:00', true, ['a', 'b']);
    const first = await revision(db, 'feeds');
    await store('12:05', false, ['b']);
    const before = await revision(db, 'feeds');
    expect(before).toBe(first + 1);
    const written = await writesTo(db, engine);
    await store('12:10', false, ['b']);
    expect(await written()).toBe(0);
    expect(await revision(db, 'feeds')).toBe(before);
  });

  it('raises it when an incident is first missing from a poll, so that its age shows', async () => {
    await collect(db, '12:00', [incident({ event_id: 'a' })], { absentPolls: 2 });
    const before = await revision(db, 'feeds');
    const collected = poll([]);
    await storePoll(db, {
      source: 'tfl',
      collected,
      now: clock('12:05'),
      absentPolls: 2,
      neverEmpty: false,
    });
    expect(await revision(db, 'feeds')).toBe(before + 1);
  });

  it('gives an id that a database cannot hold the same replacement in every poll', async () => {
    const odd = ['a\u0000', 'b\ud83d'];
    const store = (time: string, options: PollOptions, records = odd) =>
      collect(
        db,
        time,
        records.map((event_id) => incident({ event_id })),
        options,
      );
    await store('12:00', {});
    expect(await store('12:05', {})).toMatchObject({ inserted: 0, ended: 0, kept: 2 });
    expect(await store('12:10', { unreadable: odd }, [])).toMatchObject({ ended: 0, kept: 2 });
    expect(await store('12:15', { ended: odd }, [])).toMatchObject({ ended: 2, kept: 0 });
    expect((await rowsOf(db)).map(({ ended_reason }) => ended_reason)).toEqual(['publisher', 'publisher']);
  });

  it('holds no position that is not a number', async () => {
    await collect(db, '12:00', [
      incident({ event_id: 'a', latitude: Number.POSITIVE_INFINITY, longitude: Number.NaN }),
    ]);
    expect(await rowsOf(db)).toMatchObject([{ latitude: null, longitude: null }]);
  });

  it('never moves the time at which an incident was last seen back, even without a noted success', async () => {
    await collect(db, '12:00', [incident({ event_id: 'a' })]);
    await storePoll(db, {
      source: 'tfl',
      collected: poll([incident({ event_id: 'a', title: 'Changed' })]),
      now: clock('12:05'),
      absentPolls: 1,
      neverEmpty: false,
    });
    await collect(db, '12:10', []);
    expect((await rowsOf(db)).map(inWords)).toEqual(['a ended absent 12:10, last seen 12:05']);
  });

  it('keeps the updated time of an incident that ends unchanged', async () => {
    const record = incident({ event_id: 'a', end_time: clock('12:30').toISOString() });
    await collect(db, '12:00', [record]);
    await collect(db, '12:35', [record]);
    expect(await rowsOf(db)).toMatchObject([
      { ended_reason: 'end_time', updated_at: clock('12:00').toISOString() },
    ]);
  });

  it('changes nothing when a part of it fails', async () => {
    await collect(db, '12:00', [incident({ event_id: 'a' })]);
    const before = await rowsOf(db);
    // No table accepts an unknown severity.
    const broken = incident({ event_id: 'b', severity: 'odd' as never });

    await expect(collect(db, '12:05', [incident({ event_id: 'c' }), broken])).rejects.toThrow();
    expect(await rowsOf(db)).toEqual(before);
  });

  it('keeps the worst of several records with one id', async () => {
    await collect(db, '12:00', [
      incident({ event_id: 'a', severity: 'medium' }),
      incident({ event_id: 'a', severity: 'critical', title: 'The worst' }),
      incident({ event_id: 'a', severity: 'low' }),
    ]);

    expect((await rowsOf(db)).map(({ severity, title }) => [severity, title])).toEqual([
      ['critical', 'The worst'],
    ]);
  });

  it('leaves an id to the source that has it', async () => {
    await collect(db, '12:00', [incident({ event_id: 'social:1', title: 'First' })], { source: 'one' });
    const stored = await collect(db, '12:05', [incident({ event_id: 'social:1', title: 'Second' })], {
      source: 'two',
    });
    await collect(db, '12:10', [], { source: 'two' });

    expect(stored.inserted).toBe(0);
    expect(await disruptions(db).byId('social:1')).toMatchObject({ source: 'one', title: 'First' });
  });

  it('does not touch another source', async () => {
    await collect(db, '12:00', [incident({ event_id: 'a' })], { source: 'one' });
    await collect(db, '12:05', [], { source: 'two' });
    await disruptions(db).expire({ source: 'two', now: clock('13:00'), maxAgeMinutes: 15 });

    expect(await disruptions(db).byId('a')).toBeDefined();
  });

  const TIMES: {
    promise: string;
    first: Partial<ReturnType<typeof incident>>;
    later?: Partial<ReturnType<typeof incident>>;
    updated: string;
    start: string;
  }[] = [
    {
      promise: "the publisher's own times stand",
      first: { updated_at: '2026-11-21T11:30:00Z', start_time: '2026-11-21T10:00:00Z' },
      updated: '11:30',
      start: '10:00',
    },
    {
      promise: 'they are kept in UTC, whatever they were written in',
      first: { updated_at: '2026-11-21T11:30:00+01:00', start_time: '2026-11-21T10:00:00.5Z' },
      updated: '10:30',
      start: '10:00',
    },
    {
      promise: 'without a time of change, an incident changed when it began',
      first: { start_time: '2026-11-21T10:00:00Z' },
      updated: '10:00',
      start: '10:00',
    },
    {
      promise: 'unless that is in the future',
      first: { start_time: '2026-11-21T23:00:00Z', phase: 'planned' },
      updated: '12:00',
      start: '23:00',
    },
    {
      promise: 'without any time, both are when it was first seen',
      first: {},
      updated: '12:00',
      start: '12:00',
    },
    {
      promise: 'a change without a time happened when it was seen; the start stays',
      first: {},
      later: { severity: 'critical' },
      updated: '12:05',
      start: '12:00',
    },
    {
      promise: 'so it is when only the start is known',
      first: { start_time: '2026-11-21T10:00:00Z' },
      later: { start_time: '2026-11-21T10:00:00Z', severity: 'critical' },
      updated: '12:05',
      start: '10:00',
    },
    {
      promise: 'a publisher that withdraws its start does not move it',
      first: { start_time: '2026-11-21T10:00:00Z' },
      later: {},
      updated: '12:05',
      start: '10:00',
    },
    {
      promise: 'an invalid time counts as none',
      first: { updated_at: 'yesterday', start_time: '', end_time: '+099999-01-01T00:00:00Z' },
      updated: '12:00',
      start: '12:00',
    },
  ];
  it.each(TIMES)('$promise', async ({ first, later, updated, start }) => {
    await collect(db, '12:00', [incident({ event_id: 'a', ...first })]);
    if (later) await collect(db, '12:05', [incident({ event_id: 'a', ...later })]);

    const [row] = await rowsOf(db);
    expect([row!.updated_at.slice(11, 16), row!.start_time.slice(11, 16)]).toEqual([updated, start]);
  });

  it('begins a planned incident in its minute, and once, even if its publisher still calls it planned', async () => {
    const works = incident({ event_id: 'a', phase: 'planned', start_time: clock('12:10').toISOString() });
    const begun = (time: string) => disruptions(db).begin({ source: 'tfl', now: clock(time) });
    await collect(db, '12:00', [works]);
    expect([await begun('12:09'), await begun('12:10')]).toEqual([0, 1]);
    await collect(db, '12:15', [{ ...works, title: 'Works are late' }]);
    expect(await begun('12:16')).toBe(0);
    // An incident that its publisher calls active has begun, and an operator is no incident.
    const start_time = clock('12:30').toISOString();
    await collect(db, '12:20', [
      incident({ event_id: 'b', start_time }),
      incident({ event_id: 'c', start_time, phase: 'planned', kind: 'status' }),
    ]);
    expect(await begun('12:30')).toBe(0);
  });

  it('gives an unchanged incident the time of the last collection that still had it', async () => {
    const collectedAt = async () => (await disruptions(db).byId('a'))?.collected_at;
    await collect(db, '12:00', [incident({ event_id: 'a' })], { absentPolls: 2 });
    await collect(db, '12:05', [incident({ event_id: 'a' })], { absentPolls: 2 });
    expect(await collectedAt()).toBe(clock('12:05').toISOString());
    await collect(db, '12:10', [], { absentPolls: 2 });
    expect(await collectedAt()).toBe(clock('12:05').toISOString());
    await collect(db, '12:15', [incident({ event_id: 'a' })], { absentPolls: 2 });
    expect(await collectedAt()).toBe(clock('12:15').toISOString());
    await collect(db, '12:20', [], { complete: false });
    await collect(db, '12:25', [], { complete: false });
    expect(await collectedAt()).toBe(clock('12:15').toISOString());
  });

  it('believes a publisher that calls an incident active past its end, if the collector says so', async () => {
    const record = incident({
      event_id: 'a',
      end_time: clock('12:30').toISOString(),
      metadata: { trust_status: true },
    });
    await collect(db, '12:00', [record]);
    expect(await disruptions(db).expire({ source: 'tfl', now: clock('12:40') })).toBe(0);
    await collect(db, '12:45', [record]);
    expect(await disruptions(db).byId('a')).toBeDefined();

    await collect(db, '12:50', [{ ...record, metadata: {} }]);
    expect((await rowsOf(db)).map(inWords)).toEqual(['a ended end_time 12:50, last seen 12:50']);
  });

  it('gives an incident that was believed past its end time another reason for its end', async () => {
    const end_time = clock('12:30').toISOString();
    await collect(db, '12:00', [incident({ event_id: 'a', end_time, metadata: { trust_status: true } })]);
    await collect(db, '12:45', []);
    expect((await rowsOf(db)).map(inWords)).toEqual(['a ended absent 12:45, last seen 12:00']);
  });

  it('counts no poll towards the end of an incident that read the source only in part', async () => {
    await collect(db, '12:00', [incident({ event_id: 'a' })]);
    await collect(db, '12:05', [], { complete: false, absentPolls: 2 });
    await collect(db, '12:10', [], { absentPolls: 2 });
    expect((await rowsOf(db)).map(inWords)).toEqual(['a in force, first seen 12:00']);
    await collect(db, '12:15', [], { absentPolls: 2 });
    expect((await rowsOf(db)).map(inWords)).toEqual(['a ended absent 12:15, last seen 12:00']);
  });

  it('does not end again what has ended before its end time', async () => {
    await collect(db, '12:00', [incident({ event_id: 'a', end_time: clock('12:30').toISOString() })]);
    await collect(db, '12:05', []);
    expect(await disruptions(db).expire({ source: 'tfl', now: clock('12:30') })).toBe(0);
    expect((await rowsOf(db)).map(inWords)).toEqual(['a ended absent 12:05, last seen 12:00']);
  });

  it('ends everything as expired once the last good collection is too old to rely on', async () => {
    await collect(db, '12:00', [incident({ event_id: 'a' })]);
    await collect(db, '12:05', [incident({ event_id: 'a' })]);
    const expire = (time: string) =>
      disruptions(db).expire({ source: 'tfl', now: clock(time), maxAgeMinutes: 15 });

    expect(await expire('12:20')).toBe(0);
    expect(await expire('12:21')).toBe(1);
    expect((await rowsOf(db)).map(inWords)).toEqual(['a ended expired 12:21, last seen 12:05']);
  });

  it('calls nothing too old before the first good collection is noted', async () => {
    const [collected, now] = [poll([incident({ event_id: 'a' })]), clock('12:00')];
    await storePoll(db, { source: 'tfl', collected, now, absentPolls: 1, neverEmpty: false });
    const expire = { source: 'tfl', now: clock('12:01'), maxAgeMinutes: 15 };
    expect(await disruptions(db).expire(expire)).toBe(0);
    expect((await rowsOf(db)).map(inWords)).toEqual(['a in force, first seen 12:00']);
  });

  it.each([
    // A thousand records are cleaned at once, and 250 rows written.
    ['while it reads ten thousand records of one incident', (): string => 'a', 10_000, 9],
    ['while it writes three thousand incidents', (index: number) => `a${index}`, 3000, 13],
  ])('lets everybody else go on, %s', async (_, idOf, count, atLeast) => {
    let turns = 0;
    let isDone = false;
    const turn = () => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    const records = Array.from({ length: count }, (__, index) => incident({ event_id: idOf(index) }));
    setImmediate(turn);
    await collect(db, '12:00', records);
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(atLeast);
  });

  it('deletes what ended long ago, and nothing else', async () => {
    await collect(
      db,
      '12:00',
      ['a', 'b', 'c'].map((event_id) => incident({ event_id })),
    );
    await collect(
      db,
      '12:05',
      ['b', 'c'].map((event_id) => incident({ event_id })),
    );
    await collect(db, '12:10', [incident({ event_id: 'c' })]);
    await disruptions(db).prune(clock('12:10'));

    expect((await rowsOf(db)).map(({ event_id }) => event_id)).toEqual(['b', 'c']);
  });

  it('answers in the shape of the contract, hostile text and all', async () => {
    await collect(db, '12:00', [
      incident({
        event_id: 'tfl:\u0000odd',
        title: `Nul \u0000 and half a pair \uD83D`,
        summary_line: `'; drop table disruptions; --`,
        latitude: 51.507351,
        longitude: Number.NaN,
        metadata: { links: [{ url: 'https://example.org', label: null }], said: '\u0000' },
      }),
    ]);

    const event = await disruptions(db).byId('tfl:odd');
    expect(Disruption.parse(event)).toEqual({
      event_id: 'tfl:odd',
      source: 'tfl',
      severity: 'high',
      event_type: 'road.closure',
      title: 'Nul  and half a pair \uFFFD',
      summary_line: `'; drop table disruptions; --`,
      collected_at: clock('12:00').toISOString(),
      updated_at: clock('12:00').toISOString(),
      start_time: clock('12:00').toISOString(),
      end_time: null,
      latitude: 51.507351,
      longitude: null,
      metadata: {
        phase: 'active',
        links: [{ url: 'https://example.org', label: null }],
        said: '\u0000',
        start_seen: true,
      },
      since: null,
    });
  });

  it(
    'stores more incidents in one go than a statement takes, and ends them in one',
    { timeout: 60_000 },
    async () => {
      const records = Array.from({ length: 5000 }, (_, at) =>
        incident({ event_id: `tfl:${at}`, severity: at % 2 ? 'low' : 'high' }),
      );
      expect(await collect(db, '12:00', records)).toMatchObject({ inserted: 5000 });
      expect(await collect(db, '12:05', records)).toMatchObject({ kept: 5000, updated: 0 });
      expect(await collect(db, '12:10', [], { absentPolls: 2 })).toMatchObject({ kept: 5000 });
      expect(await collect(db, '12:15', records, { absentPolls: 2 })).toMatchObject({ kept: 5000 });
      expect(await disruptions(db).counts()).toEqual([
        { source: 'tfl', severity: 'high', count: 2500 },
        { source: 'tfl', severity: 'low', count: 2500 },
      ]);
      expect(await collect(db, '12:20', [])).toMatchObject({ ended: 5000, kept: 0 });
    },
  );

  it('handles two simultaneous polls of one source one after the other', async () => {
    const other = await database.node();
    await collections(db).ensure('tfl', true);
    const records = Array.from({ length: 300 }, (_, at) => incident({ event_id: `tfl:${at}` }));
    const store = (node: Db, list: typeof records) =>
      storePoll(node, {
        source: 'tfl',
        collected: poll(list),
        now: clock('12:00'),
        absentPolls: 1,
        neverEmpty: false,
      });

    const outcomes = await Promise.all([store(db, records), store(other, records.toReversed())]);
    expect(outcomes.map(({ inserted, kept }) => inserted + kept)).toEqual([300, 300]);
    expect(outcomes.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(300);
    expect(await rowsOf(db)).toHaveLength(300);
  });

  it('puts right what was stored while the clock was ahead', async () => {
    const dated = { updated_at: clock('08:00').toISOString(), start_time: clock('07:00').toISOString() };
    const found = () => [incident({ event_id: 'tfl:a' }), incident({ event_id: 'tfl:b', ...dated })];
    await collect(db, '15:00', found());
    await collect(db, '12:00', found());

    const { events } = await disruptions(db).ofSource('tfl', { limit: 9 });
    const noon = clock('12:00').toISOString();
    expect(
      events.map(({ updated_at, start_time, collected_at }) => [updated_at, start_time, collected_at]),
    ).toEqual([
      [noon, noon, noon],
      [dated.updated_at, dated.start_time, noon],
    ]);

    await collect(db, '12:05', found());
    expect((await disruptions(db).byId('tfl:a'))?.updated_at).toBe(noon);
  });

  it('keeps the flag of a time that lay ahead until the publisher says something new', async () => {
    const ahead = { event_id: 'tfl:a', updated_at: clock('15:00').toISOString() };
    const isFlagged = async () => (await disruptions(db).byId('tfl:a'))?.metadata.clock_skew;
    await collect(db, '12:00', [incident({ ...ahead, metadata: { clock_skew: true } })]);
    // By then its time has come, and the poll brings no news.
    await collect(db, '15:00', [incident(ahead)]);
    expect(await isFlagged()).toBe(true);

    await collect(db, '15:05', [incident({ ...ahead, title: 'Now closed' })]);
    expect(await isFlagged()).toBeUndefined();
  });

  describe('after a change of the make-up of the hash', () => {
    const at = (changes: Partial<ReturnType<typeof incident>>) => incident({ event_id: 'tfl:a', ...changes });
    /** A row as an earlier release would have stored it. */
    const storeEarlier = async (record: ReturnType<typeof incident>, content_hash: string) => {
      await collect(db, '12:00', [record]);
      await db.updateTable('disruptions').set({ content_hash, details: '{}' }).execute();
    };
    const FACTS = factsOf({ place: 'M6, J4 to J5' });

    it.each(['JmYFXSHvEmGXzgHFpGr7PzkcVcuiE8nLELvuFzuS3fA', 'older1.JmYFXSHvEmGXzgHFpGr7PzkcVcu.'])(
      'an incident of which the publisher says the same has no new time of change (%s)',
      async (earlier) => {
        await storeEarlier(at({ metadata: { clock_skew: true } }), earlier);
        const asBefore = {
          ...(await disruptions(db).byId('tfl:a')),
          collected_at: clock('12:05').toISOString(),
          // An earlier release stored no time of its state: it counts from its beginning.
          since: null,
        };
        await collect(db, '12:05', [at({})]);
        expect(await disruptions(db).byId('tfl:a')).toEqual(asBefore);
        expect((await disruptions(db).history('tfl:a'))?.versions).toBe(1);

        const written = await writesTo(db, engine);
        await collect(db, '12:10', [at({})]);
        expect(await written()).toBe(0);
      },
    );

    it('counts an incident as unchanged if only more of it is read now', async () => {
      await storeEarlier(at({}), 'older1.JmYFXSHvEmGXzgHFpGr7PzkcVcu.');
      await collect(db, '12:05', [at({ facts: FACTS })]);
      expect(await disruptions(db).byId('tfl:a')).toMatchObject({
        updated_at: clock('12:00').toISOString(),
        facts: { place: 'M6, J4 to J5' },
      });
    });

    it('and as changed if its publisher says something else', async () => {
      await storeEarlier(at({}), 'older1.JmYFXSHvEmGXzgHFpGr7PzkcVcu.');
      await collect(db, '12:05', [at({ title: 'Closed' })]);
      expect((await disruptions(db).byId('tfl:a'))?.updated_at).toBe(clock('12:05').toISOString());
    });
  });

  it('stores a new reading of the same words without a time of change or a version', async () => {
    const read = (place: string) =>
      incident({
        event_id: 'tfl:a',
        facts: factsOf({ place }),
        metadata: { clock_skew: place === 'M6' },
      });
    await collect(db, '12:00', [read('M6')]);
    await collect(db, '12:05', [read('M6, J4 to J5')]);

    expect(await disruptions(db).byId('tfl:a')).toMatchObject({
      updated_at: clock('12:00').toISOString(),
      facts: { place: 'M6, J4 to J5' },
      metadata: { clock_skew: true },
    });
    expect((await disruptions(db).history('tfl:a'))?.versions).toBe(1);
  });
});

const time = (at: string) => at.slice(11, 16);

function inWords(row: Awaited<ReturnType<typeof rowsOf>>[number]): string {
  return row.ended_at
    ? `${row.event_id} ended ${row.ended_reason} ${time(row.ended_at)}, last seen ${time(row.last_seen_at)}`
    : `${row.event_id} in force, first seen ${time(row.first_seen_at)}`;
}

/** How many rows of disruptions were inserted or updated since. */
async function writesTo(db: Db, engine: 'sqlite' | 'postgres'): Promise<() => Promise<number>> {
  if (engine === 'postgres') {
    // Every row knows the transaction that wrote it.
    const read = async () => {
      const { rows } = await sql<{ event_id: string; xmin: string }>`
        select event_id, xmin::text as xmin from disruptions`.execute(db);
      return new Map(rows.map(({ event_id, xmin }) => [event_id, xmin]));
    };
    const before = await read();
    return async () => [...(await read())].filter(([id, xmin]) => before.get(id) !== xmin).length;
  }

  await sql`create temp table if not exists writes (event_id text)`.execute(db);
  await sql`delete from writes`.execute(db);
  for (const event of ['insert', 'update']) {
    await sql`create temp trigger if not exists ${sql.ref(`note_${event}`)} after ${sql.raw(event)} on disruptions
      begin insert into writes values (new.event_id); end`.execute(db);
  }
  return async () => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from writes`.execute(db);
    return rows[0]!.count;
  };
}
