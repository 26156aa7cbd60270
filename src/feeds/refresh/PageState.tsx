import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash';
import { ProductSign } from '../../ui/signs/ProductSign.tsx';
import { type DataSign, NextTry, useDataSign } from './dataSign.tsx';
import styles from './PageState.module.css';
import type { Refreshed } from './useRefreshed.ts';
import { type Connection, useConnection } from './connectionWords.ts';
import shapes from './ConnectionShape.module.css';

type Line = Omit<Refreshed<unknown>, 'data' | 'refused'>;

/** How current a page is. `silent`: the number of silent sources. `demo`: its alerts are samples. */
export function PageState({
  at,
  problem,
  refreshing,
  silent = 0,
  demo = false,
}: Pick<Line, 'at' | 'problem' | 'refreshing'> & { silent?: number; demo?: boolean }) {
  const { connection, words, refreshed } = useConnection(at, problem, { silent, demo });

  return (
    <p className={styles.state} data-figures data-nowrap data-text="small" data-tone="2">
      <b>
        <ConnectionShape of={connection} refreshing={refreshing} partly={silent > 0} />
        {words}
      </b>{' '}
      {demo ? 'Sample alerts' : `Last refresh ${refreshed}`}
    </p>
  );
}

/** The message at the top of a page that is not current. It is read out when it appears. */
export function PageSign({ line, failure, what }: { line: Line; failure: string; what: 'list' | 'page' }) {
  const sign = useDataSign(line.at, line.problem, what);

  return (
    <div role="status" data-notice>
      {line.at && sign && <OldSign key={sign.key} sign={sign} line={line} failure={failure} />}
    </div>
  );
}

/** The message of a sign. Its key is the sign's: a new element is read out, a change in `aria-live="off"` is not. */
export function OldSign({
  sign: { head, failed, advice },
  line,
  failure,
}: {
  sign: DataSign;
  line: Pick<Line, 'refreshing' | 'nextTryAt'>;
  failure: string;
}) {
  return (
    <ProductSign icon={<WifiSlashIcon weight="bold" aria-hidden />}>
      {head && (
        <strong aria-live="off" data-nowrap data-figures>
          {head}.{' '}
        </strong>
      )}
      {failed && `${failure}. `}
      {advice}{' '}
      <span aria-live="off" data-nowrap data-figures>
        <NextTry {...line} />
      </span>
    </ProductSign>
  );
}

/** A full disc: current. Half: current, but some sources are silent. A ring: not current, or not yet loaded. A
 *  square: not live. */
export function ConnectionShape({
  of,
  refreshing,
  partly = false,
}: {
  of: Connection;
  /** A request is in progress. */
  refreshing: boolean;
  /** Some sources are silent. */
  partly?: boolean;
}) {
  return (
    <svg
      className={shapes.shape}
      data-forced="own"
      viewBox="0 0 24 24"
      aria-hidden="true"
      data-connection={of}
      data-refreshing={refreshing || undefined}
    >
      {of === 'Live' && partly ? (
        <path fillRule="evenodd" d="M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22zm0 3a8 8 0 0 0 0 16z" />
      ) : of === 'Live' ? (
        <circle cx="12" cy="12" r="11" />
      ) : of === 'Demo' ? (
        <path d="M2 2h20v20H2z" />
      ) : (
        <circle cx="12" cy="12" r="9" />
      )}
    </svg>
  );
}
