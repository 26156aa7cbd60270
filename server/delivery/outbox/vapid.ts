/** Our key towards push services (VAPID, RFC 8292), the same on every node that has the secret. */
import { createECDH } from 'node:crypto';
import type { Secrets } from '../../accounts/secrets.ts';

export interface VapidKeys {
  /** base64url; browsers subscribe with it. */
  publicKey: string;
  privateKey: string;
}

export function vapidKeys({ pushKey }: Pick<Secrets, 'pushKey'>): VapidKeys {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(pushKey);
  return {
    publicKey: curve.getPublicKey('base64url'),
    privateKey: Buffer.from(pushKey).toString('base64url'),
  };
}
