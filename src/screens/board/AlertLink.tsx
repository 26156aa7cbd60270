import { pageAddressOf } from '#contract/addresses.ts';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Alert } from '../../api/alerts/disruptions.ts';
import styles from './AlertLink.module.css';

/** To the alert's own page; to the page of the one that stands for it where another feed counts it. */
export function AlertLink({ alert, children }: { alert: Alert; children: ReactNode }) {
  return (
    <Link href={pageAddressOf('alert', alert.see?.event_id ?? alert.event_id)} className={styles.link}>
      {children}
    </Link>
  );
}
