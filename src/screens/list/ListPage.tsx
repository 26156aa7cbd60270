import { pageAddress } from '#contract/addresses.ts';
import { Severity as Level } from '#contract/incidents/severity.ts';
import { FEEDS } from '#contract/feeds/feeds.ts';
import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useNavigate, useSearch } from '../../device/address/useAddress.ts';
import { useStoredSwitch } from '../../device/browserStorage.ts';
import { PageSign, PageState } from '../../feeds/refresh/PageState.tsx';
import InHand from '../../shift/InHand.tsx';
import { useInHand } from '../../shift/inHand/inHandStore.ts';
import { useClock } from '../../time/tickingClock.ts';
import { isStale } from '../../time/freshness.ts';
import { formatDateTime } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { PrintHead } from '../../ui/page/PrintHead.tsx';
import { KeyedPage, type PageKey } from '../../ui/page/KeyedPage.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { grouped } from '#contract/numbers.ts';
import { SegmentedSwitch } from '../../ui/controls/SegmentedSwitch.tsx';
import { GRADE_WORDS, Severity } from '../../ui/signs/Severity.tsx';
import { bound, ToolField, optionsOf } from '../../ui/controls/Field.tsx';
import { AlertRow } from './AlertRow.tsx';
import {
  addressOf,
  filterQuery,
  type Filters,
  filtersOf,
  isFiltered,
  NO_FILTERS,
  RADII,
  setCount,
} from './listFilters.ts';
import styles from './ListPage.module.css';
import { useList } from './useList.ts';

const WHEN_WORDS = [
  { value: 'active', label: 'Active' },
  { value: 'planned', label: 'Planned' },
  { value: 'ended', label: 'Ended today' },
] as const;

/** `/disruptions/list`: all alerts of all feeds, searched and filtered. */
export function ListPage() {
  const search = useSearch();
  const navigate = useNavigate();
  // Typed letters are shown at once; the address follows.
  const [filters, setFilters] = useState(() => filtersOf(search));
  const written = useRef(addressOf(filters));
  const set = (change: Partial<Filters>) => setFilters({ ...filters, ...change });
  const clear = () => setFilters({ ...NO_FILTERS, when: filters.when });

  useEffect(() => {
    const address = addressOf(filters);
    if (address === written.current) return;
    written.current = address;
    navigate(address, { replace: true });
  }, [filters, navigate]);
  useEffect(() => {
    const asked = filtersOf(search);
    if (addressOf(asked) === written.current) return;
    written.current = addressOf(asked);
    // oxlint-disable-next-line react/set-state-in-effect -- the user followed a link or went back
    setFilters(asked);
  }, [search]);

  const { snoozed, ours } = useInHand();
  const list = useList(filters, ours);
  const { line, total, withoutPlace, spot } = list;
  const shown = list.shown.filter(({ alert }) => !snoozed.has(alert.event_id));
  const matching = list.matching - (list.shown.length - shown.length);
  const alerts = useMemo(
    () => new Map(line.data?.events.map((alert) => [alert.event_id, alert])),
    [line.data],
  );
  const stale = useClock((now) => line.at !== null && isStale(line.at, now));
  const letters = useStoredSwitch(LETTERS);

  return (
    <KeyedPage
      keys={KEYS}
      letters={letters}
      className={styles.header}
      data-fresh={stale ? 'stale' : undefined}
      header={
        <>
          <h1 data-nowrap>All alerts</h1>
          <div className={styles.when}>
            <SegmentedSwitch
              label="When"
              options={WHEN_WORDS}
              value={filters.when}
              onChange={(when) => set({ when })}
            />
          </div>
          <div className={styles.search}>
            <ToolField label="Search">
              <input type="search" data-search {...bound(filters.q, (q) => set({ q }))} />
            </ToolField>
          </div>
          <p className={styles.toggles} data-nowrap>
            {(withoutPlace > 0 || filters.withoutPlace) && (
              <button
                type="button"
                className={styles.toggle}
                data-tap="plain"
                data-toggle
                aria-pressed={filters.withoutPlace}
                onClick={() => set({ withoutPlace: !filters.withoutPlace })}
              >
                <span>
                  <b>{grouped(withoutPlace)}</b> without a known place
                </span>
              </button>
            )}
            {isFiltered(filters) && (
              <button type="button" className={styles.toggle} data-tap="plain" onClick={clear}>
                Clear
              </button>
            )}
          </p>
          <PageState {...line} />
          <Tools filters={filters} set={set} />
        </>
      }
    >
      <PrintHead
        title="All alerts"
        data={line.at ? `Data of ${formatDateTime(line.at)}` : ''}
        about={filterWords(filters)}
      />
      {line.data && <InHand alerts={alerts} full />}
      {line.data && <PageSign line={line} what="list" failure="Unable to refresh the list" />}
      <div className={styles.list} data-near={spot ? true : undefined}>
        <div className={styles.columns} data-tone="2">
          <span>Severity</span>
          <p role="status">
            {list.isLooking && `Looking for “${filters.near.trim()}”...`}
            {!list.isLooking && line.data && (
              <>
                <b data-tone="1">
                  {grouped(matching)} of {grouped(total)} shown
                </b>
                , {orderWords(filters, spot !== null)}
              </>
            )}
          </p>
          <span>Changes</span>
          <span className={styles.feedHead}>Feed</span>
          {spot && <span className={styles.farHead}>From {spot.label.split(',')[0]}</span>}
          <span className={styles.timeHead}>Time</span>
        </div>
        {list.isUnknown && !filters.withoutPlace && (
          <Notice>{`No place is known as “${filters.near.trim()}”.`}</Notice>
        )}
        {list.failure && !filters.withoutPlace && (
          <>
            <Notice>{list.failure}</Notice>
            <p className={styles.more}>
              <Button small onClick={list.lookAgain}>
                Try again
              </Button>
            </p>
          </>
        )}
        {list.isPartial && (
          <Notice>{`Only the ${grouped(list.searched)} alerts that this device keeps were searched.`}</Notice>
        )}
        {shown.length > 0 ? (
          <ol aria-label="Alerts">
            {shown.map((one) => (
              <AlertRow key={one.alert.event_id} {...one} />
            ))}
          </ol>
        ) : (
          <Empty list={list} isFiltered={isFiltered(filters)} onClear={clear} />
        )}
      </div>
      {matching > shown.length && (
        <p className={styles.more}>The first {grouped(shown.length)} are listed. Filter to see the others.</p>
      )}
      {list.attribution && <p className={styles.more}>{list.attribution}</p>}
      <p className={styles.more}>
        <Link
          href={pageAddress('routes', {
            new: filters.near.trim() ? 'area' : 'feeds',
            conditions: filterQuery(filters),
          })}
        >
          These conditions as {filters.near.trim() ? 'an area' : 'a filter'}, in every format
        </Link>
      </p>
    </KeyedPage>
  );
}

