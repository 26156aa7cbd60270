/** The alert that we are blind: about a source, not about an incident. */
import type { MessageBody } from '#contract/messages.ts';
import { alerts as alertsIn, type AlertWatch } from '../db/alerts.ts';
import { messages } from '../db/messages.ts';
import type { Db } from '../db/open.ts';
import type { MessagesTable } from '../db/schema.ts';
import { spans } from '../feeds/freshness.ts';
import type { Collector } from '../incidents/collector.ts';
import { BLIND_AFTER_MS, type LastSent } from './groups.ts';
import { mutedBy } from './heldBack.ts';
import type { Look } from './look.ts';
import { MESSAGES_PAGE } from './notices.ts';
import { heldRow, logRow, waitingRow } from './outbox.ts';
import { blindWords, seenAgainWords } from './words.ts';

/** One message for each source that is silent for too long, and one when it is back. */
export async function notifyOfSilence(
  trx: Db,
  routes: readonly AlertWatch[],
  look: Look,
  collectors: readonly Collector[],
): Promise<number> {
  const named = new Set(routes.flatMap(({ sources }) => sources));
  const declared = collectors.filter(({ source }) => named.has(source));
  const logs = await alertsIn(trx).lastSent(declared.map(({ source }) => `source:${source}`));
  const rows: MessagesTable[] = [];
  for (const collector of declared) {
    const { source } = collector;
    const { freshness, last_collected } = look.conditionOf(source);
    if (freshness === null || last_collected === null) continue;
    const since = Date.parse(last_collected);
    const blindFrom = since + spans(collector).maxAgeMs + BLIND_AFTER_MS;
    const isBlind = freshness === 'stale' && look.now >= blindFrom;
    const isBack = freshness !== 'stale';
    for (const [teamId, team] of look.byTeam) {
      const mine = routes.filter(
        ({ team_id, sources, tellMe }) =>
          team_id === teamId && tellMe.threshold !== 'nothing' && sources.includes(source),
      ).length;
      for (const receiver of team) {
        const id = `source:${source}`;
        const log = logs.find((row) => row.watch_id === id && row.receiver_id === receiver.id);
        const wasSent = log !== undefined && log.firing !== '[]';
        if (wasSent ? !isBack : !isBlind || mine === 0) continue;
        const said = wasSent
          ? seenAgainWords(source, last_collected)
          : blindWords(source, last_collected, mine);
        const body: MessageBody = {
          kind: wasSent ? 'seen_again' : 'blind',
          ...said,
          hidden: said.title,
          severity: null,
          event_ids: [],
          tag: id,
          is_news: !wasSent,
          address: MESSAGES_PAGE,
        };
        const muted = mutedBy(receiver, look.at, false);
        const what = `${id} ${last_collected} ${wasSent}`;
        if (muted) {
          // That it is back is said only to those who were notified that it was silent.
          const held = { reason: muted, what: `${muted} ${what}`, beside: what };
          rows.push(heldRow(look, { receiver, watch: null, body, ...held }));
          continue;
        }
        const lastSent: LastSent = {
          firing: wasSent ? [] : [source],
          severities: {},
          sent_at: look.now,
          repeats: 0,
        };
        await alertsIn(trx).setLastSent(logRow(id, receiver.id, lastSent));
        rows.push(waitingRow(look, { receiver, watch: null, body, what }));
      }
    }
  }
  await messages(trx).add(rows);
  return rows.length;
}
