/** Addresses, subscriptions and signing secrets are stored encrypted, each for its own row. */
import { keySeal } from '../../accounts/keys/apiKeys.ts';
import type { Secrets } from '../../accounts/secrets.ts';
import { createECDH } from 'node:crypto';

/** The row to which a value belongs. In another row it cannot be decrypted. */
interface Row {
  id: string;
  teamId: string;
}

export function channelSeal({ messageKey }: Pick<Secrets, 'messageKey'>) {
  const { seal, open } = keySeal({ sealingKey: messageKey });
  return {
    seal: (text: string, { id, teamId }: Row) => seal(text, { keyId: id, ownerId: teamId }),
    /** Null if it was encrypted under another secret. */
    open: (sealed: string, { id, teamId }: Row) => open(sealed, { keyId: id, ownerId: teamId }),
  };
}

export type ChannelSeal = ReturnType<typeof channelSeal>;

// Our key towards push services (VAPID, RFC 8292), the same on every node that has the secret.

interface VapidKeys {
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
