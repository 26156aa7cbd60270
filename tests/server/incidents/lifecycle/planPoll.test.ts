import { describe, expect, it } from 'vitest';
import type { InForce, Plan } from '../../../../server/incidents/lifecycle/lifecycleStore.ts';
import { planPoll, type Listed, type Poll } from '../../../../server/incidents/lifecycle/planPoll.ts';
import { clock, incident } from '../incidents.ts';
import { factsOf } from '../../../support/facts.ts';

const at = (time: string) => clock(time).toISOString();

/** An incident in force since 10:00, seen by the last poll, at 11:55. Its content has the hash `old`. */
const standing = (event_id: string, changes: Partial<InForce> = {}): InForce => ({
  event_id,
  content_hash: 'old',
  kind: 'alert',
  severity: 'high',
  phase: 'active',
  start_time: at('10:00'),
  end_time: null,
  ends_on_time: 1,
  updated_at: at('10:00'),
  first_seen_at: at('10:00'),
  absent_polls: 0,
  unseen: 0,
  last_seen_at: at('11:55'),
  ...changes,
});

/** The record as the publisher lists it at 12:00. */
const listed = (
  event_id: string,
  { hash = 'old', ...changes }: Partial<Parameters<typeof incident>[0]> & { hash?: string } = {},
): Listed => ({ record: incident({ event_id, ...changes }), content_hash: hash });

/** The plan as lines, `a ends: absent`, in the order of the ids; incidents that are not named stay as they are. */
function inWords(plan: Plan): string[] {
  return [
    ...plan.begins.map(({ event_id }) => `${event_id} begins`),
    ...plan.changes.map(({ event_id }) => `${event_id} changes`),
    ...plan.ends.map(
      ({ event_id, why, incident: last }) => `${event_id} ends: ${why}${last ? ', listed' : ''}`,
    ),
    ...plan.returns.map((id) => `${id} returns`),
    ...plan.missing.map((id) => `${id} is missing`),
    ...plan.unseen.map((id) => `${id} is unseen`),
    ...(plan.isSuspect ? ['suspect'] : []),
    ...(plan.suspectPolls ? [`suspect polls: ${plan.suspectPolls}`] : []),
  ].sort();
}

interface Case {
  rule: string;
  before?: InForce[];
  suspectPolls?: number;
  lists?: Listed[];
  poll?: Partial<Omit<Poll, 'listed' | 'at' | 'over' | 'unreadable'>> & {
    over?: string[];
    unreadable?: string[];
  };
  plan: string[];
}

const missedOnce = { absent_polls: 1, unseen: 1 };
const past = { end_time: at('11:59') };

