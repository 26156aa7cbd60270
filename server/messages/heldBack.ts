/** Why messages are held back from a receiver, and what was held back from everybody. */
import { matchAddress } from '#contract/addresses.ts';
import type { MessageBody } from '#contract/messages.ts';
import { LONDON_CLOCK } from '#contract/london.ts';
import type { AlertWatch, Touch } from '../db/alerts.ts';
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

/** What is held back from everybody, noted once for each reason. */
export function heldRows(
  watch: AlertWatch,
  holds: ReadonlyMap<string, string>,
  byId: ReadonlyMap<string, Touch>,
  look: Look,
  reachedOf: (id: string) => Date | null,
): MessagesTable[] {
  return [...holds].flatMap(([id, reason]) => {
    const touch = byId.get(id);
    if (!touch || touch.severity === null || touch.title === null || touch.source === null) return [];
    const what = `${reason} ${id} ${touch.severity} ${touch.start_time}`;
    const key = `${watch.id} ${what}`;
    if (look.noted.has(key)) return [];
    look.noted.add(key);
    const said = groupWords(watch.name, [
      {
        id,
        severity: touch.severity,
        title: touch.title,
        facts: null,
        source: touch.source,
        updated_at: null,
        reached: reachedOf(id),
      },
    ]);
    const body: MessageBody = {
      kind: 'alert',
      ...said,
      hidden: hiddenWords([touch.severity]),
      severity: touch.severity,
      event_ids: [id],
      tag: `route:${watch.id}`,
      is_news: false,
      address: matchAddress(watch.id, id),
    };
    return [heldRow(look, { receiver: null, watch, body, reason, what })];
  });
}
