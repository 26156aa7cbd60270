/** The filters of the list. They are stored in the address, and decide which alerts are shown. */
import { pageAddress, pageQuery, type PageQuery, queryText } from '#contract/addresses.ts';
import { Severity } from '#contract/incidents/severity.ts';
import { kilometres } from '#contract/places/distance.ts';
import { feedOf, FEEDS } from '#contract/feeds/feeds.ts';
import { normalRoad } from '#contract/incidents/roadName.ts';
import type { ListedAlert } from '../../api/alerts/alerts.ts';
import { alertTime, dateOf, titleOf } from '../../feeds/alerts/alerts.ts';

const WHENS = ['active', 'planned', 'ended'] as const;
export type When = (typeof WHENS)[number];

/** The distances that are offered, in kilometres. */
export const RADII = [10, 25, 50, 100, 300];
const RADIUS = 25;

export interface Filters {
  when: When;
  q: string;
  /** A slug; '' means all feeds. */
  feed: string;
  /** The grades that are shown; an empty list means all. */
  severities: readonly Severity[];
  road: string;
  near: string;
  radius: number;
  /** Only alerts without a known place. */
  withoutPlace: boolean;
  sort: 'worst' | 'newest';
}

export const NO_FILTERS: Filters = {
  when: 'active',
  q: '',
  feed: '',
  severities: Severity.options,
  road: '',
  near: '',
  radius: RADIUS,
  withoutPlace: false,
  sort: 'worst',
};

/** The filters in an address. A value that cannot be read counts as missing. */
export function filtersOf(search: string): Filters {
  const asked = pageQuery('list', search);
  const named = (asked.severity ?? '').split(',');
  const severities = Severity.options.filter((level) => named.includes(level));
  return {
    when: WHENS.find((when) => when === asked.when) ?? 'active',
    q: asked.q ?? '',
    feed: FEEDS.find(({ slug }) => slug === asked.feed)?.slug ?? '',
    severities: severities.length > 0 ? severities : Severity.options,
    road: asked.road ?? '',
    near: asked.near ?? '',
    radius: RADII.find((km) => String(km) === asked.radius) ?? RADIUS,
    withoutPlace: asked.place === 'none',
    sort: asked.sort === 'newest' ? 'newest' : 'worst',
  };
}

/** The address of the filters, without their default values. */
export function addressOf(filters: Filters): string {
  const { when, q, feed, severities, road, near, radius, withoutPlace, sort } = filters;
  const query: PageQuery<'list'> = {
    when: when === 'active' ? undefined : when,
    q: q.trim() || undefined,
    feed: feed || undefined,
    severity: hasAll(severities) ? undefined : severities.join(','),
    road: road.trim() || undefined,
    near: near.trim() || undefined,
    radius: near.trim() && radius !== RADIUS ? String(radius) : undefined,
    place: withoutPlace ? 'none' : undefined,
    sort: sort === 'worst' ? undefined : sort,
  };
  return pageAddress('list', query);
}

const hasAll = (severities: readonly Severity[]) => severities.length === Severity.options.length;

/** How many of the filters that a phone hides behind "Filters" are set. */
export const setCount = ({ feed, road, near, sort }: Filters): number =>
  [feed, road.trim(), near.trim(), sort === 'newest'].filter(Boolean).length;

export const isFiltered = (filters: Filters): boolean =>
  addressOf({ ...filters, sort: 'worst' }) !== addressOf({ ...NO_FILTERS, when: filters.when });

export interface Spot {
  label: string;
  latitude: number;
  longitude: number;
}

/** The parameters of the call for the same alerts. `place` is the position of `near`. */
export function callOf(filters: Filters, today: string): Record<string, string> {
  const { q, feed, severities, road, near, radius, withoutPlace } = filters;
  return {
    ...whenOf(filters, today),
    ...(q.trim() && { q: q.trim() }),
    ...(feed && { feed }),
    ...(!hasAll(severities) && { severity: severities.join(',') }),
    ...(road.trim() && { road: road.trim() }),
    ...(withoutPlace
      ? { position: 'none' }
      : near.trim() && { near: near.trim(), radius_km: String(radius) }),
  };
}

/** `today`: the time from which an end counts as today's. */
export const whenOf = ({ when, sort }: Filters, today: string): Record<string, string> => ({
  state: when,
  sort,
  ...(when === 'ended' && { ended_since: today }),
});

/** The same filters as conditions of a saved filter, which never holds ended alerts. */
export function filterQuery(filters: Filters): string {
  const { state, sort: _, ended_since: __, ...same } = callOf(filters, '');
  return queryText(Object.entries({ ...(state && state !== 'ended' && { phase: state }), ...same }));
}

export interface Shown {
  alert: ListedAlert;
  /** The distance from the place, in kilometres; null without a place. */
  distance: number | null;
}

/** The alerts that the filters let through, in their order. `spot` is the position of `near`. While it is null the
 *  place does not filter. */
export function shownBy(alerts: readonly ListedAlert[], filters: Filters, spot: Spot | null): Shown[] {
  const { feed, severities, road, radius, withoutPlace } = filters;
  const words = searchable(filters.q);
  const wanted = road.trim() ? normalRoad(road) : null;
  return alerts
    .filter(
      (alert) =>
        (!feed || (alert.source && feedOf(alert.source)?.slug === feed)) &&
        (hasAll(severities) || (alert.severity && severities.includes(alert.severity))) &&
        (!wanted || alert.facts?.roads?.includes(wanted)) &&
        (!words || textOf(alert).includes(words)),
    )
    .map((alert) => ({ alert, distance: spot && distanceTo(alert, spot) }))
    .filter(({ alert, distance }) =>
      withoutPlace
        ? !hasPlace(alert)
        : !spot || (distance !== null && distance - (alert.metadata?.location_reach_km ?? 0) <= radius),
    )
    .toSorted(filters.sort === 'newest' ? newestFirst : worstThenNearest);
}

/** How many alerts without a place the other filters let through. */
export const withoutPlaceOf = (alerts: readonly ListedAlert[], filters: Filters): number =>
  shownBy(alerts, { ...filters, withoutPlace: true }, null).length;

export const hasPlace = ({ latitude, longitude }: ListedAlert): boolean =>
  latitude != null && longitude != null && !(latitude === 0 && longitude === 0);

const distanceTo = (alert: ListedAlert, { latitude, longitude }: Spot) =>
  hasPlace(alert) ? kilometres(latitude, longitude, alert.latitude!, alert.longitude!) : null; // it has a place

const rankOf = ({ severity }: ListedAlert) =>
  severity ? Severity.options.indexOf(severity) : Severity.options.length;
const timeOf = (alert: ListedAlert) => (dateOf(alert.ended_at) ?? alertTime(alert))?.getTime() ?? 0;

const worstThenNearest = (a: Shown, b: Shown) =>
  rankOf(a.alert) - rankOf(b.alert) || (a.distance ?? 0) - (b.distance ?? 0) || newestFirst(a, b);
const newestFirst = (a: Shown, b: Shown) =>
  timeOf(b.alert) - timeOf(a.alert) || (a.alert.event_id < b.alert.event_id ? -1 : 1);

const searchable = (text: string) => text.normalize('NFC').trim().toLowerCase();
/** The text of an alert, as the server searches it. */
const textOf = (alert: ListedAlert) =>
  searchable(`${titleOf(alert)}\n${alert.summary_line ?? ''}\n${alert.facts?.place ?? ''}`);
