import { NextTry } from '../../../feeds/refresh/dataSign.tsx';
import { ConnectionShape, PageSign } from '../../../feeds/refresh/PageState.tsx';
import { useConnection } from '../../../feeds/refresh/connectionWords.ts';
import { Notice } from '../../../ui/signs/Notice.tsx';
import type { Line } from './useIncidents.ts';

/** How current a list of disruptions is, in the words of the board, and a notice when it is not. */
export function DataState({
  at,
  line,
  failure,
}: {
  /** When the server sent the data on screen; null when there is none. */
  at: Date | null;
  line: Line;
  /** The text for a refresh that failed. */
  failure: string;
}) {
  const { problem, refreshing } = line;
  const { connection, words, refreshed } = useConnection(at, problem);

  return (
    <div>
      <p data-split="4">
        <b data-line="1" data-text="strong">
          <ConnectionShape of={connection} refreshing={refreshing} />
          {words}
        </b>{' '}
        <span data-text="small" data-tone="2">
          Last refresh {refreshed}
        </span>
      </p>
      {at === null && problem && (
        <div>
          <Notice>{failure}</Notice>
          <p>
            <NextTry {...line} />
          </p>
        </div>
      )}
      <PageSign line={{ ...line, at }} what="list" failure={failure} />
    </div>
  );
}
