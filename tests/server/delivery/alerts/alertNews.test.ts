import { describe, expect, it } from 'vitest';
import type { Severity } from '#contract/incidents/severity.ts';
import { type Alert, isFiring, nextAlert, NORMAL } from '../../../../server/delivery/alerts/alertStates.ts';
import { inhibited, type Placed } from '../../../../server/delivery/alerts/watchAlerts.ts';
import { addToDigests, digestDue } from '../../../../server/delivery/alerts/digests.ts';
import {
  type Firing,
  type LastSent,
  nextEnds,
  nextOpened,
  nextStep,
  without,
} from '../../../../server/delivery/alerts/alertNews.ts';
import type { AlertWatch, Touch } from '../../../../server/delivery/alerts/alertStore.ts';
import { type Digested, groupWords } from '../../../../server/delivery/alerts/messageWords.ts';
import { isQuiet } from '../../../../server/delivery/alerts/quietHours.ts';
import type { Look } from '../../../../server/delivery/outbox/notifierRun.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = Date.parse('2026-11-21T08:00:00Z');

interface Seen {
  severity: Severity | null;
  ended?: boolean;
  unknown?: boolean;
  snoozed?: boolean;
  acknowledged?: boolean;
}

/** A route with one receiver, checked every `every`; the incidents are a function of the time. */
function run(
  ids: readonly string[],
  seen: (id: string, at: number) => Seen,
  {
    until,
    every = 5 * SECOND,
    quiet = () => false,
    restartEvery = 0,
    start = START,
  }: {
    until: number;
    every?: number;
    quiet?: (at: number) => boolean;
    restartEvery?: number;
    start?: number;
  },
) {
  let alerts = new Map<string, Alert>();
  let lastSent: LastSent | null = null;
  const sent: { at: number; why: string; ids: readonly string[]; isLast: boolean }[] = [];
  let round = 0;
  for (let at = 0; at <= until; at += every) {
    const now = start + at;
    if (restartEvery && round++ % restartEvery === 0) {
      alerts = new Map(JSON.parse(JSON.stringify([...alerts])) as [string, Alert][]);
      lastSent = JSON.parse(JSON.stringify(lastSent)) as LastSent | null;
    }
    const firing: Firing[] = [];
    const cleared: string[] = [];
    for (const id of ids) {
      const { severity, ended, unknown, snoozed, acknowledged } = seen(id, at);
      const alert = nextAlert(
        alerts.get(id) ?? NORMAL(now, 'low'),
        unknown
          ? { seen: 'unknown' }
          : severity
            ? { seen: 'there', severity }
            : { seen: ended ? 'ended' : 'out' },
        now,
      );
      alerts.set(id, alert);
      if (alert.state === 'normal' && ended) cleared.push(id);
      if (!isFiring(alert)) continue;
      firing.push({
        id,
        severity: alert.severity,
        since: alert.since,
        urgent_at: alert.urgent_at,
        isBlind: alert.no_data_since !== null,
        isAcknowledged: acknowledged ?? false,
        isOver: alert.state === 'recovering',
        held: snoozed ? 'snoozed' : null,
      });
    }
    for (const next of [
      (last: LastSent | null) => nextStep(last, firing, now),
      (last: LastSent | null) => nextEnds(last, 'cleared', cleared),
    ]) {
      const step = next(lastSent);
      if (step.kind === 'wait' || (step.kind === 'send' && quiet(now))) continue;
      lastSent = step.lastSent;
      if (step.kind === 'send') sent.push({ at, why: step.why, ids: step.ids, isLast: step.isLast });
    }
  }
  return sent;
}

const whys = (sent: ReturnType<typeof run>) => sent.map(({ at, why }) => `${why} ${at / MINUTE}`);
const ids = (count: number) => Array.from({ length: count }, (_, index) => `i${index}`);

