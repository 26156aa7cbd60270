/** Sends something under an id that this browser makes, so that an attempt whose answer was lost can be repeated. */
import type { z } from 'zod/mini';
import { uuid7 } from '#contract/uuid7.ts';
import { serverNow } from '../time/freshness.ts';
import { call, offlineScope, read, Refused, type Reply } from './http.ts';

/** Attempts without an answer: the server may have done them. */
const unanswered = new Map<string, string>();

/** Posts it. The same content keeps the same id until the server has answered; after that it gets a new one.
 *  `besides`: fields that are sent too but may differ at each attempt, such as an end in so many hours. */
export const makeOnce = <S extends z.ZodMiniType>(
  schema: S,
  path: string,
  content: object,
  besides: object = {},
): Promise<Reply<z.output<S>>> =>
  once(path, content, (json) => read(schema, path, { method: 'post', json: { ...json, ...besides } }));

/** The same for a call whose answer says only that it was done. */
export async function sendOnce(path: string, content: object): Promise<void> {
  await once(path, content, (json) => call(path, { method: 'post', json }));
}

async function once<T>(path: string, content: object, send: (json: object) => Promise<T>): Promise<T> {
  const attempt = JSON.stringify([offlineScope(), path, content]);
  const id = unanswered.get(attempt) ?? uuid7(serverNow());
  unanswered.set(attempt, id);
  try {
    const answer = await send({ ...content, id });
    unanswered.delete(attempt);
    return answer;
  } catch (error) {
    if (error instanceof Refused) unanswered.delete(attempt);
    throw error;
  }
}
