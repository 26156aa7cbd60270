/** The list of alerts that the team has in hand. Every screen with alerts joins it to its own data. */
import { z } from 'zod/mini';
import { read, type Reply } from '../http.ts';

/** `responsesOf` and `reportsOf` read its parts, for screens that show them. */
const List = z.looseObject({
  responses: z.array(z.unknown()),
  reports: z.catch(z.optional(z.array(z.unknown())), []),
});
export type InHandList = z.output<typeof List>;

export const listResponses = (signal?: AbortSignal): Promise<Reply<InHandList>> =>
  read(List, 'responses/', { offlineCopy: true, signal });
