import type { NotOurs } from '#contract/watches/watches.ts';
import { useAction } from '../../../api/useAction.ts';
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
  const { run, isBusy, failure } = useAction();
  if (notOurs.length === 0) return null;
  const putBack = (subject_id: string) =>
    run(async () => {
      await sendFeedback(watchId, { subject_id, verdict: 'ours' });
      onChanged();
    }, 'Unable to save this');
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
              disabled={offline || isBusy}
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
