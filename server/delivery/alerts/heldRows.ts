/** Alerts held back from everybody, and why. */
import { matchAddress } from '#contract/addresses.ts';
import type { MessageBody } from '#contract/messages/messages.ts';
import { alerts, type AlertWatch, type Touch } from './alertStore.ts';
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import type { Look } from '../outbox/notifierRun.ts';
import { heldRow, tagOf } from '../outbox/outbox.ts';
import { groupWords, hiddenWords, type Reached } from './messageWords.ts';

interface Held {
  trx: Db;
  watch: AlertWatch;
  /** The reason why each is held back. */
  holds: ReadonlyMap<string, string>;
  touches: ReadonlyMap<string, Touch>;
  look: Look;
  /** As `Look.unplaced`; 0 for a route. */
  unplaced: number;
}

/** Alerts that are held back from everybody. For each reason, each alert is stored once, in the words in which it
 *  would be sent. */
export async function heldRows(
  { trx, watch, holds, touches, look, unplaced }: Held,
  reachedOf: (id: string) => Reached,
): Promise<RowOf<'messages'>[]> {
  const unnoted = [...holds].flatMap(([id, reason]) => {
    const { severity, start_time } = touches.get(id) ?? {};
    if (!severity) return [];
    const what = `${reason} ${id} ${severity} ${start_time}`;
    const key = `${watch.id} ${what}`;
    if (look.noted.has(key)) return [];
    look.noted.add(key);
    return [{ id, reason, severity, what }];
  });
  const incidents = await alerts(trx).incidents(unnoted.map(({ id }) => id));
  return unnoted.flatMap(({ id, reason, severity, what }) => {
    const incident = incidents.get(id);
    if (!incident) return [];
    const { title, facts = null, source, updated_at } = incident;
    const said = groupWords(
      watch.name,
      [{ id, severity, title, facts, source, updated_at, reached: reachedOf(id) }],
      'new',
      unplaced,
    );
    const body: MessageBody = {
      kind: 'alert',
      ...said,
      hidden: hiddenWords([severity]),
      severity,
      event_ids: [id],
      tag: tagOf(watch.id, [id]),
      is_news: false,
      address: matchAddress(watch.id, id),
    };
    return [heldRow(look.at, { channel: null, watch, body, reason, what })];
  });
}
