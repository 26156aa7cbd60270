import { useActionState, useState } from 'react';
import { createUser } from '../../api/accounts/admin.ts';
import { failureText } from '../../api/failureText.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Check } from '../../ui/controls/Check.tsx';
import { Field, SelectField } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import styles from './UsersPage.module.css';

const EMPTY = {
  email: '',
  display_name: '',
  password: '',
  must_change_password: true,
  role: 'user' as 'user' | 'admin',
  is_active: true,
  is_verified: false,
};

/** A new account. What was typed stays until the server has accepted it. */
export function CreateUserForm({ onCreated }: { onCreated: () => Promise<void> }) {
  const [user, setUser] = useState(EMPTY);
  const change = (changed: Partial<typeof EMPTY>) => setUser({ ...user, ...changed });
  const [result, submit, submitting] = useActionState(
    async (): Promise<{ failure?: string; created?: string } | null> => {
      try {
        await createUser(user);
        // A user typed meanwhile is the next one.
        setUser((now) => (now === user ? EMPTY : now));
        await onCreated();
        return { created: `${user.email} can sign in ${user.is_active ? 'now' : 'once enabled'}.` };
      } catch (error) {
        return { failure: failureText(error, 'Unable to create user') };
      }
    },
    null,
  );

  return (
    <form className={styles.sheet} data-stack="4" action={submit} aria-labelledby="create-user">
      <h2 id="create-user">Create user</h2>
      <Field
        label="Email"
        type="email"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={user.email}
        onChange={({ target }) => change({ email: target.value })}
      />
      <Field
        label="Display name"
        required
        autoComplete="off"
        value={user.display_name}
        onChange={({ target }) => change({ display_name: target.value })}
      />
      <Field
        label="Password"
        type="password"
        required
        placeholder="Minimum 8 characters"
        autoComplete="new-password"
        value={user.password}
        onChange={({ target }) => change({ password: target.value })}
      />
      <SelectField
        label="Role"
        value={user.role}
        onChange={({ target }) => change({ role: target.value === 'admin' ? 'admin' : 'user' })}
      >
        <option value="user">Standard User</option>
        <option value="admin">Administrator</option>
      </SelectField>
      <div className={styles.checks} data-row="4">
        <Check
          label="Must choose their own password at first sign-in"
          checked={user.must_change_password}
          onChange={(must_change_password) => change({ must_change_password })}
        />
        <Check label="Active" checked={user.is_active} onChange={(is_active) => change({ is_active })} />
        <Check
          label="Verified"
          checked={user.is_verified}
          onChange={(is_verified) => change({ is_verified })}
        />
      </div>
      {!submitting && result?.failure && <Notice>{result.failure}</Notice>}
      <p role="status" className={styles.created}>
        {!submitting && result?.created}
      </p>
      <Button type="submit" kind="primary" busy={submitting}>
        {submitting ? 'Creating...' : 'Create user'}
      </Button>
    </form>
  );
}
