/** How an incident's words were read, beside the words themselves. */
import { z } from 'zod/mini';

/** The use of a word. A road is affected, or it says where on another road the trouble is, or it is a diversion, or
 *  it ends a queue, or it is part of a name. `stretch`: a junction. `direction`: the carriageway. */
export const WordUse = z.enum([
  'affected',
  'limit',
  'diversion',
  'destination',
  'name',
  'stretch',
  'direction',
]);
export type WordUse = z.infer<typeof WordUse>;

/** All parts of a text together are the text. */
export const ReadPart = z.object({ words: z.string(), use: z.nullable(WordUse) });
export type ReadPart = z.infer<typeof ReadPart>;

export const WhatWasRead = z.object({
  /** "Read as M62 eastbound, J26 to J27, closed. The A58 is a way round." */
  sentence: z.string(),
  title: z.array(ReadPart),
  text: z.array(ReadPart),
});
export type WhatWasRead = z.infer<typeof WhatWasRead>;

/** Body of `POST /disruptions/reading-faults`: "This is wrong". */
export const ReadingFault = z.object({
  /** Made by the client: a report that arrives twice counts once. */
  id: z.uuid(),
  event_id: z.string().check(z.minLength(1), z.maxLength(300)),
  note: z._default(z.nullable(z.string().check(z.maxLength(500))), null),
});
export type ReadingFault = z.infer<typeof ReadingFault>;
