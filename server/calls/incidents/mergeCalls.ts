/** /api/v1/admin/merges: the alerts that count as one incident, the reasons, and how to undo a wrong merge. */
import type { Calls } from '../callParts.ts';
import { MergeList, Split } from '#contract/accounts/admin.ts';
import { auditTrail } from '../../accounts/auditTrail.ts';
import { disruptions } from '../../incidents/list/disruptions.ts';
import { split, unsplit } from '../../incidents/merging/mergedIdentity.ts';
import { allSplits } from '../../incidents/merging/keptApart.ts';
import { badInput, notFound } from '../../refusals.ts';

const UNKNOWN = 'There is no such alert. It may be too old.';
const NOT_SPLIT = 'These two alerts were not kept apart.';
const TWO = 'Name two different alerts.';

export const mergeCalls: Calls =
  ({ db, now }) =>
  async (app) => {
    app.get('/', {
      who: 'admin',
      costs: 'list',
      operationId: 'listMerges',
      summary: 'Alerts that were merged into one incident, and why',
      description: 'Also the pairs that an administrator keeps apart, newest first.',
      response: { 200: MergeList },
      handler: async () => {
        const merges = await disruptions(db).merges();
        return { merges, splits: await allSplits(db), total: merges.length };
      },
    });

    app.post('/splits', {
      who: 'admin',
      meanings: { 204: 'They are two incidents from now on.' },
      refusals: { 404: UNKNOWN, 422: TWO },
      operationId: 'splitMerge',
      summary: 'Keep two alerts apart',
      description: 'They are counted separately from the next answer on, whatever they have in common.',
      body: Split,
      handler: async ({ body: { one, other }, user: admin }) => {
        if (one === other) throw badInput(TWO);
        const [first, second] = [await disruptions(db).byId(one), await disruptions(db).byId(other)];
        if (!first || !second) throw notFound(UNKNOWN);
        await db.transaction().execute(async (trx) => {
          await split(trx, [one, other], now());
          const subject = { id: null, name: first.title };
          await auditTrail(trx).note(admin, 'alerts.split', subject, now(), `from "${second.title}"`);
        });
      },
    });

    app.post('/splits/undo', {
      who: 'admin',
      meanings: { 204: 'The rule decides about them again.' },
      refusals: { 404: NOT_SPLIT },
      operationId: 'undoSplit',
      summary: 'Let two alerts merge again',
      description: 'They count as one incident again, if their content still shows it.',
      body: Split,
      handler: async ({ body: { one, other }, user: admin }) => {
        await db.transaction().execute(async (trx) => {
          if (!(await unsplit(trx, [one, other], now()))) throw notFound(NOT_SPLIT);
          const subject = { id: null, name: one };
          await auditTrail(trx).note(admin, 'alerts.merged', subject, now(), `with ${other}`);
        });
      },
    });
  };
