/** Alerts that the team has in hand: the list that every screen of alerts joins to its own. */
import { z } from 'zod/mini';
import { read, type Reply } from '../http.ts';

/** Its parts are read by those who show them: `responsesOf` and `reportsOf`. */
const List = z.looseObject({
  responses: z.array(z.unknown()),
  reports: z.catch(z.optional(z.array(z.unknown())), []),
});
export type InHandList = z.output<typeof List>;

export const listResponses = (signal?: AbortSignal): Promise<Reply<InHandList>> =>
  read(List, 'responses/', { offlineCopy: true, signal });
