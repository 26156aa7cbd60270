import { type ComponentProps, type CSSProperties, useState } from 'react';
import { useFacesLoaded } from '../wall/words/textFit.ts';
import { DrawnAs, formOf } from '../wall/words/wallMeasures.ts';
import { PageOfWall } from '../wall/playlist/PageOfWall.tsx';
import { type Message, messageBand, MessageScreen } from '../wall/playlist/WallMessage.tsx';
import styles from './WallPreview.module.css';

/** A page, or a message, as a display of this size shows it now. The wall's own components draw it in the display's
 *  own size, and then it is made smaller: at a small size browsers would not set the type, because 6 px is their
 *  smallest. */
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
  const [scale, setScale] = useState(0);
  useFacesLoaded();
  return (
    <div
      ref={(screen) => {
        const observer = new ResizeObserver(() => setScale((screen?.clientWidth ?? 0) / width));
        if (screen) observer.observe(screen);
        return () => observer.disconnect();
      }}
      className={styles.screen}
      style={{ '--width': width, '--height': height } as CSSProperties}
      data-theme="board"
      aria-hidden="true"
      inert
    >
      <DrawnAs value={formOf(width, height)}>
        <div className={styles.picture} style={{ transform: `scale(${scale})` }}>
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
