import { NOTE_MAX, type OwnReport, REPORT_LIMITS, type ReportChange } from '#contract/shift/responses.ts';
import { useActionState, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { AlertRecord } from '../../api/alerts/alerts.ts';
import { teamRecord, type TeamRecord, changeReport } from '../../api/shift/responses.ts';
import { titleOf } from '../../feeds/alerts/alerts.ts';
import { useRefreshed } from '../../feeds/refresh/useRefreshed.ts';
import { Answers } from '../../shift/inHand/Answers.tsx';
import InHand from '../../shift/InHand.tsx';
import { doAction, whenSent } from '../../shift/inHand/sendActions.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import styles from './AlertPage.module.css';
import { useAction } from '../../api/useAction.ts';
import { serverNow } from '../../time/freshness.ts';
import { Notice } from '../../ui/signs/Notice.tsx';

/** Acts of our team on an alert, oldest first, and when that was so; empty until it is known. */
export function useTeamLog(eventId: string): { log: TeamRecord['log']; at: Date | null } {
  const { data, at, renew } = useRefreshed(`team ${eventId}`, (signal) => teamRecord(eventId, signal));
  const again = useEffectEvent(() => void renew());
  useEffect(() => whenSent(again), []);
  return { log: data?.log ?? [], at };
}

/** Who has it in hand, and what we do about it. */
export function TeamPart({ alert }: { alert: AlertRecord }) {
  const alerts = useMemo(() => new Map([[alert.event_id, alert]]), [alert]);
  const [writing, setWriting] = useState(false);

  return (
    <section className={styles.team} data-stack="1" aria-label="In hand" data-event={alert.event_id}>
      <InHand alerts={alerts} full />
      <div className={styles.teamRow}>
        {alert.ended_at ? <span /> : <Answers alert={alert} large />}
        <Button aria-haspopup="dialog" onClick={() => setWriting(true)}>
          Add a note
        </Button>
      </div>
      {writing && <NoteForm alert={alert} onClose={() => setWriting(false)} />}
    </section>
  );
}

function NoteForm({ alert, onClose }: { alert: AlertRecord; onClose: () => void }) {
  const [text, setText] = useState('');
  const isDone = useRef(false);
  const [, save, isSaving] = useActionState(async () => {
    // Two taps in quick succession are two actions.
    if (!text.trim() || isDone.current) return;
    isDone.current = true;
    const { event_id, severity } = alert;
    await doAction({
      event_id,
      title: titleOf(alert),
      severity: severity ?? undefined,
      doing: { kind: 'note', text: text.trim() },
      rev: 0,
    });
    onClose();
  }, null);

  return (
    <Dialog heading="Add a note" onClose={onClose}>
      <form action={save} data-stack>
        <label data-stack>
          For your team. It cannot be changed afterwards.
          <textarea
            rows={4}
            maxLength={NOTE_MAX}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <div className={styles.noteButtons} data-row>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" aria-disabled={isSaving || !text.trim()}>
            Add the note
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

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
