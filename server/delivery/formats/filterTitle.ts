/** Subject of a filter, in words made of its conditions: never its name, a route's or a person's. */
import { FEEDS, knownFeed } from '#contract/feeds/feeds.ts';
import { normalRoad } from '#contract/incidents/roadName.ts';
import { knownSource } from '#contract/feeds/sources.ts';
import { type Conditions, RADIUS_KM } from './formatConditions.ts';

/** "Roads", "Alerts": the shortest. */
export function subjectOf({ feed, category }: Conditions): string {
  if (feed) return knownFeed(feed.toLowerCase())?.category ?? 'Alerts';
  const named = FEEDS.find((one) => one.category.toLowerCase() === category?.toLowerCase());
  return named?.category ?? 'Alerts';
}

/** "Roads, M62, high or worse, within 25 km of Leeds". Two filters seldom have the same. */
export function titleOfFilter(conditions: Conditions): string {
  const { source, severity, event_type, q, north, south, east, west, position, near, radius_km } = conditions;
  const { road, state, since, ended_since, watch, level, min_severity, hide_unrated, phase, changes_only } =
    conditions;
  const said = [
    source && knownSource(source).displayName,
    road && normalRoad(road),
    q && `“${q}”`,
    event_type,
    severity && [severity].flat().join(' or '),
    min_severity && (min_severity === 'critical' ? 'critical' : `${min_severity} or worse`),
    hide_unrated && 'rated only',
    phase ?? state,
    near && `within ${radius_km ?? RADIUS_KM} km of ${near}`,
    north !== undefined && `between ${south} and ${north} N, ${west} and ${east} E`,
    position && (position.toLowerCase() === 'none' ? 'without a position' : 'with a position'),
    (watch || level) &&
      `${level ? `${[level].flat().join(' or ')} ` : ''}on ${watch ? 'one route' : 'our routes'}`,
    since && `changed since ${since}`,
    ended_since && `ended since ${ended_since}`,
    changes_only && 'changes of the last day',
  ].filter(Boolean);
  return [subjectOf(conditions), ...said].join(', ');
}
