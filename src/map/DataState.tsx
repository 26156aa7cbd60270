import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash';
import { ConnectionShape } from '../feeds/ConnectionShape.tsx';
import { NextTry, useDataSign } from '../feeds/dataSign.tsx';
import { useConnection } from '../feeds/useConnection.ts';
import { Notice } from '../ui/Notice.tsx';
import { TempSign } from '../ui/TempSign.tsx';
import styles from './DataState.module.css';
import type { Line } from './useIncidents.ts';

/** How current a list of disruptions is, in the words of the board, and a notice when it is not current. */
export function DataState({
  at,
  line,
  failure,
}: {
  /** When the server sent what is shown; null when nothing is shown. */
  at: Date | null;
  line: Line;
  /** The text for a refresh that failed. */
  failure: string;
}) {
  const { problem, refreshing } = line;
  const { connection, words, refreshed } = useConnection(at, problem);
  const sign = useDataSign(at, problem, 'list');

  return (
    <div>
      <p className={styles.state}>
        <b>
          <ConnectionShape of={connection} refreshing={refreshing} />
          {words}
        </b>{' '}
        <span>Last refresh {refreshed}</span>
      </p>
      {at === null && problem && (
        <div>
          <Notice>{failure}</Notice>
          <p className={styles.next}>
            <NextTry {...line} />
          </p>
        </div>
      )}
      <div role="status" className={styles.sign}>
        {at && sign && (
          <TempSign key={sign.key} icon={<WifiSlashIcon weight="bold" aria-hidden />}>
            <strong aria-live="off">{sign.head}.</strong> {sign.failed && `${failure}. `}
            {sign.advice}{' '}
            <span aria-live="off" className={styles.next}>
              <NextTry {...line} />
            </span>
          </TempSign>
        )}
      </div>
    </div>
  );
}