describe.each([0, 7])('the messages of a route, restarted every %i looks', (restartEvery) => {
  it('are at most 2 for 50 flaps in 10 min at critical', () => {
    const flap = (at: number): Seen =>
      at < 10 * MINUTE && Math.floor(at / (6 * SECOND)) % 2 === 0
        ? { severity: 'critical' }
        : { severity: null, ended: true };
    const sent = run(['one'], (_, at) => flap(at), { until: 2 * HOUR, every: SECOND, restartEvery });
    expect(sent.map(({ why }) => why)).toEqual(['new', 'cleared']);
  });

  it('are 1 for 30 at once, and 1 when all have ended', () => {
    const sent = run(
      ids(30),
      (_, at) => (at < HOUR ? { severity: 'critical' } : { severity: null, ended: true }),
      { until: 2 * HOUR, restartEvery },
    );
    expect(whys(sent)).toEqual(['new 0.5', 'cleared 70']);
    expect(sent.map((one) => one.ids.length)).toEqual([30, 30]);
  });

  it('never say cleared while a source is dead for 70 min', () => {
    const dead = (at: number): Seen =>
      at >= 10 * MINUTE && at < 80 * MINUTE ? { severity: null, unknown: true } : { severity: 'critical' };
    expect(whys(run(['one'], (_, at) => dead(at), { until: 100 * MINUTE, restartEvery }))).toEqual([
      'new 0.5',
    ]);
    const gone = (at: number): Seen => (at < 10 * MINUTE ? { severity: 'critical' } : { severity: null });
    expect(whys(run(['one'], (_, at) => gone(at), { until: 100 * MINUTE, restartEvery }))).toEqual([
      'new 0.5',
    ]);
  });

  it('say nothing about incidents that cannot be seen at the time of sending, until they are seen again', () => {
    const hidden = (at: number): Seen =>
      at >= 20 * SECOND && at < 10 * MINUTE ? { severity: null, unknown: true } : { severity: 'critical' };
    expect(whys(run(['one'], (_, at) => hidden(at), { until: HOUR, restartEvery }))).toEqual(['new 10']);
  });

  it('are 1 at once for a snoozed high one that turns critical', () => {
    const worse = 20 * MINUTE;
    const sent = run(
      ['one'],
      (_, at) => (at < worse ? { severity: 'high', snoozed: true } : { severity: 'critical' }),
      { until: HOUR, restartEvery },
    );
    expect(whys(sent)).toEqual(['new 20']);
  });

  it('are 1 and 1 after 4 h for an unacknowledged critical one, and none once it is acknowledged', () => {
    const sent = run(['one'], (_, at) => ({ severity: 'critical', acknowledged: at > 5 * HOUR }), {
      until: 20 * HOUR,
      every: 30 * SECOND,
      restartEvery,
    });
    expect(whys(sent)).toEqual(['new 0.5', 'repeat 240.5']);
  });

  it('repeat at most 3 times, and say which is the last', () => {
    const sent = run(['one'], () => ({ severity: 'critical' }), {
      until: 40 * HOUR,
      every: 30 * SECOND,
      restartEvery,
    });
    expect(sent.map(({ why, isLast }) => `${why}${isLast ? ', the last' : ''}`)).toEqual([
      'new',
      'repeat',
      'repeat',
      'repeat, the last',
    ]);
  });

  it('wait 5 min after one message for the next, but not for a rise to critical', () => {
    const sent = run(
      ['a', 'b', 'c'],
      (id, at) => {
        if (id === 'a') return { severity: 'critical' };
        if (id === 'b') return { severity: at >= MINUTE ? 'critical' : null };
        return { severity: at < 7 * MINUTE ? 'medium' : 'critical' };
      },
      { until: 30 * MINUTE, restartEvery },
    );
    // c is sent as medium at 5 min, with b; it is sent again at once when it turns critical.
    expect(whys(sent)).toEqual(['new 0.5', 'new 5.5', 'new 7']);
    expect(sent.map((one) => one.ids.join())).toEqual(['a', 'b,c', 'c']);
  });

  it('never name one that ended while it waited, not even beside a new one', () => {
    const sent = run(
      ['short', 'next'],
      (id, at) => {
        const isListed = id === 'short' ? at < 20 * SECOND : at >= 2 * MINUTE;
        return isListed ? { severity: 'critical' } : { severity: null, ended: true };
      },
      { until: 30 * MINUTE, restartEvery },
    );
    expect(sent.map(({ why, ids: about }) => `${why} ${about.join()}`)).toEqual(['new next']);
  });

  it('give the end of each, even of one that was sent before another was new', () => {
    const sent = run(
      ['first', 'held', 'third'],
      (id, at) => {
        const from = { first: 0, held: 0, third: 20 * MINUTE }[id]!;
        const isThere = at >= from && at < (id === 'first' ? 30 * MINUTE : HOUR);
        if (!isThere) return { severity: null, ended: at > from };
        return { severity: 'critical', acknowledged: true, snoozed: id === 'held' && at < 10 * MINUTE };
      },
      { until: 2 * HOUR, restartEvery },
    );
    expect(sent.map(({ why, ids: about }) => `${why} ${about.join()}`)).toEqual([
      'new first',
      'new held',
      'new third',
      'cleared first',
      'cleared held,third',
    ]);
  });

  it('begin again for one that was over for long while another went on', () => {
    const sent = run(
      ['long', 'again'],
      (id, at) =>
        id === 'long'
          ? { severity: 'critical', acknowledged: true }
          : at < HOUR || at >= 3 * HOUR
            ? { severity: 'critical', acknowledged: true }
            : { severity: null, ended: true },
      { until: 4 * HOUR, restartEvery },
    );
    // The end is sent although another incident goes on.
    expect(whys(sent)).toEqual(['new 0.5', 'cleared 70', 'new 180.5']);
  });

  it('name again one that came back after the vehicles were through, beside one that goes on', () => {
    const sent = run(
      ['long', 'again'],
      (id, at) => {
        const isAhead = id === 'long' || at < HOUR || at >= 3 * HOUR;
        return { severity: isAhead ? 'critical' : null, acknowledged: true };
      },
      { until: 4 * HOUR, restartEvery },
    );
    expect(sent.map(({ why, ids: about }) => `${why} ${about.join()}`)).toEqual([
      'new long,again',
      'new again',
    ]);
  });

  it('are 1 at 06:00 London for six mediums in the night in which the clocks go back', () => {
    const began = Date.parse('2026-10-24T21:30:00Z'); // 22:30 in London, in summer
    const night = { from: '22:00', to: '06:00', critical: false };
    const sent = run(ids(6), (id, at) => ({ severity: at >= Number(id.slice(1)) * HOUR ? 'medium' : null }), {
      start: began,
      until: 12 * HOUR,
      every: MINUTE,
      quiet: (now) => isQuiet(night, new Date(now)),
      restartEvery,
    });
    expect(sent.map(({ at }) => new Date(began + at).toISOString())).toEqual(['2026-10-25T06:00:00.000Z']);
    expect(sent[0]!.ids).toHaveLength(6);
  });

  it('go on even when the clock was set back by hours', () => {
    const lastSent: LastSent = { firing: ['a'], severities: { a: 'critical' }, sent_at: START, repeats: 0 };
    const one = (id: string, since: number): Firing => ({
      id,
      severity: 'critical',
      since,
      urgent_at: null,
      isBlind: false,
      isAcknowledged: false,
      isOver: false,
      held: null,
    });
    const now = START - 3 * HOUR;
    expect(nextStep(lastSent, [one('a', now - HOUR), one('b', now - 30 * SECOND)], now)).toMatchObject({
      kind: 'send',
      why: 'new',
      ids: ['b'],
    });
    // It still waits for others that come with it.
    expect(nextStep(lastSent, [one('a', now - HOUR), one('b', now)], now)).toEqual({
      kind: 'wait',
      dueAt: now + 30 * SECOND,
    });
    // The end is sent before the clock has caught up.
    expect(nextEnds(lastSent, 'cleared', ['a'])).toMatchObject({
      kind: 'send',
      why: 'cleared',
      ids: ['a'],
    });
  });
});

