/** Teams. Everybody who is there already is in one; its leads are the administrators. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Tables } from '../schema.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  // By bytes, as in the first: times are compared as text.
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);

  await db.schema
    .createTable('teams')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('shift_starts', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('team_members')
    .addColumn('user_id', text, (column) =>
      column.notNull().primaryKey().references('users.id').onDelete('cascade'),
    )
    .addColumn('team_id', text, (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('joined_at', text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('team_members_of_team').on('team_members').column('team_id').execute();

  const at = new Date().toISOString();
  await db
    .insertInto('teams')
    .values({
      id: 'everyone',
      name: 'Everyone',
      shift_starts: '["06:00","14:00","22:00"]',
      created_at: at,
    })
    .execute();
  await db
    .insertInto('team_members')
    .columns(['user_id', 'team_id', 'role', 'joined_at'])
    .expression((eb) =>
      eb.selectFrom('users').select((eb) => [
        'users.id as user_id',
        eb.val('everyone').as('team_id'),
        eb
          .case()
          .when('users.role', '=', 'admin')
          .then('lead' as const)
          .else('member' as const)
          .end()
          .as('role'),
        eb.val(at).as('joined_at'),
      ]),
    )
    .execute();
}
