import { useState } from 'react';
import styles from './Flap.module.css';

const MOST = 9999;

/** A number on split flaps, to be read from a distance; null shows –. Only the digits that change turn. Screen
 *  readers get the plain number, or `unknown` for null. */
export function Flap({ value, unknown = 'Not known' }: { value: number | null; unknown?: string }) {
  return (
    <>
      <Tiles text={value === null ? '–' : String(Math.min(value, MOST))} />
      <span data-hidden>{value ?? unknown}</span>
    </>
  );
}

/** The time of day on split flaps: `12:05`, with a fixed colon. */
export function FlapClock({ time }: { time: string }) {
  return (
    <time>
      <Tiles text={time} />
      <span data-hidden>{time}</span>
    </time>
  );
}

function Tiles({ text }: { text: string }) {
  return (
    <span className={styles.flap} data-text="sign" data-figures aria-hidden="true">
      {/* The keys count from the right, so that the units keep their tile when the number of digits changes. */}
      {[...text].map((digit, index) =>
        digit === ':' ? (
          <b key={text.length - index} className={styles.colon}>
            :
          </b>
        ) : (
          <Tile key={text.length - index} digit={digit} />
        ),
      )}
    </span>
  );
}

function Tile({ digit }: { digit: string }) {
  const [turn, setTurn] = useState({ from: digit, to: digit });
  if (turn.to !== digit) setTurn({ from: turn.to, to: digit });

  return (
    <b className={styles.tile} data-blank={digit === '–' || undefined}>
      <span className={styles.face}>{digit}</span>
      {turn.from !== turn.to && (
        <span key={turn.from + turn.to}>
          <i className={styles.lower} data-digit={turn.from} />
          <i className={styles.falling} data-digit={turn.from} />
          <i
            className={styles.landing}
            data-digit={turn.to}
            onAnimationEnd={() => setTurn({ from: digit, to: digit })}
          />
        </span>
      )}
    </b>
  );
}
