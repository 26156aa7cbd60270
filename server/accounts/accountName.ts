import { createHmac } from 'node:crypto';
import type { Secrets } from './secrets.ts';

/** An account as the log names it: the same each time, and nobody without the secret can say whose it is. */
export const accountNames =
  ({ accountKey }: Pick<Secrets, 'accountKey'>) =>
  (email: string) =>
    createHmac('sha256', accountKey).update(email.toLowerCase()).digest('hex').slice(0, 16);
