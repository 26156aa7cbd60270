/** Changes that somebody else makes in the database between two steps of one piece of work. */
import type { Kysely, QueryId, RootOperationNode } from 'kysely';

/** The same database with one change: after a select of that table is read, and before its reader goes on, the given
 *  action runs once. */
export function afterReading<Tables>(
  db: Kysely<Tables>,
  table: keyof Tables & string,
  act: () => Promise<unknown>,
): Kysely<Tables> {
  const reads = new WeakSet<QueryId>();
  let isDone = false;
  const isOf = (node: RootOperationNode) =>
    node.kind === 'SelectQueryNode' && JSON.stringify(node.from).includes(`"name":"${table}"`);
  return db.withPlugin({
    transformQuery({ node, queryId }) {
      if (isOf(node)) reads.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      if (!isDone && reads.has(queryId)) {
        isDone = true;
        await act();
      }
      return result;
    },
  });
}
