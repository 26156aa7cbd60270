import { useEffect } from 'react';
import { usePath } from '../device/address/useAddress.ts';
import { useSession } from '../session/session.ts';
import { setUnseen, useUnseen } from '../shift/changes/changeStore.ts';
import styles from './UnseenCount.module.css';
import { pageAddress } from '#contract/addresses.ts';
import { get } from 'idb-keyval';
import { type PushedMessage, TAPPED, type TappedMessage } from '../../sw/workerMessages.ts';
import { listMessages } from '../api/watches/messages.ts';
import { serverNow } from '../time/freshness.ts';
import { renewDevice } from '../screens/messages/thisDevice.ts';

/** The number of unseen messages beside the link to them. It belongs to one person. */
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
        <span data-hidden> unseen</span>
      </span>
    </>
  );
}

const ASK_EVERY_MS = 60_000;
let askedAt = -Infinity;

/** Loads the number at most once a minute, and never for the board, whose own refresh has it. */
export async function countUnseen(path: string): Promise<void> {
  const now = serverNow().getTime();
  if (path === pageAddress('board') || path === pageAddress('messages')) return;
  // The difference can be negative, because the server's clock can also correct the device's clock backwards.
  if (Math.abs(now - askedAt) < ASK_EVERY_MS) return;
  askedAt = now;
  try {
    setUnseen((await listMessages({ limit: 1 })).data.unseen);
    await renewDevice(now);
  } catch {
    /* By design: the number is only a help, and the page says what is wrong. */
  }
}

/** Forgets the number, so that the next person begins with none. */
export function forgetUnseen(): void {
  askedAt = -Infinity;
  setUnseen(0);
}

/** Does the actions that were tapped on notifications, now or while no page was open. */
async function doTapped(): Promise<void> {
  try {
    if ((await get(TAPPED)) === undefined) return;
    const { takeTapped } = await import('../shift/inHand/fromNotifications.ts');
    await takeTapped();
  } catch {
    /* By design: without storage nothing was kept. */
  }
}

/** Follows pushes until the returned function is called. */
export function followPushes(): () => void {
  const onMessage = ({ data }: MessageEvent) => {
    const message = data as Partial<PushedMessage> | Partial<TappedMessage> | null;
    if (message?.type === 'PUSHED' && typeof message.unseen === 'number') setUnseen(message.unseen);
    if (message?.type === 'TAPPED') void doTapped();
  };
  navigator.serviceWorker?.addEventListener('message', onMessage);
  void doTapped();
  return () => navigator.serviceWorker?.removeEventListener('message', onMessage);
}
