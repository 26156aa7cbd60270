import { Fragment } from 'react';
import { Badge } from '../../ui/signs/Badge.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import type { Sentence } from './summarySentences.ts';

/** A sentence about something that has since ended is marked so before its text, on screen and when read out. */
export function SummaryText({
  sentences,
  endedClass,
}: {
  sentences: readonly Sentence[];
  endedClass: string | undefined;
}) {
  return sentences.map(({ text, hasEnded }, index) => (
    // The AI can repeat a sentence, and of two elements with the same key React would leave a copy behind.
    <Fragment key={`${index} ${text}`}>
      {index > 0 && ' '}
      {hasEnded ? (
        <span className={endedClass}>
          <Badge>
            Ended<VisuallyHidden>:</VisuallyHidden>
          </Badge>{' '}
          {text}
        </span>
      ) : (
        text
      )}
    </Fragment>
  ));
}