it.each([24, 2])('are repeated four hours after the clock was set back by %i hours, not later', (hours) => {
  const lastSent: LastSent = { firing: ['a'], severities: { a: 'critical' }, sent_at: START, repeats: 0 };
  const firing: Firing[] = [
    {
      id: 'a',
      severity: 'critical',
      since: START,
      urgent_at: null,
      isBlind: false,
      isAcknowledged: false,
      isOver: false,
      held: null,
    },
  ];
  const now = START - hours * HOUR;
  const step = nextStep(lastSent, firing, now);
  expect(step).toMatchObject({ kind: 'forget', lastSent: { ...lastSent, sent_at: now } });
  const { lastSent: kept } = step as { lastSent: LastSent };
  expect(nextStep(kept, firing, now)).toEqual({ kind: 'wait', dueAt: now + 4 * HOUR });
  expect(nextStep(kept, firing, now + 4 * HOUR)).toMatchObject({ kind: 'send', why: 'repeat' });
});

const placed = (id: string, from_km: number | null, to_km: number | null, effect: string | null): Placed => ({
  id,
  from_km,
  to_km,
  effect,
  event_type: 'road.incident',
});

describe('one step of the notifier', () => {
  const HOURS_AGO = START - 5 * HOUR;
  const one = (changes: Partial<Firing> = {}): Firing => ({
    id: 'a',
    severity: 'critical',
    since: HOURS_AGO,
    urgent_at: null,
    isBlind: false,
    isAcknowledged: false,
    isOver: false,
    held: null,
    ...changes,
  });
  const sentAt = (sent_at: number, changes: Partial<LastSent> = {}): LastSent => ({
    firing: ['a'],
    severities: { a: 'critical' },
    sent_at,
    repeats: 0,
    ...changes,
  });

  it('counts repeats from the start again after something new', () => {
    const before = sentAt(HOURS_AGO, { repeats: 3 });
    expect(nextStep(before, [one(), one({ id: 'b' })], START)).toMatchObject({
      kind: 'send',
      why: 'new',
      ids: ['b'],
      lastSent: { repeats: 0 },
    });
  });

  it('reminds of critical alerts that nobody has in hand, and of nothing else', () => {
    const step = (...firing: Firing[]) =>
      nextStep(
        sentAt(HOURS_AGO, {
          severities: Object.fromEntries(firing.map(({ id, severity }) => [id, severity])),
        }),
        firing,
        START,
      );
    const others = [
      { severity: 'high' as const },
      { isAcknowledged: true },
      { isBlind: true },
      { isOver: true },
      { held: 'Held: snoozed' },
    ].map((changes) => one({ id: 'b', ...changes }));
    for (const other of others) {
      expect(step(other)).toEqual({ kind: 'wait', dueAt: null });
      expect(step(one(), other)).toMatchObject({ kind: 'send', why: 'repeat', ids: ['a'] });
    }
    expect(step()).toEqual({ kind: 'wait', dueAt: null });
  });

  it('keeps the grade of an alert that eased and no longer fires, so that it is not said again', () => {
    const eased = sentAt(START, { severities: { a: 'low' } });
    expect(nextStep(eased, [], START)).toEqual({ kind: 'wait', dueAt: null });
  });

  it('waits thirty seconds for others, but never hours after the clock was set back', () => {
    const began = (since: number) => nextStep(null, [one({ since })], START);
    expect(began(START - 20_000)).toEqual({ kind: 'wait', dueAt: START + 10_000 });
    expect(began(START + 3 * HOUR).kind).toBe('send');
  });

  it('calls urgent only what became so after the last message', () => {
    const justSent = sentAt(START - MINUTE);
    const b = (urgent_at: number) => [one(), one({ id: 'b', since: START - MINUTE, urgent_at })];
    expect(nextStep(justSent, b(START - MINUTE + 1), START)).toMatchObject({ kind: 'send', ids: ['b'] });
    expect(nextStep(justSent, b(START - MINUTE), START).kind).toBe('wait');
    // One of several is enough.
    const milder = one({ id: 'c', since: START - MINUTE });
    expect(nextStep(justSent, [...b(START - MINUTE + 1), milder], START)).toMatchObject({ ids: ['b', 'c'] });
  });

  it('waits from the first of the new ones, and from the last message to the next', () => {
    const [early, late] = [one({ since: START - 25_000 }), one({ id: 'b', since: START - 1000 })];
    expect(nextStep(null, [early, late], START)).toEqual({ kind: 'wait', dueAt: START + 5000 });
    const news = [one(), one({ id: 'b' })];
    // The wait is longest at the moment of the message itself.
    expect(nextStep(sentAt(START), news, START)).toEqual({ kind: 'wait', dueAt: START + 5 * MINUTE });
  });

  it('sends no end if nothing was sent', () => {
    expect(nextEnds(null, 'cleared', ['a'])).toEqual({ kind: 'wait', dueAt: null });
    expect(nextOpened(null, [one({ severity: 'medium' })], START)).toEqual({ kind: 'wait', dueAt: null });
  });

  it('forgets the end and the grade of incidents that are no longer stored, and of no others', () => {
    const both = sentAt(START, { firing: ['a', 'b'], severities: { a: 'critical', b: 'high' } });
    expect(without(both, ['a'])).toEqual({ ...both, firing: ['b'], severities: { b: 'high' } });
  });

  it('says that a closure is open again only if its grade is lower than the one that was sent', () => {
    expect(nextOpened(sentAt(HOURS_AGO), [one()], START).kind).toBe('wait');
    const lower = [one({ severity: 'medium' })];
    expect(nextOpened(sentAt(HOURS_AGO), lower, START)).toMatchObject({
      kind: 'send',
      why: 'eased',
      ids: ['a'],
    });
    for (const changes of [{ isOver: true }, { isBlind: true }, { held: 'Held: snoozed' }])
      expect(nextOpened(sentAt(HOURS_AGO), [one({ severity: 'medium', ...changes })], START).kind).toBe(
        'wait',
      );
  });

  it('waits with it for ten minutes, but never hours after the clock was set back', () => {
    // Another message since then makes the wait no longer.
    const lower = (since: number) => nextOpened(sentAt(START), [one({ severity: 'medium', since })], START);
    expect(lower(START - MINUTE)).toEqual({ kind: 'wait', dueAt: START + 9 * MINUTE });
    expect(lower(START).kind).toBe('wait');
    expect(lower(START - 10 * MINUTE).kind).toBe('send');
    expect(lower(START + 3 * HOUR).kind).toBe('send');
  });

  it('says that an alert which no longer fires is open again only if it was sent', () => {
    const eased = one({ severity: 'low', since: -Infinity, isEased: true });
    const sent = sentAt(HOURS_AGO, { severities: {} });
    expect(nextOpened(sent, [eased], START)).toMatchObject({ kind: 'send', why: 'eased', ids: ['a'] });
    expect(nextOpened({ ...sent, firing: ['b'] }, [eased], START).kind).toBe('wait');
    expect(nextOpened(sent, [{ ...eased, isEased: false }], START).kind).toBe('wait');
  });

  it('keeps the grade that was sent for another closure that goes on', () => {
    const both = sentAt(HOURS_AGO, { firing: ['a', 'b'], severities: { a: 'critical', b: 'high' } });
    const now = [one({ severity: 'medium' }), one({ id: 'b', severity: 'critical' })];
    expect(nextOpened(both, now, START)).toMatchObject({
      ids: ['a'],
      lastSent: { severities: { a: 'medium', b: 'high' } },
    });
  });
});

