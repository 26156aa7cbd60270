import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../app/testApp.ts';

const EVENTS = '/api/v1/analytics/events';
const VIEWED = { event_type: 'disruptions_board_viewed', event_category: 'navigation' };

let test: TestApp;
beforeEach(async () => (test = await openTestApp()));
afterEach(() => test.close());

const stored = () =>
  test.db.selectFrom('usage_events').selectAll().where('event_type', '!=', 'login').execute();

describe('a usage event', () => {
  it('is kept with the user and the time', async () => {
    const rosa = await test.addUser();
    const { access_token, session_id } = await test.signIn();
    const replies = [
      await test.post(EVENTS, { ...VIEWED, session_id }, access_token),
      await test.post(EVENTS, { ...VIEWED, session_id: null }, access_token),
      await test.post(EVENTS, VIEWED, access_token),
    ];

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204]);
    expect((await stored()).map(({ id: _id, ...event }) => event)).toEqual(
      [session_id, null, null].map((session) => ({
        ...VIEWED,
        user_id: rosa.id,
        session_id: session,
        occurred_at: '2026-11-21T09:00:00.000Z',
      })),
    );
  });

  it('is refused without a session', async () => {
    expect((await test.post(EVENTS, VIEWED)).statusCode).toBe(401);
    expect(await stored()).toEqual([]);
  });

  it.each([
    [{}, 'event_type is required'],
    [{ ...VIEWED, event_type: '' }, 'event_type must not be empty'],
    [{ ...VIEWED, event_category: 'x'.repeat(65) }, 'event_category must be at most 64 characters'],
    [{ ...VIEWED, session_id: 7 }, 'session_id must be a string'],
  ])('such as %j is refused in words', async (body, detail) => {
    await test.addUser();
    const { access_token } = await test.signIn();
    const reply = await test.post(EVENTS, body, access_token);

    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail).toBe(detail);
  });
});
