import { pageAddressOf } from '#contract/addresses.ts';
import { STATIONS_ATTRIBUTION } from '#contract/places/events.ts';
import { ArrowSquareOutIcon } from '@phosphor-icons/react/dist/csr/ArrowSquareOut';
import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown';
import { memo, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { MapEvent } from '../../../api/places/events.ts';
import { serverNow } from '../../../time/freshness.ts';
import { buttonLook } from '../../../ui/controls/Button.tsx';
import { grouped } from '#contract/numbers.ts';
import { Facts } from '../../../ui/page/Facts.tsx';
import { webAddress } from '../../../ui/signs/OutsideLink.tsx';
import { formatClock, formatDay } from '../../../time/london.ts';
import { pointOf } from '../clusters.ts';
import styles from './EventList.module.css';
import { endText, eventName, isWholeDays, placeText, startText } from './eventWords.ts';

/** The events beside the map, in the order given. The selected one is open and scrolled into view. */
export const EventList = memo(function EventList({
  events,
  selected,
  onSelect,
}: {
  events: readonly MapEvent[];
  /** The id of a performance. */
  selected: string | null;
  onSelect: (performance: string) => void;
}) {
  const { shown, end } = useRowsToEnd(events, selected);

  return (
    <ol aria-label="Events">
      {events.slice(0, shown).map((event) => (
        <Row
          key={event.performance_id}
          event={event}
          isSelected={event.performance_id === selected}
          onSelect={onSelect}
        />
      ))}
      {shown < events.length && (
        <li ref={end} className={styles.rest} data-text="small" data-tone="2">
          {grouped(events.length - shown)} more below
        </li>
      )}
    </ol>
  );
});

/** How many rows are made at first. As many more follow when their end comes near. */
const ROWS = 40;

/** Makes only some of the rows: hundreds that nobody has scrolled to would cost more than the map itself. */
function useRowsToEnd(events: readonly MapEvent[], selected: string | null) {
  const [{ of, rows }, setRows] = useState({ of: events, rows: ROWS });
  const end = useRef<HTMLLIElement>(null);
  const asked = of === events ? rows : ROWS;
  const place = selected === null ? -1 : events.findIndex((one) => one.performance_id === selected);
  const shown = Math.max(asked, place + 2);

  useEffect(() => {
    if (!end.current || typeof IntersectionObserver === 'undefined') return;
    const near = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setRows({ of: events, rows: shown + ROWS });
      },
      { rootMargin: '600px' },
    );
    near.observe(end.current);
    return () => near.disconnect();
  }, [events, shown]);

  return { shown: typeof IntersectionObserver === 'undefined' ? events.length : shown, end };
}

/** Memoised, because a selection changes two rows of hundreds. */
const Row = memo(function Row({
  event,
  isSelected,
  onSelect,
}: {
  event: MapEvent;
  isSelected: boolean;
  onSelect: (performance: string) => void;
}) {
  const id = useId();
  const row = useRef<HTMLLIElement>(null);
  const { start_datetime: start, category } = event;

  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);

  return (
    <li ref={row} className={styles.row} data-selected={isSelected || undefined}>
      <button
        data-press
        type="button"
        aria-expanded={isSelected}
        aria-controls={id}
        onClick={() => onSelect(event.performance_id)}
      >
        <time className={styles.when} data-text="strong" dateTime={start ?? undefined}>
          {start ? formatDay(start, serverNow()) : 'No date'}
          <span data-text="small" data-tone="2">
            {start && !isWholeDays(event) && formatClock(start)}
          </span>
        </time>
        <span className={styles.what}>
          <span data-text="strong">{eventName(event)}</span>
          <span data-text="note">{placeText(event)}</span>
          <span data-text="small" data-tone="3">
            {category}
          </span>
        </span>
        <CaretDownIcon weight="bold" aria-hidden className={styles.caret} />
      </button>
      {isSelected && (
        <div id={id} className={styles.more} data-stack>
          <Details event={event} />
        </div>
      )}
    </li>
  );
});

function Details({ event }: { event: MapEvent }) {
  const booking = webAddress(event.booking_url);
  const stations = stationsText(event);
  return (
    <>
      {event.is_sample && <p data-text="label">Sample data: this event does not take place.</p>}
      <Facts
        data-size="note"
        facts={[
          ['Start', startText(event)],
          ['End', endText(event)],
          ['Venue', event.venue_name],
          ['Postcode', event.postcode],
          ['Capacity', event.capacity == null ? null : grouped(event.capacity)],
          ['Stations', stations],
        ]}
      />
      {stations && (
        <p data-size="caption" data-tone="3">
          {STATIONS_ATTRIBUTION}
        </p>
      )}
      {!pointOf(event) && <p className={styles.description}>Not on the map: its position is not known.</p>}
      {event.description && <p className={styles.description}>{event.description}</p>}
      <p data-row>
        {booking && (
          <a href={booking} target="_blank" rel="noopener noreferrer" {...buttonLook({ kind: 'primary' })}>
            Book tickets <ArrowSquareOutIcon weight="bold" aria-hidden />
          </a>
        )}
        <Link href={pageAddressOf('event', event.event_id)} {...buttonLook()}>
          View full details
        </Link>
      </p>
    </>
  );
}

const STATIONS_NAMED = 3;

function stationsText({ nearby_stations: stations }: MapEvent): string {
  return (stations ?? [])
    .slice(0, STATIONS_NAMED)
    .flatMap(({ name, distance_km }) =>
      name ? [distance_km == null ? name : `${name} (${distance_km.toFixed(1)} km)`] : [],
    )
    .join(', ');
}
