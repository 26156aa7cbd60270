/** Acts of our team on an alert, as steps of how it went. */
import { Disposition, type LoggedAction, STRIKE_MS } from '#contract/shift/responses.ts';
import { DISPOSITION_WORDS } from '#contract/shift/responseWords.ts';
import { dateOf } from '../../feeds/alerts/alerts.ts';
import { shortTime } from '../../feeds/alerts/alertTimes.ts';
import { formatClock } from '../../time/london.ts';
import type { WaitingAction } from '../../shift/inHand/sendActions.ts';
import type { Step } from './timeline.ts';

/** The author of a note can strike it out so soon after it was made. */
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

/** Lapses are left out: the step of the change itself says so. */
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

/** The log with what was struck out since. What was refused counts no more. */
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

/** Notes that the log does not know yet. `by`: in what state they are, where they were not refused. */
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
