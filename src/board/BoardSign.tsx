import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash';
import { useEffect, useRef } from 'react';
import { AppSign } from '../session/OfflineNotice.tsx';
import { DemoSign } from '../ui/DemoSign.tsx';
import { TempSign } from '../ui/TempSign.tsx';
import styles from './BoardSign.module.css';
import { NextTry, useDataSign } from '../feeds/dataSign.tsx';
import type { Board } from '../feeds/useBoard.ts';

/**
 * What the board has to say about its own data, under the header: that it is old, that it could not be refreshed, that
 * it is not real. One sign at a time. Its place is always there, or a screen reader would miss the first one.
 */
export function BoardSign({
  demo,
  at,
  board: { problem, refreshing, nextTryAt },
}: {
  demo: boolean;
  /** When the server gave what is shown; null when nothing is. */
  at: Date | null;
  board: Pick<Board, 'problem' | 'refreshing' | 'nextTryAt'>;
}) {
  const sign = useDataSign(demo ? null : at, problem);
  const place = useRef<HTMLDivElement>(null);
  useHoldRows(place);

  return (
    <div className={styles.place} ref={place} role="status">
      {words()}
    </div>
  );

  function words() {
    if (demo) return <DemoSign />;
    if (!sign) return <AppSign offlineSaid />;

    return (
      <TempSign
        // Content that is put in anew is read out; content that changes inside `aria-live="off"` is not.
        key={sign.key}
        icon={<WifiSlashIcon weight="bold" aria-hidden />}
      >
        <strong>
          {sign.failed && 'Unable to load AI feed summaries. '}
          {sign.age && (
            <span aria-live="off" className={styles.age}>
              {sign.age}.{' '}
            </span>
          )}
        </strong>
        {sign.advice}{' '}
        <span aria-live="off" className={styles.next}>
          <NextTry refreshing={refreshing} nextTryAt={nextTryAt} />
        </span>
      </TempSign>
    );
  }
}

/**
 * No row moves when the sign comes up or grows: a page that is scrolled holds what it shows by itself, and one at its
 * very top gives up as much of the navigation as the sign takes. An observer hears of it before anything is painted, and
 * a board that is drawn again as it was is not measured.
 */
function useHoldRows(place: { current: HTMLDivElement | null }) {
  useEffect(() => {
    let before: number | null = null;
    const observer = new ResizeObserver(() => {
      const height = place.current?.offsetHeight ?? 0;
      const grown = height - (before ?? height);
      before = height;
      const header = place.current?.closest('header');
      if (grown <= 0 || !header || window.scrollY > 0) return;
      window.scrollBy(0, Math.min(grown, header.getBoundingClientRect().top));
    });
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
}
