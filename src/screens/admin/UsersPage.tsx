import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check';
import { ProhibitIcon } from '@phosphor-icons/react/dist/csr/Prohibit';
import { ShieldCheckIcon } from '@phosphor-icons/react/dist/csr/ShieldCheck';
import { UserIcon } from '@phosphor-icons/react/dist/csr/User';
import { pageAddress } from '#contract/addresses.ts';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'wouter';
import { deleteUser, listUsers, type ManagedUser, updateUser, createUser } from '../../api/accounts/admin.ts';
import { useAction, useSubmit } from '../../api/useAction.ts';
import { useLoad } from '../../api/useLoad.ts';
import { signOut, useSession } from '../../session/session.ts';
import { Badge } from '../../ui/signs/StatusLine.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Confirm } from '../../ui/dialogs/Dialog.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted } from '#contract/numbers.ts';
import { Page, LoadState } from '../../ui/page/Page.tsx';
import { formatDateTime } from '../../time/london.ts';
import { AuditTrail } from './AuditTrail.tsx';
import { UserDialog } from './UserDialog.tsx';
import styles from './UsersPage.module.css';
import { Check } from '../../ui/controls/Choice.tsx';
import { bound, Field, SelectField } from '../../ui/controls/Field.tsx';

/** All accounts: create, promote, disable, delete. */
export function UsersPage() {
  const { reload, ...users } = useLoad(listUsers, 'Unable to load users');
  const me = useSession((session) => session.user?.id);
  const { run, isBusy, failure, clear } = useAction();
  /** The user whom the last action was about. */
  const [acted, setActed] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<ManagedUser | null>(null);
  const [managing, setManaging] = useState<ManagedUser | null>(null);
  const list = useRef<HTMLElement>(null);

  const act = (user: ManagedUser, otherwise: string, doIt: () => Promise<void>) => {
    setActed(user.id);
    return run(doIt, otherwise);
  };
  const change = (user: ManagedUser, to: Parameters<typeof updateUser>[1], otherwise: string) =>
    act(user, otherwise, async () => {
      await updateUser(user.id, to);
      await reload();
    });
  const remove = (user: ManagedUser) =>
    act(user, 'Unable to delete user', async () => {
      await deleteUser(user.id);
      flushSync(() => setDeleting(null)); // the dialog is closed first, because it traps the focus
      if (user.id === me) return signOut();
      list.current?.focus(); // the button disappears with its row
      return reload();
    });

  const button = (user: ManagedUser, words: string, act: () => unknown, kind?: 'danger') => (
    <Button small kind={kind} busy={isBusy} aria-label={`${words}, ${user.email}`} onClick={() => void act()}>
      {words}
    </Button>
  );

  return (
    <Page
      heading="Manage Users"
      about="Access is by invitation. Every account starts here."
      aside={<Link href={pageAddress('team')}>Teams</Link>}
    >
      <div className={styles.columns} data-columns="60" data-align="start">
        <CreateUserForm onCreated={reload} />
        <section ref={list} tabIndex={-1} className={styles.list} data-part aria-labelledby="users">
          <header data-split="4" data-align="baseline" data-bottom="4">
            <h2 id="users">Users</h2>
            {users.state === 'ready' && <p data-tone="3">{counted(users.data.length, 'user')}</p>}
          </header>
          <LoadState load={users} again={reload} />
          {users.state === 'ready' && (
            <ul data-ruled>
              {users.data.map((user) => (
                <li key={user.id} className={styles.user} data-pad="4" data-columns="80" data-align="center">
                  <About user={user} isMe={user.id === me} />
                  <div className={styles.acts} data-row>
                    {button(user, user.role === 'admin' ? 'Demote to User' : 'Promote to Admin', () =>
                      change(
                        user,
                        { role: user.role === 'admin' ? 'user' : 'admin' },
                        'Unable to update user role',
                      ),
                    )}
                    {button(user, user.isActive ? 'Disable' : 'Enable', () =>
                      change(user, { is_active: !user.isActive }, 'Unable to update user status'),
                    )}
                    {button(user, 'Manage', () => setManaging(user))}
                    {button(
                      user,
                      'Delete',
                      () => {
                        clear();
                        setDeleting(user);
                      },
                      'danger',
                    )}
                  </div>
                  {failure && acted === user.id && !deleting && (
                    <div data-across>
                      <Notice>{failure}</Notice>
                    </div>
                  )}
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
      <AuditTrail />
      {managing && (
        <UserDialog
          user={managing}
          isMe={managing.id === me}
          onClose={() => {
            setManaging(null);
            void reload();
          }}
        />
      )}
      {deleting && (
        <Confirm
          heading="Delete user"
          act="Delete"
          busy={isBusy}
          failure={failure}
          onAct={() => void remove(deleting)}
          onCancel={() => {
            clear();
            setDeleting(null);
          }}
        >
          <p>Delete {deleting.email}? This cannot be undone.</p>
          {deleting.id === me && <p>This is your own account: you will be signed out.</p>}
        </Confirm>
      )}
    </Page>
  );
}

function About({ user, isMe }: { user: ManagedUser; isMe: boolean }) {
  const { displayName, email, role, isActive, isVerified, lastLogin, hasSecondFactor } = user;
  return (
    <>
      <div>
        <b data-text="lead">
          <bdi>{displayName}</bdi>
        </b>{' '}
        {isMe && <span data-tone="3">(you)</span>}
        <span data-block data-tone="2" data-break>
          {email}
        </span>
      </div>
      <p className={styles.badges} data-row>
        {role === 'admin' ? (
          <Badge state="on">
            <ShieldCheckIcon weight="bold" aria-hidden /> Administrator
          </Badge>
        ) : (
          <Badge>
            <UserIcon weight="bold" aria-hidden /> Standard User
          </Badge>
        )}
        {isActive ? (
          <Badge>
            <CheckIcon weight="bold" aria-hidden /> Active
          </Badge>
        ) : (
          <Badge state="off">
            <ProhibitIcon weight="bold" aria-hidden /> Disabled
          </Badge>
        )}
        {hasSecondFactor && <Badge>Second factor</Badge>}
        {isVerified ? <Badge>Verified</Badge> : <Badge state="off">Not verified</Badge>}
      </p>
      <p data-tone="3" data-size="label">
        Last login {lastLogin ? formatDateTime(lastLogin) : 'Never'}
      </p>
    </>
  );
}

const EMPTY = {
  email: '',
  display_name: '',
  password: '',
  must_change_password: true,
  role: 'user' as 'user' | 'admin',
  is_active: true,
  is_verified: false,
};

/** A new account. The typed text stays until the server has accepted it. */
function CreateUserForm({ onCreated }: { onCreated: () => Promise<void> }) {
  const [user, setUser] = useState(EMPTY);
  const change = (changed: Partial<typeof EMPTY>) => setUser({ ...user, ...changed });
  const { action, isBusy, failure, done } = useSubmit(async () => {
    await createUser(user);
    // If another user was typed meanwhile, the form stays as it is.
    setUser((now) => (now === user ? EMPTY : now));
    await onCreated();
    return { done: `${user.email} can sign in ${user.is_active ? 'now' : 'once enabled'}.` };
  }, 'Unable to create user');

  return (
    <form className={styles.sheet} data-stack="4" data-sheet action={action} aria-labelledby="create-user">
      <h2 id="create-user">Create user</h2>
      <Field
        label="Email"
        type="email"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...bound(user.email, (email) => change({ email }))}
      />
      <Field
        label="Display name"
        required
        autoComplete="off"
        {...bound(user.display_name, (display_name) => change({ display_name }))}
      />
      <Field
        label="Password"
        type="password"
        required
        placeholder="Minimum 8 characters"
        autoComplete="new-password"
        {...bound(user.password, (password) => change({ password }))}
      />
      <SelectField
        label="Role"
        {...bound(user.role, (value) => change({ role: value === 'admin' ? 'admin' : 'user' }))}
      >
        <option value="user">Standard User</option>
        <option value="admin">Administrator</option>
      </SelectField>
      <div data-row="4" data-tight>
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
      {failure && <Notice>{failure}</Notice>}
      <p role="status">{done}</p>
      <Button type="submit" kind="primary" busy={isBusy}>
        {isBusy ? 'Creating...' : 'Create user'}
      </Button>
    </form>
  );
}
