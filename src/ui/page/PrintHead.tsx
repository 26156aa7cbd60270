import styles from './PrintHead.module.css';

/** The head of a printed page, which the screen does not show: the service, the page, the age of its data and the
 *  filters. */
export function PrintHead({ title, data, about }: { title: string; data: string; about?: string | null }) {
  return (
    <div className={styles.head} aria-hidden="true">
      <span className={styles.title}>Clearway · {title}</span>
      <span>{data}</span>
      {about && <p>{about}</p>}
    </div>
  );
}
