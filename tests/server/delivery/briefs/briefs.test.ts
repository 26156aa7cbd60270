import { removeBefore, rowsWith } from '../../../../server/db/statements.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pageAddressOf } from '#contract/addresses.ts';
import { BRIEF_LIMITS, type BriefAsked, type BriefSheet, isClear } from '#contract/messages/briefs.ts';
import { dayAfter } from '#contract/watches/departures.ts';
import type { WatchList } from '#contract/watches/watches.ts';
import { EVERYONE } from '../../../../server/accounts/teams.ts';
import { users } from '../../../../server/accounts/users.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { briefSheet, sheetParts, subjectOf } from '../../../../server/delivery/briefs/briefSheet.ts';
import {
  isTooLate,
  LOOK_EVERY_MS,
  startBriefs,
  timesSince,
} from '../../../../server/delivery/briefs/briefs.ts';
import { briefs } from '../../../../server/delivery/briefs/briefStore.ts';
import { type Db, openMemoryDatabase } from '../../../../server/db/open.ts';
import { channels } from '../../../../server/delivery/outbox/channelStore.ts';
import { bodyOf } from '../../../../server/delivery/outbox/outboxStore.ts';
import { jobs } from '../../../../server/watches/jobs/jobStore.ts';
import { DATABASES, useDatabase } from '../../../support/databases.ts';
import { person } from '../../accounts/people.ts';
import { openTestApp } from '../../app/testApp.ts';
import { closure, type NotifierWorld, notifierWorld, SOURCE } from '../alerts/notifierWorld.ts';

const { jobRequest } = example;

const MINUTE = 60_000;
const ASKED: BriefAsked = {
  name: 'Morning brief',
  days: 127,
  times: ['06:00', '14:00'],
  about: 'jobs',
  watch_ids: null,
  horizon: 'today',
  user_ids: null,
  channel_ids: [],
};
const WHO = { teamId: EVERYONE, userId: 'rosa' };

describe('the times of a brief', () => {
  const times = (days: number, clocks: string[], from: string, to: string) =>
    timesSince({ days, times: clocks }, new Date(from), new Date(to)).map((at) => at.toISOString());

  it('are London’s, once each in both nights of the clock change', () => {
    expect(times(127, ['01:30', '06:00'], '2026-10-24T12:00:00Z', '2026-10-25T12:00:00Z')).toEqual([
      expect.stringMatching(/^2026-10-25T0[01]:30/),
      '2026-10-25T06:00:00.000Z',
    ]);
    expect(times(127, ['06:00'], '2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z')).toEqual([
      '2026-03-29T05:00:00.000Z',
    ]);
  });

  it('are those of its days alone', () => {
    const monday = 1;
    expect(times(monday, ['06:00'], '2026-11-21T00:00:00Z', '2026-11-26T00:00:00Z')).toEqual([
      '2026-11-23T06:00:00.000Z',
    ]);
  });

  it('come at their instant and once, in order, and never more than a week late', () => {
    const [six, seven] = ['2026-11-21T06:00:00.000Z', '2026-11-21T07:00:00.000Z'];
    expect(times(127, ['07:00', '06:00'], '2026-11-21T05:59:59.999Z', seven)).toEqual([six, seven]);
    expect(times(127, ['07:00', '06:00'], six, '2026-11-21T06:59:59.999Z')).toEqual([]);
    expect(times(127, ['06:00'], '2026-10-01T00:00:00Z', six)).toHaveLength(8);
    const late = (ms: number) => isTooLate(new Date(six), new Date(Date.parse(six) + ms));
    expect([late(60 * MINUTE), late(60 * MINUTE + 1)]).toEqual([false, true]);
  });
});

