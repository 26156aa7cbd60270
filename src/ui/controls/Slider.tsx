import { type CSSProperties, useId } from 'react';
import styles from './Slider.module.css';

/** A value from 0 in steps, with words at both ends. */
export function Slider({
  label,
  value,
  step,
  max = 100,
  shown = String(value),
  ends,
  onChange,
}: {
  label: string;
  value: number;
  step: number;
  max?: number;
  /** The value in words: "2.5 km". */
  shown?: string;
  ends: readonly [low: string, high: string];
  onChange: (value: number) => void;
}) {
  const id = useId();

  return (
    <div className={styles.slider}>
      <label htmlFor={id} data-text="strong">
        {label}
      </label>
      <output htmlFor={id}>{shown}</output>
      <input
        id={id}
        type="range"
        min={0}
        max={max}
        step={step}
        value={value}
        aria-valuetext={shown}
        style={{ '--filled': `${(value / max) * 100}%` } as CSSProperties}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
      <span data-split data-across data-tone="3" data-size="caption" aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </span>
    </div>
  );
}
