/** Alerts that the team has in hand, and the actions on them. */
import { apiPath } from '#contract/addresses.ts';
import {
  type Disposition,
  LoggedAction,
  OwnReport,
  type ReportChange,
  type ReportRequest,
  TeamResponse,
} from '#contract/shift/responses.ts';
import type { SnoozeFor } from '#contract/shift/snoozes.ts';
import { z } from 'zod/mini';
import { call, read, type Reply } from '../http.ts';
import type { InHandList } from './inHand.ts';
import { items } from '../tolerant.ts';

/** The responses that can be read. */
export const responsesOf = ({ responses }: InHandList): TeamResponse[] => readable(TeamResponse, responses);

/** The team's own reports in force. */
export const reportsOf = ({ reports }: InHandList): OwnReport[] => readable(OwnReport, reports ?? []);

const readable = <S extends z.ZodMiniType>(schema: S, found: readonly unknown[]): z.output<S>[] =>
  found.flatMap((one) => {
    const { data } = schema.safeParse(one);
    return data === undefined ? [] : [data];
  });

const Record = z.looseObject({ response: TeamResponse, log: z.catch(items(LoggedAction), []) });
export type TeamRecord = z.output<typeof Record>;

/** The actions on one incident, oldest first. */
export const teamRecord = (eventId: string, signal?: AbortSignal): Promise<Reply<TeamRecord>> =>
  read(Record, apiPath`responses/${eventId}`, { offlineCopy: true, signal });

/** The time of an action, and its own id: if it is sent again, it counts once. */
interface Done {
  id: string;
  at: string;
}

/** Refused with 409 when somebody else was first, or the incident has changed. `severity`: as the person saw it.
 *  Like all actions on an alert, it promises the time when the server had it. */
export async function putResponse(
  eventId: string,
  rev: number,
  json: Done & { disposition?: Disposition; snooze?: SnoozeFor | null; severity?: string | undefined },
): Promise<Date> {
  return (await call(apiPath`responses/${eventId}`, { method: 'put', json, ifMatch: rev })).fetchedAt;
}

export async function reopenResponse(eventId: string, rev: number, json: Done): Promise<Date> {
  return (await call(apiPath`responses/${eventId}`, { method: 'delete', json, ifMatch: rev })).fetchedAt;
}

export async function addNote(eventId: string, json: Done & { text: string }): Promise<Date> {
  return (await call(apiPath`responses/${eventId}/notes`, { method: 'post', json })).fetchedAt;
}

export async function strikeNote(eventId: string, noteId: string, json: Done): Promise<Date> {
  return (await call(apiPath`responses/${eventId}/notes/${noteId}/strike`, { method: 'post', json }))
    .fetchedAt;
}

/** Sends a driver's report to the team. */
export async function addReport(json: z.input<typeof ReportRequest>): Promise<Date> {
  return (await call('reports/', { method: 'post', json })).fetchedAt;
}

/** One of the team's own reports, in force or ended. */
export const readReport = (eventId: string, signal?: AbortSignal): Promise<Reply<OwnReport>> =>
  read(OwnReport, apiPath`reports/${eventId}`, { signal });

/** Refused with 409 when somebody else has changed the report since `rev`. */
export const changeReport = (eventId: string, rev: number, json: ReportChange) =>
  call(apiPath`reports/${eventId}`, { method: 'patch', json, ifMatch: rev });
