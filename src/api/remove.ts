import { call, type Options, Refused } from './http.ts';

/** Deletes. What is gone already is deleted: the answer to a first try may have been lost. */
export async function remove(path: string, options: Options = {}): Promise<void> {
  try {
    await call(path, { ...options, method: 'delete' });
  } catch (error) {
    if (!(error instanceof Refused && error.status === 404)) throw error;
  }
}