describe('the stored briefs of a team', () => {
  let db: Db;
  let close: () => Promise<void>;
  const at = (minutes: number) => new Date(Date.parse('2026-11-21T06:00:00.000Z') + minutes * MINUTE);
  beforeEach(async () => {
    ({ db, close } = await openMemoryDatabase());
    await users(db).insert(person('rosa'));
    const south = { id: 'south', name: 'South', shift_starts: '[]', created_at: at(0).toISOString() };
    await db.insertInto('teams').values(south).execute();
  });
  afterEach(() => close());
  const SOUTH = { teamId: 'south', userId: 'rosa' };

  it('are theirs alone to read, to change as they saw them, and to remove; their number is bounded', async () => {
    for (let count = 0; count < BRIEF_LIMITS.perTeam; count++)
      expect(await briefs(db).add(WHO, ASKED, at(0), `${count}`)).toBe(true);
    expect(await briefs(db).add(WHO, ASKED, at(0), 'one more')).toBe(false);
    expect(await briefs(db).add(SOUTH, ASKED, at(0), 'south')).toBe(true);
    expect((await briefs(db).ofTeam('south')).map(({ id }) => id)).toEqual(['south']);
    expect(await briefs(db).byId('south', '0')).toBeUndefined();
    const asked = { ...ASKED, name: 'Changed', times: ['14:00', '06:00', '14:00'] };
    expect(await briefs(db).change(SOUTH, { id: '0', rev: 1 }, asked, at(1))).toBe(false);
    expect(await briefs(db).change(WHO, { id: '0', rev: 1 }, asked, at(1))).toBe(true);
    expect(await briefs(db).change(WHO, { id: '0', rev: 1 }, ASKED, at(2))).toBe(false);
    expect(await briefs(db).byId(EVERYONE, '0')).toMatchObject({
      name: 'Changed',
      times: ['06:00', '14:00'],
    });
    expect(await briefs(db).byId(EVERYONE, '1')).toMatchObject({ name: ASKED.name, rev: 1 });
    expect(await briefs(db).remove('south', '0')).toBe(false);
    expect(await briefs(db).remove(EVERYONE, '0')).toBe(true);
    expect(await briefs(db).ofTeam(EVERYONE)).toHaveLength(BRIEF_LIMITS.perTeam - 1);
  });

  it('are compared with the last one sent at its time, never by hand or skipped', async () => {
    for (const id of ['one', 'other']) await briefs(db).add(WHO, ASKED, at(0), id);
    const note = (id: string, minutes: number, name: string | null, byHand = false) => {
      const page = name === null ? null : ({ from: name } as BriefSheet);
      return briefs(db).note(id, { at: at(minutes), made: at(minutes), subject: name, sheet: page, byHand });
    };
    expect(await briefs(db).lastSheet('one')).toBeUndefined();
    expect(await note('one', 1, 'first')).toBe(true);
    expect(await note('one', 1, 'again')).toBe(false);
    await note('one', 2, null);
    await note('one', 3, 'by hand', true);
    await note('other', 4, 'another');
    expect((await briefs(db).lastSheet('one'))?.from).toBe('first');
    expect(await briefs(db).lastRunAt('one')).toBe(at(2).toISOString());
    const team = { id: EVERYONE, name: 'Us' };
    const page = (who: typeof team, minutes: number) =>
      briefs(db).page(who, 'one', at(minutes).toISOString());
    expect(await page(team, 1)).toMatchObject({ subject: 'first' });
    expect(await page(team, 2)).toMatchObject({ subject: null, sheet: null });
    expect(await page(team, 4)).toBeUndefined();
    expect(await page({ id: 'south', name: 'South' }, 1)).toBeUndefined();
    expect((await briefs(db).byId(EVERYONE, 'one'))?.sent).toHaveLength(3);
    await removeBefore(db, 'brief_runs', 'made_at', at(2));
    expect([await page(team, 1), (await page(team, 2))?.subject]).toEqual([undefined, null]);
  });
});

