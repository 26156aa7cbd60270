import { expect, it } from 'vitest';
import type { Facts } from '#contract/incidents/facts.ts';
import type { Leg } from '#contract/watches/watches.ts';
import {
  incidentPlace,
  type IncidentPlace,
  type StoredIncident,
} from '../../../../../server/geography/roads/incidentPlace.ts';
import type { Found } from '../../../../../server/watches/matching/rules/found.ts';
import { match } from '../../../../../server/watches/matching/rules/matcher.ts';
import {
  labelOf,
  type Chain,
  type LonLat,
  type Sense,
  type Sign,
} from '../../../../../server/geography/roads/roadTable.ts';
import { CHORD_REACH_KM } from '../../../../../server/watches/matching/rules/reach.ts';
import { watchLine } from '../../../../../server/watches/matching/rules/watchLine.ts';
import { piecesOf } from '../../../../../server/geography/roads/routeWay.ts';
import { line, point, pointAt, storedRoute, TABLE } from './matchingWorld.ts';
import { factsOf } from '../../../../support/facts.ts';

/** Between two neighbouring waypoints. */
interface Pair {
  chain: Chain;
  index: number;
  next: number;
}

const PAIRS: Pair[] = TABLE.chains.flatMap((chain) =>
  chain.waypoints.flatMap((_, index) => {
    const next = index + 1 < chain.waypoints.length ? index + 1 : chain.isOrbital ? 0 : -1;
    return next < 0 || chain.breaks.has(index) ? [] : [{ chain, index, next }];
  }),
);

const FORMS = [
  'line, road, direction',
  'point, road, direction',
  'point, road',
  'words: road, junctions, direction',
  'line without a road',
] as const;
type Form = (typeof FORMS)[number];

/** An incident between the two, on the carriageway of this sense. Null: this form cannot say it of this road. */
function incidentOn({ chain, index, next }: Pair, form: Form, sense: Sense): IncidentPlace | null {
  const { road, waypoints, signs } = chain;
  const on = (t: number) => pointAt(chain, index + t);
  const way = [0.25, 0.5, 0.75].map(on);
  const carriageway = line(...(sense === 1 ? way : way.toReversed()));
  const ends = [waypoints[index]!.junction, waypoints[next]!.junction];
  if (form.startsWith('words') && ends.includes(null)) return null;

  const sign: Sign | undefined = form.endsWith('direction') ? signs?.[sense][0] : undefined;
  // The words are in the summary: in the title "coastbound" would be read as the direction of a road.
  const direction = sign === 'coast' || sign === 'London' ? undefined : sign;
  const [from = '', to = ''] = sense === 1 ? ends : ends.toReversed();
  const facts: Facts = {
    ...factsOf(),
    roads: form === 'line without a road' ? [] : [road],
    stretch: form.startsWith('words') ? [{ road, from: from!, to: to! }] : [],
    direction: direction ?? null,
  };
  const [longitude, latitude] = on(0.5);
  const stored: StoredIncident = {
    event_id: 'test:1',
    source: 'test',
    title: 'Closed',
    summary_line: '',
    latitude,
    longitude,
    geometry: form.startsWith('line') ? carriageway : form.startsWith('point') ? point(on(0.5)) : null,
    facts,
    // An incident without a position is placed by a town, which says in which part of the kingdom it is.
    metadata: form.startsWith('words')
      ? { location_method: 'place_name', location_names: ['Town'], location_reach_km: 1 }
      : {},
  };
  return incidentPlace(stored, TABLE);
}

const nameOf = ({ chain, index, next }: Pair) =>
  `${chain.id} ${labelOf(chain.waypoints[index]!)}–${labelOf(chain.waypoints[next]!)}`;

const legOn = ({ id, waypoints }: Chain, from: number, to: number, sense: Sense): Leg => {
  const [start, end] = [waypoints[from]!, waypoints[to]!].map(labelOf) as [string, string];
  return { type: 'road', road: id, from: start, to: end, sense };
};

const levelOf = (found: Found | null) => found?.level ?? 'none';

/** Whether each name occurs once. In a chain without junctions it can occur twice: a leg would begin at the wrong
 *  place. */
const isClear = ({ waypoints }: Chain) => new Set(waypoints.map(labelOf)).size === waypoints.length;

it('finds each form of report between neighbouring junctions, on both carriageways of every road', () => {
  const failing: string[] = [];
  let tried = 0;
  for (const pair of PAIRS.filter(({ chain }) => isClear(chain))) {
    const { chain, index, next } = pair;
    const reports = FORMS.flatMap((form) =>
      ([1, -1] as const).map((sense) => ({ form, sense, incident: incidentOn(pair, form, sense) })),
    );
    for (const sense of [1, -1] as const) {
      const [from, to] = sense === 1 ? [index, next] : [next, index];
      const route = watchLine(storedRoute(legOn(chain, from, to, sense)), TABLE);
      for (const { form, sense: reported, incident } of reports) {
        if (!incident) continue;
        tried++;
        const isOther = form.endsWith('direction') && chain.signs !== null && reported !== sense;
        const expected = form === 'line without a road' || isOther ? 'possible' : 'certain';
        const level = levelOf(match(incident, route));
        if (level !== expected) failing.push(`${nameOf(pair)}, ${form}, ${reported}: ${level}`);
      }
    }
  }
  expect(failing).toEqual([]);
  expect(tried).toBeGreaterThan(8000);
});

it('finds none if the route ends one junction short', () => {
  const failing: string[] = [];
  let tried = 0;
  for (const pair of PAIRS.filter(({ chain }) => isClear(chain) && !chain.isOrbital)) {
    const { chain, index, next } = pair;
    const legs = [
      ...(index > 0 ? [legOn(chain, 0, index, 1)] : []),
      ...(next < chain.waypoints.length - 1 ? [legOn(chain, chain.waypoints.length - 1, next, -1)] : []),
    ];
    for (const leg of legs) {
      // These have nothing between them but a gap in the road.
      if (leg.type === 'road' && piecesOf(leg, TABLE).length === 0) continue;
      const route = watchLine(storedRoute(leg), TABLE);
      for (const form of FORMS) {
        const incident = incidentOn(pair, form, leg.type === 'road' ? leg.sense : 1);
        if (!incident) continue;
        tried++;
        const found = match(incident, route);
        // Without a road, a line within reach may be on the route.
        const isNear =
          form === 'line without a road' && found?.rule === 'R9' && found.off_m! <= CHORD_REACH_KM * 1000;
        if (found && !isNear) failing.push(`${nameOf(pair)}, ${form}: ${found.rule} ${found.why}`);
      }
    }
  }
  expect(failing).toEqual([]);
  expect(tried).toBeGreaterThan(4000);
});

it('finds a line without a road on a surveyed line, each on its own carriageway', () => {
  const failing: string[] = [];
  for (const pair of PAIRS) {
    const points = [0, 0.2, 0.4, 0.6, 0.8, 1].map((t): LonLat => pointAt(pair.chain, pair.index + t));
    const route = watchLine(storedRoute({ type: 'exact', points, roads: [] }), TABLE);
    for (const sense of [1, -1] as const) {
      const level = levelOf(match(incidentOn(pair, 'line without a road', sense)!, route));
      if (level !== (sense === 1 ? 'certain' : 'possible'))
        failing.push(`${nameOf(pair)}, ${sense}: ${level}`);
    }
  }
  expect(failing).toEqual([]);
});
