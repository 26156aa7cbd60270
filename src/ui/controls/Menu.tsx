import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown';
import { type ReactNode, useId, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import styles from './Menu.module.css';

/** A button with a list of actions below it. It closes after a choice, on Escape, and when the focus leaves it. */
export function Menu({
  label,
  kind,
  small,
  about,
  busy,
  disabled,
  actions,
}: {
  label: ReactNode;
  kind?: 'default' | 'primary';
  small?: boolean;
  /** Its name when the label is a picture; then it has no arrow. */
  about?: string;
  busy?: boolean;
  disabled?: boolean;
  actions: readonly { label: ReactNode; act: () => void }[];
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape and focus, wherever inside it is
    <span
      className={styles.menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.stopPropagation();
        close();
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <Button
        ref={button}
        kind={about ? 'quiet' : kind}
        small={small}
        aria-label={about}
        busy={busy}
        disabled={disabled}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {label} {!about && <CaretDownIcon weight="bold" aria-hidden />}
      </Button>
      <ul id={id} className={styles.list} data-ruled hidden={!open}>
        {actions.map((one, index) => (
          <li key={index}>
            <button
              data-press
              type="button"
              onClick={() => {
                close();
                one.act();
              }}
            >
              {one.label}
            </button>
          </li>
        ))}
      </ul>
    </span>
  );
}
