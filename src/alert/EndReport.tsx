import type { OwnReport } from '#contract/responses.ts';
import { useState } from 'react';
import { failureText } from '../api/failureText.ts';
import { changeReport } from '../api/responses.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';

/** Ends one of the team's own reports. */
export function EndReport({ report, onChanged }: { report: OwnReport; onChanged: () => Promise<void> }) {
  const [failure, setFailure] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const end = async () => {
    if (isBusy) return;
    setIsBusy(true);
    try {
      await changeReport(report.disruption.event_id, report.rev, { ended: true });
      setFailure('');
      await onChanged();
    } catch (error) {
      setFailure(failureText(error, 'Unable to save this'));
      void onChanged();
    }
    setIsBusy(false);
  };

  return (
    <>
      {failure && <Notice>{failure}</Notice>}
      <Button aria-disabled={isBusy} onClick={() => void end()}>
        It is over
      </Button>
    </>
  );
}
