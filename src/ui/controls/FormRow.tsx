import type { ComponentProps } from 'react';
import styles from './FormRow.module.css';

/** A question of a form with its controls beside it; on a phone they are below it. */
export function FormRow({ legend, children, ...fieldset }: { legend: string } & ComponentProps<'fieldset'>) {
  return (
    <fieldset {...fieldset} className={styles.row}>
      <legend>{legend}</legend>
      <div>{children}</div>
    </fieldset>
  );
}
