import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash';
import { TempSign } from '../../ui/signs/TempSign.tsx';
import { ConnectionShape } from './ConnectionShape.tsx';
import { NextTry, useDataSign } from './dataSign.tsx';
import styles from './PageState.module.css';
import type { Refreshed } from './useRefreshed.ts';
import { useConnection } from './connectionWords.ts';

type Line = Omit<Refreshed<unknown>, 'data' | 'refused'>;

/** How current a page is, in the words of the board. `silent`: the number of silent sources. */
export function PageState({
  at,
  problem,
  refreshing,
  silent = 0,
}: Pick<Line, 'at' | 'problem' | 'refreshing'> & { silent?: number }) {
  const { connection, words, refreshed } = useConnection(at, problem, { silent });

  return (
    <p className={styles.state} data-figures data-nowrap data-text="small" data-tone="2">
      <b>
        <ConnectionShape of={connection} refreshing={refreshing} partly={silent > 0} />
        {words}
      </b>{' '}
      Last refresh {refreshed}
    </p>
  );
}

/** The message at the top of a page that is not current. It is read out when it appears. */
export function PageSign({ line, failure, what }: { line: Line; failure: string; what: 'list' | 'page' }) {
  const sign = useDataSign(line.at, line.problem, what);

  return (
    <div role="status" data-notice>
      {line.at && sign && (
        <TempSign key={sign.key} icon={<WifiSlashIcon weight="bold" aria-hidden />}>
          <strong aria-live="off">{sign.head}.</strong> {sign.failed && `${failure}. `}
          {sign.advice}{' '}
          <span aria-live="off" data-figures>
            <NextTry {...line} />
          </span>
        </TempSign>
      )}
    </div>
  );
}
