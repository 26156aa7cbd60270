/** Makes something under an id of this browser's, so that an attempt whose answer was lost can be repeated. */
import type { z } from 'zod/mini';
import { uuid7 } from '#contract/uuid7.ts';
import { serverNow } from '../time/freshness.ts';
import { offlineScope, read, Refused, type Reply } from './http.ts';

/** Attempts without an answer: the server may have made what they ask for. */
const unanswered = new Map<string, string>();

/** Posts it. The same content has the same id until the server has answered: then the next is another. */
export async function makeOnce<S extends z.ZodMiniType>(
  schema: S,
  path: string,
  content: object,
): Promise<Reply<z.output<S>>> {
  const attempt = JSON.stringify([offlineScope(), path, content]);
  const id = unanswered.get(attempt) ?? uuid7(serverNow());
  unanswered.set(attempt, id);
  try {
    const reply = await read(schema, path, { method: 'post', json: { ...content, id } });
    unanswered.delete(attempt);
    return reply;
  } catch (error) {
    if (error instanceof Refused) unanswered.delete(attempt);
    throw error;
  }
}
