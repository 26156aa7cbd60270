import { type ReactNode, useId } from 'react';
import styles from './SegmentedSwitch.module.css';

/** A choice between a few words side by side; the chosen one is inverted. Real radio buttons cover the words, so
 *  arrow keys, forms and touch work as usual. */
export function SegmentedSwitch<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly { value: Value; label: ReactNode; count?: number | undefined }[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  const name = useId();

  return (
    <div className={styles.switch} data-only="screen" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
          {option.count !== undefined && (
            <>
              {' '}
              <b>{option.count}</b>
            </>
          )}
        </label>
      ))}
    </div>
  );
}

/** A few words side by side, each on or off: the days of a week. */
export function SegmentedChecks({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly string[];
  /** One bit for each option; the lowest bit is the first option. */
  value: number;
  onChange: (value: number) => void;
}) {
  return (
    <div className={styles.switch} data-only="screen" role="group" aria-label={label}>
      {options.map((option, at) => (
        <label key={option} className={styles.option}>
          <input
            type="checkbox"
            checked={(value & (1 << at)) !== 0}
            onChange={() => onChange(value ^ (1 << at))}
          />
          {option}
        </label>
      ))}
    </div>
  );
}
