/** Invented events fill the map of a new installation. They appear only there, under a sign that says so; no other
 *  query finds them. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Tables } from '../../db/schema.ts';

/** A condition for all other queries of performances: formats, matches, sheets, messages, displays. */
export const takesPlace = (eb: ExpressionBuilder<Tables, 'performances'>): Expression<SqlBool> =>
  eb.exists(
    eb
      .selectFrom('events')
      .select('events.event_id')
      .whereRef('events.event_id', '=', 'performances.event_id')
      .where('events.is_sample', '=', 0),
  );
