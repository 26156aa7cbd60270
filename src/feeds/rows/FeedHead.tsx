import type { FeedCategory } from '#contract/feeds/feeds.ts';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/signs/Badge.tsx';
import { Flap } from '../../ui/signs/Flap.tsx';
import { ModePlate } from '../../ui/signs/ModePlate.tsx';
import { Updated } from './Updated.tsx';

/** The name of a feed and the number of its alerts, with `children` below. `styles` gives them their shape on this
 *  screen. */
export function FeedHead({
  styles,
  id,
  title,
  category,
  updated = null,
  count,
  unknown,
  caption,
  news,
  children,
}: {
  styles: CSSModuleClasses;
  /** The id of the title. */
  id?: string;
  title: string;
  category: FeedCategory | null;
  updated?: Date | null;
  /** Null shows –, which is read out as `unknown`. */
  count: number | null;
  unknown?: string;
  caption: string;
  /** Covers the caption. */
  news?: string | false;
  children?: ReactNode;
}) {
  return (
    <header className={styles.meta}>
      <ModePlate category={category} />
      <div className={styles.name}>
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        <p className={styles.updated}>
          {category && <Badge>{category}</Badge>}
          <Updated at={updated} />
        </p>
      </div>
      <p className={styles.count}>
        <Flap value={count} unknown={unknown} />{' '}
        <span className={styles.captions}>
          <span className={styles.caption} data-covered={Boolean(news) || undefined}>
            {caption}
          </span>
          {news && <span className={styles.newPlate}>{news}</span>}
        </span>
      </p>
      {children}
    </header>
  );
}

/** The row of a feed before its data has arrived. */
export function EmptyFeedRow({
  styles,
  title,
  category,
}: {
  styles: CSSModuleClasses;
  title: string;
  category: FeedCategory;
}) {
  return (
    <article className={styles.row} aria-label={title}>
      <FeedHead styles={styles} title={title} category={category} count={null} caption="active alerts" />
    </article>
  );
}
