/** What a migration makes of the data that is there. */
import { describe, expect, it } from 'vitest';
import { apiKeys } from '../../../server/db/apiKeys.ts';
import { events } from '../../../server/db/events.ts';
import * as venueOfPerformance from '../../../server/db/migrations/0008-venue-of-performance.ts';
import * as quotaOfOwner from '../../../server/db/migrations/0009-quota-of-owner.ts';
import * as firstTeams from '../../../server/db/migrations/0019-teams.ts';
import * as watches from '../../../server/db/migrations/0020-watches.ts';
import * as filterTables from '../../../server/db/migrations/0028-filters.ts';
import * as webhooks from '../../../server/db/migrations/0031-webhooks.ts';
import * as displayRoutes from '../../../server/db/migrations/0022-display-routes.ts';
import * as responses from '../../../server/db/migrations/0024-responses.ts';
import * as messages from '../../../server/db/migrations/0026-messages.ts';
import { teams } from '../../../server/db/teams.ts';
import { users } from '../../../server/db/users.ts';
import { DATABASES, useDatabase } from '../../support/databases.ts';
import { event } from '../events/oneEvent.ts';
import { person } from './people.ts';

const NOW = '2026-11-21T09:00:00.000Z';

describe.each(DATABASES)('a migration on $engine', ({ open }) => {
  const database = useDatabase(open);

  it('carries over what the keys of an owner have used today', async () => {
    const { db } = database;
    for (const id of ['ann', 'ben']) await users(db).insert(person(id));
    const key = (id: string, user_id: string, rate_limit_tier: 'free' | 'pro') =>
      apiKeys(db).insert(
        {
          id,
          user_id,
          name: id,
          key_hash: id,
          key_prefix: 'cw_live_7Kq2',
          sealed: null,
          rate_limit_tier,
          created_at: NOW,
        },
        9,
      );
    for (const id of ['a', 'b']) await key(id, 'ann', 'free');
    await key('c', 'ann', 'pro');
    await key('d', 'ben', 'free');
    const rows = Object.entries({ a: 3, b: 4, c: 5, d: 6, gone: 7 }).map(([key_id, used]) => ({
      key_id,
      used,
      day: '2026-11-21',
      last_used_at: NOW,
    }));
    await db
      .insertInto('api_key_usage')
      .values([...rows, { ...rows[0]!, day: '2026-11-20', used: 9 }])
      .execute();
    await db.schema.dropTable('api_quota_usage').execute();

    await quotaOfOwner.up(db as never);

    const used = (userId: string, tier: 'free' | 'pro') => apiKeys(db).usedToday(userId, tier, NOW);
    expect([await used('ann', 'free'), await used('ann', 'pro'), await used('ben', 'free')]).toEqual([
      7, 5, 6,
    ]);
  });

  it('puts everybody who is there into one team, with administrators as its leads', async () => {
    const { db } = database;
    await users(db).insert(person('ann', { role: 'admin' }));
    await users(db).insert(person('ben'));
    const ofTeams = [
      'responses',
      'response_log',
      'own_reports',
      'messages',
      'notification_log',
      'webhook_incidents',
      'webhooks',
      'receivers',
      'alert_instances',
      'filter_addresses',
      'filters',
      'display_routes',
      'match_feedback',
      'matches',
      'departures',
      'watches',
      'cursors',
      'team_members',
      'teams',
    ];
    for (const table of ofTeams) await db.schema.dropTable(table).execute();

    await firstTeams.up(db);
    await watches.up(db);
    await displayRoutes.up(db as never);
    await db.schema.alterTable('displays').dropColumn('show_names').execute();
    await responses.up(db as never);
    await messages.up(db as never);
    await filterTables.up(db as never);
    await webhooks.up(db as never);

    const one = teams(db, 'one');
    expect(await one.ofMember('ann')).toMatchObject({ name: 'Everyone', role: 'lead' });
    expect(await one.ofMember('ben')).toMatchObject({ name: 'Everyone', role: 'member' });
  });

  it('gives each performance its venue where only one can be meant', async () => {
    const { db } = database;
    const at = (performance_id: string) => ({ ...event().performances[0]!, performance_id });
    const arriving = [
      event({ id: 'e1', performances: [at('p1'), at('p2')] }),
      event({ id: 'tour', performances: [at('leeds')] }),
      event({ id: 'tour', performances: [at('bath')], place: { venue_id: 'v2', town: 'Bath' } }),
      event({ id: 'nowhere', performances: [at('nowhere')], place: null }),
    ];
    await events(db).store({ source: 'hall', arriving, now: NOW });
    for (const index of ['performances_of_venue', 'events_of_venue'])
      await db.schema.dropIndex(index).execute();
    await db.schema.alterTable('performances').dropColumn('venue_id').execute();

    await venueOfPerformance.up(db as never);

    const rows = await db.selectFrom('performances').select(['performance_id', 'venue_id']).execute();
    expect(Object.fromEntries(rows.map((row) => [row.performance_id, row.venue_id]))).toEqual({
      p1: 'v1',
      p2: 'v1',
      leeds: null,
      bath: null,
      nowhere: null,
    });
    // The next import of the tour knows the rest.
    await events(db).store({ source: 'hall', arriving, now: NOW });
    expect(
      await db.selectFrom('performances').select('performance_id').where('venue_id', '=', 'v2').execute(),
    ).toEqual([{ performance_id: 'bath' }]);
  });
});
