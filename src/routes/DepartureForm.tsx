import { Departure, type DepartureInput } from '#contract/watches.ts';
import { useState } from 'react';
import { dayWords } from '../time/dayWords.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { DAY_NAMES } from '../watches/routeWords.ts';
import styles from './DepartureForm.module.css';

export const NEW_DEPARTURE: DepartureInput = {
  name: null,
  at_local: '',
  days: 0b1111111,
  from_date: null,
  to_date: null,
  except: [],
  duration_min: null,
};

/** When a vehicle leaves: time, days, how long it takes, and periods in which it does not run. */
export function DepartureForm({
  start,
  onSave,
  onRemove,
}: {
  start: DepartureInput;
  onSave: (departure: DepartureInput) => void;
  onRemove: () => void;
}) {
  const [one, setOne] = useState(start);
  const [hours, setHours] = useState(
    start.duration_min === null
      ? ''
      : `${Math.floor(start.duration_min / 60)}:${String(start.duration_min % 60).padStart(2, '0')}`,
  );
  const [pause, setPause] = useState({ from: '', to: '' });
  const duration = /^(\d{1,2})(?::([0-5]\d))?$/.exec(hours.trim());
  const duration_min = duration ? Number(duration[1]) * 60 + Number(duration[2] ?? 0) : null;
  const made = { ...one, duration_min };
  const isValid =
    Departure.safeParse({ ...made, id: 'new' }).success && (hours.trim() === '' || duration !== null);

  return (
    <div className={styles.form}>
      <Field
        label="Leaves at"
        type="time"
        value={one.at_local}
        onChange={({ target }) => setOne({ ...one, at_local: target.value })}
      />
      <Field
        label="Takes (hours:minutes)"
        placeholder="guessed"
        inputMode="numeric"
        value={hours}
        onChange={({ target }) => setHours(target.value)}
      />
      <fieldset>
        <legend>Days</legend>
        {DAY_NAMES.map((day, index) => (
          <label key={day}>
            <input
              type="checkbox"
              checked={(one.days & (1 << index)) !== 0}
              onChange={() => setOne({ ...one, days: one.days ^ (1 << index) })}
            />
            {day}
          </label>
        ))}
      </fieldset>
      <details>
        <summary>Dates and school holidays</summary>
        <div className={styles.dates}>
          <Field
            label="First day"
            type="date"
            value={one.from_date ?? ''}
            hint={dayWords(one.from_date ?? '')}
            onChange={({ target }) => setOne({ ...one, from_date: target.value || null })}
          />
          <Field
            label="Last day"
            type="date"
            value={one.to_date ?? ''}
            hint={dayWords(one.to_date ?? '')}
            onChange={({ target }) => setOne({ ...one, to_date: target.value || null })}
          />
          <ul>
            {one.except.map((period) => (
              <li key={`${period.from} ${period.to}`}>
                Not from {dayWords(period.from)} to {dayWords(period.to)}{' '}
                <Button
                  small
                  onClick={() => setOne({ ...one, except: one.except.filter((other) => other !== period) })}
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
          <Field
            label="Not from"
            type="date"
            value={pause.from}
            hint={dayWords(pause.from)}
            onChange={({ target }) => setPause({ ...pause, from: target.value })}
          />
          <Field
            label="Not until"
            type="date"
            value={pause.to}
            hint={dayWords(pause.to)}
            onChange={({ target }) => setPause({ ...pause, to: target.value })}
          />
          <Button
            small
            disabled={!pause.from || !pause.to || pause.to < pause.from}
            onClick={() => {
              setOne({ ...one, except: [...one.except, pause] });
              setPause({ from: '', to: '' });
            }}
          >
            Add
          </Button>
        </div>
      </details>
      <p className={styles.buttons}>
        <Button small onClick={onRemove}>
          {start.at_local ? 'Remove' : 'Cancel'}
        </Button>
        <Button small kind="primary" disabled={!isValid} onClick={() => onSave(made)}>
          Keep
        </Button>
      </p>
    </div>
  );
}
