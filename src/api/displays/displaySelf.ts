/** The content that this paired display must show. */
import { DisplayMessage, DisplaySelf } from '#contract/displays/layouts.ts';
import { z } from 'zod/mini';
import { read } from '../http.ts';
import { items, maybe, tolerant } from '../tolerant.ts';

/** A page of any type: a server can know more types than this build. */
export const Page = z.looseObject({
  type: z.string(),
  dwell_s: z.catch(z.number(), 30),
  feeds: maybe(z.array(z.string())),
  watch_ids: maybe(z.array(z.string())),
  without_routes: maybe(z.boolean()),
  large: maybe(z.boolean()),
  text: maybe(z.string()),
});
export type ShownPage = z.output<typeof Page>;

export const Self = tolerant(DisplaySelf, null, {
  rev: z.number(),
  layout: maybe(
    z.looseObject({
      name: z.catch(z.string(), ''),
      pin_criticals: z.catch(z.boolean(), true),
      pages: items(Page),
    }),
  ),
  message: maybe(tolerant(DisplayMessage, 'id')),
  next_messages: maybe(items(tolerant(DisplayMessage, 'id'))),
});
export type Self = z.output<typeof Self>;

export const readSelf = async (): Promise<Self> => (await read(Self, 'displays/me')).data;
