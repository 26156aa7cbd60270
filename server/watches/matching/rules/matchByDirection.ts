/** R6: by the direction. An incident of the opposite direction is on the other carriageway: it touches the route only
 *  possibly, and not at all if it names no place on it. */
import type { IncidentPlace } from '../../../geography/roads/incidentPlace.ts';
import type { Sense } from '../../../geography/roads/roadTable.ts';
import type { Found } from './found.ts';
import type { Piece, WatchLine } from './watchLine.ts';

export type Way = 'same' | 'opposite';

/** A direction in words further than this from the way of a drawn leg is the opposite one. */
const COMPASS_DEGREES = 110;

/** Two lines go the same way up to the first angle and the opposite way above the second. Between them neither is said. */
const SAME_WAY_DEGREES = 60;
const OPPOSITE_DEGREES = 120;

export const wayOf = (sense: Sense | null, piece: Piece): Way =>
  sense !== null && sense !== piece.sense ? 'opposite' : 'same';

export const wayByCompass = (angle: number): Way => (angle > COMPASS_DEGREES ? 'opposite' : 'same');

export const wayOfLine = (angle: number): Way | null =>
  angle <= SAME_WAY_DEGREES ? 'same' : angle > OPPOSITE_DEGREES ? 'opposite' : null;

export const onOtherCarriageway = (where: Pick<Found, 'from_km' | 'to_km' | 'off_m'>): Found => ({
  rule: 'R6',
  level: 'possible',
  why: 'the other carriageway',
  ...where,
});

/** The route uses a road that the incident names, but only in the other direction. */
export function isOnlyOpposite({ roads }: IncidentPlace, { pieces }: WatchLine): boolean {
  const ways = pieces.flatMap((piece) => {
    const named = roads.find(({ chain }) => chain === piece.chain);
    return named ? wayOf(named.sense, piece) : [];
  });
  return ways.length > 0 && !ways.includes('same');
}
