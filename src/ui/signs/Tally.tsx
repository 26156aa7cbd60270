import { grouped } from '#contract/numbers.ts';
import { type Grade, Severity } from './Severity.tsx';
import styles from './Tally.module.css';

/** The number of alerts of each grade, in the order given (worst first). */
export function Tally({
  label,
  counts,
  unlisted = 0,
  wordless = 0,
}: {
  /** The name of the counted things, for screen readers. */
  label: string;
  counts: readonly { grade: Grade; count: number }[];
  /** The number of further alerts of unknown grade. */
  unlisted?: number;
  /** The number of last grades whose word is left out to save space; their symbols always stay. One more than there
   *  are grades also leaves out the word for unlisted alerts. */
  wordless?: number;
}) {
  return (
    <ul className={styles.tally} aria-label={label}>
      {counts.map(({ grade, count }, place) => (
        <li key={grade}>
          <Severity grade={grade} count={count} plate wordless={place >= counts.length - wordless} />
        </li>
      ))}
      {unlisted > 0 && <li className={styles.unlisted}>{moreWords(unlisted, wordless > counts.length)}</li>}
    </ul>
  );
}

export const moreWords = (unlisted: number, isShort: boolean): string =>
  unlisted === 0 ? '' : isShort ? `+${grouped(unlisted)}` : `and ${grouped(unlisted)} more`;
