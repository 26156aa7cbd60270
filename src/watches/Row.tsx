import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './RouteRow.module.css';

/** One line of a list of routes or jobs; all of it is the link to what it names. Of a job its time stands first. */
export function Row({
  id,
  href,
  name,
  label,
  shape,
  time,
  slot,
  isOpen,
  children,
}: {
  id: string;
  href: string;
  name: string;
  /** Text read out in place of all that it shows. */
  label?: string;
  shape: ReactNode;
  /** "06:10", with its weekday where that is another. */
  time?: { clock: string; weekday: string | null };
  /** Right of the name: "in 25 min". */
  slot: string;
  isOpen: boolean;
  /** Its lines. */
  children: ReactNode;
}) {
  return (
    <li>
      <Link
        href={href}
        className={styles.row}
        aria-current={isOpen ? 'true' : undefined}
        aria-label={label}
        data-entry={id}
        data-timed={time ? true : undefined}
      >
        {time && (
          <time className={styles.time}>
            {time.clock}
            {time.weekday && <small>{time.weekday}</small>}
          </time>
        )}
        <span className={styles.shape}>{shape}</span>
        <b className={styles.name}>{name}</b>
        <span className={styles.departure}>{slot}</span>
        {children}
      </Link>
    </li>
  );
}
