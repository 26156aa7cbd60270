import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash';
import type { ReactNode } from 'react';
import { isStale } from '../../time/freshness.ts';
import { useClock } from '../../time/tickingClock.ts';
import { ProductSign } from '../../ui/signs/ProductSign.tsx';
import { sinceText } from '../alerts/alerts.ts';
import { NextTry } from './dataSign.tsx';
import type { Refreshed } from './useRefreshed.ts';

/** The message above rows that are not current: "Offline: showing jobs from 05:47". `children`: another message,
 *  shown only while the rows are current. */
export function AsOfSign({
  line,
  offline,
  what,
  children,
}: {
  line: Pick<Refreshed<unknown>, 'at' | 'problem' | 'refreshing' | 'nextTryAt'>;
  offline: boolean;
  what: string;
  children?: ReactNode;
}) {
  const { at, problem } = line;
  const asOf = useClock((now) => (at ? sinceText(at, now) : null));
  const old = useClock((now) => at !== null && isStale(at, now));
  const away = offline || problem !== null || old;

  return (
    <div role="status" data-notice>
      {asOf && away && (
        <ProductSign icon={<WifiSlashIcon weight="bold" aria-hidden />}>
          <strong>
            {offline ? 'Offline' : 'No answer'}: showing {what} from {asOf}
          </strong>{' '}
          <span aria-live="off">
            <NextTry {...line} />
          </span>
        </ProductSign>
      )}
      {!away && children}
    </div>
  );
}
