import { Severity } from '#contract/incidents/severity.ts';
import { FEEDS } from '#contract/feeds/feeds.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import type { WatchKind } from '#contract/watches/watches.ts';
import type { Which } from '#contract/watches/whichIncidents.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Check, Choices } from '../../ui/controls/Choice.tsx';
import { bound, Field, SelectField, optionsOf } from '../../ui/controls/Field.tsx';
import { SegmentedSwitch } from '../../ui/controls/SegmentedSwitch.tsx';
import styles from './WhichFields.module.css';

const GRADES: readonly { value: Severity; label: string }[] = [
  { value: 'low', label: 'All grades' },
  { value: 'medium', label: 'Medium and worse' },
  { value: 'high', label: 'High and worse' },
  { value: 'critical', label: 'Critical' },
];

const SOURCES = FEEDS.flatMap(({ sources }) => sources);

const CATEGORIES = FEEDS.map(({ slug, category }) => ({ value: slug as string, label: category }));

/** The alerts that are let through: from which grade on and, if the user wants more, from which feeds and with which
 *  words. */
export function WhichFields({
  kind,
  which,
  onChange,
}: {
  kind: WatchKind;
  which: Which;
  onChange: (which: Which) => void;
}) {
  const set = (change: Partial<Which>) => onChange({ ...which, ...change });
  const feeds = (
    <Choices
      legend={which.feeds.length + which.sources.length === 0 ? 'Feeds: all' : 'Feeds'}
      options={CATEGORIES}
      values={which.feeds}
      onChange={(chosen) => set({ feeds: chosen })}
    />
  );

  return (
    <div data-stack="4">
      {kind === 'feeds' && feeds}
      <div className={styles.grade}>
        <SegmentedSwitch
          label="From which grade"
          options={GRADES}
          value={which.min_severity}
          onChange={(min_severity) => set({ min_severity })}
        />
      </div>
      <details className={styles.more}>
        <summary>More conditions</summary>
        <div data-grid>
          {kind !== 'feeds' && feeds}
          <SelectField
            label="Phase"
            value={which.phase ?? ''}
            onChange={({ target }) =>
              set({ phase: target.value === 'active' || target.value === 'planned' ? target.value : null })
            }
          >
            <option value="">Active and planned</option>
            <option value="active">Active</option>
            <option value="planned">Planned</option>
          </SelectField>
          <Field
            label="Words"
            hint="One after the other, in a title or a summary."
            {...bound(which.words, (words) => set({ words }))}
            maxLength={200}
          />
          <SelectField
            label="Only one source"
            {...bound(which.sources.length === 1 ? which.sources[0] : '', (value) =>
              set({ sources: value ? [value] : [] }),
            )}
          >
            <option value="">{which.sources.length > 1 ? 'Several' : 'Any'}</option>
            {optionsOf(SOURCES.map((slug) => [slug, knownSource(slug).displayName]))}
          </SelectField>
          {which.sources.length > 1 && (
            <p data-across>
              Only{' '}
              {new Intl.ListFormat('en-GB').format(which.sources.map((one) => knownSource(one).displayName))}{' '}
              <Button small kind="quiet" onClick={() => set({ sources: [] })}>
                Remove
              </Button>
            </p>
          )}
          <Check
            label="Also what its publisher does not grade"
            checked={which.unrated}
            onChange={(unrated) => set({ unrated })}
          />
          {kind !== 'feeds' && (
            <Check
              label="Only what is certain"
              checked={which.level === 'certain'}
              onChange={(isCertain) => set({ level: isCertain ? 'certain' : 'possible' })}
            />
          )}
        </div>
      </details>
    </div>
  );
}
