import type { ComponentProps } from 'react';
import { DrawnAs, formOf } from '../wall/words/form.ts';
import { PageOfWall } from '../wall/playlist/PageOfWall.tsx';
import { type Message, messageBand, MessageScreen } from '../wall/playlist/WallMessage.tsx';
import styles from './WallPreview.module.css';

/** A page, or a message, as a display of this size shows it now: drawn by the wall's own components. */
export default function WallPreview({
  size: { width, height },
  shown,
  page,
  message,
}: {
  /** In CSS pixels. */
  size: { width: number; height: number };
  shown: Pick<ComponentProps<typeof PageOfWall>, 'board' | 'routes' | 'jobs'>;
  page: ComponentProps<typeof PageOfWall>['page'];
  message?: Message;
}) {
  return (
    <div
      className={styles.screen}
      style={{ aspectRatio: `${width} / ${height}` }}
      data-theme="board"
      aria-hidden="true"
      inert
    >
      <DrawnAs value={formOf(width, height)}>
        <div className={styles.picture}>
          {message && message.cover !== 'band' ? (
            <MessageScreen message={message} board={shown.board} beside={null} />
          ) : (
            <PageOfWall
              page={page}
              of="team"
              turn={0}
              band={
                message
                  ? messageBand(message, { form: formOf(width, height), large: page.large ?? false })
                  : null
              }
              beside={null}
              {...shown}
            />
          )}
        </div>
      </DrawnAs>
    </div>
  );
}
