/** Layouts, tags and messages of the team's displays, for its leads. */
import { apiPath } from '#contract/addresses.ts';
import {
  type DisplayMessageRequest,
  Layout as WireLayout,
  type LayoutRequest,
  SentMessage,
  type Target,
} from '#contract/displays/layouts.ts';
import { z } from 'zod/mini';
import { Page } from './displaySelf.ts';
import { call, read, remove } from '../http.ts';
import { makeOnce, sendOnce } from '../makeOnce.ts';
import { items, list, tolerant } from '../tolerant.ts';

const Layout = tolerant(WireLayout, 'id', {
  name: z.catch(z.string(), ''),
  pages: z.catch(items(Page), []),
  pin_criticals: z.catch(z.boolean(), true),
  rev: z.catch(z.number(), 0),
});
export type ListedLayout = z.output<typeof Layout>;

const Layouts = list(Layout, 'layouts');

/** The layouts; ready-made ones come first. */
export const listLayouts = async (signal?: AbortSignal) =>
  (await read(Layouts, 'displays/layouts', { signal })).data.items;

export const makeLayout = async (json: LayoutRequest) =>
  (await makeOnce(Layout, 'displays/layouts', json)).data;

/** Promises the changed layout. `rev`: the revision that was loaded. */
export const changeLayout = async ({ id, rev }: { id: string; rev: number }, json: LayoutRequest) =>
  (await read(Layout, apiPath`displays/layouts/${id}`, { method: 'put', json, ifMatch: rev })).data;

export const deleteLayout = (id: string) => remove(apiPath`displays/layouts/${id}`);

export const giveLayout = (to: Target, layout_id: string | null) =>
  call('displays/assignments', { method: 'post', json: { to, layout_id } });

/** Gives the display exactly these tags. */
export const tagDisplay = (id: string, tags: readonly string[]) =>
  call(apiPath`displays/${id}/tags`, { method: 'put', json: { tags } });

const Message = tolerant(SentMessage, 'id');
/** A message that displays show now. */
export type StandingMessage = z.output<typeof Message>;

const Messages = list(Message, 'messages');

/** The newest first. */
export const listStandingMessages = async (signal?: AbortSignal) =>
  (await read(Messages, 'displays/messages', { signal })).data.items;

export const sendToDisplays = (json: DisplayMessageRequest) => sendOnce('displays/messages', json);

export const withdrawMessage = (id: string) => remove(apiPath`displays/messages/${id}`);
