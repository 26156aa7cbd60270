import type { When } from '#contract/watches/whenWatched.ts';
import { bound, ToolField } from '../../ui/controls/Field.tsx';
import { SegmentedChecks, SegmentedSwitch } from '../../ui/controls/SegmentedSwitch.tsx';
import { DAY_NAMES } from '../../watches/routeWords.ts';
import styles from './HoursFields.module.css';

/** The first values of "Days and hours". */
const WORKING_DAYS = { days: 0b0011111, from: '06:00', to: '20:00' } as const;

const KINDS = [
  { value: 'always', label: 'Always' },
  { value: 'hours', label: 'Days and hours' },
] as const;

/** When it is watched: always, or on certain days and hours in London. */
export function HoursFields({ when, onChange }: { when: When; onChange: (when: When) => void }) {
  const hours = when ?? WORKING_DAYS;
  const set = (change: Partial<typeof hours>) => onChange({ ...hours, ...change });

  return (
    <div className={styles.hours} data-stack data-align="start">
      <SegmentedSwitch
        label="When"
        options={KINDS}
        value={when === null ? 'always' : 'hours'}
        onChange={(kind) => onChange(kind === 'always' ? null : WORKING_DAYS)}
      />
      {when !== null && (
        <>
          <div className={styles.times} data-row>
            <SegmentedChecks
              label="Days"
              options={DAY_NAMES}
              value={hours.days}
              // The last day cannot be switched off, because the watch would never be on.
              onChange={(days) => days !== 0 && set({ days })}
            />
            <ToolField label="From">
              <input type="time" required {...bound(hours.from, (value) => value && set({ from: value }))} />
            </ToolField>
            <ToolField label="To">
              <input type="time" required {...bound(hours.to, (value) => value && set({ to: value }))} />
            </ToolField>
          </div>
          <p data-text="note">
            London time{hours.to < hours.from && `, until ${hours.to} on the next day`}. Outside these hours
            nothing is shown, told or sent.
          </p>
        </>
      )}
    </div>
  );
}
