import { useEffect } from 'react';
import { usePath } from '../addresses/useAddress.ts';
import { countUnseen, followPushes } from '../messages/unseen.ts';
import { useUnseen } from '../shift/unseenMessages.ts';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import styles from './UnseenCount.module.css';

/** The number beside the link to the messages. */
export default function UnseenCount() {
  const path = usePath();
  const count = useUnseen((unseen) => unseen.count);
  useEffect(followPushes, []);
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
