import { z } from 'zod/mini';

/** An id that the client makes, so that a request that arrives twice counts once. A UUID, preferably of version 7. */
export const MadeId = z.string().check(
  z.regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, {
    error: 'must be a UUID, preferably of version 7',
  }),
  z.toLowerCase(),
);