const CASES: Case[] = [
  { rule: 'nothing comes of nothing', plan: [] },
  { rule: 'an incident begins when it is first listed', lists: [listed('a')], plan: ['a begins'] },
  {
    rule: 'also in a part of the source',
    lists: [listed('a')],
    poll: { complete: false },
    plan: ['a begins'],
  },
  {
    rule: 'one whose end time has passed never begins',
    lists: [listed('a', past)],
    plan: [],
  },
  {
    rule: 'nor one whose end is now, and one in force ends then',
    before: [standing('b'), standing('c', { end_time: at('12:00') })],
    lists: [listed('a', { end_time: at('12:00') }), listed('b', { end_time: at('12:00') })],
    plan: ['b ends: end_time, listed', 'c ends: end_time'],
  },
  {
    rule: 'unless its publisher is trusted beyond it',
    lists: [listed('a', { ...past, metadata: { trust_status: true } })],
    plan: ['a begins'],
  },
  { rule: 'one that is listed as before stays', before: [standing('a')], lists: [listed('a')], plan: [] },
  {
    rule: 'one with other content changes',
    before: [standing('a')],
    lists: [listed('a', { hash: 'new' })],
    plan: ['a changes'],
  },
  {
    rule: 'so does one that was stored by a clock that was ahead',
    before: [standing('a', { last_seen_at: at('12:30') })],
    lists: [listed('a')],
    plan: ['a changes'],
  },
  {
    rule: 'and not one that was stored in this very moment',
    before: [standing('a', { last_seen_at: at('12:00') })],
    lists: [listed('a')],
    plan: [],
  },
  {
    rule: 'one that was counted as missing returns, although it was seen',
    before: [standing('a', { absent_polls: 1 })],
    lists: [listed('a')],
    plan: ['a returns'],
  },
  {
    rule: 'one that was missing returns, whether that counted or not',
    before: [standing('a', missedOnce), standing('b', { unseen: 1 })],
    lists: [listed('a'), listed('b')],
    plan: ['a returns', 'b returns'],
  },
  {
    rule: 'one that returns with other content changes',
    before: [standing('a', missedOnce)],
    lists: [listed('a', { hash: 'new' })],
    plan: ['a changes'],
  },
  {
    rule: 'one whose end time has passed ends, though it is listed',
    before: [standing('a'), standing('b')],
    lists: [listed('a', past), listed('b', { ...past, hash: 'new' })],
    poll: { complete: false },
    plan: ['a ends: end_time, listed', 'b ends: end_time, listed'],
  },
  { rule: 'one that is no longer listed ends', before: [standing('a')], plan: ['a ends: absent'] },
  {
    rule: 'by its end time, if that has passed',
    before: [standing('a', past), standing('b', { ...past, ends_on_time: 0 })],
    plan: ['a ends: end_time', 'b ends: absent'],
  },
  {
    rule: 'where two polls are needed, the first counts',
    before: [standing('a')],
    poll: { absentPolls: 2 },
    plan: ['a is missing'],
  },
  {
    rule: 'and the second ends it',
    before: [standing('a', missedOnce)],
    poll: { absentPolls: 2 },
    plan: ['a ends: absent'],
  },
  {
    rule: 'a part of the source ends nothing, and does not count',
    before: [standing('a'), standing('b', missedOnce)],
    poll: { complete: false, absentPolls: 2 },
    plan: ['a is unseen'],
  },
  {
    rule: 'one listed as over ends at once, by its publisher',
    before: [standing('a'), standing('b')],
    lists: [listed('b')],
    poll: { over: ['a', 'b', 'unknown'], absentPolls: 2 },
    plan: ['a ends: publisher'],
  },
  {
    rule: 'or by its end time, if that has passed',
    before: [standing('a', past)],
    poll: { over: ['a'] },
    plan: ['a ends: end_time'],
  },
  {
    rule: 'but not in a part of the source',
    before: [standing('a')],
    poll: { over: ['a'], complete: false },
    plan: ['a is unseen'],
  },
  {
    rule: 'nor if a record of it could not be read',
    before: [standing('a')],
    poll: { over: ['a'], unreadable: ['a'] },
    plan: ['a is unseen'],
  },
  {
    rule: 'one that could not be read is not known to be over',
    before: [standing('a'), standing('b', { unseen: 1 })],
    poll: { unreadable: ['a', 'b'] },
    plan: ['a is unseen'],
  },
  {
    rule: 'nor is one that a list of the newest has no room for',
    before: [standing('a'), standing('b', { updated_at: at('11:00') })],
    poll: { listedSince: at('11:00') },
    plan: ['a is unseen', 'b ends: absent'],
  },
  {
    rule: 'one that no part has listed for too long expires',
    before: [
      standing('seen'),
      standing('old', { unseen: 1, last_seen_at: at('11:29') }),
      standing('young', { unseen: 1, last_seen_at: at('11:30') }),
      standing('unreadable', { unseen: 1, last_seen_at: at('11:00') }),
    ],
    poll: { complete: false, maxAgeMinutes: 30, unreadable: ['unreadable'] },
    plan: ['old ends: expired', 'seen is unseen'],
  },
  {
    rule: 'unless a list of the newest has no room for it',
    before: [standing('a', { unseen: 1, last_seen_at: at('11:00') })],
    poll: { complete: false, maxAgeMinutes: 30, listedSince: at('11:30') },
    plan: [],
  },
  {
    rule: 'where empty means a fault, an empty poll ends nothing',
    before: [standing('a')],
    poll: { neverEmpty: true },
    plan: ['a is unseen', 'suspect', 'suspect polls: 1'],
  },
  {
    rule: 'nor does the second',
    before: [standing('a', { unseen: 1 })],
    suspectPolls: 1,
    poll: { neverEmpty: true },
    plan: ['suspect', 'suspect polls: 2'],
  },
  {
    rule: 'the third confirms it, however many polls the source needs',
    before: [standing('a', { unseen: 1 })],
    suspectPolls: 2,
    poll: { neverEmpty: true, absentPolls: 2 },
    plan: ['a ends: absent'],
  },
  {
    rule: 'a part of the source confirms nothing, and undoes nothing',
    before: [standing('a', { unseen: 1 })],
    suspectPolls: 2,
    poll: { neverEmpty: true, complete: false },
    plan: ['suspect', 'suspect polls: 2'],
  },
  {
    rule: 'age ends nothing while a collapse is suspect',
    before: [standing('a', { unseen: 1, last_seen_at: at('11:00') })],
    suspectPolls: 1,
    poll: { neverEmpty: true, maxAgeMinutes: 30 },
    plan: ['suspect', 'suspect polls: 2'],
  },
  {
    rule: 'any record at all ends the suspicion',
    before: [standing('a'), standing('b')],
    suspectPolls: 2,
    lists: [listed('a')],
    poll: { neverEmpty: true },
    plan: ['b ends: absent'],
  },
  {
    rule: 'everything listed as over is no collapse',
    before: [standing('a'), standing('b')],
    poll: { neverEmpty: true, over: ['a', 'b'] },
    plan: ['a ends: publisher', 'b ends: publisher'],
  },
  {
    rule: 'but what is then not mentioned is suspect',
    before: [standing('a'), standing('b')],
    poll: { neverEmpty: true, over: ['a'] },
    plan: ['a ends: publisher', 'b is unseen', 'suspect', 'suspect polls: 1'],
  },
  { rule: 'where nothing was in force, empty is no collapse', poll: { neverEmpty: true }, plan: [] },
];

