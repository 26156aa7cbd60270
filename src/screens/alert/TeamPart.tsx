import {
  NOTE_MAX,
  type OwnReport,
  REPORT_LIMITS,
  type ReportChange,
  Disposition,
  type LoggedAction,
  STRIKE_MS,
} from '#contract/shift/responses.ts';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { AlertRecord } from '../../api/alerts/alerts.ts';
import { teamRecord, type TeamRecord, changeReport } from '../../api/shift/responses.ts';
import { useTyped } from '../../session/session.ts';
import { titleOf, dateOf } from '../../feeds/alerts/alerts.ts';
import { useRefreshed } from '../../feeds/refresh/useRefreshed.ts';
import { Answers } from '../../shift/inHand/Answers.tsx';
import InHand from '../../shift/InHand.tsx';
import { doAction, whenSent, type WaitingAction } from '../../shift/inHand/sendActions.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { FormDialog } from '../../ui/dialogs/Dialog.tsx';
import styles from './AlertPage.module.css';
import { useAction, useSubmit } from '../../api/useAction.ts';
import { serverNow } from '../../time/freshness.ts';
import { Notice } from '../../ui/signs/Notice.tsx';
import { DISPOSITION_WORDS } from '#contract/shift/responseWords.ts';
import { shortTime } from '../../feeds/alerts/alertTimes.ts';
import { formatClock } from '../../time/london.ts';
import type { Step } from './timeline.ts';
import { bound } from '../../ui/controls/Field.tsx';

/** The team's actions on an alert, oldest first, and the time of that answer; empty until it is known. */
export function useTeamLog(eventId: string): { log: TeamRecord['log']; at: Date | null } {
  const { data, at, renew } = useRefreshed(`team ${eventId}`, (signal) => teamRecord(eventId, signal));
  const again = useEffectEvent(() => void renew());
  useEffect(() => whenSent(again), []);
  return { log: data?.log ?? [], at };
}

/** Who has the alert in hand, and all that can be done with it. `children`: the buttons that are not the team's. */
export function TeamPart({ alert, children }: { alert: AlertRecord; children: ReactNode }) {
  const alerts = useMemo(() => new Map([[alert.event_id, alert]]), [alert]);
  const [writing, setWriting] = useState(false);
  const others = (
    <>
      <Button aria-haspopup="dialog" onClick={() => setWriting(true)}>
        Add a note
      </Button>
      {children}
    </>
  );

  return (
    <section className={styles.team} data-stack="1" aria-label="In hand" data-event={alert.event_id}>
      <InHand alerts={alerts} full />
      {alert.ended_at ? (
        <p data-row data-justify="end" data-only="screen">
          {others}
        </p>
      ) : (
        <Answers alert={alert} large>
          {others}
        </Answers>
      )}
      {writing && <NoteForm alert={alert} onClose={() => setWriting(false)} />}
    </section>
  );
}

function NoteForm({ alert, onClose }: { alert: AlertRecord; onClose: () => void }) {
  const [text, setText, forget] = useTyped(`note ${alert.event_id}`, () => '');
  const form = useSubmit(async () => {
    if (!text.trim()) return 'Write a note.';
    const { event_id, severity } = alert;
    await doAction({
      event_id,
      title: titleOf(alert),
      severity: severity ?? undefined,
      doing: { kind: 'note', text: text.trim() },
      rev: 0,
    });
    forget();
    return onClose();
  }, 'Unable to save the note');

  return (
    <FormDialog heading="Add a note" form={form} act="Add the note" safe onClose={onClose} forget={forget}>
      <label data-stack>
        For your team. It cannot be changed afterwards.
        <textarea rows={4} maxLength={NOTE_MAX} {...bound(text, setText)} />
      </label>
    </FormDialog>
  );
}

/** Buttons on one of the team's own reports, to say that it still holds or that it is over. */
export function EndReport({ report, onChanged }: { report: OwnReport; onChanged: () => Promise<void> }) {
  const { run, isBusy, failure } = useAction(onChanged);
  const change = (to: ReportChange) =>
    run(async () => {
      await changeReport(report.disruption.event_id, report.rev, to);
    }, 'Unable to save this');

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

/** Whether the user can still strike out a note: only its author can, and only for a short time. */
export const canStrike = (
  { action, by, at, struck_at }: LoggedAction,
  userId: string | undefined,
  now: Date,
): boolean =>
  action === 'note' &&
  struck_at === null &&
  by?.id != null &&
  by.id === userId &&
  now.getTime() - Date.parse(at) < STRIKE_MS;

/** The steps of the team's log. Lapses are left out, because the step of the change itself shows them. */
export function teamSteps(log: readonly LoggedAction[], now: Date): Step[] {
  return log.flatMap((entry): Step[] => {
    const head = headOf(entry, now);
    const at = dateOf(entry.at);
    if (!head || !at) return [];
    const name = entry.by?.name ?? '';
    const isNote = entry.action === 'note';
    const struck = dateOf(entry.struck_at);
    return [
      {
        key: entry.id,
        at,
        head,
        detail: isNote ? entry.text : name,
        isOurs: true,
        ...(isNote && { by: name, struck: struck ? `Struck out ${formatClock(struck)}` : '', note: entry }),
      },
    ];
  });
}

/** The log with the strikes that it does not know yet. Refused strikes do not count. */
export const withStrikes = (
  log: readonly LoggedAction[],
  actions: readonly WaitingAction[],
): LoggedAction[] =>
  log.map((entry) => {
    const strike = actions.find(
      ({ doing, refused }) => doing.kind === 'strike' && doing.note === entry.id && refused === null,
    );
    return strike && entry.struck_at === null ? { ...entry, struck_at: strike.at } : entry;
  });

/** Notes that the log does not know yet. `by`: the words for their state, unless they were refused. */
export const noteSteps = (actions: readonly WaitingAction[], by: string): Step[] =>
  actions.flatMap(({ id, at, doing, refused }) =>
    doing.kind === 'note'
      ? [
          {
            key: id,
            at: new Date(at),
            head: 'Note',
            detail: doing.text,
            isOurs: true,
            by: refused ?? by,
          },
        ]
      : [],
  );

function headOf({ action, detail }: LoggedAction, now: Date): string {
  switch (action) {
    case 'acknowledged': {
      const disposition = Disposition.safeParse(detail['disposition']);
      return disposition.success ? `Acknowledged · ${DISPOSITION_WORDS[disposition.data]}` : 'Acknowledged';
    }
    case 'snoozed': {
      const until = typeof detail['until'] === 'string' ? dateOf(detail['until']) : null;
      if (detail['snooze'] === 'until_it_changes') return 'Snoozed until it changes';
      return until ? `Snoozed until ${shortTime(until, now)}` : 'Snoozed';
    }
    case 'woken':
      return 'Snooze ended';
    case 'returned':
      return 'Back from snooze, as it changed';
    case 'reopened':
      return 'Reopened';
    case 'note':
      return 'Note';
    case 'report.made':
      return 'Reported by our team';
    case 'report.changed':
      return 'Our report changed';
    case 'report.ended':
      return 'Our report ended';
    default:
      return '';
  }
}
