import { type CSSProperties, useId } from 'react';
import styles from './Slider.module.css';

/** A value from 0 to 100 in steps, with words at both ends. */
export function Slider({
  label,
  value,
  step,
  ends,
  onChange,
}: {
  label: string;
  value: number;
  step: number;
  ends: readonly [low: string, high: string];
  onChange: (value: number) => void;
}) {
  const id = useId();

  return (
    <div className={styles.slider}>
      <label htmlFor={id}>{label}</label>
      <output htmlFor={id}>{value}</output>
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        step={step}
        value={value}
        style={{ '--filled': `${value}%` } as CSSProperties}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
      <span className={styles.ends} aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </span>
    </div>
  );
}
