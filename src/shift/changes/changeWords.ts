/** Changes, in the small words of rows and of the strip. */
import type { CountedKind, NetChange } from '#contract/incidents/changes.ts';
import { dateOf } from '../../feeds/alerts/alerts.ts';
import { shortTime } from '../../feeds/alerts/alertTimes.ts';
import { GRADE_WORDS } from '../../ui/signs/Severity.tsx';
import type { ChangeMark } from './changeStore.ts';

export const KIND_WORDS: Readonly<Record<CountedKind, string>> = {
  new: 'new',
  worse: 'worse',
  cleared: 'cleared',
  lost: 'no longer known',
};

const ENDED_BY: Readonly<Record<string, string>> = {
  publisher: ' (publisher)',
  end_time: ' (its end time)',
  absent: ' (no longer listed)',
};

export const isGone = ({ kind }: Pick<NetChange, 'kind'>): boolean => kind === 'cleared' || kind === 'lost';

/** "New 07:51", "Worse: was Medium", "Changed: end time 09:00 → 14:00", "Cleared 07:58 (publisher)", "Not reported
 *  since 07:40". */
export function changeWords(change: NetChange, now: Date): string {
  const { kind, severity, severity_from, ended_reason } = change;
  const date = dateOf(change.at);
  const at = date ? shortTime(date, now) : '';
  switch (kind) {
    case 'new':
      return `New ${at}`;
    case 'worse':
    case 'better':
      // By its delay or its lanes.
      if (severity === severity_from) return `Worse since ${at}`;
      return `${kind === 'worse' ? 'Worse' : 'Better'}: was ${GRADE_WORDS[severity_from ?? 'unrated']}`;
    case 'started':
      return `Started ${at}`;
    case 'changed':
      return changedWords(change, now, at);
    case 'cleared':
      return `Cleared ${at}${ENDED_BY[ended_reason ?? ''] ?? ''}`;
    case 'lost':
      return `Not reported since ${at}`;
  }
}

function changedWords({ fields, end_time_from, end_time }: NetChange, now: Date, at: string): string {
  if (!fields.includes('end_time')) return `Changed ${at}`;
  const [from, to] = [dateOf(end_time_from), dateOf(end_time)];
  if (!to) return 'Changed: no end time now';
  if (!from) return `Changed: end time ${shortTime(to, now)}`;
  return `Changed: end time ${shortTime(from, now)} → ${shortTime(to, now)}`;
}

export const markOf = (change: NetChange, now: Date): ChangeMark => ({
  newAt: change.kind === 'new' ? dateOf(change.at) : null,
  text: changeWords(change, now),
  arrow: change.kind === 'worse' ? 'up' : change.kind === 'better' ? 'down' : null,
  severity: change.kind === 'worse' || change.kind === 'better' ? change.severity : null,
});
