import { type KeyboardEvent, useId, useState } from 'react';
import { formatDateTime } from '../../time/london.ts';
import { ToolField } from '../../ui/controls/ToolField.tsx';
import styles from './HistoryPage.module.css';
import { momentOf } from './moments.ts';

/** The time of the board as text, in London's words whatever the device has. Enter goes there. */
export function TimeField({ at, onMove }: { at: Date; onMove: (to: Date) => void }) {
  const id = useId();
  const [text, setText] = useState(formatDateTime(at));
  const [wrong, setWrong] = useState(false);

  const go = () => {
    if (text === formatDateTime(at)) return;
    const moment = momentOf(text, at);
    setWrong(moment === null);
    if (moment) onMove(moment);
  };

  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go();
    if (event.key !== 'Escape') return;
    setText(formatDateTime(at));
    setWrong(false);
  };

  return (
    <>
      <ToolField label="Board at" className={styles.field}>
        <input
          value={text}
          maxLength={40}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={wrong}
          aria-describedby={wrong ? `${id}-how` : undefined}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={press}
          onBlur={go}
        />
      </ToolField>
      {wrong && (
        <span id={`${id}-how`} role="alert" className={styles.wrong} data-text="label">
          Write it as 21 Nov 2026, 08:10, or as 08:10 on the same day.
        </span>
      )}
    </>
  );
}
