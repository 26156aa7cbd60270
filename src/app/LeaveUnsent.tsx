import { signOut } from '../session/session.ts';
import { Confirm } from '../ui/dialogs/Dialog.tsx';

/** A kind of action that has a name of its own. */
const NAMES: Readonly<Record<string, string>> = {
  acknowledge: 'acknowledgement',
  report: 'report',
  note: 'note',
};

/** Asks before signing out, because that deletes actions that wait to be sent. `waiting`: their kinds, at least
 *  one. */
export default function LeaveUnsent({
  waiting,
  onCancel,
}: {
  waiting: readonly string[];
  onCancel: () => void;
}) {
  const one = waiting.length === 1;
  const [kind, ...others] = new Set(waiting);
  const what = (others.length === 0 && NAMES[kind!]) || 'action'; // there is one

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
        {waiting.length} {what}
        {one ? ' is' : 's are'} not sent yet. Sign out and lose {one ? 'it' : 'them'}?
      </p>
    </Confirm>
  );
}
