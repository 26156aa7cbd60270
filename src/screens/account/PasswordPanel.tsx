import { useActionState, useState } from 'react';
import { changePassword } from '../../api/accounts/account.ts';
import { asksForCode } from '../../api/accounts/auth.ts';
import { failureText } from '../../api/failureText.ts';
import { reloadUser } from '../../session/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { Panel } from '../../ui/page/Panel.tsx';
import styles from './AccountPage.module.css';

const EMPTY = { current: '', next: '', again: '', code: '' };

/** Choosing another password. What was typed stays until the server has accepted it. */
export function PasswordPanel({ email }: { email: string }) {
  const [typed, setTyped] = useState(EMPTY);
  const [asksCode, setAsksCode] = useState(false);
  const [result, submit, saving] = useActionState(
    async (): Promise<{ failure?: string; done?: true } | null> => {
      if (typed.next !== typed.again) return { failure: 'The two new passwords differ.' };
      try {
        await changePassword(typed.current, typed.next, typed.code);
        setTyped((now) => (now === typed ? EMPTY : now));
        void reloadUser();
        return { done: true };
      } catch (error) {
        if (asksForCode(error)) setAsksCode(true);
        return { failure: failureText(error, 'Unable to change the password') };
      }
    },
    null,
  );
  const field = (name: keyof typeof EMPTY) => ({
    type: 'password',
    required: true,
    maxLength: 1024,
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [name]: target.value }),
  });

  return (
    <Panel heading="Password" sheet>
      <form action={submit} className={styles.form} data-stack="4">
        {/* So that a password manager knows whose it is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <Field label="Current password" autoComplete="current-password" {...field('current')} />
        <Field
          label="New password"
          autoComplete="new-password"
          hint="At least 8 characters. Three words that have nothing to do with you are best."
          {...field('next')}
        />
        <Field label="New password again" autoComplete="new-password" {...field('again')} />
        {asksCode && (
          <Field
            label="Code"
            {...field('code')}
            type="text"
            maxLength={32}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            hint="Six digits from the app, or a recovery code."
          />
        )}
        {!saving && result?.failure && <Notice>{result.failure}</Notice>}
        <p role="status" className={styles.done}>
          {!saving && result?.done && 'Your password was changed. Other browsers were signed out.'}
        </p>
        <Button type="submit" kind="primary" busy={saving}>
          {saving ? 'Changing...' : 'Change password'}
        </Button>
      </form>
    </Panel>
  );
}
