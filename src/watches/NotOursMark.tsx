import { useState } from 'react';
import { useAction } from '../api/useAction.ts';
import { sendFeedback } from '../api/watches/oneWatch.ts';
import { Notice } from '../ui/signs/Notice.tsx';
import styles from './NotOursMark.module.css';

/** "Not on our route", on an alert that is said to touch a route: it removes the alert from that route for the whole
 *  team, as long as the alert stands. It can be undone in the same place. */
export function NotOursMark({
  watchId,
  subjectIds,
  about,
  isMarked = false,
  kind = '',
  offline = false,
  onChanged,
}: {
  watchId: string;
  subjectIds: readonly string[];
  /** Names the alert for screen readers, when there are several buttons. */
  about?: string;
  isMarked?: boolean;
  /** The kind of watch; '' has general words. */
  kind?: string;
  offline?: boolean;
  /** Called when the alerts that touch the route have changed. */
  onChanged?: (isMarked: boolean) => void;
}) {
  const [marked, setMarked] = useState(isMarked);
  const { run, isBusy, failure } = useAction();
  const count = subjectIds.length;
  const here = HERE[kind] ?? 'ours';
  const none = here === 'ours' ? 'is ours' : here;
  const words = count === 1 ? `Not ${here}` : `None of the ${count} ${none}`;

  const send = () =>
    run(async () => {
      for (const subject_id of subjectIds)
        await sendFeedback(watchId, { subject_id, verdict: marked ? 'ours' : 'not_ours' });
      setMarked(!marked);
      onChanged?.(!marked);
    }, 'Unable to save this');

  return (
    <span className={styles.place} data-row>
      <span role="status">{marked && `Marked: not ${here}`}</span>
      <button
        // A new key makes a new button, so that the second of two quick taps does not undo the first.
        key={marked ? 'undo' : 'mark'}
        type="button"
        data-tap
        disabled={offline}
        aria-disabled={isBusy}
        aria-label={about && `${marked ? `Undo, it is ${here}` : words}: ${about}`}
        onClick={() => void send()}
      >
        {marked ? 'Undo' : words}
      </button>
      {failure && <Notice>{failure}</Notice>}
    </span>
  );
}

const HERE: Readonly<Record<string, string>> = { route: 'on our route', area: 'in our area' };
