/** The state of the map: category, dates, layers, selection, and the view itself. It is kept across screens and in
 *  the address, so that a view can be shared and survives a reload. */
import { DAY_MS } from '#contract/durations.ts';
import { pageAddress, pageQuery } from '#contract/addresses.ts';
import { londonDay } from '#contract/london.ts';
import { create } from 'zustand';
import { isSameView, type MapView, rounded, START_VIEW } from '../../maps/basemap.ts';
import { useEffect, useRef } from 'react';
import { useNavigate, usePath, useSearch } from '../../device/address/useAddress.ts';

export type DateRange = 'all' | '7' | '30' | '90';

/** The ranges, in the order and words of the dropdown. */
export const DATE_RANGES: readonly (readonly [DateRange, string])[] = [
  ['all', 'All dates'],
  ['7', 'Next 7 days'],
  ['30', 'Next 30 days'],
  ['90', 'Next 90 days'],
];

/** An event by its performance, an alert by its own id. */
export type Selected = { kind: 'event' | 'alert'; id: string } | null;

export interface MapFilters {
  category: string | null;
  dateRange: DateRange;
  /** Whether the layer of incidents is on. */
  disruptions: boolean;
  /** Whether the layer of events is on. */
  events: boolean;
  selected: Selected;
  view: MapView;
}

export const useMapFilters = create<MapFilters>(() => ({
  category: null,
  dateRange: 'all',
  disruptions: true,
  events: true,
  selected: null,
  view: START_VIEW,
}));

export const setCategory = (category: string | null) => useMapFilters.setState({ category });
export const setDateRange = (dateRange: DateRange) => useMapFilters.setState({ dateRange });
export const setSelected = (selected: Selected) => useMapFilters.setState({ selected });

/** Switches a layer. When it is switched off, a selected thing in it is deselected. */
export const setDisruptions = (disruptions: boolean) =>
  useMapFilters.setState(({ selected }) => ({
    disruptions,
    selected: selected?.kind === 'alert' && !disruptions ? null : selected,
  }));
export const setEvents = (events: boolean) =>
  useMapFilters.setState(({ selected }) => ({
    events,
    selected: selected?.kind === 'event' && !events ? null : selected,
  }));
export const resetMapFilters = () => useMapFilters.setState(useMapFilters.getInitialState(), true);

/** Stores the view, rounded as in the address: about a metre, and a hundredth of a zoom. */
export const setView = (view: MapView) => useMapFilters.setState({ view: rounded(view) });

/** `/map?category=Sport&dates=7&lat=51.5&lng=-0.1&zoom=11`; default values are left out. */
export const addressOf = ({ category, dateRange, disruptions, events, selected, view }: MapFilters): string =>
  pageAddress('map', {
    category: category ?? undefined,
    dates: dateRange === 'all' ? undefined : dateRange,
    disruptions: disruptions ? undefined : 'off',
    events: events ? undefined : 'off',
    ...(selected && { [selected.kind]: selected.id }),
    ...(!isSameView(view, START_VIEW) && {
      lat: String(view.latitude),
      lng: String(view.longitude),
      zoom: String(view.zoom),
    }),
  });

/** The filters in an address; null when it has none. A value that cannot be read becomes the default. */
export function filtersOf(search: string): MapFilters | null {
  const query = pageQuery('map', search);
  const { category, dates, disruptions, events, event, alert, lat, lng, zoom: asked } = query;
  if (Object.values({ ...query, lng: undefined, zoom: undefined }).every((value) => value === undefined)) {
    return null;
  }

  const number = (text: string | undefined, least: number, most: number) => {
    const value = Number(text);
    return text?.trim() && value >= least && value <= most ? value : null;
  };
  const latitude = number(lat, -85, 85);
  const longitude = number(lng, -180, 180);
  const zoom = number(asked, 0, 24) ?? START_VIEW.zoom;
  return {
    category: category || null,
    dateRange: DATE_RANGES.find(([range]) => range === dates)?.[0] ?? 'all',
    disruptions: disruptions !== 'off',
    events: events !== 'off',
    selected: alert ? { kind: 'alert', id: alert } : event ? { kind: 'event', id: event } : null,
    view: latitude === null || longitude === null ? START_VIEW : rounded({ latitude, longitude, zoom }),
  };
}

/** The first and last day of the range, both inclusive, counted from today in London; null for all dates. */
export function datesOf(range: DateRange, now: Date): { start: string; end: string } | null {
  if (range === 'all') return null;
  const start = londonDay(now);
  const last = new Date(Date.parse(start) + (Number(range) - 1) * DAY_MS);
  return { start, end: last.toISOString().slice(0, 10) };
}

/** Keeps the filters in the address too. Filters in an address have priority over remembered ones. */
export function useMapAddress() {
  const navigate = useNavigate();
  const path = usePath();
  const search = useSearch();
  const open = search ? `${path}?${search}` : path;
  const written = useRef<string | null>(null);
  const address = useMapFilters(addressOf);

  useEffect(() => {
    const asked = open === written.current ? null : filtersOf(search);
    written.current = open;
    if (asked) {
      useMapFilters.setState(asked, true);
      return;
    }
    if (address === open) return;
    written.current = address;
    navigate(address, { replace: true });
  }, [open, search, address, navigate]);
}