const polled = ({ before = [], suspectPolls = 0, lists = [], poll = {} }: Omit<Case, 'rule' | 'plan'>) =>
  planPoll(
    {
      complete: true,
      absentPolls: 1,
      neverEmpty: false,
      ...poll,
      over: new Set(poll.over),
      unreadable: new Set(poll.unreadable),
      listed: new Map(lists.map((one) => [one.record.event_id, one])),
      at: at('12:00'),
    },
    { inForce: before, suspectPolls },
  );

describe('the plan of a poll', () => {
  it.each(CASES)('$rule', ({ plan, ...given }) => {
    const made = polled(given);
    expect(inWords(made)).toEqual(plan);
    const ended = given.before?.filter(({ event_id }) => made.ends.some((one) => one.event_id === event_id));
    const { returns, missing, unseen, changes, unchanged } = made;
    const stays = [returns, missing, unseen, changes].reduce((sum, { length }) => sum + length, unchanged);
    expect(stays + (ended?.length ?? 0)).toBe(given.before?.length ?? 0);
  });

  const TIMES: {
    rule: string;
    before?: Partial<InForce>;
    record?: Parameters<typeof listed>[1];
    updated: string;
    start: string;
    firstSeen?: string;
  }[] = [
    {
      rule: "the publisher's times stand",
      record: { updated_at: at('09:30'), start_time: at('09:00') },
      updated: '09:30',
      start: '09:00',
      firstSeen: '12:00',
    },
    {
      rule: 'without any, both are when it was first seen',
      updated: '12:00',
      start: '12:00',
      firstSeen: '12:00',
    },
    {
      rule: 'a new one without a time of change changed when it began',
      record: { start_time: at('09:00') },
      updated: '09:00',
      start: '09:00',
      firstSeen: '12:00',
    },
    {
      rule: 'unless that is in the future',
      record: { start_time: at('23:00') },
      updated: '12:00',
      start: '23:00',
      firstSeen: '12:00',
    },
    {
      rule: 'a change is dated when it was seen',
      before: {},
      record: { hash: 'new' },
      updated: '12:00',
      start: '10:00',
    },
    {
      rule: 'also where its publisher says when it began',
      before: {},
      record: { hash: 'new', start_time: at('09:00') },
      updated: '12:00',
      start: '09:00',
    },
    {
      rule: 'an operator that is disrupted again begins again',
      before: { kind: 'status' },
      record: { hash: 'new' },
      updated: '12:00',
      start: '12:00',
      firstSeen: '12:00',
    },
    {
      rule: 'times that a clock wrote that was ahead are corrected',
      before: {
        last_seen_at: at('12:30'),
        updated_at: at('12:20'),
        first_seen_at: at('12:20'),
        start_time: at('12:20'),
      },
      updated: '12:00',
      start: '12:00',
      firstSeen: '12:00',
    },
    {
      rule: 'and the others stay',
      before: { last_seen_at: at('12:30') },
      updated: '10:00',
      start: '10:00',
    },
    {
      rule: 'one that ends unchanged keeps the time of its change',
      before: { content_hash: 'old', end_time: at('11:59') },
      record: past,
      updated: '10:00',
      start: '10:00',
    },
  ];
  it.each(TIMES)('$rule', ({ before, record, updated, start, firstSeen = '10:00' }) => {
    const { begins, changes, ends } = polled({
      before: before ? [standing('a', before)] : [],
      lists: [listed('a', record)],
    });
    const [one] = [...begins, ...changes, ...ends.flatMap(({ incident: last }) => last ?? [])];
    expect([one?.updated_at, one?.start_time, one?.first_seen_at]).toEqual([
      at(updated),
      at(start),
      at(firstSeen),
    ]);
  });

  it('notes what begins, what changes its grade and what ends, with the grades', () => {
    const { log } = polled({
      before: [standing('m62'), standing('same'), standing('ended'), standing('past')],
      lists: [
        listed('new', { severity: 'medium' }),
        listed('m62', { hash: 'new', severity: 'critical' }),
        listed('same'),
        listed('past', { end_time: at('11:59') }),
      ],
    });
    const kinds = log.map(({ event_id, kind, severity_from, severity_to }) =>
      [event_id, kind, severity_from, severity_to].join(' '),
    );
    expect(kinds.filter((one) => !/ended|past/.test(one)).toSorted()).toEqual([
      'm62 worse high critical',
      'new began  medium',
    ]);
    expect(log.map(({ event_id }) => event_id).toSorted()).toEqual(['ended', 'm62', 'new', 'past']);
  });

  it('says where a start is only when we first saw it', () => {
    const startOf = (start_time: string | null) => {
      const { begins } = polled({ before: [], lists: [listed('a', { start_time })] });
      return begins[0]?.metadata.start_seen;
    };
    expect(startOf(null)).toBe(true);
    expect(startOf(at('09:00'))).toBeUndefined();
  });
});

