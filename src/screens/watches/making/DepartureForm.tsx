import { dayWords } from '../../../time/london.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { bound, Field } from '../../../ui/controls/Field.tsx';
import { SegmentedChecks } from '../../../ui/controls/SegmentedSwitch.tsx';
import { DAY_NAMES } from '../../../watches/routeWords.ts';
import { isPeriod, readDeparture, type TypedDeparture } from './watchDraft.ts';
import styles from './DepartureForm.module.css';

/** When a vehicle leaves: time, days, how long it takes, and periods in which it does not run. */
export function DepartureForm({
  typed,
  isNew,
  onChange,
  onKeep,
  onRemove,
}: {
  typed: TypedDeparture;
  isNew: boolean;
  onChange: (typed: TypedDeparture) => void;
  onKeep: () => void;
  onRemove: () => void;
}) {
  const { one, hours, pause } = typed;
  const set = (changed: Partial<TypedDeparture['one']>) =>
    onChange({ ...typed, one: { ...one, ...changed } });

  return (
    <div className={styles.form} data-grid="11">
      <Field label="Leaves at" type="time" {...bound(one.at_local, (at_local) => set({ at_local }))} />
      <Field
        label="Takes (hours:minutes)"
        placeholder="guessed"
        inputMode="numeric"
        {...bound(hours, (hours) => onChange({ ...typed, hours }))}
      />
      <div data-across>
        <SegmentedChecks
          label="Days"
          options={DAY_NAMES}
          value={one.days}
          onChange={(days) => set({ days })}
        />
      </div>
      <details data-across>
        <summary>Dates and school holidays</summary>
        <div data-grid="11">
          <Field
            label="First day"
            type="date"
            {...bound(one.from_date ?? '', (value) => set({ from_date: value || null }))}
            hint={dayWords(one.from_date ?? '')}
          />
          <Field
            label="Last day"
            type="date"
            {...bound(one.to_date ?? '', (value) => set({ to_date: value || null }))}
            hint={dayWords(one.to_date ?? '')}
          />
          <ul data-across>
            {one.except.map((period) => (
              <li key={`${period.from} ${period.to}`}>
                Not from {dayWords(period.from)} to {dayWords(period.to)}{' '}
                <Button small onClick={() => set({ except: one.except.filter((other) => other !== period) })}>
                  Remove
                </Button>
              </li>
            ))}
          </ul>
          <Field
            label="Not from"
            type="date"
            {...bound(pause.from, (from) => onChange({ ...typed, pause: { ...pause, from } }))}
            hint={dayWords(pause.from)}
          />
          <Field
            label="Not until"
            type="date"
            {...bound(pause.to, (to) => onChange({ ...typed, pause: { ...pause, to } }))}
            hint={dayWords(pause.to)}
          />
          <Button
            small
            disabled={!isPeriod(pause)}
            onClick={() =>
              onChange({
                ...typed,
                one: { ...one, except: [...one.except, pause] },
                pause: { from: '', to: '' },
              })
            }
          >
            Add
          </Button>
        </div>
      </details>
      <p data-across data-justify="end" data-line data-align="stretch">
        <Button small onClick={onRemove}>
          {isNew ? 'Cancel' : 'Remove'}
        </Button>
        <Button small kind="primary" disabled={readDeparture(typed) === null} onClick={onKeep}>
          Keep
        </Button>
      </p>
    </div>
  );
}
