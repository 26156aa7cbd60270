import { signOut } from '../session/session.ts';
import { Confirm } from '../ui/dialogs/Dialog.tsx';

/** Asks before signing out, because that deletes actions that wait to be sent. */
export default function LeaveUnsent({ count, onCancel }: { count: number; onCancel: () => void }) {
  const one = count === 1;

  return (
    <Confirm
      heading="Logout"
      act="Sign out"
      onAct={() => {
        onCancel();
        void signOut();
      }}
      onCancel={onCancel}
    >
      <p>
        {count} {one ? 'acknowledgement is' : 'acknowledgements are'} not sent yet. Sign out and lose{' '}
        {one ? 'it' : 'them'}?
      </p>
    </Confirm>
  );
}
