/** Routes and areas of a team, when vehicles leave, what touches them, and how far a reader of the change log is. */
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Tables } from '../schema.ts';

export async function up(db: Kysely<Tables>): Promise<void> {
  // By bytes, as in the first: times are compared as text.
  const text =
    db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const);
  const real = 'double precision' as const;

  await db.schema
    .createTable('watches')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('team_id', text, (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('made_by', text, (column) => column.notNull())
    .addColumn('legs', text, (column) => column.notNull())
    .addColumn('geometry', text, (column) => column.notNull())
    .addColumn('length_km', real, (column) => column.notNull())
    .addColumn('reach_m', 'integer')
    .addColumn('sources', text, (column) => column.notNull())
    .addColumn('notify', text, (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.references('users.id').onDelete('set null'))
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_by', text, (column) => column.references('users.id').onDelete('set null'))
    .addColumn('updated_at', text, (column) => column.notNull())
    .addColumn('rev', 'integer', (column) => column.notNull())
    .addColumn('matched_rev', 'integer', (column) => column.notNull())
    .addColumn('archived_at', text)
    .execute();
  await db.schema.createIndex('watches_of_team').on('watches').columns(['team_id', 'created_at']).execute();

  await db.schema
    .createTable('departures')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('watch_id', text, (column) => column.notNull().references('watches.id').onDelete('cascade'))
    .addColumn('name', text)
    .addColumn('at_local', text, (column) => column.notNull())
    .addColumn('days', 'integer', (column) => column.notNull())
    .addColumn('from_date', text)
    .addColumn('to_date', text)
    .addColumn('except', text, (column) => column.notNull())
    .addColumn('duration_min', 'integer')
    .execute();
  await db.schema.createIndex('departures_of_watch').on('departures').column('watch_id').execute();

  await db.schema
    .createTable('matches')
    .addColumn('watch_id', text, (column) => column.notNull().references('watches.id').onDelete('cascade'))
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('subject_id', text, (column) => column.notNull())
    .addColumn('began_at', text, (column) => column.notNull())
    .addColumn('level', text, (column) => column.notNull())
    .addColumn('why', text, (column) => column.notNull())
    .addColumn('from_km', real)
    .addColumn('to_km', real)
    .addColumn('off_m', 'integer')
    .addColumn('batch', 'integer', (column) => column.notNull())
    .addColumn('ended_at', text)
    .addColumn('end_kind', text)
    .addPrimaryKeyConstraint('matches_key', ['watch_id', 'subject', 'subject_id', 'began_at'])
    .execute();
  await db.schema.createIndex('matches_of_subject').on('matches').column('subject_id').execute();
  await db.schema
    .createIndex('matches_in_force')
    .on('matches')
    .column('watch_id')
    .where(sql.ref('ended_at'), 'is', null)
    .execute();

  await db.schema
    .createTable('match_feedback')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('watch_id', text, (column) => column.notNull().references('watches.id').onDelete('cascade'))
    .addColumn('subject_id', text, (column) => column.notNull())
    .addColumn('level', text, (column) => column.notNull())
    .addColumn('why', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.references('users.id').onDelete('set null'))
    .addColumn('at', text, (column) => column.notNull())
    .addColumn('verdict', text, (column) => column.notNull())
    .addColumn('text', text)
    .execute();
  await db.schema.createIndex('match_feedback_of_watch').on('match_feedback').column('watch_id').execute();

  await db.schema
    .createTable('cursors')
    .addColumn('name', text, (column) => column.notNull().primaryKey())
    .addColumn('batch', 'integer', (column) => column.notNull())
    .addColumn('lease_owner', text)
    .addColumn('lease_until', text)
    .execute();
}
