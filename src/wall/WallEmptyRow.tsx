import type { FeedCategory } from '#contract/feeds.ts';
import { Badge } from '../ui/Badge.tsx';
import { Flap } from '../ui/Flap.tsx';
import { ModePlate } from '../ui/ModePlate.tsx';
import styles from './WallRow.module.css';

/** The row of a feed before its data has arrived. */
export function WallEmptyRow({ title, category }: { title: string; category: FeedCategory }) {
  return (
    <article className={styles.row} aria-label={title}>
      <header className={styles.meta}>
        <ModePlate category={category} />
        <div className={styles.name}>
          <h2 className={styles.title}>{title}</h2>
          <p className={styles.updated}>
            <Badge>{category}</Badge>
          </p>
        </div>
        <p className={styles.count}>
          <Flap value={null} /> <span className={styles.caption}>active alerts</span>
        </p>
      </header>
    </article>
  );
}
