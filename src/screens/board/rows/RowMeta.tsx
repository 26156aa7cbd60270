import type { FeedCategory } from '#contract/feeds/feeds.ts';
import type { Row } from '../../../api/alerts/feeds.ts';
import { dateOf } from '../../../feeds/alerts/alerts.ts';
import { countsText, feedCounts, feedGrades, categoryOf } from '../../../feeds/alerts/counts.ts';
import { Updated } from '../../../feeds/rows/QuietLine.tsx';
import { Badge } from '../../../ui/signs/StatusLine.tsx';
import { Flap } from '../../../ui/signs/Flap.tsx';
import { ModePlate } from '../../../ui/signs/ModePlate.tsx';
import { Tally } from '../../../ui/signs/Tally.tsx';
import { GRADE_WORDS } from '../../../ui/signs/Severity.tsx';
import styles from './RowMeta.module.css';

/** A Compact row's tally has room for about this many characters. Beyond it, only the worst grade has its word. */
const TALLY_CHARACTERS = 21;

/** A feed's name, its number of alerts by grade, and the age of its data. */
export function RowMeta({
  id,
  row,
  title,
  count,
  compact,
  news,
}: {
  /** The id of the title. */
  id: string;
  row: Pick<Row, 'feed' | 'events'>;
  title: string;
  /** Null shows –: the number is not known. */
  count: number | null;
  compact: boolean;
  /** "2 new": the changes of the last refresh. */
  news: string | false;
}) {
  const { feed } = row;
  const category = categoryOf(feed);
  const grades = feedGrades(row);
  const { active, planned } = feedCounts(row);
  const uncounted = active - grades.reduce((sum, one) => sum + one.count, 0);
  const characters = grades.map(({ grade, count: of }) => `${of} ${GRADE_WORDS[grade]}`).join('').length;

  return (
    <header className={styles.meta} data-compact={compact || undefined}>
      <ModePlate category={category} />
      <h2 className={styles.title} data-size="h3" id={id}>
        {title}
      </h2>
      <p
        className={styles.figures}
        data-row
        data-tight
        data-text="small"
        data-tone="2"
        data-named={(category && title.includes(category)) || undefined}
      >
        {category && !compact && <Badge>{category}</Badge>}
        {count !== null && <span data-nowrap>{countsText({ active, planned })}</span>}
        {news ? (
          <span className={styles.news} data-nowrap>
            {news}
          </span>
        ) : (
          !compact && <Updated at={dateOf(feed.last_updated)} />
        )}
      </p>
      <p className={styles.count}>
        <Flap value={count} unknown="Unknown number of" />{' '}
        <span data-hidden>{count === 1 ? 'active alert' : 'active alerts'}</span>
      </p>
      {grades.length > 0 && (
        <div className={styles.tally} data-across>
          <Tally
            label="Active alerts by severity"
            counts={grades}
            unlisted={uncounted}
            wordless={compact && characters > TALLY_CHARACTERS ? grades.length - 1 : 0}
          />
        </div>
      )}
    </header>
  );
}

/** A row before its data has arrived. */
export function EmptyRowMeta({
  title,
  category,
  compact,
}: {
  title: string;
  category: FeedCategory;
  compact: boolean;
}) {
  return (
    <header className={styles.meta} data-compact={compact || undefined}>
      <ModePlate category={category} />
      <h2 className={styles.title} data-size="h3">
        {title}
      </h2>
      <p className={styles.figures} data-text="small" />
      <p className={styles.count}>
        <Flap value={null} />
      </p>
    </header>
  );
}
