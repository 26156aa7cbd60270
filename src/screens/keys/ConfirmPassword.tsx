import { useActionState, useState } from 'react';
import { confirmPassword } from '../../api/accounts/account.ts';
import { asksForCode } from '../../api/accounts/auth.ts';
import { failureText } from '../../api/failureText.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import styles from './ConfirmPassword.module.css';

/** Asks for the password again, and for a code where the account has a second factor. */
export function ConfirmPassword({
  onConfirmed,
  onCancel,
}: {
  /** Promises that the keys were read again. */
  onConfirmed: () => Promise<void>;
  onCancel: () => void;
}) {
  const email = useSession(({ user }) => user?.email ?? '');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const [failure, submit, busy] = useActionState(async () => {
    try {
      await confirmPassword(password, code);
    } catch (error) {
      if (asksForCode(error)) setAsksCode(true);
      return failureText(error, 'Unable to confirm the password');
    }
    await onConfirmed();
    return null;
  }, null);

  return (
    <Dialog heading="Confirm your password" onClose={() => !busy && onCancel()}>
      <form action={submit} data-stack="3">
        <p>Full keys are shown for 15 minutes.</p>
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <Field
          label="Your password"
          type="password"
          required
          maxLength={1024}
          autoComplete="current-password"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        {asksCode && (
          <Field
            label="Code"
            required
            maxLength={32}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            hint="Six digits from the app, or a recovery code."
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        )}
        {failure && !busy && <Notice>{failure}</Notice>}
        <div className={styles.buttons} data-row="3">
          <Button busy={busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" kind="primary" busy={busy}>
            Show keys
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
