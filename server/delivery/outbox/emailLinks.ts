/** Links in e-mails, which act without a sign-in: what they say is signed with the server's secret. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../accounts/secrets.ts';

export type Purpose = 'confirm' | 'unsubscribe';

export interface Links {
  /** For this channel: goes into the address as it is. */
  token(purpose: Purpose, channelId: string): string;
  /** The channel; null when the token was not made here for this. */
  read(purpose: Purpose, token: string): string | null;
}

export function links({ messageKey }: Pick<Secrets, 'messageKey'>): Links {
  const sign = (purpose: Purpose, id: string) =>
    createHmac('sha256', messageKey).update(`${purpose}\n${id}`).digest().subarray(0, 24);
  return {
    token: (purpose, id) => `${id}.${sign(purpose, id).toString('base64url')}`,
    read(purpose, token) {
      const dot = token.lastIndexOf('.');
      const id = token.slice(0, Math.max(0, dot));
      const said = Buffer.from(token.slice(dot + 1), 'base64url');
      const right = sign(purpose, id);
      return id && said.length === right.length && timingSafeEqual(said, right) ? id : null;
    },
  };
}

/** The paths of the pages to which they lead. */
export const linkPath = (purpose: Purpose, token: string) => `/api/v1/channels/${purpose}/${token}`;
