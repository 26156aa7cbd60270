import { expect, it } from 'vitest';
import type { Leg } from '#contract/watches/watches.ts';
import { incidentPlace, type IncidentPlace } from '../../../../../server/geography/roads/incidentPlace.ts';
import { match } from '../../../../../server/watches/matching/rules/matcher.ts';
import { roadsOfLine } from '../../../../../server/watches/roadsAlongLine.ts';
import type { LonLat } from '../../../../../server/geography/roads/roadTable.ts';
import { watchLine, type WatchLine } from '../../../../../server/watches/matching/rules/watchLine.ts';
import { labelledIncidents, labelledRoutes, labels, type Level } from './labelledSet.ts';
import { TABLE } from './matchingWorld.ts';

/** Floors by the kind of evidence for the place: the least share of certain matches that are found, and the largest
 *  share that may be wrong. */
const GATES = {
  'line + road + direction': { recall: 0.985, wrong: 0.04, listed: 1 },
  'point + road + direction': { recall: 0.985, wrong: 0.05, listed: 1 },
  'point + road': { recall: 0.985, wrong: 0.06, listed: 1 },
  'words: road, junctions': { recall: 0.985, wrong: 0.05, listed: 0.99 },
  'words: road alone': { recall: 0, wrong: 0, listed: 0.99 },
  'position without road': { recall: 0.985, wrong: 0.05, listed: 0.98 },
  area: { recall: 1, wrong: 0, listed: 1 },
  'neither road nor position': { recall: 0.985, wrong: 0, listed: 0.98 },
} as const;
type Form = keyof typeof GATES;

function formOf({ box, lines, polygons, roads, sign }: IncidentPlace): Form {
  if (polygons.length > 0) return 'area';
  const isNamed = roads.length > 0;
  if (!box) {
    if (roads.some(({ said }) => said.length > 0)) return 'words: road, junctions';
    return isNamed ? 'words: road alone' : 'neither road nor position';
  }
  if (!isNamed) return 'position without road';
  if (!sign) return 'point + road';
  return lines.length > 0 ? 'line + road + direction' : 'point + road + direction';
}

const { records } = await labelledIncidents();
const places = new Map(
  records.map((record) => {
    const { event_id, shape } = record;
    const [source = ''] = event_id.split(':');
    const stored = { ...record, source, geometry: shape?.geometry ?? null };
    return [event_id, incidentPlace(stored, TABLE)];
  }),
);
/** The route from a file has the roads that are found along its line. */
const withRoads = async (leg: Leg): Promise<Leg> =>
  leg.type === 'exact' && leg.roads.length === 0
    ? { ...leg, roads: await roadsOfLine(leg.points as LonLat[], TABLE) }
    : leg;
const routes: { id: string; line: WatchLine }[] = [];
for (const route of labelledRoutes()) {
  const legs = await Promise.all(route.legs.map(withRoads));
  routes.push({ id: route.id, line: watchLine({ ...route, legs }, TABLE) });
}

interface Pair {
  form: Form;
  name: string;
  label: Level;
  or: Level | undefined;
  found: Level;
}
const PAIRS: Pair[] = labels().flatMap(({ incident, labels }) =>
  routes.map(({ id, line }): Pair => {
    const place = places.get(incident)!;
    const found = match(place, line);
    const { level = 'none', or, reason = 'the words speak of another road or place' } = labels[id] ?? {};
    const name = `${incident} × ${id}: ${level}${or ? ` or ${or}` : ''} (${reason}), found ${found ? `${found.level}, ${found.rule} ${found.why}` : 'none'}`;
    return { form: formOf(place), name, label: level, or, found: found?.level ?? 'none' };
  }),
);
const isRight = ({ label, or, found }: Pair) => found === label || found === or;

it.each(Object.entries(GATES) as [Form, (typeof GATES)[Form]][])('meets the gates for: %s', (form, gate) => {
  const own = PAIRS.filter((pair) => pair.form === form);
  const certain = own.filter(({ label, or }) => label === 'certain' && or === undefined);
  const missed = certain.filter((pair) => pair.found !== 'certain');
  const saidCertain = own.filter(({ found }) => found === 'certain');
  const wrong = saidCertain.filter((pair) => !isRight(pair));
  const touched = own.filter(({ label, or }) => label !== 'none' && or !== 'none');
  const unlisted = touched.filter(({ found }) => found === 'none');
  const share = (part: readonly Pair[], of: readonly Pair[]) =>
    of.length === 0 ? 0 : part.length / of.length;
  const measured = {
    missed: share(missed, certain),
    wrong: share(wrong, saidCertain),
    unlisted: share(unlisted, touched),
  };
  const failing = [...new Set([...missed, ...wrong, ...unlisted])].map(({ name }) => name);
  const isMet =
    measured.missed <= 1 - gate.recall &&
    measured.wrong <= gate.wrong &&
    measured.unlisted <= 1 - gate.listed + 1e-9;
  expect(isMet ? [] : failing, JSON.stringify(measured)).toEqual([]);
});

it('lists hardly anything that its words do not mean', () => {
  const beside = PAIRS.filter(
    ({ label, or, found }) => label === 'none' && or === undefined && found !== 'none',
  );

  expect(PAIRS.length).toBeGreaterThan(1500);
  expect(beside.filter(({ found }) => found === 'certain').map(({ name }) => name)).toEqual([]);
  expect(beside.length / PAIRS.length, beside.map(({ name }) => name).join('\n')).toBeLessThan(0.005);
});
