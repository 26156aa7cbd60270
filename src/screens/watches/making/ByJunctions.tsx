import { SUGGEST_FROM } from '#contract/watches/watches.ts';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useAnswer } from '../../../api/useAnswer.ts';
import { type Resolved, resolveWatch, suggestWatch } from '../../../api/watches/oneWatch.ts';
import type { WatchSuggestion } from '#contract/watches/watches.ts';
import { useListbox } from '../../../ui/controls/useListbox.ts';
import { Notice } from '../../../ui/signs/Notice.tsx';
import { counted } from '#contract/numbers.ts';
import { partAt } from './watchDraft.ts';
import { Problems } from './Problems.tsx';
import styles from './ByJunctions.module.css';

const SUGGEST_PAUSE_MS = 250;
const RESOLVE_PAUSE_MS = 500;

/** A route as text: places and junctions in order, with suggestions for the words that are being typed. */
export function ByJunctions({
  text,
  byRouter,
  resolved,
  onText,
  onResolved,
  onNext,
}: {
  text: string;
  /** True: the operator's router draws the way between its places. */
  byRouter: boolean;
  resolved: Resolved | null;
  onText: (text: string) => void;
  onResolved: (found: Resolved | null) => void;
  /** Control and Enter go to the next step. */
  onNext: () => void;
}) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  /** The words at the cursor, for which places and junctions are suggested. */
  const [typed, setTyped] = useState<{ words: string } | null>(null);
  const [isTyping, setTyping] = useState(false);
  const { failure } = useAnswer(
    resolved || text.trim() === '' ? null : text,
    (signal) => resolveWatch(byRouter ? { text, by: 'router' } : { text }, signal),
    'Unable to read this route',
    { settleMs: isTyping ? RESOLVE_PAUSE_MS : 0, take: onResolved },
  );

  // The text can still be typed without suggestions.
  const { data: found = [] } = useAnswer(typed, (signal) => suggestWatch(typed!.words, signal), '', {
    settleMs: SUGGEST_PAUSE_MS,
  });
  const isWhole = found.length === 1 && found[0]?.text.toLowerCase() === typed?.words.toLowerCase();
  const options = isWhole ? [] : found;
  const open = options.length > 0;
  const listbox = useListbox({
    options,
    isOpen: open,
    onPick: pick,
    onClose: () => setTyped(null),
  });

  useEffect(() => field.current?.focus(), []);

  function change(next: string, byTyping: boolean) {
    setTyping(byTyping);
    onText(next);
    onResolved(null);
  }

  function type(next: string) {
    change(next, true);
    listbox.reset();
    const { words } = partAt(next, field.current?.selectionStart ?? next.length);
    setTyped(words.length < SUGGEST_FROM ? null : { words });
  }

  function pick({ text: words }: WatchSuggestion) {
    const { from, to } = partAt(text, field.current?.selectionStart ?? text.length);
    const isLast = text.slice(to).trim() === '';
    const next = `${text.slice(0, from)}${words}${isLast ? ', ' : text.slice(to)}`;
    setTyped(null);
    listbox.reset();
    change(next, true);
    const cursor = from + words.length + (isLast ? 2 : 0);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(cursor, cursor);
    });
  }

  function repair(next: string) {
    change(next, false);
    setTyped(null);
    field.current?.focus();
  }

  function steer(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onNext();
      return;
    }
    listbox.steer(event);
  }

  return (
    <div data-stack data-top="3">
      <label htmlFor={id} data-text="strong">
        Places and junctions, in order
      </label>
      <div className={styles.field}>
        <textarea
          ref={field}
          id={id}
          rows={2}
          // A field of several lines is a textbox, so it cannot have `role="combobox"`.
          {...listbox.field}
          aria-controls={listbox.list.id}
          aria-haspopup="listbox"
          aria-describedby={`${id}-problems`}
          placeholder="Leeds, M1 J43, M1 J6A, M25 J21, M25 J15, Heathrow"
          maxLength={4000}
          value={text}
          onChange={({ target }) => type(target.value)}
          onKeyDown={steer}
          onBlur={() => setTyped(null)}
        />
        <div {...listbox.list} aria-label="Suggestions" className={styles.options} hidden={!open}>
          {options.map((option, index) => (
            <div key={`${option.text} ${option.detail}`} {...listbox.option(index)}>
              <b>{option.text}</b>
              <span data-tone="2">{option.detail}</span>
              <span data-tone="2">{option.kind}</span>
            </div>
          ))}
        </div>
      </div>
      <span data-hidden>
        <span role="status">{open && `${counted(options.length, 'suggestion')}`}</span>
      </span>
      {failure && <Notice>{failure}</Notice>}
      <div id={`${id}-problems`} aria-live="polite">
        <Problems problems={resolved?.problems ?? []} onRepair={repair} />
      </div>
    </div>
  );
}
