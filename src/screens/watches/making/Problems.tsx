import { ProblemLevel, type RouteProblem } from '#contract/watches/watches.ts';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { type Status, StatusLine } from '../../../ui/signs/StatusLine.tsx';
import styles from './Problems.module.css';

const SYMBOLS: Readonly<Record<ProblemLevel, Status>> = {
  stop: 'severe',
  proposal: 'minor',
  done: 'minor',
  understood: 'good',
};

/**
 * The parts of a route that were understood and those that were not, worst first, with the repairs that are offered.
 */
export function Problems({
  problems,
  onRepair,
  aside,
}: {
  problems: readonly RouteProblem[];
  onRepair?: (text: string) => void;
  /** Shown beside each of them. */
  aside?: ReactNode;
}) {
  if (problems.length === 0) return null;

  return (
    <ul className={styles.problems} aria-label="Problems">
      {problems
        .toSorted((a, b) => ProblemLevel.options.indexOf(a.level) - ProblemLevel.options.indexOf(b.level))
        .map(({ level, text, repairs }) => (
          <li key={`${level} ${text}`} data-row="3" data-level={level}>
            <StatusLine status={SYMBOLS[level]}>{text}</StatusLine>
            {onRepair && repairs.length > 0 && (
              <span data-row>
                {repairs.map((repair) => (
                  <Button key={repair.label} small onClick={() => onRepair(repair.text)}>
                    {repair.label}
                  </Button>
                ))}
              </span>
            )}
            {aside}
          </li>
        ))}
    </ul>
  );
}
