import { type OwnReport, REPORT_LIMITS, type ReportChange } from '#contract/shift/responses.ts';
import { changeReport } from '../../api/shift/responses.ts';
import { useAction } from '../../api/useAction.ts';
import { serverNow } from '../../time/freshness.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';

/** Says of one of the team's own reports that it still holds, or that it is over. */
export function EndReport({ report, onChanged }: { report: OwnReport; onChanged: () => Promise<void> }) {
  const { run, isBusy, failure } = useAction(onChanged);
  const change = (to: ReportChange) =>
    run(() => changeReport(report.disruption.event_id, report.rev, to), 'Unable to save this');

  return (
    <>
      {failure && <Notice>{failure}</Notice>}
      <Button aria-disabled={isBusy} onClick={() => void change({ ask_again_at: later() })}>
        Still happening, ask in 2 h
      </Button>
      <Button aria-disabled={isBusy} onClick={() => void change({ ended: true })}>
        It is over
      </Button>
    </>
  );
}

const later = () => new Date(serverNow().getTime() + REPORT_LIMITS.defaultMs).toISOString();
