import { useId, type ComponentProps, type ReactNode } from 'react';
import styles from './Field.module.css';

/** The text of a field, and how each change of it is kept: `{...bound(name, setName)}`. */
export const bound = (value: string | number | undefined, keep: (value: string) => void) => ({
  value,
  onChange: ({ target }: { target: { value: string } }) => keep(target.value),
});

/** A labelled input with its hint below. */
export function Field({
  label,
  hint,
  ...input
}: { label: string; hint?: ReactNode } & ComponentProps<'input'>) {
  return (
    <Labelled label={label} hint={hint}>
      {(ids) => <input {...input} {...ids} className={styles.input} />}
    </Labelled>
  );
}

/** The field for a code of a second factor: from the app, or a recovery code. */
export const CodeField = (input: Omit<ComponentProps<typeof Field>, 'label'>) => (
  <Field
    label="Code"
    maxLength={32}
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
    hint="Six digits from the app, or a recovery code."
    {...input}
  />
);

/** A labelled list to choose one option from. */
export function SelectField({
  label,
  hint,
  children,
  ...select
}: { label: string; hint?: ReactNode } & ComponentProps<'select'>) {
  return (
    <Labelled label={label} hint={hint}>
      {(ids) => (
        <select {...select} {...ids} className={`${styles.input} ${styles.select}`}>
          {children}
        </select>
      )}
    </Labelled>
  );
}

/** The options of a list: the value of each, and its words. */
export const optionsOf = (options: readonly (readonly [value: string | number, words: string])[]) =>
  options.map(([value, words]) => (
    <option key={value} value={value}>
      {words}
    </option>
  ));

/** A labelled input of several lines. */
export function TextField({
  label,
  hint,
  ...textarea
}: { label: string; hint?: ReactNode } & ComponentProps<'textarea'>) {
  return (
    <Labelled label={label} hint={hint}>
      {(ids) => <textarea {...textarea} {...ids} className={styles.input} />}
    </Labelled>
  );
}

function Labelled({
  label,
  hint,
  children,
}: {
  label: string;
  hint: ReactNode;
  children: (ids: { id: string; 'aria-describedby': string | undefined }) => ReactNode;
}) {
  const id = useId();

  return (
    <div data-stack="1">
      <label data-text="strong" htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': hint ? `${id}-hint` : undefined })}
      {hint && (
        <p id={`${id}-hint`} data-tone="3" data-size="label">
          {hint}
        </p>
      )}
    </div>
  );
}

/** A question of a form with its controls beside it; on a phone they are below it. */
export function FormRow({ legend, children, ...fieldset }: { legend: string } & ComponentProps<'fieldset'>) {
  return (
    <fieldset {...fieldset} className={styles.row}>
      <legend>{legend}</legend>
      <div>{children}</div>
    </fieldset>
  );
}

/** A field of a tool bar, with its label before it. Without a label its control must have a name of its own. */
export function ToolField({
  label,
  letter,
  className = '',
  children,
}: {
  label?: string;
  /** The key that moves the focus to it, shown beside it. */
  letter?: string;
  /** Its place in the bar. */
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <span className={`${styles.tool} ${className}`} data-only="screen">
      {label ? (
        // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the field is among the children
        <label>
          <span>{label}</span>
          {children}
        </label>
      ) : (
        children
      )}
      {letter && <kbd aria-hidden="true">{letter}</kbd>}
    </span>
  );
}
