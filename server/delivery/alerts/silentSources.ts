/** The alert that a source is silent: it is about the source, and not about an incident. */
import { isWatching } from '#contract/watches/whenWatched.ts';
import { alerts as alertsIn, type AlertWatch } from './alertStore.ts';
import { isPosted } from '../outbox/channelState.ts';
import { isFrom, whatOf } from '../outbox/channelStore.ts';
import type { StoredBody } from '../outbox/outboxStore.ts';
import type { Db } from '../../db/open.ts';
import type { RowOf } from '../../db/schema.ts';
import { spans } from '../../feeds/sourceCondition.ts';
import { nameOf } from '../formats/formatWords.ts';
import type { Collector } from '../../incidents/collector.ts';
import { type LastSent, logRow } from './alertNews.ts';
import type { Look } from '../outbox/notifierRun.ts';
import { heldRow, MESSAGES_PAGE, putIn, waitingRow } from '../outbox/outbox.ts';
import { mutedBy } from './quietHours.ts';
import { blindWords, seenAgainWords } from './messageWords.ts';

/** A source must be stale for this long before people get a message; channels that get each change have it at once. */
const BLIND_AFTER_MS = 10 * 60_000;

/** Makes one message for each source that is silent for too long, and one when it answers again. */
export async function notifyOfSilence(
  trx: Db,
  routes: readonly AlertWatch[],
  look: Look,
  collectors: readonly Collector[],
): Promise<number> {
  const named = new Set(routes.flatMap(({ sources }) => sources));
  const declared = collectors.filter(({ source }) => named.has(source));
  const logs = await alertsIn(trx).lastSent(declared.map(({ source }) => `source:${source}`));
  const rows: RowOf<'messages'>[] = [];
  for (const collector of declared) {
    const { source } = collector;
    const { freshness, last_collected } = look.conditionOf(source);
    // A source that was disconnected is neither silent nor back.
    if (freshness === null || last_collected === null) continue;
    const since = Date.parse(last_collected);
    // While the server was off no source could answer: after a start each source has its ten minutes again.
    const blindFrom = Math.max(since + spans(collector).maxAgeMs, look.upSince) + BLIND_AFTER_MS;
    const isBack = freshness !== 'stale';
    for (const [teamId, team] of look.byTeam) {
      const mine = routes.filter(({ team_id, sources }) => team_id === teamId && sources.includes(source));
      for (const channel of team) {
        const id = `source:${source}`;
        const log = logs.find((row) => row.watch_id === id && row.channel_id === channel.id);
        const wasSent = log !== undefined && log.firing !== '[]';
        const depending = mine.filter((watch) => dependsOn(channel, watch));
        const watches = depending.filter(({ when }) => isWatching(when, look.at));
        const isBlind = !isBack && (whatOf(channel).changes || look.now >= blindFrom);
        const last = (firing: string[]): LastSent => ({
          firing,
          severities: {},
          sent_at: look.now,
          repeats: 0,
        });
        if (wasSent && depending.length === 0) {
          // This channel no longer depends on the source.
          await alertsIn(trx).setLastSent(logRow(id, channel.id, last([])));
          continue;
        }
        if (watches.length === 0 || (wasSent ? !isBack : !isBlind)) continue;
        const said = wasSent
          ? seenAgainWords(source, last_collected)
          : blindWords(source, last_collected, watches.length);
        const body: StoredBody = {
          kind: wasSent ? 'seen_again' : 'blind',
          ...said,
          hidden: said.title,
          severity: null,
          event_ids: [],
          tag: id,
          is_news: !wasSent,
          address: MESSAGES_PAGE,
          ...(channel.kind === 'webhook' && {
            delivery: {
              type: wasSent ? 'source.fresh' : 'source.stale',
              timestamp: look.at.toISOString(),
              data: {
                source,
                name: nameOf(source),
                since: last_collected,
                watches: watches.map(({ id: watchId, name }) => ({ id: watchId, name })),
              },
            },
          }),
        };
        const muted = mutedBy(channel, look.at, false);
        const what = `${id} ${last_collected} ${wasSent}`;
        if (muted) {
          // A channel hears that a source answers again only if it heard that the source was silent.
          const held = { reason: muted, what: `${muted} ${what}`, beside: what };
          rows.push(heldRow(look.at, { channel, watch: null, body, ...held }));
          continue;
        }
        await alertsIn(trx).setLastSent(logRow(id, channel.id, last(wasSent ? [] : [source])));
        const inOrder = isPosted(channel) && { about: id };
        rows.push(waitingRow(look.at, { channel, watch: null, body, what, ...inOrder }));
      }
    }
  }
  return putIn(trx, rows, look);
}

/** Whether the channel gets messages about this route, area or feed. */
function dependsOn(channel: RowOf<'channels'>, { id, tellMe }: AlertWatch): boolean {
  const { alerts, changes } = whatOf(channel);
  return isFrom(channel, id) && (changes || (alerts && tellMe.threshold !== 'nothing'));
}
