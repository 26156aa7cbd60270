import { useSession } from '../../session/session.ts';
import { Notice } from '../../ui/signs/Notice.tsx';
import { Page } from '../../ui/page/Page.tsx';
import styles from './AccountPage.module.css';
import { PasswordPanel } from './PasswordPanel.tsx';
import { SecondFactorPanel } from './SecondFactorPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';

const DUTIES = {
  change_password: 'Choose your own password first. The one that you signed in with was made for you.',
  set_up_second_factor: 'Set up a second factor first. This server asks for one.',
} as const;

/** /account: one's own password, second factor and sessions. Nothing of it is stored on the device. */
export function AccountPage() {
  const user = useSession((session) => session.user);
  if (!user) return null;

  return (
    <Page
      heading="Account"
      about={
        <>
          <bdi>{user.displayName}</bdi>, <bdi>{user.email}</bdi>
        </>
      }
    >
      <div data-stack="6">
        {user.must && <Notice>{DUTIES[user.must]}</Notice>}
        <div className={styles.columns} data-stack="6">
          <PasswordPanel email={user.email} />
          <SecondFactorPanel email={user.email} />
        </div>
        <SessionsPanel />
      </div>
    </Page>
  );
}
