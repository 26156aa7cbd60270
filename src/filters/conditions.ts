/** A filter's conditions: the fields of its form, the query string that is saved, and words. */
import { queryPairs, queryText } from '#contract/addresses.ts';
import { Phase, Severity } from '#contract/disruptions.ts';
import { FEEDS, knownFeed } from '#contract/feeds.ts';
import { GRADE_WORDS } from '../ui/Severity.tsx';

export interface Draft {
  feed: string;
  min_severity: string;
  /** Only this one. */
  severity: string;
  hide_unrated: boolean;
  phase: string;
  q: string;
  road: string;
  near: string;
  radius_km: string;
  /** Degrees; an area has all four. */
  north: string;
  south: string;
  west: string;
  east: string;
  watch: string;
  level: string;
  changes_only: boolean;
  /** Conditions that the form has no field for: kept as they are. */
  rest: readonly (readonly [name: string, value: string])[];
}

export const NO_CONDITIONS: Draft = {
  feed: '',
  min_severity: '',
  severity: '',
  hide_unrated: false,
  phase: '',
  q: '',
  road: '',
  near: '',
  radius_km: '25',
  north: '',
  south: '',
  west: '',
  east: '',
  watch: '',
  level: '',
  changes_only: false,
  rest: [],
};

export const EDGES = ['north', 'south', 'west', 'east'] as const;

/** Kilometres, as offered. */
export const RADII = ['10', '25', '50', '100', '300'];

const FIELDS = new Set(Object.keys(NO_CONDITIONS).filter((name) => name !== 'rest'));
const isYes = (value: string | undefined) => value === 'true' || value === '1';

/** A value that no field offers stays among the rest: it must not be lost by editing something else. */
export function draftOf(query: string): Draft {
  const pairs = queryPairs(query);
  const said = new Map(pairs);
  const rest: [string, string][] = [];
  const take = (name: string, isOffered: (value: string) => boolean) => {
    const value = said.get(name);
    if (value === undefined) return '';
    if (isOffered(value)) return value;
    rest.push([name, value]);
    return '';
  };
  const any = () => true;
  const isLevel = (level: string) => Severity.options.includes(level as Severity);
  const draft: Draft = {
    feed: take('feed', (slug) => knownFeed(slug) !== undefined),
    min_severity: take('min_severity', isLevel),
    severity: take('severity', isLevel),
    hide_unrated: isYes(said.get('hide_unrated')),
    phase: take('phase', (phase) => Phase.options.includes(phase as Phase)),
    q: take('q', any),
    road: take('road', any),
    near: take('near', any),
    radius_km: said.get('radius_km') ?? NO_CONDITIONS.radius_km,
    north: take('north', any),
    south: take('south', any),
    west: take('west', any),
    east: take('east', any),
    watch: take('watch', any),
    level: take('level', (level) => level === 'certain' || level === 'possible'),
    changes_only: isYes(said.get('changes_only')),
    rest,
  };
  return { ...draft, rest: [...rest, ...pairs.filter(([name]) => !FIELDS.has(name))] };
}

export function queryOf(draft: Draft): string {
  const {
    feed,
    min_severity,
    severity,
    hide_unrated,
    phase,
    q,
    road,
    near,
    radius_km,
    watch,
    level,
    changes_only,
    rest,
  } = draft;
  const said: (readonly [string, string])[] = [
    ['feed', feed],
    ['min_severity', min_severity],
    ['severity', severity],
    ['hide_unrated', hide_unrated ? 'true' : ''],
    ['phase', phase],
    ['q', q.trim()],
    ['road', road.trim()],
    ['near', near.trim()],
    ['radius_km', near.trim() ? radius_km : ''],
    ...EDGES.map((edge) => [edge, draft[edge].trim()] as const),
    ['watch', watch],
    ['level', level],
    ['changes_only', changes_only ? 'true' : ''],
    ...rest,
  ];
  return queryText(said.filter(([, value]) => value !== ''));
}

export const restWords = ([name, value]: readonly [string, string]): string =>
  name === 'severity'
    ? `only ${value
        .split(',')
        .map((level) => GRADE_WORDS[level as Severity] ?? level)
        .join(', ')}`
    : name === 'position' && value === 'none'
      ? 'without a known place'
      : `${name}: ${value}`;

/** "between 53.6 and 53.9 north, -1.8 and -1.4 east"; '' without an area. */
function areaWords({ north, south, west, east }: Draft): string {
  const said = [south || north, north || south, west || east, east || west];
  return said.some(Boolean) ? `between ${said[0]} and ${said[1]} north, ${said[2]} and ${said[3]} east` : '';
}

/** "UK Roads, High or worse, near Leeds" */
export function conditionWords(query: string, routeName: (id: string) => string | undefined): string {
  const draft = draftOf(query);
  const {
    feed,
    min_severity,
    severity,
    hide_unrated,
    phase,
    q,
    road,
    near,
    radius_km,
    watch,
    level,
    changes_only,
    rest,
  } = draft;
  const words = [
    feed && FEEDS.find(({ slug }) => slug === feed)?.title,
    min_severity &&
      (min_severity === 'critical' ? 'Critical' : `${GRADE_WORDS[min_severity as Severity]} or worse`),
    severity && `only ${GRADE_WORDS[severity as Severity]}`,
    hide_unrated && 'rated only',
    phase && (phase === 'active' ? 'active' : 'planned'),
    q && `“${q}”`,
    road,
    near && `within ${radius_km} km of ${near}`,
    areaWords(draft),
    watch ? `touches ${routeName(watch) ?? 'a route that is not here'}` : level && 'touches a route',
    level && `${level} only`,
    changes_only && 'changed in the last 24 hours',
    ...rest.map(restWords),
  ].filter(Boolean);
  return words.length > 0 ? words.join(', ') : 'All alerts';
}
