import { useState } from 'react';
import { failureText } from '../api/failureText.ts';
import type { Message } from '../api/messages.ts';
import { sendFeedback } from '../api/watches.ts';
import { Notice } from '../ui/Notice.tsx';
import styles from './MessageLog.module.css';

/** "Not on our route", on the message itself: what it is about is marked, for the people who mend the rules. */
export function NotOurs({ message }: { message: Message }) {
  const { kind, title, watch_id, event_ids } = message;
  const [state, setState] = useState<'no' | 'sending' | 'marked'>(message.is_not_ours ? 'marked' : 'no');
  const [failure, setFailure] = useState<string | null>(null);
  if (kind !== 'alert' || !watch_id || event_ids.length === 0) return null;
  if (state === 'marked')
    return (
      <p className={styles.act} role="status">
        Marked: not on our route
      </p>
    );

  const words = event_ids.length === 1 ? 'Not on our route' : `None of the ${event_ids.length} on our route`;
  const mark = async () => {
    setState('sending');
    setFailure(null);
    try {
      for (const subject_id of event_ids) await sendFeedback(watch_id, { subject_id, verdict: 'not_ours' });
      setState('marked');
    } catch (error) {
      setState('no');
      setFailure(failureText(error, 'Unable to save this'));
    }
  };
  return (
    <div className={styles.act}>
      <button
        type="button"
        aria-label={`${words}: ${title}`}
        aria-disabled={state === 'sending'}
        onClick={() => state === 'no' && void mark()}
      >
        {words}
      </button>
      {failure && <Notice>{failure}</Notice>}
    </div>
  );
}
