import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { teams } from '../../../../server/accounts/teams.ts';
import { example } from '../../../../server/calls/reference/examples.ts';
import { MINUTE_MS, openFormatsWorld, type FormatsWorld } from '../../delivery/formats/formatsWorld.ts';

const { watchRequest } = example;

let world: FormatsWorld;
beforeEach(async () => {
  world = await openFormatsWorld();
});
afterEach(() => world.close());

it('the title of a feed is made of its conditions, and differs between two of one feed', async () => {
  const of = async (query: string, ext: string) =>
    /<title>(.*?)<\/title>/.exec((await world.ask(`/disruptions.${ext}?${query}`)).body)?.[1];
  const worst = 'feed=roads-uk&min_severity=high&near=Leeds';
  for (const ext of ['rss', 'atom'])
    expect(await of(worst, ext)).toBe('Roads, high or worse, within 25 km of Leeds');
  expect(await of('feed=roads-uk&road=m62', 'rss')).toBe('Roads, M62');
  expect(await of('feed=roads-uk&road=a1(m)&state=planned', 'rss')).toBe('Roads, A1(M), planned');
});

it('/disruptions takes the conditions of /disruptions.json, and finds the same', async () => {
  const cases = [
    '',
    'min_severity=high',
    'min_severity=high&hide_unrated=true',
    'phase=planned',
    'changes_only=true',
    'feed=roads-uk&road=m62',
    'near=Leeds&radius_km=30',
  ];
  for (const query of cases) {
    const ids = async (path: string) => {
      const reply = await world.ask(`${path}?${query}`);
      expect(reply.statusCode, reply.body).toBe(200);
      return reply.json<{ events: { event_id: string }[] }>().events.map(({ event_id }) => event_id);
    };
    expect(await ids('/disruptions'), query).toEqual(await ids('/disruptions.json'));
  }
});

it('/disruptions with a route that the team does not have is 422, and says what is wrong', async () => {
  await world.close();
  world = await openFormatsWorld({ config: { teams: 'many' } });
  const sam = await world.addUser({ email: 'sam@coaches.example' });
  await teams(world.db, 'many').place(sam.id, world.now());
  const { access_token } = await world.signIn(sam);
  const made = await world.post('/api/v1/watches', watchRequest, world.token);
  expect(made.statusCode, made.body).toBe(201);
  const { id } = made.json<{ id: string }>();
  for (const path of ['/disruptions', '/disruptions.json']) {
    expect((await world.get(`/api/v1${path}?watch=${id}`, world.token)).statusCode).toBe(200);
    const message = 'watch: there is no such route. It may have been deleted.';
    for (const [token, route] of [
      [access_token, id],
      [world.token, 'unknown'],
    ] as const) {
      const reply = await world.get(`/api/v1${path}?watch=${route}`, token);
      expect([reply.statusCode, reply.json()]).toMatchObject([
        422,
        { detail: message, errors: [{ path: 'watch', message }] },
      ]);
    }
  }
});

describe('min_severity', () => {
  const ids = async (query: string) =>
    (await world.ask(`/disruptions.json?${query}`))
      .json<{ events: { event_id: string }[] }>()
      .events.map(({ event_id }) => event_id);

  it('never hides incidents that their publisher does not rate, unless that is requested', async () => {
    expect(await ids('min_severity=high')).toEqual([
      'national-highways:m62',
      'tfl:victoria',
      'national-highways:odd',
    ]);
    expect(await ids('min_severity=high&hide_unrated=true')).toEqual([
      'national-highways:m62',
      'tfl:victoria',
    ]);
  });

  it('is one of several conditions', async () => {
    const cases = [
      ['phase=planned', ['national-highways:works']],
      ['phase=active&source=national-highways', ['national-highways:m62', 'national-highways:odd']],
      ['near=53.7,-1.6&radius_km=10', ['national-highways:m62']],
      ['road=m62', ['national-highways:m62']],
      ['hide_unrated=true&phase=active&source=national-highways', ['national-highways:m62']],
    ] as const;
    for (const [query, expected] of cases) {
      expect(await ids(query), query).toEqual(expected);
    }
  });

  it('changes_only leaves out what has not changed for a day', async () => {
    world.pass(25 * 60 * MINUTE_MS);
    expect(await ids('changes_only=true')).toEqual([]);
  });

  it('watch and level take what touches a route of the team', async () => {
    const made = await world.app.inject({
      method: 'POST',
      url: '/api/v1/watches',
      headers: { authorization: `Bearer ${world.token}` },
      payload: watchRequest,
    });
    const { id } = made.json<{ id: string }>();
    await world.db
      .insertInto('matches')
      .values({
        watch_id: id,
        subject: 'disruption',
        subject_id: 'national-highways:m62',
        level: 'possible',
        why: '',
        from_km: 0,
        to_km: 1,
        off_m: 0,
        began_at: world.now().toISOString(),
        batch: 1,
        ended_at: null,
        end_kind: null,
      })
      .execute();
    expect(await ids(`watch=${id}`)).toEqual(['national-highways:m62']);
    expect(await ids(`watch=${id}&level=certain`)).toEqual([]);
    expect(await ids('level=possible')).toEqual(['national-highways:m62']);
  });
});
