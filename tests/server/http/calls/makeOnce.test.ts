import { removeBefore } from '../../../../server/db/statements.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { made, mayBeSaidAgain } from '../../../../server/http/calls/makeOnce.ts';
import { openTestApp, type TestApp } from '../../app/testApp.ts';

const MINUTE_MS = 60_000;

let test: TestApp;
/** Two administrators, each in a team of their own. */
let rosa: string;
let sam: string;
/** Another administrator, in Rosa's team. */
let lee: Promise<string> | undefined;
/** The code on a screen that waits to be paired. */
let user_code: string;

async function open() {
  test = await openTestApp({ config: { teams: 'many' } });
  const signedIn: string[] = [];
  for (const email of ['rosa@coaches.example', 'sam@trains.example']) {
    await test.addUser({ email, role: 'admin' });
    const { access_token } = await test.signIn({ email });
    // Each has a team from their first call on.
    await test.get('/api/v1/watches/?summary=true', access_token);
    signedIn.push(access_token);
  }
  [rosa, sam] = signedIn as [string, string];
  ({ user_code } = (await test.post('/api/v1/displays/device_authorization', {})).json<{
    user_code: string;
  }>());
  lee = undefined;
}
const close = () => test.close();

interface Answer {
  id?: string;
  channel?: { id: string };
}

interface Kind {
  path: (token: string) => string;
  body: Record<string, unknown>;
  other: Record<string, unknown>;
  idOf: (answer: Answer) => string;
  /** The number of things that the body asks for. */
  count: () => Promise<number>;
}

const COLUMNS: Record<string, string> = { users: 'display_name', display_messages: 'text' };

const countOf = (table: string, named: string) => async () => {
  const column = COLUMNS[table] ?? 'name';
  const rows = await test.db
    .selectFrom(table as 'watches')
    .selectAll()
    .execute();
  return rows.filter((row) => (row as unknown as Record<string, unknown>)[column] === named).length;
};

const TABLES: Record<string, string> = {
  'a webhook': 'channels',
  'an API key': 'api_keys',
  'a user': 'users',
  'a layout': 'layouts',
  'a message to displays': 'display_messages',
  'a team': 'teams',
  'a display': 'displays',
};

const idOf = ({ id }: Answer) => id!;
const AREA = { kind: 'area', made_by: 'drawn', legs: [], reach_m: 5000 };
const KINDS: Record<string, Kind> = {
  'a route': {
    path: () => '/api/v1/watches/',
    body: {
      kind: 'route',
      name: 'Manchester to Leeds',
      made_by: 'junctions',
      legs: [{ type: 'road', road: 'M62', from: 'J18', to: 'J29', sense: 1 }],
    },
    other: { name: 'Leeds to Manchester' },
    idOf,
    count: countOf('watches', 'Manchester to Leeds'),
  },
  'an area': {
    path: () => '/api/v1/watches/',
    body: { ...AREA, name: 'Leeds', geometry: { type: 'Point', coordinates: [-1.55, 53.8] } },
    other: { reach_m: 6000 },
    idOf,
    count: countOf('watches', 'Leeds'),
  },
  feeds: {
    path: () => '/api/v1/watches/',
    body: { kind: 'feeds', made_by: 'feeds', name: 'Criticals', which: { min_severity: 'critical' } },
    other: { which: { min_severity: 'high' } },
    idOf,
    count: countOf('watches', 'Criticals'),
  },
  'a webhook': {
    path: () => '/api/v1/channels/',
    body: { kind: 'webhook', name: 'Depot', address: 'https://hooks.example/depot' },
    other: { address: 'https://hooks.example/other' },
    idOf: ({ channel }) => channel!.id,
    count: countOf('channels', 'Depot'),
  },
  'an API key': {
    path: () => '/api/v1/keys/',
    body: { name: 'Timetable' },
    other: { name: 'Website' },
    idOf,
    count: countOf('api_keys', 'Timetable'),
  },
  'a user': {
    path: () => '/api/v1/admin/users',
    body: { email: 'lee@coaches.example', display_name: 'Lee', password: 'four-lorries-in-Carlisle' },
    other: { display_name: 'Lee Jones' },
    idOf,
    count: countOf('users', 'Lee'),
  },
  'a layout': {
    path: () => '/api/v1/displays/layouts',
    body: { name: 'Gate', pages: [{ type: 'map', dwell_s: 20 }] },
    other: { pin_criticals: false },
    idOf,
    count: countOf('layouts', 'Gate'),
  },
  'a message to displays': {
    path: () => '/api/v1/displays/messages',
    body: {
      to: { all: true },
      text: 'Fire drill at 10:00.',
      look: 'medium',
      cover: 'band',
      until: '2026-11-21T10:00:00.000Z',
    },
    other: { cover: 'screen' },
    idOf,
    count: countOf('display_messages', 'Fire drill at 10:00.'),
  },
  'a team': {
    path: () => '/api/v1/admin/teams',
    body: { name: 'Leeds depot' },
    other: { name: 'York depot' },
    idOf,
    count: countOf('teams', 'Leeds depot'),
  },
  'a display': {
    path: () => '/api/v1/displays/pairing/approve',
    get body() {
      return { user_code, name: 'Dispatch room' };
    },
    other: { name: 'Canteen' },
    idOf,
    count: countOf('displays', 'Dispatch room'),
  },
};