it('keeps when the vehicle is there before it keeps the time of its source', () => {
  const title = 'Leeds Bradford Airport: departures 85 minutes late, arrivals 70 minutes late';
  const at = '2026-11-28T01:44:00Z';
  const reached = { at: new Date('2026-11-28T02:40:00Z'), begins: false };
  const one = { id: 'a', severity: 'critical', title, facts: null, source: 'airport-status' } as const;
  const { text } = groupWords('York to Leeds Bradford Airport', [{ ...one, updated_at: at, reached }], 'new');
  expect(text).toBe('York to Leeds Bradford Airport, reached about 02:40. Airport status.');
});

describe('inhibition', () => {
  it('leaves queues and lanes inside a closed stretch to the closure', () => {
    expect([
      ...inhibited([
        placed('closure', 10, 20, 'closed'),
        placed('queue', 12, 14, 'queues of 3 miles'),
        placed('lane', 10, 20, '2 of 3 lanes closed'),
        placed('before', 8, 14, 'long delays'),
        placed('flood', 12, 12, 'flooded'),
        placed('unplaced', null, null, 'queues'),
        placed('other closure', 11, 12, 'closed'),
      ]).entries(),
    ]).toEqual([
      ['queue', 'closure'],
      ['lane', 'closure'],
    ]);
  });

  it('holds whichever way the route runs along the road', () => {
    const all = [placed('closure', 20, 10, 'closed'), placed('queue', 14, 12, 'queues')];
    expect([...inhibited(all)]).toEqual([['queue', 'closure']]);
    expect(inhibited([placed('closure', 20, 10, 'closed'), placed('queue', 14, 8, 'queues')]).size).toBe(0);
  });

  it('is caused only by a closed road, never by a lane, a slip road or a road that is open again', () => {
    for (const effect of ['1 lane closed', 'exit slip closed', 'reopened', 'partly blocked', 'queues'])
      expect(inhibited([placed('a', 0, 30, effect), placed('b', 5, 6, 'queues')]).size, effect).toBe(0);
  });
});

