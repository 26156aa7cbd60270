import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check';
import { ProhibitIcon } from '@phosphor-icons/react/dist/csr/Prohibit';
import { ShieldCheckIcon } from '@phosphor-icons/react/dist/csr/ShieldCheck';
import { UserIcon } from '@phosphor-icons/react/dist/csr/User';
import { pageAddress } from '#contract/addresses.ts';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'wouter';
import { deleteUser, listUsers, type ManagedUser, updateUser } from '../../api/accounts/admin.ts';
import { useAction } from '../../api/useAction.ts';
import { useLoad } from '../../api/useLoad.ts';
import { signOut, useSession } from '../../session/session.ts';
import { Badge } from '../../ui/signs/Badge.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Confirm } from '../../ui/dialogs/Confirm.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted } from '../../ui/numbers.ts';
import { Page } from '../../ui/page/Page.tsx';
import { formatDateTime } from '../../time/london.ts';
import { AuditTrail } from './AuditTrail.tsx';
import { CreateUserForm } from './CreateUserForm.tsx';
import { UserDialog } from './UserDialog.tsx';
import styles from './UsersPage.module.css';

/** Who has an account: create, promote, disable, delete. */
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
      flushSync(() => setDeleting(null)); // first close the dialog, which traps the focus
      if (user.id === me) return signOut();
      list.current?.focus(); // the button disappears with its row
      return reload();
    });

  return (
    <Page
      heading="Manage Users"
      about="Access is by invitation. Every account starts here."
      aside={<Link href={pageAddress('team')}>Teams</Link>}
    >
      <div className={styles.columns} data-stack="6">
        <CreateUserForm onCreated={reload} />
        <section ref={list} tabIndex={-1} className={styles.list} aria-labelledby="users">
          <header>
            <h2 id="users">Users</h2>
            {users.state === 'ready' && <p>{counted(users.data.length, 'user')}</p>}
          </header>
          {users.state === 'loading' && <p role="status">Loading...</p>}
          {users.state === 'failed' && (
            <>
              <Notice>{users.message}</Notice>
              <Button onClick={() => void reload()}>Try again</Button>
            </>
          )}
          {users.state === 'ready' && (
            <ul>
              {users.data.map((user) => (
                <UserRow
                  key={user.id}
                  user={user}
                  isMe={user.id === me}
                  busy={isBusy}
                  failure={acted === user.id && !deleting ? failure : null}
                  onRole={() =>
                    change(
                      user,
                      { role: user.role === 'admin' ? 'user' : 'admin' },
                      'Unable to update user role',
                    )
                  }
                  onActive={() => change(user, { is_active: !user.isActive }, 'Unable to update user status')}
                  onManage={() => setManaging(user)}
                  onDelete={() => {
                    clear();
                    setDeleting(user);
                  }}
                />
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

function UserRow({
  user,
  isMe,
  busy,
  failure,
  onRole,
  onActive,
  onManage,
  onDelete,
}: {
  user: ManagedUser;
  isMe: boolean;
  busy: boolean;
  failure: string | null;
  onRole: () => void;
  onActive: () => void;
  onManage: () => void;
  onDelete: () => void;
}) {
  const { displayName, email, role, isActive, isVerified, lastLogin, hasSecondFactor } = user;
  const named = (what: string) => `${what}, ${email}`;
  const roleAct = role === 'admin' ? 'Demote to User' : 'Promote to Admin';
  const activeAct = isActive ? 'Disable' : 'Enable';

  return (
    <li className={styles.user}>
      <div className={styles.who}>
        <b>
          <bdi>{displayName}</bdi>
        </b>{' '}
        {isMe && <span data-tone="3">(you)</span>}
        <span className={styles.email}>{email}</span>
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
      <p className={styles.last}>Last login {lastLogin ? formatDateTime(lastLogin) : 'Never'}</p>
      <div className={styles.acts} data-row>
        <Button small busy={busy} aria-label={named(roleAct)} onClick={onRole}>
          {roleAct}
        </Button>
        <Button small busy={busy} aria-label={named(activeAct)} onClick={onActive}>
          {activeAct}
        </Button>
        <Button small busy={busy} aria-label={named('Manage')} onClick={onManage}>
          Manage
        </Button>
        <Button small kind="danger" busy={busy} aria-label={named('Delete')} onClick={onDelete}>
          Delete
        </Button>
      </div>
      {failure && (
        <div className={styles.failure}>
          <Notice>{failure}</Notice>
        </div>
      )}
    </li>
  );
}