describe('the words of a brief', () => {
  const at = new Date('2026-11-24T06:00:00Z');
  const incident = {
    event_id: 'nh:1',
    source: SOURCE,
    severity: 'critical',
    event_type: 'road.closure',
    title: 'M62 eastbound closed J26 to J27',
    start_time: '2026-11-24T05:31:00.000Z',
    end_time: null,
    metadata: { phase: 'active' },
    facts: {
      place: 'M62 eastbound, J26 to J27',
      effect: 'closed',
      cause: null,
      advice: [],
      expected_clear: '2026-11-24T18:32:00.000Z',
      delay_minutes: null,
      roads: ['M62'],
      stretch: [{ road: 'M62', from: 'J26', to: 'J27' }],
      closed: 'full',
    },
  };
  const list = (freshness: 'fresh' | 'stale', touched = true): WatchList =>
    ({
      watches: [
        {
          id: 'w1',
          name: 'Leeds to Heathrow',
          kind: 'route',
          length_km: 330,
          sources: [SOURCE],
          matches: touched
            ? [
                {
                  subject: 'disruption',
                  subject_id: 'nh:1',
                  level: 'certain',
                  why: '',
                  from_km: 23,
                  to_km: 30,
                },
              ]
            : [],
        },
      ],
      incidents: [incident],
      sources: [{ source: SOURCE, state: 'ok', freshness, last_collected: '2026-11-24T05:12:00.000Z' }],
    }) as unknown as WatchList;
  const job = (id: string, leaves_at: string, more: object = {}) =>
    ({
      ...jobRequest,
      id,
      day: '2026-11-24',
      leaves_at,
      left_at: null,
      arrived_at: null,
      cancelled_at: null,
      deadline_at: null,
      watch_id: 'w1',
      trip: 'Leeds Stn → Heathrow T5',
      duration_min: 260,
      vehicle: 'YN21 ABC',
      driver: 'M. Hussain',
      note: 'bay 4',
      ref: 'PC-2411',
      ...more,
    }) as never;
  const sheet = (one: WatchList, all: never[], before?: BriefSheet, responses: never[] = []): BriefSheet =>
    briefSheet({ asked: ASKED, list: one, jobs: all, responses, before }, at);

  it('gives the answer in its subject, in order, and names nobody and no vehicle', () => {
    const rosa = {
      event_id: 'nh:1',
      disposition: 'watching',
      by: { id: 'rosa', name: 'Rosa Jones' },
      at: '2026-11-24T06:02:00.000Z',
      lapsed: null,
    } as never;
    const all = [
      job('j1', '2026-11-24T06:10:00.000Z'),
      job('j2', '2026-11-24T20:10:00.000Z'),
      job('j3', '2026-11-24T07:10:00.000Z', { watch_id: null }),
    ];
    const said = sheet(list('fresh'), all, undefined, [rosa]);
    expect(subjectOf(said, at, list('fresh').incidents)).toBe(
      '2 of 3 jobs at risk, 1 cannot be seen, worst M62 J26 to J27 · 06:00',
    );
    expect(said.at_risk[0]).toEqual({
      time: '06:10',
      what: 'Leeds Stn to Heathrow T5',
      touched_by: 'M62 eastbound, J26 to J27: closed, reached about 06:28',
      event_id: 'nh:1',
      severity: 'critical',
      arrives: 'M62 closed',
      done: 'Watching, 06:02',
    });
    expect(said.unseen).toEqual(['1 job has no route: we cannot say.']);
    const text = JSON.stringify([said, sheetParts(said)]);
    expect(text).not.toMatch(/Rosa|YN21|Hussain|bay 4|PC-2411/);
    expect(sheetParts(said).map(({ heading }) => heading[0])).toEqual(['1', '2', '3', '4', '5', '6']);
    // Each sentence leads to its incident.
    for (const { lines } of sheetParts(said).slice(0, 2))
      expect(lines[0]).toMatchObject({ address: pageAddressOf('alert', 'nh:1') });
  });

  it('says from when a job meets a later incident, and that a job may be past one that it passed by plan', () => {
    const said = (start_time: string, leaves_at: string) => {
      const planned = { ...incident, start_time, metadata: { phase: 'planned' } };
      const known = { ...list('fresh'), incidents: [planned] as never[] };
      return sheet(known, [job('j1', leaves_at)]).at_risk[0]!.touched_by;
    };
    const closed = 'M62 eastbound, J26 to J27: closed';
    expect(said('2026-11-24T06:40:00.000Z', '2026-11-24T06:10:00.000Z')).toBe(`${closed}, from 06:40`);
    expect(said('2026-11-24T06:20:00.000Z', '2026-11-24T06:10:00.000Z')).toBe(
      `${closed}, reached about 06:28`,
    );
    expect(said('2026-11-24T05:00:00.000Z', '2026-11-24T05:30:00.000Z')).toBe(`${closed}, may be behind it`);
  });

  it('names the incident that closes the road of a job, and has the graver one among the worst', () => {
    const wind = {
      ...incident,
      event_id: 'mo:1',
      event_type: 'weather.wind',
      title: 'Red wind warning',
      facts: null,
    };
    const closure = { ...incident, severity: 'high' };
    const [route] = list('fresh').watches;
    const matches = [route!.matches[0]!, { ...route!.matches[0]!, subject_id: 'mo:1' }];
    const known = { ...list('fresh'), watches: [{ ...route!, matches }], incidents: [closure, wind] };
    const said = sheet(known as unknown as WatchList, [job('j1', '2026-11-24T06:10:00.000Z')]);
    expect(said.at_risk[0]).toMatchObject({
      touched_by: 'M62 eastbound, J26 to J27: closed, reached about 06:28',
      arrives: 'M62 closed',
      event_id: 'nh:1',
    });
    expect(said.worst.map(({ event_id }) => event_id)).toEqual(['mo:1', 'nh:1']);
  });

  it('has a job at risk that misses its deadline without an incident, and says why', () => {
    const deadline_at = '2026-11-24T10:00:00.000Z';
    const all = [
      job('j1', '2026-11-24T05:30:00.000Z', { left_at: '2026-11-24T05:55:00.000Z', deadline_at }),
      job('j2', '2026-11-24T05:30:00.000Z', { left_at: '2026-11-24T05:35:00.000Z', deadline_at }),
      job('j3', '2026-11-24T06:30:00.000Z', { deadline_at }),
    ];
    const said = sheet(list('fresh', false), all);
    expect(subjectOf(said, at, [])).toBe('2 of 3 jobs at risk · 06:00');
    const none = { what: 'Leeds Stn to Heathrow T5', event_id: null, severity: null, done: '' };
    expect(said.at_risk).toEqual([
      { ...none, time: '05:30', touched_by: 'Left 25 min late', arrives: '10:15, will miss it' },
      { ...none, time: '06:30', touched_by: 'Due after its deadline', arrives: '10:50, will miss it' },
    ]);
    expect(sheetParts(said)[1]!.lines).toEqual([
      '05:30 Leeds Stn to Heathrow T5: Left 25 min late · arrives 10:15, will miss it',
      '06:30 Leeds Stn to Heathrow T5: Due after its deadline · arrives 10:50, will miss it',
    ]);
    expect(sheet(list('fresh', false), [], said).changed).toEqual([]);
  });

  it('is sent on a quiet day, and calls nothing clear on a day without sight', () => {
    const quiet = sheet(list('fresh', false), [job('j1', '2026-11-24T06:10:00.000Z')]);
    expect(subjectOf(quiet, at, [])).toBe('0 of 1 job at risk · 06:00');
    const blind = sheet(list('stale'), [job('j1', '2026-11-24T06:10:00.000Z')]);
    expect(subjectOf(blind, at, [])).toBe('We cannot see · 06:00');
    expect(blind.at_risk).toEqual([]);
    expect(sheetParts(blind)[1]!.lines).toEqual(['We cannot say.']);
    expect(blind.unseen).toEqual([
      'National Highways has not answered since 05:12.',
      'Check by telephone before you send a coach.',
    ]);
  });

  it('calls nothing clear that it cannot see: without a route, with one that is checked, silent or deleted', () => {
    const here = list('fresh', false);
    const [route] = here.watches;
    const silent = { ...here.sources[0]!, source: 'tfl', freshness: 'stale' };
    const [checking, unheard] = [
      { ...route!, id: 'checking', matches: null, checking: true },
      { ...route!, id: 'unheard', sources: [SOURCE, 'tfl'] },
    ];
    const off = { ...silent, source: 'ea-flood', state: 'not_configured', freshness: null };
    const unasked = { ...route!, id: 'unasked', sources: ['ea-flood'] };
    const known = {
      ...here,
      watches: [...here.watches, checking, unheard, unasked],
      sources: [...here.sources, silent, off],
    } as unknown as WatchList;
    const said = (asked: Partial<BriefAsked>, ...routes: (string | null)[]) => {
      const all = routes.map((id, at) => job(`j${at}`, '2026-11-24T06:10:00.000Z', { watch_id: id }));
      const parts = {
        asked: { ...ASKED, ...asked },
        list: known,
        jobs: all,
        responses: [],
        before: undefined,
      };
      const one = briefSheet(parts, at);
      const [first, ...more] = sheetParts(one)
        .slice(0, 2)
        .map(({ lines }) => lines[0]);
      expect(more, 'below “at risk”').toEqual([isClear(one) ? 'Nothing' : first]);
      return { subject: subjectOf(one, at, []), first, clear: isClear(one), unseen: one.unseen };
    };
    const tfl = 'Transport for London has not answered since 05:12.';
    expect(said({}, 'w1')).toMatchObject({ first: 'Nothing is known to be at risk.', clear: true });
    expect(said({}, null, null)).toEqual({
      subject: 'We cannot see 2 of 2 jobs · 06:00',
      first: 'We cannot say.',
      clear: false,
      unseen: [tfl, '2 jobs have no route: we cannot say.'],
    });
    expect(said({}, 'w1', null, 'checking', 'unheard')).toEqual({
      subject: '0 of 4 jobs at risk, 3 cannot be seen · 06:00',
      first: 'We cannot say for 3 of 4. Nothing is known to be at risk among the others.',
      clear: false,
      unseen: [
        tfl,
        '1 job has no route: we cannot say.',
        '1 job has a route that is still being checked: we cannot say.',
      ],
    });
    // The routes of these briefs were deleted, and with them the routes of their jobs.
    expect(said({ watch_ids: ['gone'] }, null)).toMatchObject({
      subject: 'We cannot see 1 of 1 job · 06:00',
      clear: false,
      unseen: [tfl, '1 job has no route: we cannot say.', '1 route of this brief was deleted.'],
    });
    expect(said({ watch_ids: ['gone'] })).toMatchObject({
      first: 'There are no jobs to look at.',
      clear: false,
    });
    expect(said({ about: 'routes', watch_ids: ['gone', 'away'] })).toMatchObject({
      subject: 'We cannot see 2 of 2 routes · 06:00',
      clear: false,
    });
    expect(said({ about: 'routes' }).subject).toBe('0 of 4 routes at risk, 3 cannot be seen · 06:00');
    expect(said({ about: 'routes', watch_ids: ['unasked'] }).subject).toBe(
      'We cannot see 1 of 1 route · 06:00',
    );
  });

  it('about all feeds name those in trouble, worst first, and what is planned', () => {
    const mild = { ...incident, event_id: 'nh:2', severity: 'low', title: 'M1 slow' };
    const works = {
      ...incident,
      event_id: 'nh:3',
      metadata: { phase: 'planned' },
      start_time: '2026-11-24T20:00:00.000Z',
      end_time: '2026-11-25T05:00:00.000Z',
    };
    const { sources } = list('fresh');
    const feeds = [
      { title: 'Rail Network', events: [], sources },
      { title: 'UK Roads', events: [mild, incident, works] as never[], sources },
    ];
    const asked = { ...ASKED, about: 'feeds' as const };
    const known = { asked, list: list('fresh', false), jobs: [], responses: [], before: undefined };
    const said = briefSheet({ ...known, feeds }, at);
    expect(subjectOf(said, at, [incident] as never[])).toBe(
      '1 of 2 feeds in trouble, worst M62 J26 to J27 · 06:00',
    );
    expect(said.worst.map(({ event_id }) => event_id)).toEqual(['nh:1']);
    expect(said.at_risk).toMatchObject([{ what: 'UK Roads', event_id: 'nh:1', done: 'nobody yet' }]);
    expect(said.planned.map(({ event_id }) => event_id)).toEqual(['nh:3']);
    expect(sheetParts(said)[1]!.heading).toBe('2 Feeds in trouble');
    const [silent] = list('stale').sources;
    const partly = [{ ...feeds[0]!, sources: [...sources, { ...silent!, source: 'tfl' }] }, feeds[1]!];
    expect(briefSheet({ ...known, feeds: partly }, at).cannot_see).toBe(1);
    const off = { ...silent!, source: 'tfl', state: 'not_configured' as const };
    const whole = [{ ...feeds[0]!, sources: [...sources, off] }];
    expect(isClear(briefSheet({ ...known, feeds: whole }, at))).toBe(true);
  });

  it('keeps to one page: twelve, how many more, and when the first of those leaves', () => {
    const all = Array.from({ length: 300 }, (_, index) =>
      job(`j${index}`, new Date(at.getTime() + (10 + index) * MINUTE).toISOString()),
    );
    const said = sheet(list('fresh'), all);
    expect(said.at_risk).toHaveLength(12);
    expect(said.more).toBe('and 288 more, first 06:22');
  });

  it('has the worst of tomorrow that is in force on each route, the worst route first', () => {
    const one = (
      id: string,
      severity: string,
      start_time: string,
      end_time: string | null,
      phase = 'active',
    ) => ({
      ...incident,
      event_id: id,
      severity,
      start_time,
      end_time,
      title: id,
      metadata: { phase },
      facts: null,
    });
    const [began, night] = ['2026-11-24T05:31:00.000Z', '2026-11-24T22:00:00.000Z'];
    const morning = '2026-11-25T05:00:00.000Z';
    const incidents = [
      one('over by then', 'critical', began, night, 'planned'),
      one('mild', 'medium', began, null),
      one('grave', 'high', began, null),
      {
        ...one('by night', 'low', '2026-11-16T22:00:00.000Z', morning, 'planned'),
        collected_at: '2026-11-24T16:00:00.000Z',
        windows: [{ start: null, end: morning, from: '22:00', to: '05:00' }],
      },
      one('next week', 'critical', '2026-12-01T22:00:00.000Z', null, 'planned'),
    ];
    const route = (id: string, ...ids: string[]) => ({
      ...list('fresh').watches[0]!,
      id,
      name: id,
      matches: ids.map((subject_id) => ({ ...list('fresh').watches[0]!.matches[0]!, subject_id })),
    });
    const watches = [
      route('first', 'over by then', 'mild'),
      route('second', 'mild', 'grave', 'next week'),
      route('third', 'over by then', 'next week'),
      route('fourth', 'by night'),
    ];
    const asked: BriefAsked = { ...ASKED, about: 'routes', horizon: 'tomorrow' };
    const known = { ...list('fresh'), watches, incidents } as unknown as WatchList;
    const said = briefSheet({ asked, list: known, jobs: [], responses: [], before: undefined }, at);
    expect(said).toMatchObject({ from: '2026-11-25T00:00:00.000Z', to: '2026-11-26T00:00:00.000Z', of: 4 });
    expect(said.at_risk.map(({ what, touched_by }) => `${what}: ${touched_by}`)).toEqual([
      'second: grave',
      'first: mild',
      'fourth: by night',
    ]);
    expect(said.planned.map(({ text }) => text)).toEqual(['by night, from 22:00 until about 25 Nov 05:00']);
    expect(said.worst.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^grave, no end told\./),
      expect.stringMatching(/^mild, no end told\./),
      expect.stringMatching(/^by night, from 22:00 until about 25 Nov 05:00\./),
    ]);
  });

  it('are blind only if every source that can answer is silent, even one that has never answered', () => {
    const source = (
      name: string,
      freshness: string | null,
      state = 'ok',
      last_collected: string | null = null,
    ) => ({
      source: name,
      freshness,
      state,
      last_collected,
    });
    const said = (...sources: object[]) => sheet({ ...list('fresh'), sources } as never, []);
    expect(said()).toMatchObject({ blind: false, unseen: [] });
    const [old, never] = [source('tfl', 'stale', 'ok', at.toISOString()), source('ea-flood', null)];
    const roads = source('uncovered-roads', null, 'not_configured');
    expect(said(old, never, roads)).toMatchObject({
      blind: true,
      unseen: [
        'Transport for London has not answered since 06:00.',
        expect.stringMatching(/ has not answered\.$/),
        'Check by telephone before you send a coach.',
      ],
    });
    const fresh = source(SOURCE, 'fresh', 'ok', '2026-11-24T05:12:00.000Z');
    const seen = said(fresh, old, never);
    expect(seen.blind).toBe(false);
    expect(seen.ages.map(({ silent, at: then }) => [silent, then])).toEqual([
      [true, null],
      [true, at.toISOString()],
      [false, '2026-11-24T05:12:00.000Z'],
    ]);
    const many = Array.from({ length: 7 }, (_, n) => source(`source-${n}`, 'stale'));
    expect(said(fresh, ...many).unseen).toHaveLength(6);
    expect(said(fresh, ...many).unseen.at(-1)).toBe('and 2 more sources');
    expect(said(fresh, ...many.slice(2)).unseen.at(-1)).toMatch(/has not answered/);
  });

  it('counts no job that is over', () => {
    const over = '2026-11-24T05:59:00.000Z';
    const all = [
      job('j1', '2026-11-24T06:10:00.000Z'),
      job('arrived', '2026-11-24T06:10:00.000Z', { arrived_at: over }),
      job('cancelled', '2026-11-24T06:10:00.000Z', { cancelled_at: over }),
    ];
    expect(sheet(list('fresh'), all)).toMatchObject({ of: 1, risk: 1 });
  });

  it('names the day of a job that leaves on another day', () => {
    const all = [
      job('night', '2026-11-23T23:30:00.000Z', { deadline_at: '2026-11-24T03:00:00.000Z' }),
      job('today', '2026-11-24T06:10:00.000Z'),
      job('tomorrow', '2026-11-25T06:10:00.000Z'),
    ];
    const times = (horizon: BriefAsked['horizon']) => {
      const known = { list: list('fresh'), jobs: all, responses: [], before: undefined };
      return briefSheet({ ...known, asked: { ...ASKED, horizon } }, at).at_risk.map(({ time }) => time);
    };
    expect(times('today')).toEqual(['23 Nov 23:30', '06:10', '25 Nov 06:10']);
    expect(times('tomorrow').at(-1)).toBe('06:10');
  });

  it('say which incidents began, got worse or ended since the brief before', () => {
    const all = [job('j1', '2026-11-24T06:10:00.000Z')];
    const before = { ...sheet(list('fresh', false), all), from: '2026-11-23T06:00:00.000Z' };
    expect(sheet(list('fresh'), all, before).changed.map(({ text }) => text)).toEqual([
      'New: M62 eastbound, J26 to J27: closed',
    ]);
    const then = sheet(list('fresh'), all);
    expect(sheet(list('fresh'), all, then).changed).toEqual([]);
    // The incident began before the last brief, and touches the route only now.
    expect(sheet(list('fresh'), all, { ...before, from: '2026-11-24T05:31:00.001Z' }).changed).toEqual([]);
    const asHigh = (one: BriefSheet['worst'][number]) => ({ ...one, severity: 'high' as const });
    const milder = { ...then, worst: then.worst.map(asHigh), at_risk: [] };
    expect(sheet(list('fresh'), all, milder).changed.map(({ text }) => text)).toEqual([
      'Worse: M62 eastbound, J26 to J27: closed',
    ]);
    const over = { ...list('fresh', false), incidents: [] };
    expect(sheet(over, all, then).changed.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Over: M62 eastbound, J26 to J27: closed/),
    ]);
  });
});

