/** Whether an incident touches a route or an area, and by which evidence. Thirteen rules are tried in order, the
 *  last one before all others: the first that says "certain" decides, otherwise the first that says "possible".
 *  Nothing here depends on the time. */
import type { Explanation, RuleName } from '#contract/watches/watches.ts';
import type { IncidentPlace } from '../../../geography/roads/incidentPlace.ts';
import { insideArea, throughArea } from './matchByArea.ts';
import { asTold, lacksLine, onDrawn, onLine, onPiece, withinReach } from './matchByPosition.ts';
import { atStop } from './matchAtStops.ts';
import { byDisagreement, byNameAlone, bySaid, byTown } from './matchByWords.ts';
import type { Found, Numbers, Tell } from './found.ts';
import type { WatchLeg, WatchLine } from './watchLine.ts';

interface Rule {
  rule: RuleName;
  /** Null: for both. */
  kind: 'route' | 'area' | null;
  /** The part that the incident lacks, in words; null: the rule can be tried. */
  lacks(incident: IncidentPlace, kind: 'route' | 'area'): string | null;
  /** The part that the route lacks, in words, for `explain`: the test of such a route finds nothing. */
  misses?(incident: IncidentPlace, watch: WatchLine): string | null;
  test(incident: IncidentPlace, watch: WatchLine, tell?: Tell): Found | null;
}

export const RULES: readonly Rule[] = [
  {
    rule: 'R1',
    kind: 'route',
    lacks: (incident) =>
      lacksPosition(incident) ??
      (incident.roads.some(({ at }) => at) ? null : 'it names no road of our table that its position is on'),
    test: (incident, watch, tell) => onPiece(incident, watch, 'same', tell),
  },
  {
    rule: 'R2',
    kind: 'route',
    lacks: (incident) =>
      hasPosition(incident) ?? (isSaid(incident) ? null : 'it names no junction that we know'),
    test: (incident, watch, tell) => bySaid(incident, watch, 'same', tell),
  },
  {
    rule: 'R3',
    kind: 'route',
    lacks: (incident) => lacksPosition(incident) ?? (incident.roads.length > 0 ? null : 'it names no road'),
    misses: missesDrawn,
    test: (incident, watch, tell) => onDrawn(incident, watch, 'same', tell),
  },
  {
    rule: 'R4',
    kind: 'route',
    lacks: lacksLine,
    misses: (_, { legs }) => (legs.some(isExact) ? null : 'no leg is a surveyed line'),
    test: (incident, watch, tell) => onLine(incident, watch, 'same', tell),
  },
  {
    rule: 'R5',
    kind: null,
    lacks: ({ polygons }) => (polygons.length > 0 ? null : 'it has no area'),
    test: throughArea,
  },
  {
    rule: 'R6',
    kind: 'route',
    lacks: ({ roads, sign, lines }) =>
      (roads.length > 0 && sign !== null) || lines.length > 0 ? null : 'it names no direction',
    test: (incident, watch, tell) =>
      onPiece(incident, watch, 'opposite', tell) ??
      bySaid(incident, watch, 'opposite', tell) ??
      onDrawn(incident, watch, 'opposite', tell) ??
      onLine(incident, watch, 'opposite', tell),
  },
  {
    rule: 'R7',
    kind: 'route',
    lacks: (incident) =>
      hasPosition(incident) ??
      (incident.town ? 'its words name a place' : null) ??
      (incident.roads.length + incident.aside.length > 0 ? null : 'it names no road'),
    test: byNameAlone,
  },
  {
    rule: 'R8',
    kind: 'route',
    lacks: ({ roads }) =>
      roads.some(({ disagrees }) => disagrees) ? null : 'its words and its position do not disagree',
    test: byDisagreement,
  },
  {
    rule: 'R9',
    kind: 'route',
    lacks: (incident) =>
      lacksPosition(incident) ??
      (incident.mode === 'air' ? 'an airport touches a route that stops there' : null),
    test: withinReach,
  },
  {
    rule: 'R10',
    kind: null,
    lacks: (incident, kind) =>
      hasPosition(incident) ??
      (kind === 'area'
        ? incident.named
          ? null
          : 'its words name no place'
        : ((isSaid(incident) ? 'it names a junction' : null) ??
          (incident.town ? null : 'its words name no town') ??
          (incident.mode === 'road' || incident.mode === 'other' ? null : 'it is not about a road'))),
    test: byTown,
  },
  {
    rule: 'R11',
    kind: 'area',
    lacks: (incident) => (incident.named?.isGiven ? null : lacksPosition(incident)),
    test: insideArea,
  },
  {
    rule: 'R12',
    kind: 'route',
    lacks: ({ mode, points, named }) =>
      points.length > 0 || named?.isStation
        ? null
        : mode === 'air'
          ? 'it has no position'
          : 'it has no position, and its words name no station',
    misses: ({ mode }, { stops }) =>
      mode === 'air' || stops.some(({ name }) => name !== null)
        ? null
        : 'the route names no station or airport',
    test: atStop,
  },
  {
    rule: 'R13',
    kind: 'route',
    lacks: ({ told }) => (told.length > 0 ? null : 'it gives no kilometres of a route of yours'),
    misses: ({ told }, { id }) =>
      told.some(({ watch_id }) => watch_id === id) ? null : 'its kilometres are those of another route',
    test: asTold,
  },
];

