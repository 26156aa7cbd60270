/** Why messages are held back from a receiver, and what was held back from everybody. */
import { matchAddress } from '#contract/addresses.ts';
import type { MessageBody } from '#contract/messages.ts';
import { LONDON_CLOCK } from '#contract/london.ts';
import { alerts, type AlertWatch, type Touch } from '../db/alerts.ts';
import type { Db } from '../db/open.ts';
import { quietOf } from '../db/receivers.ts';
import type { MessagesTable, ReceiversTable } from '../db/schema.ts';
import { isQuiet } from './groups.ts';
import type { Look } from './look.ts';
import { heldRow } from './outbox.ts';
import { groupWords, hiddenWords } from './words.ts';

/** Why this receiver is not notified now. The list in the app disturbs nobody. */
export function mutedBy(receiver: ReceiversTable, at: Date, isCritical: boolean): string | null {
  if (receiver.kind === 'app') return null;
  if (isPaused(receiver, at))
    return `Held: paused until ${LONDON_CLOCK.format(new Date(receiver.paused_until))}`;
  const quiet = quietOf(receiver);
  return isQuiet(quiet, at) && !(isCritical && quiet?.critical) ? 'Held: quiet hours' : null;
}

export const isPaused = (
  receiver: ReceiversTable,
  at: Date,
): receiver is ReceiversTable & { paused_until: string } =>
  receiver.paused_until !== null && receiver.paused_until > at.toISOString();

/** What is held back from everybody, noted once for each reason, in the words in which it would be sent. */
export async function heldRows(
  trx: Db,
  watch: AlertWatch,
  holds: ReadonlyMap<string, string>,
  byId: ReadonlyMap<string, Touch>,
  look: Look,
  reachedOf: (id: string) => Date | null,
): Promise<MessagesTable[]> {
  const unnoted = [...holds].flatMap(([id, reason]) => {
    const { severity, start_time } = byId.get(id) ?? {};
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
    const said = groupWords(watch.name, [
      { id, severity, title, facts, source, updated_at, reached: reachedOf(id) },
    ]);
    const body: MessageBody = {
      kind: 'alert',
      ...said,
      hidden: hiddenWords([severity]),
      severity,
      event_ids: [id],
      tag: `route:${watch.id}`,
      is_news: false,
      address: matchAddress(watch.id, id),
    };
    return [heldRow(look, { receiver: null, watch, body, reason, what })];
  });
}