async function colleague(): Promise<string> {
  const signIn = async () => (await test.signIn({ email: 'lee.of@coaches.example' })).access_token;
  await test.addUser({ email: 'lee.of@coaches.example', role: 'admin' });
  await test.get('/api/v1/watches/?summary=true', await signIn());
  const one = async (email: string) =>
    test.db
      .selectFrom('users')
      .innerJoin('team_members', 'team_members.user_id', 'users.id')
      .select(['users.id', 'team_members.team_id'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
  const { team_id } = await one('rosa@coaches.example');
  await test.db
    .updateTable('team_members')
    .set({ team_id })
    .where('user_id', '=', (await one('lee.of@coaches.example')).id)
    .execute();
  return signIn();
}

interface Asked extends Kind {
  name: string;
  post: (
    token: string,
    id: string | undefined,
    more?: Record<string, unknown>,
  ) => ReturnType<TestApp['post']>;
}

const RULES: Record<string, (asked: Asked) => Promise<void>> = {
  async 'that is sent again because its answer was lost gets the same answer, and one is made'({
    post,
    idOf,
    count,
  }) {
    const id = randomUUID();
    const first = await post(rosa, id);
    expect([first.statusCode, idOf(first.json())]).toEqual([201, id]);
    test.pass(MINUTE_MS);
    const again = await post(rosa, id.toUpperCase());
    expect(again.statusCode).toBe(201);
    expect(again.json()).toEqual(first.json());
    expect(await count()).toBe(1);
  },

  async 'is made once if both attempts arrive together'({ post, count }) {
    const id = randomUUID();
    const both = await Promise.all([post(rosa, id), post(rosa, id)]);
    expect(both.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(both[1]!.json()).toEqual(both[0]!.json());
    expect(await count()).toBe(1);
  },

  async 'with other content, or of another team, is refused, and the first is kept secret'({
    other,
    post,
    count,
  }) {
    const id = randomUUID();
    await post(rosa, id);
    const refused = await Promise.all([post(rosa, id, other), post(sam, id), post(sam, id, other)]);
    for (const answer of refused) {
      expect(answer.statusCode).toBe(409);
      expect(answer.json()).toMatchObject({ detail: 'This id is used for something else. Make another.' });
    }
    expect(await count()).toBe(1);
  },

  async 'is shown to nobody else of the same team'({ post, count }) {
    lee ??= colleague();
    const id = randomUUID();
    expect((await post(rosa, id)).statusCode).toBe(201);
    expect((await post(await lee, id)).statusCode).toBe(409);
    expect(await count()).toBe(1);
  },

  async 'cannot take the id of something that was made without one'({ other, post, idOf, count }) {
    const first = await post(rosa, undefined);
    const id = idOf(first.json());
    for (const token of [rosa, sam]) expect((await post(token, id, other)).statusCode).toBe(409);
    expect(await count()).toBe(1);
  },

  async 'can be made under the same id after a refused attempt'({ post }) {
    const id = randomUUID();
    expect((await post(rosa, id, { name: '', display_name: '', text: '' })).statusCode).toBe(422);
    expect((await post(rosa, id)).statusCode).toBe(201);
  },

  async 'needs an id that is a UUID'({ path, body }) {
    const answer = await test.post(path(rosa), { ...body, id: 'mine' }, rosa);
    expect([answer.statusCode, answer.json().detail]).toEqual([422, expect.stringContaining('UUID')]);
  },

  async 'stays deleted'({ name, post }) {
    const id = randomUUID();
    await post(rosa, id);
    const table = TABLES[name] ?? 'watches';
    await test.db
      .deleteFrom(table as 'watches')
      .where('id', '=', id)
      .execute();
    const again = await post(rosa, id);
    expect([again.statusCode, again.json().detail]).toEqual([409, expect.stringContaining('deleted since')]);
  },
};

describe.each(Object.entries(RULES))('something %s:', (_, rule) => {
  beforeAll(open);
  afterAll(close);

  it.each(Object.entries(KINDS))('%s', (name, kind) =>
    rule({
      ...kind,
      name,
      post: (token, id, more = {}) => test.post(kind.path(token), { ...kind.body, ...more, id }, token),
    }),
  );
});

describe('an id', () => {
  beforeEach(open);
  afterEach(close);

  it.each(['an API key', 'a webhook'])('the secret of %s is not said again later', async (name) => {
    const kind = KINDS[name]!;
    const id = randomUUID();
    /** The earlier token has expired. */
    const post = async () => {
      rosa = (await test.signIn({ email: 'rosa@coaches.example' })).access_token;
      return test.post(kind.path(rosa), { ...kind.body, id }, rosa);
    };
    const first = await post();
    test.pass(15 * MINUTE_MS - 1);
    const again = await post();
    expect([again.statusCode, again.json()]).toEqual([201, first.json()]);
    test.pass(1);
    const late = await post();
    expect([late.statusCode, late.json().detail]).toEqual([409, expect.stringContaining('made before')]);
  });

  it('a secret is shown only for its time, even if the clock was set back since', () => {
    const at = new Date('2026-11-21T08:00:00.000Z');
    const after = (minutes: number) =>
      mayBeSaidAgain(at.toISOString(), new Date(at.getTime() + minutes * MINUTE_MS));
    expect([after(-24 * 60), after(-14), after(14), after(15)]).toEqual([false, true, true, false]);
  });

  it('a user with another password is another user, so no password can be guessed fast', async () => {
    const { path, body, count } = KINDS['a user']!;
    const id = randomUUID();
    await test.post(path(rosa), { ...body, id }, rosa);
    const other = await test.post(path(rosa), { ...body, id, password: 'five-lorries-in-Carlisle' }, rosa);
    expect([other.statusCode, await count()]).toEqual([409, 1]);
    const [row] = await test.db.selectFrom('made').select('content').execute();
    expect(row!.content).not.toContain('lorries');
  });

  it('an id is kept for exactly as long as somebody may send it again', async () => {
    const note = (id: string) =>
      made(test.db).note({ id, kind: 'watches', owner: 'rosa', content: 'x' }, test.now());
    expect([await note('1'), await note('1')]).toEqual(['new', 'again']);
    test.pass(MINUTE_MS);
    await removeBefore(test.db, 'made', 'made_at', test.now());
    expect(await note('1')).toBe('new');
  });

  it('an id of one kind of thing is taken for every other kind', async () => {
    const one = { id: randomUUID(), owner: 'rosa', content: 'x' };
    const note = (kind: 'watches' | 'channels') => made(test.db).note({ ...one, kind }, test.now());
    expect([await note('watches'), await note('channels'), await note('watches')]).toEqual([
      'new',
      'taken',
      'again',
    ]);
  });
});
