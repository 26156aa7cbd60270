/** Closures, what lies inside them, and when one is open again. Pure. */
/** Place of an incident on the route, and its effect. */
export interface Placed {
  id: string;
  from_km: number | null;
  to_km: number | null;
  /** As its facts have it: "closed", "2 of 3 lanes closed", "queues of 3 miles". */
  effect: string | null;
  event_type: string;
}

const CLOSED =
  /^(?!.*\b(?:lanes?|slip|exit|entry|partly|partially|re-?opened)\b).*\b(?:closed|closure|blocked|shut)\b/i;
const QUEUE_OR_LANE =
  /\b(?:queu|congestion|tailback|slow|delay|traffic held|stationary|lanes?\b|contraflow|restriction)/i;

const isClosure = ({ effect, event_type }: Placed) =>
  effect ? CLOSED.test(effect) : event_type === 'road.closure';
const isPartOfIt = (one: Placed) =>
  !isClosure(one) && (one.effect ? QUEUE_OR_LANE.test(one.effect) : one.event_type === 'road.congestion');

const REOPENED = /\b(?:re-?opened|open again)\b/i;

/** A closure of which its publisher now says what is left of it, or that it is open: silence about it says nothing. */
export const isOpened = (one: Pick<Placed, 'effect' | 'event_type'> & { title: string }): boolean =>
  one.effect !== null &&
  !CLOSED.test(one.effect) &&
  (one.event_type === 'road.closure' || REOPENED.test(one.effect) || REOPENED.test(one.title));

/** The queues and lane closures that lie inside a closed stretch: from each to its closure. */
export function inhibited(all: readonly Placed[]): Map<string, string> {
  const closures = all.filter((one) => isClosure(one) && one.from_km !== null && one.to_km !== null);
  return new Map(
    all.flatMap((one): [string, string][] => {
      if (one.from_km === null || one.to_km === null || !isPartOfIt(one)) return [];
      const [low, high] = [Math.min(one.from_km, one.to_km), Math.max(one.from_km, one.to_km)];
      const around = closures.find(
        ({ from_km, to_km }) => Math.min(from_km!, to_km!) <= low && Math.max(from_km!, to_km!) >= high,
      );
      return around ? [[one.id, around.id]] : [];
    }),
  );
}
