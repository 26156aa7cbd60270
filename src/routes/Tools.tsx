import { londonDay } from '#contract/london.ts';
import { useId } from 'react';
import { dayWords } from '../time/dayWords.ts';
import { serverNow } from '../time/freshness.ts';
import { SegmentedSwitch } from '../ui/SegmentedSwitch.tsx';
import { ToolField } from '../ui/ToolField.tsx';
import { NEXT_DEPARTURE, type Window } from '../watches/window.ts';
import styles from './Tools.module.css';

export type Show = 'all' | 'mine' | 'affected';

const SHOW = [
  { value: 'all', label: 'All' },
  { value: 'mine', label: 'Mine' },
  { value: 'affected', label: 'Affected now' },
] as const;

const WINDOWS = [
  { value: 'now', label: 'Now' },
  { value: 'hours', label: 'Next 12 hours' },
  { value: 'departure', label: 'A departure' },
  { value: 'date', label: 'Date' },
] as const;

/** Which routes are listed, and for what time they are judged. */
export function Tools({
  show,
  setShow,
  window,
  setWindow,
  search,
  setSearch,
  chosen,
}: {
  show: Show;
  setShow: (show: Show) => void;
  window: Window;
  setWindow: (window: Window) => void;
  search: string;
  setSearch: (text: string) => void;
  /** A route is open: on a phone its page has no list to filter. */
  chosen: boolean;
}) {
  const today = londonDay(serverNow());
  const dayId = useId();
  const choose = (kind: Window['kind']) => {
    if (kind === 'departure') setWindow(NEXT_DEPARTURE);
    else if (kind === 'date') setWindow({ kind, day: today });
    else setWindow({ kind });
  };

  return (
    <search className={styles.tools} aria-label="Filters" data-chosen={chosen || undefined}>
      <div className={styles.show}>
        <SegmentedSwitch label="Show" options={SHOW} value={show} onChange={setShow} />
      </div>
      <div className={styles.wide}>
        <SegmentedSwitch label="Window" options={WINDOWS} value={window.kind} onChange={choose} />
      </div>
      <ToolField label="Window" className={styles.narrow}>
        <select
          value={window.kind}
          onChange={({ target }) => choose(WINDOWS.find(({ value }) => value === target.value)!.value)}
        >
          {WINDOWS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </ToolField>
      {window.kind === 'date' && (
        <>
          <ToolField label="Date" className={styles.date}>
            <input
              type="date"
              aria-describedby={dayId}
              value={window.day}
              min={today}
              onChange={({ target }) => target.value && setWindow({ kind: 'date', day: target.value })}
            />
          </ToolField>
          <span id={dayId} className={styles.day}>
            {dayWords(window.day)}
          </span>
        </>
      )}
      <ToolField label="Search" letter="/" className={styles.search}>
        <input type="search" data-search value={search} onChange={({ target }) => setSearch(target.value)} />
      </ToolField>
    </search>
  );
}
