import { NOTE_MAX } from '#contract/shift/responses.ts';
import { useActionState, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { AlertRecord } from '../../api/alerts/alerts.ts';
import { teamRecord, type TeamRecord } from '../../api/shift/responses.ts';
import { titleOf } from '../../feeds/alerts/alerts.ts';
import { useRefreshed } from '../../feeds/refresh/useRefreshed.ts';
import { Answers } from '../../shift/inHand/Answers.tsx';
import InHand from '../../shift/InHand.tsx';
import { doAction, whenSent } from '../../shift/inHand/sendActions.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import styles from './AlertPage.module.css';

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
