/** Addresses, subscriptions and signing secrets are stored encrypted, each for its own row. */
import { keySeal } from '../../accounts/keys/apiKeys.ts';
import type { Secrets } from '../../accounts/secrets.ts';

/** The row that a value belongs to. In another it cannot be read. */
interface Row {
  id: string;
  teamId: string;
}

export function channelSeal({ messageKey }: Pick<Secrets, 'messageKey'>) {
  const { seal, open } = keySeal({ sealingKey: messageKey });
  return {
    seal: (text: string, { id, teamId }: Row) => seal(text, { keyId: id, ownerId: teamId }),
    /** Null when it was sealed under another secret. */
    open: (sealed: string, { id, teamId }: Row) => open(sealed, { keyId: id, ownerId: teamId }),
  };
}

export type ChannelSeal = ReturnType<typeof channelSeal>;
