import type { CSSProperties } from 'react';
import styles from './RiskRing.module.css';

/** A risk score from 0 to 100 as a number, an arc and a word. */
export function RiskRing({ score, large = false }: { score: number; large?: boolean }) {
  const { colour, word } = riskOf(score);

  return (
    <figure className={styles.risk} data-stack="1" data-large={large || undefined}>
      <span
        className={styles.ring}
        data-risk={colour}
        style={{ '--score': score } as CSSProperties}
        role="img"
        aria-label={`Risk ${score} of 100, ${word}`}
      >
        <svg viewBox="0 0 100 100" aria-hidden="true">
          <circle className={styles.track} cx="50" cy="50" r="42" />
          <circle className={styles.arc} cx="50" cy="50" r="42" pathLength="100" />
        </svg>
        <b>{score}</b>
      </span>
      <figcaption aria-hidden="true">{word}</figcaption>
    </figure>
  );
}

/** 75 and above red, 50 and above orange, 25 and above amber, else green. */
export function riskOf(score: number): { colour: 'red' | 'orange' | 'amber' | 'green'; word: string } {
  if (score >= 75) return { colour: 'red', word: 'Severe' };
  if (score >= 50) return { colour: 'orange', word: 'High' };
  if (score >= 25) return { colour: 'amber', word: 'Raised' };
  return { colour: 'green', word: 'Low' };
}
