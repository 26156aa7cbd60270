/** Lists of alerts by any query, and one alert with everything that is known about it. */
import { apiPath } from '#contract/addresses.ts';
import { DisruptionHistory, DisruptionsOfNumber } from '#contract/incidents/disruptionHistory.ts';
import { DisruptionPage, ListedDisruption } from '#contract/incidents/disruptions.ts';
import type { OwnReport } from '#contract/shift/responses.ts';
import type { z } from 'zod/mini';
import { read, type Reply } from '../http.ts';
import { sendOnce } from '../makeOnce.ts';
import { items, tolerant } from '../tolerant.ts';

const ListedAlert = tolerant(ListedDisruption, 'event_id');
/** An alert in a list, with its end if it has ended. */
export type ListedAlert = z.output<typeof ListedAlert>;

const AlertList = tolerant(DisruptionPage, null, { events: items(ListedAlert) });
type AlertList = z.output<typeof AlertList>;

/** The most alerts in one answer. */
export const ALERTS_PER_ANSWER = 200;

/** Alerts by these parameters of the call. */
export const listAlerts = (
  searchParams: Record<string, string>,
  signal?: AbortSignal,
): Promise<Reply<AlertList>> =>
  read(AlertList, 'disruptions/', {
    searchParams: { ...searchParams, limit: ALERTS_PER_ANSWER },
    offlineCopy: true,
    signal,
  });

const AlertRecord = tolerant(DisruptionHistory, 'event_id');
/** An alert with everything that its page shows. */
export type AlertRecord = z.output<typeof AlertRecord> & {
  /** The report itself, if it is one of the team's own. */
  report?: OwnReport;
};

export const alertRecord = (id: string, signal?: AbortSignal): Promise<Reply<AlertRecord>> =>
  read(AlertRecord, apiPath`disruptions/${id}`, { offlineCopy: true, signal });

/** "This is wrong": reports that the alert's words were read wrongly. With the same `id`, a second try is the same
 *  report. */
export const reportReading = (eventId: string): Promise<void> =>
  sendOnce('disruptions/reading-faults', { event_id: eventId, note: null });

const AlertsOfNumber = tolerant(DisruptionsOfNumber, null, { events: items(ListedAlert) });

/** The alerts with this number; usually there is one. */
export const alertsOfNumber = (
  number: string,
  signal?: AbortSignal,
): Promise<Reply<z.output<typeof AlertsOfNumber>>> =>
  read(AlertsOfNumber, apiPath`disruptions/numbers/${number}`, { signal });
