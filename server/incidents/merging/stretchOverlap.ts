/** How far two reports' stretches of one road overlap, by the road's table or else by the numbers of the junctions. */
import type { Stretch } from '#contract/incidents/facts.ts';
import { labelPosition } from '../../geography/roads/junctionLabels.ts';
import { periodOf, roadTable, type Chain } from '../../geography/roads/roadTable.ts';
import type { Report } from './comparedReport.ts';

/**
 * Whether two stretches overlap. If they only touch at an end they do not, but one of them may be a single junction.
 */
export function overlap(common: number | null, one: Stretch, other: Stretch): boolean {
  if (common === null) return one.from === other.from && one.to === other.to;
  return common > 0 || (common === 0 && (one.from === one.to || other.from === other.to));
}

/** Whether two stretches have nothing in common. If the table does not have an end, this is not known. */
export function areDisjoint(common: number | null, one: Stretch, other: Stretch): boolean {
  if (common === null) return false;
  return common < 0 || (common === 0 && one.from !== one.to && other.from !== other.to);
}

/** How far two stretches of one road overlap, in waypoints; null when one of their ends is not known. */
export function inCommon(one: Stretch, of: Report, other: Stretch, ofOther: Report): number | null {
  const [own, others] = [endsOf(one, of), endsOf(other, ofOther)];
  if (own && others) return Math.min(own[1], others[1]) - Math.max(own[0], others[0]);
  const labels = [one.from, one.to, other.from, other.to];
  if (!labels.every((label) => /^[JT]\d/.test(label))) return null;
  const [low, high] = numbered(one);
  const [otherLow, otherHigh] = numbered(other);
  return Math.min(high, otherHigh) - Math.max(low, otherLow);
}

/** The ends of each stretch, kept because each is compared with many. */
const knownEnds = new WeakMap<Stretch, [number, number] | null>();

export function endsOf(stretch: Stretch, of: Report): [number, number] | null {
  let found = knownEnds.get(stretch);
  if (found === undefined) {
    const chain = chainOf(stretch.road, of);
    found = chain ? ends(stretch, chain) : null;
    knownEnds.set(stretch, found);
  }
  return found;
}

/** The road of this number in the report's part of the kingdom; none if it has two. */
export function chainOf(road: string, { isIrish }: Report): Chain | null {
  const [chain, ...more] = roadTable()
    .named(road)
    .filter((one) => isIrish === (one.id !== one.road));
  return chain && more.length === 0 ? chain : null;
}

function ends({ from, to }: Stretch, chain: Chain): [number, number] | null {
  const [one, other] = [from, to].map((label) => labelPosition(chain, label, roadTable()));
  // On a ring, the order of two junctions does not show the way between them.
  if (typeof one !== 'number' || typeof other !== 'number' || periodOf(chain) > 0) return null;
  return one <= other ? [one, other] : [other, one];
}

function numbered({ from, to }: Stretch): [number, number] {
  const [one, other] = [junctionNumber(from), junctionNumber(to)];
  return one <= other ? [one, other] : [other, one];
}

/** The number of a junction for comparison: J21A lies between J21 and J22. */
function junctionNumber(name: string): number {
  const [, digits = '', letter = ''] = /(\d+)([A-Z]?)/.exec(name) ?? [];
  return Number(digits) + (letter ? (letter.charCodeAt(0) - 64) / 27 : 0);
}
