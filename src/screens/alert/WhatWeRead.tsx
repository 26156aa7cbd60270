import type { WordUse } from '#contract/incidents/whatWasRead.ts';
import { useState } from 'react';
import { type AlertRecord, reportReading } from '../../api/alerts/alerts.ts';
import { useAction } from '../../api/useAction.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import styles from './WhatWeRead.module.css';

const USES: Readonly<Record<WordUse, string>> = {
  affected: 'affected',
  limit: 'says where',
  diversion: 'way round',
  destination: 'where traffic goes',
  name: 'a name',
  stretch: 'place on it',
  direction: 'direction',
};

/** As the server sent it; any part may be missing. */
type Read = NonNullable<AlertRecord['what_was_read']>;
type Part = NonNullable<Read['title']>[number];

/** The alert's words with marks on each part that was understood, the meaning of each, and a button to say that it
 *  is wrong. */
export function WhatWeRead({ eventId, read }: { eventId: string; read: Read }) {
  const { run, isBusy, failure } = useAction();
  const [isKept, setKept] = useState(false);
  const report = async () => setKept(await run(() => reportReading(eventId), 'Unable to report this'));

  return (
    <section className={styles.read} data-top="3" aria-label="What we read">
      <h2 data-text="label">What we read</h2>
      <p>{read.sentence}</p>
      <p className={styles.words} data-tone="2">
        {read.title?.map(partOf)}
      </p>
      {!isSame(read) && (
        <p className={styles.words} data-tone="2">
          {read.text?.map(partOf)}
        </p>
      )}
      {failure && <Notice>{failure}</Notice>}
      {isKept ? (
        <p role="status">Kept with its words, for the people who mend the rules.</p>
      ) : (
        <Button small kind="quiet" aria-disabled={isBusy} onClick={() => void report()}>
          This is wrong
        </Button>
      )}
    </section>
  );
}

const textOf = (parts: readonly Part[] | null | undefined) => parts?.map(({ words }) => words).join('') ?? '';
/** The letters and figures of a text: some publishers repeat the title with other signs between the words. */
const lettersOf = (parts: Parameters<typeof textOf>[0]) => textOf(parts).replaceAll(/[^\p{L}\d]/gu, '');
const isSame = ({ title, text }: Read) => lettersOf(text) === '' || lettersOf(text) === lettersOf(title);

function partOf({ words, use }: Part, index: number) {
  if (!use) return <span key={index}>{words}</span>;
  return (
    <mark key={index} data-use={use}>
      {words} <small>({USES[use]})</small>
    </mark>
  );
}
