import { type ReactNode, useId } from 'react';
import styles from './Choice.module.css';

type Options<Value extends string> = readonly { value: Value; label: ReactNode }[];

/** A choice of one from a few options, shown as tiles. */
export function Choice<Value extends string>({
  legend,
  options,
  value,
  onChange,
}: {
  legend: string;
  options: Options<Value>;
  value: Value;
  onChange: (value: Value) => void;
}) {
  const name = useId();

  return (
    <fieldset className={styles.choice}>
      <legend>{legend}</legend>
      <div className={styles.tiles}>
        {options.map((option) => (
          <label key={option.value} className={styles.tile}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A choice of any number of options, shown as tiles; `values` keeps the order of the options. */
export function Choices<Value extends string>({
  legend,
  options,
  values,
  onChange,
}: {
  legend: string;
  options: Options<Value>;
  values: readonly Value[];
  onChange: (values: Value[]) => void;
}) {
  const set = (changed: Value, checked: boolean) =>
    onChange(
      options
        .map(({ value }) => value)
        .filter((value) => (value === changed ? checked : values.includes(value))),
    );

  return (
    <fieldset className={styles.choice}>
      <legend>{legend}</legend>
      <div className={styles.tiles}>
        {options.map(({ value, label }) => (
          <Check
            key={value}
            tile
            label={label}
            checked={values.includes(value)}
            onChange={(on) => set(value, on)}
          />
        ))}
      </div>
    </fieldset>
  );
}

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
    <label className={tile ? styles.tile : styles.check}>
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
