/** One alert for its page, refreshed as the board is; without a network, the worker's copy or what the board holds. */
import { type AlertRecord, alertRecord, listAlerts } from '../api/alerts.ts';
import { type Alert } from '../api/disruptions.ts';
import { listFeeds, type Row } from '../api/feeds.ts';
import { Refused, type Reply } from '../api/http.ts';
import { BOARD_SNAPSHOT } from '../feeds/useBoard.ts';
import { useRefreshed } from '../feeds/useRefreshed.ts';
import { loadSnapshot } from '../offline/snapshot.ts';

export const useAlert = (id: string) => useRefreshed(id, (signal) => load(id, signal));

async function load(id: string, signal: AbortSignal): Promise<Reply<AlertRecord>> {
  try {
    return await alertRecord(id, signal);
  } catch (error) {
    if (error instanceof Refused || signal.aborted) throw error;
    const kept = await keptOf(id, signal);
    if (!kept) throw error;
    return { ...kept, copyBecause: 'down' };
  }
}

/** The newest of what board and list keep. */
async function keptOf(
  id: string,
  signal: AbortSignal,
): Promise<Pick<Reply<AlertRecord>, 'data' | 'fetchedAt'> | null> {
  const found = await Promise.all([
    attempt(async () => {
      const { data, fetchedAt } = await listFeeds(signal);
      return { alerts: data.rows.flatMap(({ events }) => events), at: fetchedAt };
    }),
    attempt(async () => {
      const { data, fetchedAt } = await listAlerts({ state: 'active' }, signal);
      return { alerts: data.events, at: fetchedAt };
    }),
    attempt(async () => {
      const kept = await loadSnapshot(BOARD_SNAPSHOT);
      if (!kept || !Array.isArray(kept.data)) return null;
      return { alerts: (kept.data as Row[]).flatMap(({ events }) => events), at: kept.at };
    }),
  ]);
  const [best] = found
    .flatMap((one) => {
      const alert = one?.alerts.find(({ event_id }) => event_id === id);
      return one && alert ? [{ data: alert, fetchedAt: one.at }] : [];
    })
    .sort((a, b) => b.fetchedAt.getTime() - a.fetchedAt.getTime());
  return best ?? null;
}

/** Another version of the app can have kept it in another shape. */
async function attempt(
  find: () => Promise<{ alerts: Alert[]; at: Date } | null>,
): Promise<{ alerts: Alert[]; at: Date } | null> {
  try {
    return await find();
  } catch {
    return null;
  }
}
