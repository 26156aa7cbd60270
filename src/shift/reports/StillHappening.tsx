import { isKnownAt, type OwnReport, REPORT_LIMITS } from '#contract/shift/responses.ts';
import { useState } from 'react';
import { failureText } from '../../api/failureText.ts';
import { changeReport } from '../../api/shift/responses.ts';
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
  const [failure, setFailure] = useState('');
  const [state, setState] = useState<'asked' | 'sending' | 'answered'>('asked');
  const answer = async (change: { ask_again_at: string } | { ended: true }) => {
    if (state !== 'asked') return;
    setState('sending');
    setFailure('');
    try {
      await changeReport(report.disruption.event_id, report.rev, change);
      setState('answered');
      onAnswered();
    } catch (error) {
      setState('asked');
      setFailure(failureText(error, 'Unable to save this'));
    }
  };
  // The list that says so too is still on its way.
  if (state === 'answered') return null;
  const isSending = state === 'sending';
  const later = () => new Date(serverNow().getTime() + REPORT_LIMITS.defaultMs).toISOString();

  return (
    <TempSign>
      <b>Still happening?</b> {report.disruption.title}{' '}
      <Button small aria-disabled={isSending} onClick={() => void answer({ ask_again_at: later() })}>
        Yes, 2 h more
      </Button>{' '}
      <Button small aria-disabled={isSending} onClick={() => void answer({ ended: true })}>
        It is over
      </Button>{' '}
      {failure}
    </TempSign>
  );
}
