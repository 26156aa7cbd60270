import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash';
import { useEffect, useRef } from 'react';
import { AppSign } from '../../../session/OfflineNotice.tsx';
import { DemoSign } from '../../../ui/signs/DemoSign.tsx';
import { TempSign } from '../../../ui/signs/TempSign.tsx';
import styles from './BoardSign.module.css';
import { NextTry, useDataSign } from '../../../feeds/refresh/dataSign.tsx';
import type { Board } from '../../../feeds/refresh/useBoard.ts';

/**
 * The notice below the header about the board's own data: that it is old, could not be refreshed, or is not real.
 * There is one sign at a time. Its container is always there: without it a screen reader would miss the first sign.
 */
export function BoardSign({
  demo,
  at,
  board: { problem, refreshing, nextTryAt },
}: {
  demo: boolean;
  /** When the server sent what is shown; null when nothing is shown. */
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
        // A new element is read out; a change inside `aria-live="off"` is not.
        key={sign.key}
        icon={<WifiSlashIcon weight="bold" aria-hidden />}
      >
        {sign.head && (
          <strong aria-live="off" className={styles.age}>
            {sign.head}.{' '}
          </strong>
        )}
        {sign.failed && 'Unable to load AI feed summaries. '}
        {sign.advice}{' '}
        <span aria-live="off" className={styles.next}>
          <NextTry refreshing={refreshing} nextTryAt={nextTryAt} />
        </span>
      </TempSign>
    );
  }
}

/**
 * No row moves when the sign appears or grows. A scrolled page keeps its position by itself; a page at the very top
 * is scrolled, hiding as much of the navigation as the sign takes. An observer runs before the paint, and only when
 * the size has changed.
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
