import { isKnownAt, type OwnReport, REPORT_LIMITS, type ReportChange } from '#contract/shift/responses.ts';
import { useState } from 'react';
import { changeReport } from '../../api/shift/responses.ts';
import { useAction } from '../../api/useAction.ts';
import { useSession } from '../../session/session.ts';
import { useClock } from '../../time/tickingClock.ts';
import { serverNow } from '../../time/freshness.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { TempSign } from '../../ui/signs/TempSign.tsx';
import { useStates } from '../inHand/inHandStates.ts';

/** Asks the author of a report whether it still holds, when it said that it would; without an answer it is given up. */
export function StillHappening({ onAnswered }: { onAnswered: () => void }) {
  const reports = useStates((known) => known.reports);
  const me = useSession(({ user }) => user?.id);
  const due = useClock(
    (now) =>
      reports.find(({ by, disruption }) => by?.id === me && isAskedAbout(disruption, now))?.disruption
        .event_id ?? null,
  );
  const report = reports.find(({ disruption }) => disruption.event_id === due);
  return report ? <Question key={due} report={report} onAnswered={onAnswered} /> : null;
}

function isAskedAbout(report: OwnReport['disruption'], now: Date): boolean {
  const at = report.metadata.ask_again_at;
  return at !== undefined && Date.parse(at) <= now.getTime() && isKnownAt(report, now);
}

function Question({ report, onAnswered }: { report: OwnReport; onAnswered: () => void }) {
  const { run, isBusy, failure } = useAction();
  const [isAnswered, setAnswered] = useState(false);
  const answer = (change: ReportChange) =>
    run(async () => {
      await changeReport(report.disruption.event_id, report.rev, change);
      setAnswered(true);
      onAnswered();
    }, 'Unable to save this');
  // The list that says so too is still on its way.
  if (isAnswered) return null;
  const later = () => new Date(serverNow().getTime() + REPORT_LIMITS.defaultMs).toISOString();

  return (
    <TempSign>
      <b>Still happening?</b> {report.disruption.title}{' '}
      <Button small aria-disabled={isBusy} onClick={() => void answer({ ask_again_at: later() })}>
        Yes, 2 h more
      </Button>{' '}
      <Button small aria-disabled={isBusy} onClick={() => void answer({ ended: true })}>
        It is over
      </Button>{' '}
      {failure}
    </TempSign>
  );
}