const LETTERS = 'clearway_list_letter_keys';

const KEYS: readonly PageKey[] = [
  { keys: ['j', 'k'], what: 'next row, row before', short: 'row' },
  { keys: ['↓', '↑'], what: 'the same rows, also with the letters off' },
  { keys: ['Enter'], what: 'open the alert', short: 'open' },
  { keys: ['a'], what: 'acknowledge', short: 'acknowledge' },
  { keys: ['s'], what: 'snooze', short: 'snooze' },
  { keys: ['/'], what: 'search', short: 'search' },
  { keys: ['Esc'], what: 'leave the field' },
  { keys: ['?'], what: 'these keys' },
];

/** "Active, UK Roads, critical or high, M62, within 25 km of Leeds" */
function filterWords({ when, q, feed, severities, road, near, radius, withoutPlace }: Filters): string {
  const title = FEEDS.find(({ slug }) => slug === feed)?.title;
  return [
    WHEN_WORDS.find(({ value }) => value === when)?.label,
    title,
    severities.length < Level.options.length && severities.join(' or '),
    road,
    near && `within ${radius} km of ${near}`,
    withoutPlace && 'without a known place',
    q && `“${q}”`,
  ]
    .filter(Boolean)
    .join(', ');
}

const orderWords = ({ sort }: Filters, near: boolean) =>
  sort === 'newest' ? 'newest first' : near ? 'nearest first in each grade' : 'worst first';

function Empty({
  list: { line, isUnknown, failure },
  isFiltered: filtered,
  onClear,
}: {
  list: Pick<ReturnType<typeof useList>, 'line' | 'isUnknown' | 'failure'>;
  isFiltered: boolean;
  onClear: () => void;
}) {
  if (!line.data) {
    return line.problem ? (
      <Notice>Unable to load the list. This device keeps none.</Notice>
    ) : (
      <p className={styles.empty} data-line="4">
        Loading...
      </p>
    );
  }
  if (isUnknown || failure) return null;

  return (
    <div className={styles.empty} data-line="4">
      <p>No alerts match</p>
      {filtered && <Button onClick={onClear}>Clear filters</Button>}
    </div>
  );
}

function Tools({ filters, set }: { filters: Filters; set: (change: Partial<Filters>) => void }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const count = setCount(filters);
  const toggle = (level: Level) => {
    const { severities } = filters;
    const next = severities.includes(level)
      ? severities.filter((one) => one !== level)
      : Level.options.filter((one) => one === level || severities.includes(one));
    set({ severities: next.length > 0 ? next : Level.options });
  };

  return (
    <search className={styles.tools} data-across data-line aria-label="Filters">
      <div className={styles.grades} data-line="1" data-align="stretch" role="group" aria-label="Severity">
        {Level.options.map((level) => (
          <button
            key={level}
            type="button"
            aria-pressed={filters.severities.includes(level)}
            onClick={() => toggle(level)}
          >
            <Severity grade={level} word={GRADE_WORDS[level]} />
          </button>
        ))}
      </div>
      <Button
        small
        data-nowrap
        data-only="phone"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        Filters{count > 0 && `, ${count} set`} <CaretDownIcon weight="bold" aria-hidden />
      </Button>
      <div id={id} className={styles.fields} data-line data-only={open ? undefined : 'desk'}>
        <ToolField label="Feed">
          <select {...bound(filters.feed, (feed) => set({ feed }))}>
            <option value="">All feeds</option>
            {optionsOf(FEEDS.map(({ slug, title }) => [slug, title]))}
          </select>
        </ToolField>
        <ToolField label="Road">
          <input {...bound(filters.road, (road) => set({ road }))} />
        </ToolField>
        <ToolField label="Near" className={styles.wide}>
          <input {...bound(filters.near, (near) => set({ near }))} />
          <select aria-label="Radius" {...bound(filters.radius, (value) => set({ radius: Number(value) }))}>
            {optionsOf(RADII.map((km) => [km, `${km} km`]))}
          </select>
        </ToolField>
        <ToolField>
          <select
            aria-label="Sort"
            {...bound(filters.sort, (value) => set({ sort: value === 'newest' ? 'newest' : 'worst' }))}
          >
            <option value="worst">Worst first</option>
            <option value="newest">Newest first</option>
          </select>
        </ToolField>
      </div>
    </search>
  );
}