describe.each(DATABASES)('sending a brief, on $engine', ({ open, once }) => {
  const database = useDatabase(open);
  let world: NotifierWorld;
  let nodes: ReturnType<typeof startBriefs>[];
  const errors: object[] = [];
  const node = (owner: string) =>
    startBriefs({
      db: database.db,
      mode: 'one',
      collectors: [],
      now: () => world.now(),
      log: { error: (fields) => errors.push(fields) },
      owner,
    });
  beforeEach(async () => {
    world = await notifierWorld(database.db);
    errors.length = 0;
    nodes = [node('one'), node('two')];
    await world.watch('leeds');
    await world.listed([closure()]);
  });
  afterEach(async () => {
    await Promise.all(nodes.map((one) => one.stop()));
    await world.stop();
  });
  const look = () => Promise.all(nodes.map((one) => one.changed()));
  const rowsTo = async (channel: string) => {
    const rows = await rowsWith(database.db, 'messages', { channel_id: channel }, ['created_at']).all();
    return rows.filter((row) => bodyOf(row).kind === 'brief');
  };
  const sent = async (channel: string) => (await rowsTo(channel)).map((row) => bodyOf(row));

  it('happens once, whichever node looks, and again at its next time; an e-mail has all six parts', async () => {
    const mail = await world.channel('email');
    world.set('2026-11-21T08:00:00Z');
    await briefs(database.db).add(WHO, { ...ASKED, channel_ids: [mail] }, world.now());
    // The second is on the sheet of the day before, and leaves at 14:45.
    for (const [day, leaves_local] of [
      ['2026-11-21', '15:00'],
      ['2026-11-20', '38:45'],
    ] as const) {
      const asked = { ...jobRequest, day, leaves_local, watch_id: 'leeds', duration_min: 240 };
      await jobs(database.db).add(WHO, asked, world.now());
    }
    // Nobody marks it, and the length of its route says that it arrives long before the next brief.
    const evening = { ...jobRequest, day: '2026-11-21', leaves_local: '22:00', deadline_local: null };
    const unmarked = { ...evening, watch_id: 'leeds', duration_min: null };
    await jobs(database.db).add(WHO, unmarked, world.now());
    await look();
    expect(await sent(mail)).toEqual([]);
    world.set('2026-11-21T14:00:05Z');
    for (let again = 0; again < 5; again++) await look();
    const [body, ...more] = await sent(mail);
    expect(more).toEqual([]);
    expect(body!.title).toMatch(/^3 of 3 jobs at risk, worst M62 .* · 14:00$/);
    expect(body!.letter).toHaveLength(6);
    // A device that is off for an hour still gets it.
    expect(await rowsTo(mail)).toMatchObject([{ valid_until: '2026-11-21T16:00:05.000Z' }]);
    world.set('2026-11-22T06:00:05Z');
    await look();
    expect((await sent(mail)).at(-1)!.title).toBe('0 of 0 jobs at risk · 06:00');
    expect(await sent(mail)).toHaveLength(2);
    expect(errors).toEqual([]);
  });

  it('is about the jobs of its routes alone, also of one that was deleted', async () => {
    const mail = await world.channel('email');
    world.set('2026-11-21T08:00:00Z');
    for (const id of ['gone', 'other']) await world.watch(id);
    const asked = { ...ASKED, watch_ids: ['leeds', 'gone'], channel_ids: [mail] };
    await briefs(database.db).add(WHO, asked, world.now());
    for (const watch_id of ['leeds', 'gone', 'other', null]) {
      const job = { ...jobRequest, day: '2026-11-21', leaves_local: '15:00', watch_id };
      await jobs(database.db).add(WHO, { ...job, duration_min: 240 }, world.now());
    }
    const archived = { archived_at: world.now().toISOString() };
    await database.db.updateTable('watches').set(archived).where('id', '=', 'gone').execute();
    world.set('2026-11-21T14:00:05Z');
    await look();
    expect((await sent(mail))[0]!.title).toMatch(/^1 of 2 jobs at risk, 1 cannot be seen, /);
  });

  once.each([
    ['2026-10-25', ['2026-10-25T00:30:00.000Z', '2026-10-25T06:00:00.000Z']],
    ['2027-03-28', ['2027-03-28T01:30:00.000Z', '2027-03-28T05:00:00.000Z']],
  ])('is made once, within a minute of its time, in the night of the clock change %s', async (day, times) => {
    world.set(`${dayAfter(day, -1)}T20:00:00Z`);
    await briefs(database.db).add(WHO, { ...ASKED, times: ['01:30', '06:00'] }, world.now(), 'one');
    // Each look of the worker around the hours at which either clock may show the time.
    for (const hour of ['00:30', '01:30', '02:30', '05:00', '06:00', '07:00']) {
      const at = Date.parse(`${day}T${hour}:00Z`);
      for (let ms = -2 * LOOK_EVERY_MS; ms <= 60_000; ms += LOOK_EVERY_MS) {
        world.set(new Date(at + ms + 3000).toISOString());
        await look();
      }
    }
    const runs = await database.db.selectFrom('brief_runs').selectAll().orderBy('at').execute();
    expect(runs.map(({ at }) => at)).toEqual(times);
    for (const { at, made_at, subject } of runs) {
      expect(Date.parse(made_at) - Date.parse(at)).toBeLessThanOrEqual(60_000);
      expect(subject).not.toBeNull();
    }
  });

  it('by hand goes to that person alone, and leaves the brief of the same minute as it is', async () => {
    const open = async () => ({ db: database.db, close: async () => {} });
    const app = await openTestApp({ open, collectors: [] });
    app.pass(5 * 60 * MINUTE + 3000);
    const sam = await app.addUser({ email: 'sam@coaches.example' });
    const { access_token } = await app.signIn(sam);
    const own = await world.channel('email', {}, { user_id: sam.id });
    const team = await world.channel('webhook', {}, { user_id: null });
    world.set('2026-11-21T13:59:30Z');
    await briefs(database.db).add(WHO, { ...ASKED, channel_ids: [own, team] }, world.now(), 'one');
    world.set(app.now().toISOString()); // 14:00:03
    expect((await app.post('/api/v1/briefs/one/send', undefined, access_token)).statusCode).toBe(200);
    await app.close();
    expect([await sent(own), await sent(team)].map(({ length }) => length)).toEqual([1, 0]);
    await look();
    expect([await sent(own), await sent(team)].map(({ length }) => length)).toEqual([2, 1]);
  });

  once('is in the app of the chosen members alone', async () => {
    await users(database.db).insert(person('sam'));
    const rosa = await world.channel('app');
    const { id: sam } = await channels(database.db).appOf('sam', EVERYONE, world.now());
    await briefs(database.db).add(WHO, { ...ASKED, user_ids: ['sam'] }, world.now());
    world.set('2026-11-21T14:00:05Z');
    await look();
    expect([await sent(rosa), await sent(sam)].map(({ length }) => length)).toEqual([0, 1]);
  });

  it('goes on after a stop with one page, at changed times from the next on, and where it is asked', async () => {
    const [mail, other] = [await world.channel('email'), await world.channel('device')];
    const asked = { ...ASKED, times: ['13:30', '14:00'], channel_ids: [mail] };
    await briefs(database.db).add(WHO, asked, world.now(), 'one');
    world.set('2026-11-21T14:10:00Z');
    await look();
    expect((await sent(mail)).map(({ title }) => title)).toEqual([expect.stringMatching(/ · 14:00$/)]);
    const times = ['14:05', '14:30'];
    await briefs(database.db).change(WHO, { id: 'one', rev: 1 }, { ...asked, times }, world.now());
    world.set('2026-11-21T14:20:00Z');
    await look();
    expect(await sent(mail)).toHaveLength(1);
    world.set('2026-11-21T14:30:00Z');
    await look();
    expect((await sent(mail)).at(-1)!.title).toMatch(/ · 14:30$/);
    expect(await sent(other)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('is late within an hour, with both times; after an hour it is skipped, and says so', async () => {
    const mail = await world.channel('email');
    world.set('2026-11-21T08:00:00Z');
    await briefs(database.db).add(WHO, { ...ASKED, channel_ids: [mail] }, world.now());
    world.set('2026-11-21T14:24:00Z');
    await look();
    expect((await sent(mail))[0]!.text).toMatch(/^Due 14:00, sent 14:24\./);
    world.set('2026-11-22T07:30:00Z');
    await look();
    expect(await sent(mail)).toHaveLength(1);
    const [brief] = await briefs(database.db).ofTeam(EVERYONE);
    expect(brief!.sent.map(({ at, subject }) => [at, subject === null])).toEqual([
      ['2026-11-22T06:00:00.000Z', true],
      ['2026-11-21T14:00:00.000Z', false],
    ]);
  });
});