describe('a digest', () => {
  const at = new Date(START);
  const soon = (ms: number) => new Date(START + 24 * HOUR + ms).toISOString();
  type Channel = { id: string; alerts?: boolean; digest?: boolean; watch_ids?: string[] | null };
  const digested = (
    touch: object,
    tellMe: object = {},
    {
      channels = [{ id: 'phone' }],
      firing = [],
    }: { channels?: Channel[]; firing?: { title: string }[] } = {},
  ) => {
    const digests = new Map<string, Digested[]>();
    const one = {
      level: 'certain',
      severity: 'medium',
      phase: 'active',
      title: 'Queues',
      ended_at: null,
      start_time: null,
      source: 'tfl',
    };
    const rows = channels.map(({ id, alerts = true, digest = true, watch_ids = null }) => ({
      id,
      what: JSON.stringify({ alerts, digest, changes: false, brief: false }),
      watch_ids: watch_ids && JSON.stringify(watch_ids),
    }));
    addToDigests(
      {
        id: 'leeds',
        team_id: 'ours',
        name: 'Leeds',
        tellMe: { threshold: 'high', possible: 'digest', ...tellMe },
      } as unknown as AlertWatch,
      { touches: [{ ...one, ...touch }] as unknown as Touch[], firing },
      {
        byTeam: new Map([
          ['ours', rows],
          ['theirs', [{ ...rows[0], id: 'theirs' }]],
        ]),
        at,
        conditionOf: (source: string) => ({ freshness: source === 'silent' ? 'stale' : 'fresh' }),
      } as unknown as Look, // it reads nothing else
      digests,
    );
    return Object.fromEntries([...digests].map(([id, all]) => [id, all.map(({ kind }) => kind)]));
  };
  const NONE = { phone: [] };

  it('names incidents that are too mild to be sent at once, possible, or planned within a day', () => {
    expect(digested({})).toEqual({ phone: ['certain'] });
    expect(digested({ severity: null })).toEqual({ phone: ['certain'] });
    for (const severity of ['high', 'critical']) expect(digested({ severity })).toEqual(NONE);
    const planned = { phase: 'planned', severity: 'critical' };
    expect(digested({ ...planned, start_time: soon(0) })).toEqual({ phone: ['planned'] });
    expect(digested({ ...planned, start_time: soon(1) })).toEqual(NONE);
    expect(digested({ start_time: soon(1) })).toEqual({ phone: ['certain'] });
    const possible = { level: 'possible', severity: 'critical' };
    expect(digested(possible)).toEqual({ phone: ['possible'] });
    expect(digested(possible, { possible: 'no' })).toEqual(NONE);
    expect(digested({}, { possible: 'no' })).toEqual({ phone: ['certain'] });
  });

  it('names nothing that is over, silent, gone or without words, and no route that wants nothing', () => {
    const ended_at = at.toISOString();
    for (const gone of [
      { level: null },
      { title: null },
      { ended_at },
      { source: null },
      { source: 'silent' },
    ])
      expect(digested(gone), JSON.stringify(gone)).toEqual(NONE);
    expect(digested({}, { threshold: 'nothing' })).toEqual({});
  });

  it('goes to members who want it for this route, with urgent news that they get nowhere else', () => {
    const channels = [
      { id: 'phone' },
      { id: 'digest alone', alerts: false },
      { id: 'no digest', digest: false },
      { id: 'of another route', watch_ids: ['york'] },
      { id: 'of this route', watch_ids: ['leeds'] },
    ];
    expect(digested({ level: 'possible' }, {}, { channels, firing: [{ title: 'Closed' }] })).toEqual({
      phone: ['possible'],
      'digest alone': ['certain', 'possible'],
      'of this route': ['possible'],
    });
    const many = Array.from({ length: 21 }, (_, n) => ({ title: `${n}` }));
    const alone = [{ id: 'phone', alerts: false }];
    expect(digested({}, {}, { channels: alone, firing: many }).phone).toHaveLength(20);
  });
});

