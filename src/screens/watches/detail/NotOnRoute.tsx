import { useState } from 'react';
import type { NotOurs } from '#contract/watches/watches.ts';
import { failureText } from '../../../api/failureText.ts';
import { sendFeedback } from '../../../api/watches/oneWatch.ts';
import { formatClock } from '../../../time/london.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Notice } from '../../../ui/signs/Notice.tsx';

/** Alerts the team has said are not on this route or in this area, and can take back. */
export function NotOnRoute({
  watchId,
  notOurs,
  isArea = false,
  offline,
  onChanged,
}: {
  watchId: string;
  notOurs: readonly NotOurs[];
  isArea?: boolean;
  offline: boolean;
  onChanged: () => void;
}) {
  const [failure, setFailure] = useState<string | null>(null);
  if (notOurs.length === 0) return null;
  const putBack = async (subject_id: string) => {
    setFailure(null);
    try {
      await sendFeedback(watchId, { id: crypto.randomUUID?.(), subject_id, verdict: 'ours' });
      onChanged();
    } catch (error) {
      setFailure(failureText(error, 'Unable to save this'));
    }
  };
  return (
    <section>
      <h3>{`Said to be not ${isArea ? 'in our area' : 'on our route'}`}</h3>
      <ul>
        {notOurs.map(({ subject_id, title, at, by }) => (
          <li key={subject_id}>
            <b>{title}</b>
            {[by, formatClock(at)].filter(Boolean).join(', ')}{' '}
            <Button
              small
              disabled={offline}
              aria-label={`Put back: ${title}`}
              onClick={() => void putBack(subject_id)}
            >
              Put back
            </Button>
          </li>
        ))}
      </ul>
      {failure && <Notice>{failure}</Notice>}
    </section>
  );
}
