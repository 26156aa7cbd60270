import { nextTrip } from '#contract/departures.ts';
import type { DepartureInput } from '#contract/watches.ts';
import { useEffect, useRef, useState } from 'react';
import type { Resolved } from '../api/watches.ts';
import { serverNow } from '../time/freshness.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Slider } from '../ui/Slider.tsx';
import { daysWords, takesWords } from '../watches/routeWords.ts';
import { stripOf } from '../watches/strip.ts';
import { DepartureForm, NEW_DEPARTURE } from './DepartureForm.tsx';
import type { Draft } from './draft.ts';
import { LineSketch } from './LineSketch.tsx';
import { Problems } from './Problems.tsx';
import { Strip } from './Strip.tsx';
import { TellMeFields } from './TellMeFields.tsx';
import styles from './Review.module.css';

const REACH_STEP_M = 500;
const REACH_MAX_M = 5000;
/** What the rules take for a line that goes from junction to junction. */
const USUAL_REACH_M = 2500;

/** The last step before saving: name, departures, reach and what is left to say, beside the route itself. */
export function Review({
  draft,
  resolved,
  isNew,
  disabled,
  onChange,
  onEdit,
  onSave,
}: {
  draft: Draft;
  resolved: Resolved;
  isNew: boolean;
  disabled: boolean;
  onChange: (draft: Draft) => void;
  onEdit: () => void;
  /** Enter in the name saves, if it can be saved. */
  onSave: () => void;
}) {
  /** The place in the list of the departure that is being changed; its length for a new one. */
  const [open, setOpen] = useState<number | null>(null);
  const { departures, reach_m } = draft;
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const trip = nextTrip(
    departures.map((departure) => ({ ...departure, id: departure.id ?? '' })),
    resolved.length_km,
    serverNow(),
  );
  const reach = reach_m ?? USUAL_REACH_M;
  const setDepartures = (next: DepartureInput[]) => onChange({ ...draft, departures: next });
  const rows = stripOf({
    length_km: resolved.length_km,
    places: resolved.places.filter(({ minor }) => !minor),
    course: [],
    touches: [],
    silent: [],
    unknown: null,
    trip,
  }).filter(({ kind }) => kind === 'place');

  return (
    <div className={styles.review}>
      <div className={styles.form} ref={form}>
        <Field
          label="Name"
          value={draft.name}
          maxLength={80}
          required
          onChange={({ target }) => onChange({ ...draft, name: target.value })}
          onKeyDown={({ key }) => key === 'Enter' && onSave()}
        />
        <div>
          <h3>Departures</h3>
          <ul className={styles.departures}>
            {departures.map((departure, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a new departure has no id, and the list is changed in place
              <li key={index}>
                <p>
                  <b>
                    Leaves at {departure.at_local} · {daysWords(departure.days)}
                  </b>{' '}
                  · {takesWords(departure, resolved.length_km)}
                </p>
                <Button
                  small
                  onClick={() => setOpen(open === index ? null : index)}
                  aria-expanded={open === index}
                >
                  Change
                </Button>
                {open === index && (
                  <DepartureForm
                    start={departure}
                    onSave={(changed) => {
                      setDepartures(departures.with(index, changed));
                      setOpen(null);
                    }}
                    onRemove={() => {
                      setDepartures(departures.toSpliced(index, 1));
                      setOpen(null);
                    }}
                  />
                )}
              </li>
            ))}
          </ul>
          {open === departures.length ? (
            <DepartureForm
              start={NEW_DEPARTURE}
              onSave={(made) => {
                setDepartures([...departures, made]);
                setOpen(null);
              }}
              onRemove={() => setOpen(null)}
            />
          ) : (
            <p className={styles.buttons}>
              <Button small disabled={departures.length >= 20} onClick={() => setOpen(departures.length)}>
                Add a departure
              </Button>
              {isNew && (
                <Button
                  small
                  aria-pressed={draft.wayBack}
                  onClick={() => onChange({ ...draft, wayBack: !draft.wayBack })}
                >
                  {draft.wayBack ? 'The way back is added' : 'Add the way back'}
                </Button>
              )}
            </p>
          )}
        </div>
        <TellMeFields draft={draft} disabled={disabled} onChange={onChange} />
        <Slider
          label="Reach"
          value={reach}
          step={REACH_STEP_M}
          max={REACH_MAX_M}
          shown={reach === 0 ? 'on the road only' : `${reach / 1000} km`}
          ends={['on the road only', '5 km either side']}
          onChange={(value) => onChange({ ...draft, reach_m: value })}
        />
        <Problems
          problems={resolved.problems.filter(({ level }) => level === 'done' || level === 'proposal')}
          aside={
            <Button small onClick={onEdit}>
              Edit
            </Button>
          }
        />
      </div>
      <div className={styles.way}>
        <Strip rows={rows} small />
        <LineSketch geometry={resolved.geometry ?? null} name={draft.name} />
      </div>
    </div>
  );
}
