import { Severity } from '#contract/disruptions.ts';
import { FEEDS } from '#contract/feeds.ts';
import { FILTER_LIMITS } from '#contract/filters.ts';
import { useActionState, useEffect, useRef, useState } from 'react';
import {
  changeFilter,
  createFilter,
  type Filter,
  type FilterPreview,
  previewFilter,
} from '../api/filters.ts';
import { failureText } from '../api/failureText.ts';
import { Button } from '../ui/Button.tsx';
import { Check } from '../ui/Check.tsx';
import { Field, SelectField } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { grouped } from '../ui/numbers.ts';
import { Panel } from '../ui/Panel.tsx';
import { GRADE_WORDS } from '../ui/Severity.tsx';
import { useHere } from '../ui/useHere.ts';
import { type Draft, draftOf, EDGES, queryOf, RADII, restWords } from './conditions.ts';
import styles from './FilterForm.module.css';

const SETTLE_MS = 400;

/** Before a severity that is meant alone. */
const ONLY = 'only ';

const EDGE_WORDS = { north: 'North', south: 'South', west: 'West', east: 'East' } as const;

/** Makes a filter, or changes one. What it lets through is counted while it is written. */
export function FilterForm({
  filter,
  query = '',
  routes,
  onClose,
  onSaved,
}: {
  /** The one that is changed; null for a new one. */
  filter: Filter | null;
  /** The conditions that a new one begins with. */
  query?: string;
  routes: readonly { id: string; name: string }[];
  onClose: () => void;
  /** Promises that the list has it. */
  onSaved: (name: string) => Promise<void>;
}) {
  const [name, setName] = useState(filter?.name ?? '');
  const [draft, setDraft] = useState(() => draftOf(filter?.query ?? query));
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const form = useRef<HTMLFormElement>(null);
  const isHere = useHere();
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  const [failure, submit, saving] = useActionState(async () => {
    try {
      const saved = { name, query: queryOf(draft) };
      await (filter ? changeFilter(filter.id, filter.version, saved) : createFilter(saved));
      await onSaved(name.trim());
      if (isHere()) onClose();
      return null;
    } catch (error) {
      return failureText(error, 'Failed to save the filter');
    }
  }, null);

  return (
    <Panel heading={filter ? 'Change filter' : 'New filter'} sheet>
      <form ref={form} action={submit} className={styles.form}>
        {failure && !saving && <Notice>{failure}</Notice>}
        <div className={styles.fields}>
          <Field
            label="Name"
            name="name"
            required
            maxLength={FILTER_LIMITS.nameLength}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <SelectField label="Feed" value={draft.feed} onChange={({ target }) => set({ feed: target.value })}>
            <option value="">All feeds</option>
            {FEEDS.map(({ slug, title }) => (
              <option key={slug} value={slug}>
                {title}
              </option>
            ))}
          </SelectField>
          <div className={styles.stack}>
            <SelectField
              label="Severity"
              value={draft.severity ? `${ONLY}${draft.severity}` : draft.min_severity}
              onChange={({ target: { value } }) =>
                set(
                  value.startsWith(ONLY)
                    ? { severity: value.slice(ONLY.length), min_severity: '' }
                    : { severity: '', min_severity: value },
                )
              }
            >
              <option value="">Any</option>
              {Severity.options.map((level) => (
                <option key={level} value={level}>
                  {level === 'critical' ? 'Critical' : `${GRADE_WORDS[level]} or worse`}
                </option>
              ))}
              {Severity.options
                .filter((level) => level !== 'critical' || draft.severity === level)
                .map((level) => (
                  <option key={level} value={`${ONLY}${level}`}>
                    {`Only ${GRADE_WORDS[level]}`}
                  </option>
                ))}
            </SelectField>
            <Check
              label="Also hide unrated"
              checked={draft.hide_unrated}
              onChange={(hide_unrated) => set({ hide_unrated })}
            />
          </div>
          <div className={styles.stack}>
            <SelectField
              label="Phase"
              value={draft.phase}
              onChange={({ target }) => set({ phase: target.value })}
            >
              <option value="">Active and planned</option>
              <option value="active">Active</option>
              <option value="planned">Planned</option>
            </SelectField>
            <Check
              label="Only what changed in the last 24 hours"
              checked={draft.changes_only}
              onChange={(changes_only) => set({ changes_only })}
            />
          </div>
          <Field
            label="Words"
            value={draft.q}
            maxLength={200}
            onChange={({ target }) => set({ q: target.value })}
          />
          <Field
            label="Road"
            value={draft.road}
            maxLength={20}
            onChange={({ target }) => set({ road: target.value })}
          />
          <Field
            label="Near"
            hint="A place, a postcode, or latitude and longitude."
            value={draft.near}
            maxLength={200}
            onChange={({ target }) => set({ near: target.value })}
          />
          <SelectField
            label="Within"
            value={draft.radius_km}
            onChange={({ target }) => set({ radius_km: target.value })}
          >
            {[...new Set([...RADII, draft.radius_km])].map((km) => (
              <option key={km} value={km}>
                {km} km
              </option>
            ))}
          </SelectField>
          <fieldset className={styles.area}>
            <legend>Within an area, in degrees</legend>
            {EDGES.map((edge) => (
              <Field
                key={edge}
                label={EDGE_WORDS[edge]}
                inputMode="decimal"
                autoComplete="off"
                required={EDGES.some((one) => draft[one].trim() !== '')}
                value={draft[edge]}
                onChange={({ target }) => set({ [edge]: target.value })}
              />
            ))}
          </fieldset>
          <SelectField
            label="Touches"
            value={draft.watch}
            onChange={({ target }) => set({ watch: target.value })}
          >
            <option value="">Any place or route</option>
            {routes.map((route) => (
              <option key={route.id} value={route.id}>
                {route.name}
              </option>
            ))}
            {draft.watch && !routes.some(({ id }) => id === draft.watch) && (
              <option value={draft.watch}>A route that is not here</option>
            )}
          </SelectField>
          <SelectField
            label="Evidence"
            hint="How sure it is that a route is touched."
            value={draft.level}
            onChange={({ target }) => set({ level: target.value })}
          >
            <option value="">Certain and possible</option>
            <option value="certain">Certain</option>
            <option value="possible">Possible</option>
          </SelectField>
        </div>
        {draft.rest.length > 0 && (
          <p className={styles.rest}>
            Also: {draft.rest.map(restWords).join('; ')}{' '}
            <Button small kind="quiet" onClick={() => set({ rest: [] })}>
              Remove
            </Button>
          </p>
        )}
        <Count query={queryOf(draft)} />
        <div className={styles.buttons}>
          <Button type="submit" kind="primary" disabled={saving}>
            {saving ? 'Saving...' : 'Save filter'}
          </Button>
          <Button kind="quiet" disabled={saving} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Panel>
  );
}

