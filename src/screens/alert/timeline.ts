/** The history of an alert: its stored versions in words, the newest first. */
import { severityRank } from '#contract/incidents/severity.ts';
import type { LoggedAction } from '#contract/shift/responses.ts';
import type { AlertRecord } from '../../api/alerts/alerts.ts';
import { dateOf } from '../../feeds/alerts/alerts.ts';
import { shortTime } from '../../feeds/alerts/alertTimes.ts';
import { GRADE_WORDS } from '../../ui/signs/Severity.tsx';

export interface Step {
  key: string;
  at: Date;
  /** The change. */
  head: string;
  /** The publisher's words; '' when the head says everything. */
  detail: string;
  /** Our team did it. */
  isOurs?: boolean;
  /** Who wrote a note, and when it was struck out ('' if it was not). */
  by?: string;
  struck?: string;
  note?: LoggedAction;
}

type Version = NonNullable<AlertRecord['history']>[number];

export function stepsOf({ history }: AlertRecord, now: Date): Step[] {
  const versions = history ?? [];
  return versions.flatMap((version, index) => stepsOfVersion(version, versions[index - 1], now)).toReversed();
}

function stepsOfVersion(version: Version, before: Version | undefined, now: Date): Step[] {
  const seen = dateOf(version.seen_at);
  const ended = dateOf(version.ended_at);
  const again = dateOf(before?.ended_at) !== null;
  return [
    ...(seen
      ? [
          {
            key: `${version.seen_at}`,
            at: seen,
            ...(again ? begunAgain(version) : changedIn(version, before, now)),
          },
        ]
      : []),
    ...(ended
      ? [{ key: `${version.ended_at} end`, at: ended, head: endedWords(version.ended_reason), detail: '' }]
      : []),
  ];
}

const begunAgain = (version: Version) => ({ head: 'Began again', detail: quoted(version) });

function changedIn(version: Version, before: Version | undefined, now: Date): Pick<Step, 'head' | 'detail'> {
  const changed = new Set(version.changed ?? []);
  if (!before || changed.size === 0) {
    const grade = version.severity ? `${GRADE_WORDS[version.severity]}. ` : '';
    return { head: 'New', detail: `${grade}${quoted(version)}` };
  }
  const heads = [
    changed.has('severity') && gradeWords(version, before),
    changed.has('phase') && version.phase === 'active' && 'Began',
    changed.has('end_time') && timeWords('end time', version.end_time, before.end_time, now),
    changed.has('start_time') && timeWords('start time', version.start_time, before.start_time, now),
  ].filter((head) => typeof head === 'string' && head !== '');
  const isReworded = changed.has('title') || changed.has('summary_line');
  return {
    head: heads.join('. ') || 'Changed in words',
    detail: isReworded ? (changed.has('title') ? quoted(version) : `“${version.summary_line ?? ''}”`) : '',
  };
}

const quoted = ({ title }: Version) => (title ? `“${title}”` : '');

function gradeWords(version: Version, before: Version): string {
  if (!version.severity || !before.severity) return '';
  const isWorse = severityRank(version.severity) < severityRank(before.severity);
  return `${isWorse ? 'Worse' : 'Easier'}: was ${GRADE_WORDS[before.severity]}`;
}

function timeWords(
  name: string,
  to: string | null | undefined,
  from: string | null | undefined,
  now: Date,
): string {
  const [was, is] = [dateOf(from), dateOf(to)];
  if (was && is) return `Changed: ${name} ${shortTime(was, now)} → ${shortTime(is, now)}`;
  if (is) return `Changed: ${name} ${shortTime(is, now)}`;
  return was ? `Changed: no ${name} any more` : '';
}

/** Why an alert is over. */
export function endedWords(reason: string | null | undefined): string {
  switch (reason) {
    case 'publisher':
      return 'Cleared, says the publisher';
    case 'end_time':
      return 'Over: its end time has passed';
    case 'expired':
      return 'Lost: its source has been silent for too long';
    default:
      return 'Gone: no longer listed';
  }
}
