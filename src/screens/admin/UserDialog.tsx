import { Tier } from '#contract/accounts/keyTiers.ts';
import { useState } from 'react';
import {
  changeTier,
  keysOfUser,
  type ManagedUser,
  resetPassword,
  resetSecondFactor,
} from '../../api/accounts/admin.ts';
import { useAction } from '../../api/useAction.ts';
import { useLoad } from '../../api/useLoad.ts';
import { formatDateTime } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { CopyCode } from '../../ui/controls/CopyButton.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { SelectField, optionsOf } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted } from '#contract/numbers.ts';
import styles from './UserDialog.module.css';
import { LoadState } from '../../ui/page/Page.tsx';

/** An administrator's actions on one account: a new password, its second factor, the tiers of its keys. */
export function UserDialog({
  user,
  isMe,
  onClose,
}: {
  user: ManagedUser;
  isMe: boolean;
  onClose: () => void;
}) {
  const { run, isBusy: busy, failure } = useAction();
  const [made, setMade] = useState<{ password: string; expires_at: string } | null>(null);
  const [hasFactor, setHasFactor] = useState(user.hasSecondFactor);

  // A new password is shown only once, here.
  const close = () => {
    if (!busy) onClose();
  };

  return (
    <Dialog
      heading={
        <>
          Manage <bdi>{user.email}</bdi>
        </>
      }
      onClose={close}
    >
      <div className={styles.parts} data-stack="5">
        {failure && <Notice>{failure}</Notice>}
        <section data-stack="3" data-align="start" aria-labelledby="reset">
          <h3 id="reset">Password</h3>
          {isMe ? (
            <p>Change your own password on the page “Account”.</p>
          ) : (
            <p>A new password ends all their sessions. They choose their own when they sign in with it.</p>
          )}
          <div role="status">
            {made && (
              <>
                <p>
                  Pass it on now: it is shown only here, and good until {formatDateTime(made.expires_at)}.
                </p>
                <CopyCode small text={made.password} about="the password" />
              </>
            )}
          </div>
          {!isMe && (
            <Button
              busy={busy}
              onClick={() =>
                void run(async () => setMade(await resetPassword(user.id)), 'Unable to reset the password')
              }
            >
              Make a new password
            </Button>
          )}
        </section>
        <section data-stack="3" data-align="start" aria-labelledby="factor">
          <h3 id="factor">Second factor</h3>
          <p role="status">{hasFactor ? 'On.' : 'Off.'}</p>
          {hasFactor && (
            <Button
              kind="danger"
              busy={busy}
              onClick={() =>
                void run(async () => {
                  await resetSecondFactor(user.id);
                  setHasFactor(false);
                }, 'Unable to reset the second factor')
              }
            >
              Reset the second factor
            </Button>
          )}
        </section>
        <Keys user={user} busy={busy} onAct={run} />
        <Button busy={busy} onClick={close}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

function Keys({
  user,
  busy,
  onAct,
}: {
  user: ManagedUser;
  busy: boolean;
  onAct: (doIt: () => Promise<void>, otherwise: string) => Promise<unknown>;
}) {
  /** The tier that was chosen, until the list has it. */
  const [wanted, setWanted] = useState<{ id: string; tier: string } | null>(null);
  const load = useLoad((signal) => keysOfUser(user.id, signal), 'Unable to load the API keys');

  return (
    <section data-stack="3" data-align="start" aria-labelledby="keys">
      <h3 id="keys">API keys</h3>
      <LoadState load={load} />
      {load.state === 'ready' && load.data.length === 0 && <p>None.</p>}
      {load.state === 'ready' &&
        load.data.map((key) => (
          <SelectField
            key={key.id}
            label={`${key.name || 'Untitled key'}, ${key.key_prefix ?? ''}…`}
            hint={`${counted(key.requests_month ?? 0, 'request')} this month`}
            aria-disabled={busy}
            value={wanted?.id === key.id ? wanted.tier : (key.rate_limit_tier ?? '')}
            onChange={({ target }) => {
              if (busy) return;
              setWanted({ id: key.id, tier: target.value });
              void onAct(async () => {
                await changeTier(user.id, key.id, target.value);
                await load.reload();
              }, 'Unable to change the tier').then(() => setWanted(null));
            }}
          >
            {optionsOf(Tier.options.map((tier) => [tier, tier]))}
          </SelectField>
        ))}
    </section>
  );
}
