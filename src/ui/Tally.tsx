import { grouped } from './numbers.ts';
import { type Grade, Severity } from './Severity.tsx';
import styles from './Tally.module.css';

/** How many alerts there are of each grade, in the order given (worst first). */
export function Tally({
  label,
  counts,
  unlisted = 0,
  wordless = 0,
}: {
  /** What is counted, for those who cannot see where the tally stands. */
  label: string;
  counts: readonly { grade: Grade; count: number }[];
  /** Further alerts whose grade is not known here. */
  unlisted?: number;
  /** So many of the last levels go without their word, for want of room; never without their symbol. */
  wordless?: number;
}) {
  return (
    <ul className={styles.tally} aria-label={label}>
      {counts.map(({ grade, count }, place) => (
        <li key={grade}>
          <Severity grade={grade} count={count} plate wordless={place >= counts.length - wordless} />
        </li>
      ))}
      {unlisted > 0 && <li className={styles.unlisted}>and {grouped(unlisted)} more</li>}
    </ul>
  );
}
