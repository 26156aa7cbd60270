import { useEffect } from 'react';
import { usePath } from '../device/address/useAddress.ts';
import { countUnseen, followPushes, forgetUnseen } from '../screens/messages/unseen.ts';
import { useSession } from '../session/session.ts';
import { useUnseen } from '../shift/unseenMessages.ts';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import styles from './UnseenCount.module.css';

/** The number beside the link to the messages: of one person. */
export default function UnseenCount() {
  const me = useSession(({ user }) => user?.id);
  return <Count key={me} />;
}

function Count() {
  const path = usePath();
  const count = useUnseen((unseen) => unseen.count);
  useEffect(followPushes, []);
  useEffect(() => forgetUnseen, []);
  useEffect(() => void countUnseen(path), [path]);

  if (count === 0) return null;
  return (
    <>
      {' '}
      <span className={styles.count}>
        {count > 99 ? '99+' : count}
        <VisuallyHidden> unseen</VisuallyHidden>
      </span>
    </>
  );
}
