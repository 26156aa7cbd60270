/** The team's briefs, and the pages that were sent of each. */
import { apiPath } from '#contract/addresses.ts';
import {
  Brief as WireBrief,
  type BriefChange,
  BriefHorizon,
  BriefAbout,
  BriefList,
  BriefPage as WirePage,
  BriefSent,
  BriefSheet,
  type NewBrief,
} from '#contract/messages/briefs.ts';
import { z } from 'zod/mini';
import { call, read, remove, type Reply } from '../http.ts';
import { makeOnce } from '../makeOnce.ts';
import { items, tolerant } from '../tolerant.ts';

const texts = z.catch(z.array(z.string()), []);

const Brief = tolerant(WireBrief, 'id', {
  name: z.catch(z.string(), 'Brief without a name'),
  days: z.catch(z.int(), 127),
  times: texts,
  about: z.catch(BriefAbout, 'jobs'),
  horizon: z.catch(BriefHorizon, 'today'),
  watch_ids: z.catch(z.nullable(z.array(z.string())), null),
  user_ids: z.catch(z.nullable(z.array(z.string())), null),
  channel_ids: texts,
  rev: z.int(),
  sent: z.catch(items(BriefSent), []),
});
export type Brief = z.output<typeof Brief>;

const List = tolerant(BriefList, null, { briefs: items(Brief) });

export const listBriefs = async (signal?: AbortSignal): Promise<Brief[]> =>
  (await read(List, 'briefs/', { signal })).data.briefs;

export const addBrief = async (brief: z.input<typeof NewBrief>): Promise<string> =>
  (await makeOnce(Brief, 'briefs/', brief)).data.id;

/** Refused with 409 when somebody else has changed the brief since `rev`. */
export const changeBrief = (id: string, rev: number, json: BriefChange) =>
  call(apiPath`briefs/${id}`, { method: 'patch', json, ifMatch: rev });

export const removeBrief = (id: string): Promise<void> => remove(apiPath`briefs/${id}`);

const Page = tolerant(WirePage, 'id', {
  name: z.catch(z.string(), 'Brief'),
  at: z.iso.datetime(),
  made_at: z.iso.datetime(),
  subject: z.catch(z.nullable(z.string()), null),
  team: z.catch(z.string(), ''),
  sheet: z.nullable(BriefSheet),
});
export type Page = z.output<typeof Page>;

export const sendBrief = async (id: string): Promise<Page> =>
  (await read(Page, apiPath`briefs/${id}/send`, { method: 'post' })).data;

/** As it was sent. */
export const readBrief = (id: string, at: string, signal?: AbortSignal): Promise<Reply<Page>> =>
  read(Page, apiPath`briefs/${id}/${at}`, { signal });