/** How many alerts these conditions let through now; read out when it changes. */
function Count({ query }: { query: string }) {
  const [counted, setCounted] = useState<{
    query: string;
    preview: FilterPreview | null;
    failure: string;
  } | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const settle = setTimeout(async () => {
      try {
        const preview = await previewFilter(query, stop.signal);
        setCounted({ query, preview, failure: '' });
      } catch (error) {
        if (!stop.signal.aborted)
          setCounted({
            query,
            preview: null,
            failure: failureText(error, 'The alerts cannot be counted now.'),
          });
      }
    }, SETTLE_MS);
    return () => {
      clearTimeout(settle);
      stop.abort();
    };
  }, [query]);

  const isCurrent = counted?.query === query;
  return (
    <div className={styles.count} role="status">
      {!isCurrent ? (
        <p>Counting...</p>
      ) : counted.preview ? (
        <PreviewWords preview={counted.preview} />
      ) : (
        <p>{counted.failure}</p>
      )}
    </div>
  );
}

/** "18 now; 12 hidden by this filter", and what is not known. */
export function PreviewWords({ preview: { matching, hidden, silent } }: { preview: FilterPreview }) {
  return (
    <>
      <p>
        <b>{`${grouped(matching)} now; ${grouped(hidden)} hidden by this filter`}</b>
      </p>
      {silent.length > 0 && (
        <p>
          Not all is known: no recent information from{' '}
          {new Intl.ListFormat('en-GB').format(silent.map(({ name }) => name))}.
        </p>
      )}
    </>
  );
}
