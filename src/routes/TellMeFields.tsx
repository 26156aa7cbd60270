import { TellMe } from '#contract/tellMe.ts';
import { Check } from '../ui/Check.tsx';
import { SelectField } from '../ui/Field.tsx';
import type { Draft } from './draft.ts';
import styles from './TellMeFields.module.css';

const THRESHOLDS = {
  critical: 'Critical',
  high: 'High and worse',
  medium: 'Medium and worse',
  nothing: 'Nothing',
} as const satisfies Record<TellMe['threshold'], string>;
const POSSIBLE = {
  digest: 'in the digest',
  no: 'not at all',
} as const satisfies Record<TellMe['possible'], string>;

/** What of a route or an area is sent as a message, and when. */
export function TellMeFields({
  draft,
  disabled,
  onChange,
}: {
  draft: Draft;
  disabled: boolean;
  onChange: (draft: Draft) => void;
}) {
  const { tellMe, departures } = draft;
  const set = (changed: Partial<TellMe>) => onChange({ ...draft, tellMe: { ...tellMe, ...changed } });

  return (
    <fieldset className={styles.fields} aria-label="Messages" disabled={disabled}>
      <SelectField
        label="Tell me"
        value={tellMe.threshold}
        onChange={({ target }) => set({ threshold: TellMe.shape.threshold.parse(target.value) })}
      >
        {optionsOf(THRESHOLDS)}
      </SelectField>
      <SelectField
        label="Possible ones"
        value={tellMe.possible}
        onChange={({ target }) => set({ possible: TellMe.shape.possible.parse(target.value) })}
      >
        {optionsOf(POSSIBLE)}
      </SelectField>
      {departures.length > 0 && (
        <Check
          label="Only around departures (2 h before until arrival)"
          checked={tellMe.around_departures ?? true}
          onChange={(around_departures) => set({ around_departures })}
        />
      )}
    </fieldset>
  );
}

const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
