import { TicketIcon } from '@phosphor-icons/react/dist/csr/Ticket';
import { TrafficConeIcon } from '@phosphor-icons/react/dist/csr/TrafficCone';
import { useMemo, useState } from 'react';
import { listCategories } from '../../api/places/events.ts';
import type { Place } from '../../api/places/geocode.ts';
import { useLoad } from '../../api/useLoad.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { LocationSearch } from './LocationSearch.tsx';
import {
  DATE_RANGES,
  type DateRange,
  resetMapFilters,
  setCategory,
  setDateRange,
  setDisruptions,
  setEvents,
  useMapFilters,
} from './mapFilters.ts';
import styles from './MapPage.module.css';
import { bound } from '../../ui/controls/Field.tsx';

/** The tools above the map: the search for a place, the filters, the layer of disruptions. */
export function MapTools({
  onPick,
  onAttribution,
  onReset,
}: {
  onPick: (place: Place) => void;
  onAttribution: (text: string | null) => void;
  onReset: () => void;
}) {
  const { category, dateRange, disruptions, events } = useMapFilters();
  const categories = useCategories(category);
  /** Raised to empty the search. */
  const [resets, setResets] = useState(0);
  /** On a phone the filters are behind "Filters". */
  const [open, setOpen] = useState(false);
  const set = [category !== null, dateRange !== 'all'].filter(Boolean).length;
  const place = { className: styles.select, 'data-only': open ? undefined : 'desk' };

  return (
    <div className={styles.tools} data-row role="search">
      <LocationSearch key={resets} onPick={onPick} onAttribution={onAttribution} />
      <Button data-only="phone" aria-expanded={open} onClick={() => setOpen(!open)}>
        Filters{set > 0 && `, ${set} set`}
      </Button>
      <select
        aria-label="Category"
        {...place}
        {...bound(category ?? '', (value) => setCategory(value || null))}
      >
        <option value="">All categories</option>
        {categories.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label="Dates"
        {...place}
        value={dateRange}
        onChange={({ target }) => setDateRange(target.value as DateRange)} // its options are the ranges
      >
        {DATE_RANGES.map(([range, words]) => (
          <option key={range} value={range}>
            {words}
          </option>
        ))}
      </select>
      <Button
        className={styles.layer}
        data-toggle
        aria-pressed={disruptions}
        onClick={() => setDisruptions(!disruptions)}
      >
        <TrafficConeIcon weight="bold" aria-hidden />
        <span>Disruptions</span>
      </Button>
      <Button className={styles.layer} data-toggle aria-pressed={events} onClick={() => setEvents(!events)}>
        <TicketIcon weight="bold" aria-hidden />
        <span>Events</span>
      </Button>
      <Button
        onClick={() => {
          resetMapFilters();
          setResets(resets + 1);
          onReset();
        }}
      >
        Reset
      </Button>
    </div>
  );
}

const NONE: string[] = [];

/** The server's categories. The chosen one is always included, even when the server cannot be reached. */
function useCategories(chosen: string | null): string[] {
  // By design: without the categories there is one choice, "all".
  const { data: names = NONE } = useLoad(listCategories, '');
  return useMemo(
    () => [...new Set(chosen === null ? names : [...names, chosen])].sort((a, b) => a.localeCompare(b)),
    [names, chosen],
  );
}
