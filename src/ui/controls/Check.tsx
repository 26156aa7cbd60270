import type { ReactNode } from 'react';
import styles from './Check.module.css';
import choice from './Choice.module.css';

/** Yes or no: a tick box with its label beside it, or a tile. */
export function Check({
  label,
  checked,
  tile = false,
  disabled,
  onChange,
}: {
  label: ReactNode;
  checked: boolean;
  tile?: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className={tile ? choice.tile : styles.check}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
