/** Whether an incident touches a route or an area, and by which evidence. Thirteen rules are tried in order, the
 *  last one before all others: the first that says "certain" decides, otherwise the first that says "possible".
 *  Nothing here depends on the time. */
import type { Explanation, RuleName } from '#contract/watches/watches.ts';
import type { IncidentPlace } from '../../../geography/roads/incidentPlace.ts';
import { insideArea, throughArea } from './matchByArea.ts';
import { asTold, lacksLine, onDrawn, onLine, onPiece, withinReach } from './matchByPosition.ts';
import { atStop } from './matchAtStops.ts';
import { byDisagreement, byNameAlone, bySaid, byTown, isSaid, lacksTown } from './matchByWords.ts';
import type { Found, Numbers, Tell } from './found.ts';
import type { WatchForm, WatchLine } from './watchLine.ts';

interface Rule {
  rule: RuleName;
  /** Null: for both. */
  kind: 'route' | 'area' | null;
  /** The part that the incident or every watch of this form lacks, in words; null: the rule can be tried. */
  lacks(incident: IncidentPlace, form: WatchForm): string | null;
  /** The part that the route lacks, in words, for `explain`: the test of such a route finds nothing. */
  misses?(incident: IncidentPlace, watch: WatchLine): string | null;
  test: Test;
  /** The part of the test for a route no piece of which meets a stretch of the incident; null: it finds nothing.
   *  Absent: the whole test. */
  offRoad?: Test | null;
}

type Test = (incident: IncidentPlace, watch: WatchLine, tell?: Tell) => Found | null;

export const RULES: readonly Rule[] = [
  {
    rule: 'R1',
    kind: 'route',
    lacks: (incident) =>
      lacksPosition(incident) ??
      (incident.roads.some(({ at }) => at) ? null : 'it names no road of our table that its position is on'),
    test: (incident, watch, tell) => onPiece(incident, watch, 'same', tell),
    offRoad: null,
  },
  {
    rule: 'R2',
    kind: 'route',
    lacks: (incident) =>
      hasPosition(incident) ?? (isSaid(incident) ? null : 'it names no junction that we know'),
    test: (incident, watch, tell) => bySaid(incident, watch, 'same', tell),
    offRoad: null,
  },
  {
    rule: 'R3',
    kind: 'route',
    lacks: (incident, { isDrawn }) =>
      lacksPosition(incident) ??
      (incident.roads.length > 0 ? null : 'it names no road') ??
      (isDrawn ? null : NOT_DRAWN),
    misses: missesDrawn,
    test: (incident, watch, tell) => onDrawn(incident, watch, 'same', tell),
  },
  {
    rule: 'R4',
    kind: 'route',
    lacks: (incident, { isSurveyed }) =>
      lacksLine(incident) ?? (isSurveyed ? null : 'no leg is a surveyed line'),
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
      otherWayAside(incident, watch, tell),
    offRoad: otherWayAside,
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
    offRoad: null,
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
    lacks: (incident, { kind }) =>
      hasPosition(incident) ??
      (kind === 'route' ? lacksTown(incident) : incident.named ? null : 'its words name no place'),
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
    lacks: ({ mode, points, named }, { namesStop }) => {
      if (points.length === 0 && !named?.isStation)
        return mode === 'air' ? 'it has no position' : 'it has no position, and its words name no station';
      return mode === 'air' || namesStop ? null : 'the route names no station or airport';
    },
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

/** For each incident: the rules for which it and watches of this form have evidence. */
const rulesOf = new WeakMap<IncidentPlace, Map<WatchForm, Record<'onRoad' | 'offRoad', readonly Tried[]>>>();

type Tried = Pick<Rule, 'rule' | 'test'>;

function rulesFor(incident: IncidentPlace, form: WatchForm, isOnRoad: boolean): readonly Tried[] {
  let byForm = rulesOf.get(incident);
  if (!byForm) rulesOf.set(incident, (byForm = new Map()));
  let rules = byForm.get(form);
  if (!rules) {
    const all = RULES.filter(
      ({ kind, lacks }) => (kind === null || kind === form.kind) && lacks(incident, form) === null,
    );
    const offRoad = all.flatMap(({ rule, test, offRoad = test }) => (offRoad ? { rule, test: offRoad } : []));
    byForm.set(form, (rules = { onRoad: all, offRoad }));
  }
  return isOnRoad ? rules.onRoad : rules.offRoad;
}

/** Null: nothing connects the two. `isOnRoad` false: no piece of the route meets a stretch of the incident on a road,
 *  as the index has found. */
export function match(incident: IncidentPlace, watch: WatchLine, isOnRoad = true): Found | null {
  // The kilometres are the ones that were typed.
  const told = incident.told.length > 0 ? asTold(incident, watch) : null;
  if (told) return told;
  let best: Found | null = null;
  for (const { rule, test } of rulesFor(incident, watch.form, isOnRoad)) {
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
  const { form } = watch;
  const rules = RULES.map(({ rule, kind: own, lacks, misses, test }): Explanation['rules'][number] => {
    const lacking =
      own !== null && own !== form.kind
        ? `this is ${A_WATCH[form.kind]}`
        : (lacks(incident, form) ?? misses?.(incident, watch) ?? null);
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

const NOT_DRAWN = 'no leg was drawn with the number of a road that it names';

function otherWayAside(incident: IncidentPlace, watch: WatchLine, tell?: Tell): Found | null {
  return onDrawn(incident, watch, 'opposite', tell) ?? onLine(incident, watch, 'opposite', tell);
}

function missesDrawn({ roads }: IncidentPlace, { legs }: WatchLine): string | null {
  const isDrawn = legs.some(({ road }) => road !== null && roads.some((named) => named.road === road));
  return isDrawn ? null : NOT_DRAWN;
}