const ONLY_POSSIBLE: ReadonlySet<RuleName> = new Set(['R6', 'R7', 'R8', 'R9', 'R10']);

/** For each incident: the rules for which it has evidence. */
const rulesOf = new WeakMap<IncidentPlace, Record<'route' | 'area', readonly Rule[]>>();

function rulesFor(incident: IncidentPlace, kind: 'route' | 'area'): readonly Rule[] {
  let rules = rulesOf.get(incident);
  if (!rules) {
    const forKind = (own: 'route' | 'area') =>
      RULES.filter(({ kind, lacks }) => (kind === null || kind === own) && lacks(incident, own) === null);
    rules = { route: forKind('route'), area: forKind('area') };
    rulesOf.set(incident, rules);
  }
  return rules[kind];
}

/** Null: nothing connects the two. */
export function match(incident: IncidentPlace, watch: WatchLine): Found | null {
  // The kilometres are the ones that were typed.
  const told = asTold(incident, watch);
  if (told) return told;
  let best: Found | null = null;
  for (const { rule, test } of rulesFor(incident, watch.area ? 'area' : 'route')) {
    if (best && ONLY_POSSIBLE.has(rule)) continue;
    const found = test(incident, watch);
    if (found?.level === 'certain') return found;
    best ??= found;
  }
  return best;
}

/** Every rule with its measurements, including rules that do not match. */
export function explain(
  incident: IncidentPlace,
  watch: WatchLine,
): Pick<Explanation, 'level' | 'why' | 'rules'> {
  const decided = match(incident, watch);
  const kind = watch.area ? 'area' : 'route';
  const rules = RULES.map(({ rule, kind: own, lacks, misses, test }): Explanation['rules'][number] => {
    const lacking =
      own !== null && own !== kind
        ? `this is ${A_WATCH[kind]}`
        : (lacks(incident, kind) ?? misses?.(incident, watch) ?? null);
    if (lacking !== null) return { rule, outcome: 'not_tried', words: lacking, numbers: {} };
    const tried: { words: string; numbers: Numbers }[] = [];
    const found = test(incident, watch, (words, numbers) => tried.push({ words, numbers: rounded(numbers) }));
    // The last part decided, unless a later part of the route was tried without success.
    const { words, numbers } = tried.at(-1) ?? {
      words: found?.why ?? 'nothing of the route is near',
      numbers: {},
    };
    return { rule, outcome: found?.level ?? 'none', words, numbers };
  });
  return { level: decided?.level ?? 'none', why: decided?.why ?? null, rules };
}

const A_WATCH = { route: 'a route', area: 'an area' } as const;

const rounded = (numbers: Numbers) =>
  Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Math.round(value * 1000) / 1000]));

// Needs of a rule.

function lacksPosition({ box }: IncidentPlace): string | null {
  return box ? null : 'it has no position';
}

const hasPosition = ({ box }: IncidentPlace) => (box ? 'it has a position' : null);

const isSaid = ({ roads }: IncidentPlace) => roads.some(({ said }) => said.length > 0);

const isExact = ({ type }: WatchLeg) => type === 'exact';

function missesDrawn({ roads }: IncidentPlace, { legs }: WatchLine): string | null {
  const isDrawn = legs.some(({ road }) => road !== null && roads.some((named) => named.road === road));
  return isDrawn ? null : 'no leg was drawn with the number of a road that it names';
}