describe('quiet hours and the digest', () => {
  it('are on London’s clock', () => {
    const night = { from: '22:00', to: '06:00', critical: false };
    const at = (time: string) => isQuiet(night, new Date(time));
    expect(['21:59', '22:00', '23:59'].map((clock) => at(`2026-11-21T${clock}:00Z`))).toEqual([
      false,
      true,
      true,
    ]);
    expect([at('2026-07-01T04:59:00Z'), at('2026-07-01T05:00:00Z')]).toEqual([true, false]);
    expect([at('2026-10-25T00:30:00Z'), at('2026-10-25T05:59:00Z')]).toEqual([true, true]);
    expect(isQuiet({ ...night, to: '22:00' }, new Date('2026-11-21T23:00:00Z'))).toBe(false);
    expect(isQuiet(null, new Date())).toBe(false);
  });

  it('come once, at the chosen time, and never hours late', () => {
    const due = (clock: string, last: string | null) =>
      digestDue(
        '06:00 and 14:00',
        last === null ? null : Date.parse(last),
        new Date(`2026-11-21T${clock}:00Z`),
      )?.toISOString() ?? null;
    expect(due('05:59', null)).toBeNull();
    expect(due('06:00', null)).toBe('2026-11-21T06:00:00.000Z');
    expect(due('06:01', '2026-11-21T06:00:00.000Z')).toBeNull();
    expect(due('14:30', '2026-11-21T06:00:00.000Z')).toBe('2026-11-21T14:00:00.000Z');
    expect(due('09:00', null)).toBeNull();
    expect([due('08:00', null), due('08:01', null)]).toEqual(['2026-11-21T06:00:00.000Z', null]);
    expect(due('06:00', '2026-11-20T14:00:00.000Z')).toBe('2026-11-21T06:00:00.000Z');
    expect(digestDue('off', null, new Date('2026-11-21T06:00:00Z'))).toBeNull();
    expect(digestDue('06:00', null, new Date('2026-07-01T05:00:00Z'))?.toISOString()).toBe(
      '2026-07-01T05:00:00.000Z',
    );
  });
});

it.each([
  ['2026-11-29T02:34:00Z', 'Sun 02:34'],
  ['2026-07-04T23:34:00Z', 'Sun 00:34'],
])('says the day in London on which the vehicle is there, if it is another: %s is %s', (at, words) => {
  const reached = { at: new Date(at), begins: false, isOtherDay: true };
  const one = { id: 'a', severity: 'critical', title: 'M62 closed', facts: null, source: 'own' } as const;
  const { text } = groupWords('Leeds to Hull', [{ ...one, updated_at: null, reached }], 'new');
  expect(text).toContain(`reached about ${words}.`);
});
