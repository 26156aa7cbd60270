import { type KeyboardEvent, type ReactNode, useId } from 'react';
import styles from './Tabs.module.css';

/** Tabs above one panel, which shows the chosen tab's content. Arrow keys move; Home and End go to the ends. */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
  look = 'tabs',
  children,
}: {
  label: string;
  tabs: readonly { value: Value; label: ReactNode; count?: number | undefined }[];
  value: Value;
  onChange: (value: Value) => void;
  /** `page`: tabs below the head of a page, above its whole content. */
  look?: 'tabs' | 'page';
  children: ReactNode;
}) {
  const id = useId();

  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onChange(tabs[next]!.value);
    document.getElementById(`${id}-${tabs[next]!.value}`)?.focus();
  };

  return (
    <>
      <div
        className={styles.list}
        role="tablist"
        aria-label={label}
        data-look={look}
        data-only={look === 'page' ? 'screen' : undefined}
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            id={`${id}-${tab.value}`}
            type="button"
            data-press
            role="tab"
            className={styles.tab}
            data-toggle
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            onKeyDown={move}
          >
            {tab.label} {tab.count !== undefined && <b>{tab.count}</b>}
          </button>
        ))}
      </div>
      <div
        className={styles.panel}
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${value}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the pattern's way from a tab to what it shows
        tabIndex={0}
      >
        {children}
      </div>
    </>
  );
}
