/** One alert for its page, refreshed as often as the board. Without a network, the worker's copy, or the alert in
 *  the board's stored data. */
import { alertNumber } from '#contract/incidents/alertNumber.ts';
import type { OwnReport } from '#contract/shift/responses.ts';
import { isOwn } from '#contract/feeds/knownSources.ts';
import {
  type AlertRecord,
  alertRecord,
  alertsOfNumber,
  listAlerts,
  type ListedAlert,
} from '../../api/alerts/alerts.ts';
import { type Alert } from '../../api/alerts/disruptions.ts';
import { listFeeds } from '../../api/alerts/feeds.ts';
import { Refused, type Reply } from '../../api/http.ts';
import { listResponses } from '../../api/shift/inHand.ts';
import { readReport, reportsOf } from '../../api/shift/responses.ts';
import { keptBoard } from '../../feeds/refresh/useBoard.ts';
import { useRefreshed } from '../../feeds/refresh/useRefreshed.ts';

export const useAlert = (id: string) => useRefreshed(id, (signal) => load(id, signal));

async function load(id: string, signal: AbortSignal): Promise<Reply<AlertRecord>> {
  const isOurs = isOwn({ source: id });
  try {
    return await (isOurs ? ownAlert(id, signal) : alertRecord(id, signal));
  } catch (error) {
    if (error instanceof Refused || signal.aborted) throw error;
    const kept = await (isOurs ? keptOwn(id, signal) : keptOf(id, signal));
    if (!kept) throw error;
    return { ...kept, copyBecause: 'down' };
  }
}

/** One of the team's own reports, with the fields that its page needs to change it. */
async function ownAlert(id: string, signal: AbortSignal): Promise<Reply<AlertRecord>> {
  const { data, fetchedAt } = await readReport(id, signal);
  return { data: recordOf(data), fetchedAt, copyBecause: null, late: undefined };
}

/** The report as the stored list of alerts in hand has it. */
async function keptOwn(id: string, signal: AbortSignal): Promise<Kept<AlertRecord> | null> {
  try {
    const { data, fetchedAt } = await listResponses(signal);
    const report = reportsOf(data).find(({ disruption }) => disruption.event_id === id);
    return report ? { data: recordOf(report), fetchedAt } : null;
  } catch {
    return null;
  }
}

const recordOf = (report: OwnReport): AlertRecord => ({
  ...report.disruption,
  ended_at: report.ended_at,
  // A report that nobody confirmed is no longer known. A report that somebody ended changed last at that time.
  ...(report.ended_at && {
    ended_reason: report.ended_at === report.disruption.updated_at ? 'publisher' : 'expired',
  }),
  report,
});

/** The alerts with this number. Without a network, those that this device keeps. Null: no request is made. */
export const useAlertsOfNumber = (number: string | null) =>
  useRefreshed<ListedAlert[]>(number && `number ${number}`, async (signal) => {
    try {
      const reply = await alertsOfNumber(number!, signal); // called only when there is a number
      return { ...reply, data: reply.data.events, late: undefined }; // no copy of it is kept
    } catch (error) {
      if (error instanceof Refused || signal.aborted) throw error;
      const kept = (await keptAlerts(signal)).map(({ alerts, at }) => ({
        data: alerts.filter(({ event_id }) => alertNumber(event_id) === number),
        fetchedAt: at,
      }));
      const [best] = kept.filter(({ data }) => data.length > 0).sort(newestFirst);
      if (!best) throw error;
      return { ...best, copyBecause: 'down' };
    }
  });

type Kept<T> = Pick<Reply<T>, 'data' | 'fetchedAt'>;

const newestFirst = (one: Kept<unknown>, other: Kept<unknown>) =>
  other.fetchedAt.getTime() - one.fetchedAt.getTime();

/** The newest copy that the board and the list keep. */
async function keptOf(id: string, signal: AbortSignal): Promise<Kept<AlertRecord> | null> {
  const [best] = (await keptAlerts(signal))
    .flatMap(({ alerts, at }): Kept<AlertRecord>[] => {
      const alert = alerts.find(({ event_id }) => event_id === id);
      return alert ? [{ data: alert, fetchedAt: at }] : [];
    })
    .sort(newestFirst);
  return best ?? null;
}

/** The alerts of the board and the list that this device keeps, each with its age. */
async function keptAlerts(signal: AbortSignal): Promise<{ alerts: Alert[]; at: Date }[]> {
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
      const kept = await keptBoard();
      return kept && { alerts: kept.feeds.rows.flatMap(({ events }) => events), at: kept.at };
    }),
  ]);
  return found.filter((one) => one !== null);
}

/** Another version of the app may have stored it in another shape. */
async function attempt(
  find: () => Promise<{ alerts: Alert[]; at: Date } | null>,
): Promise<{ alerts: Alert[]; at: Date } | null> {
  try {
    return await find();
  } catch {
    return null;
  }
}
