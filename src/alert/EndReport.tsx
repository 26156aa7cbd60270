import type { OwnReport } from '#contract/responses.ts';
import { useState } from 'react';
import { failureText } from '../api/failureText.ts';
import { changeReport } from '../api/responses.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';

/** Ends one of the team's own reports. */
export function EndReport({ report, onChanged }: { report: OwnReport; onChanged: () => void }) {
  const [failure, setFailure] = useState('');
  const end = async () => {
    try {
      await changeReport(report.disruption.event_id, report.rev, { ended: true });
      setFailure('');
    } catch (error) {
      setFailure(failureText(error, 'Unable to save this'));
    }
    onChanged();
  };

  return (
    <>
      {failure && <Notice>{failure}</Notice>}
      <Button onClick={() => void end()}>It is over</Button>
    </>
  );
}