describe('since when an incident is as it is', () => {
  const content = { ...incident({ event_id: 'a' }), severity: 'high' as const };
  const before = standing('a', { content });
  const sinceOf = (changes: Parameters<typeof listed>[1], was: InForce = before) =>
    planOf([was], listed('a', { hash: 'new', ...changes })).changes[0]?.since;
  const planOf = (inForce: InForce[], one: Listed) =>
    planPoll(
      {
        listed: new Map([[one.record.event_id, one]]),
        over: new Set(),
        unreadable: new Set(),
        complete: true,
        absentPolls: 1,
        neverEmpty: false,
        at: at('12:00'),
      },
      { inForce, suspectPolls: 0 },
    );
  const closed = { facts: factsOf({ effect: 'closed' }) };

  it('is missing for an incident that begins', () => {
    expect(planOf([], listed('a')).begins[0]?.since).toBeNull();
  });

  it('is when its publisher changed its grade or effect, otherwise when we saw that', () => {
    expect(sinceOf({ severity: 'critical', updated_at: at('11:58') })).toBe(at('11:58'));
    expect(sinceOf({ severity: 'high', title: 'Closed', ...closed, updated_at: null })).toBe(at('12:00'));
    expect(sinceOf({ severity: 'critical', updated_at: at('13:00') })).toBe(at('12:00'));
    // A time that was there before the change is not the time of the change.
    expect(sinceOf({ severity: 'critical', updated_at: at('10:00') })).toBe(at('12:00'));
    expect(sinceOf({ severity: 'critical', updated_at: at('10:01') })).toBe(at('10:01'));
  });

  it('stays while only other words change', () => {
    const was = standing('a', { content: { ...content, since: at('11:30') } });
    expect(sinceOf({ severity: 'high', title: 'In other words', updated_at: at('11:58') }, was)).toBe(
      at('11:30'),
    );
  });

  it('is the publisher’s own if there is one, unless that lies ahead', () => {
    expect(sinceOf({ severity: 'high', since: at('11:15') })).toBe(at('11:15'));
    expect(sinceOf({ severity: 'high', since: at('12:00') })).toBe(at('12:00'));
    expect(sinceOf({ severity: 'high', since: at('12:30') })).toBeNull();
  });

  it('is the start of a planned incident that begins', () => {
    const was = standing('a', { phase: 'planned', content: { ...content, phase: 'planned' } });
    expect(sinceOf({ severity: 'high', ...closed }, was)).toBeNull();
  });
});
