/** A route as a line of stops: its start and end, and the ends of each stretch with an alert. */
import type { ListedWatch } from '../../../api/watches/watches.ts';
import type { RouteState } from '../../../watches/watchState.ts';
import type { Touch } from '../../../watches/timeWindow.ts';

export interface Stop {
  km: number;
  /** "M62 J26"; '' when only the kilometre is known. */
  name: string;
}

export interface StripPart {
  from: Stop;
  to: Stop;
  /** The alert on this part; null: none is known. */
  touch: Touch | null;
}

export interface Strip {
  parts: StripPart[];
  /** How many alerts touch the route but are not drawn, because there are too many or their place is not known. */
  more: number;
}

/** So many are drawn. */
const MARKS = 3;
/** Stops that are closer together than this are one place. */
const SAME_KM = 0.5;

/** The worst alerts whose place is known, in the order of the road. An alert that overlaps a worse one is only
 *  counted. */
export function stripOf(
  { name, length_km }: Pick<ListedWatch, 'name' | 'length_km'>,
  state: RouteState,
): Strip {
  const all = [...state.certain, ...state.possible];
  const drawn: Touch[] = [];
  for (const touch of all) {
    const [from, to] = stretchOf(touch);
    const overlaps = drawn.some((other) => {
      const [start, end] = stretchOf(other);
      return from < end + SAME_KM && start < to + SAME_KM;
    });
    if (drawn.length < MARKS && touch.match.from_km !== null && !overlaps) drawn.push(touch);
  }
  const [begins, ends] = endsOf(name);
  const parts: StripPart[] = [];
  let at: Stop = { km: 0, name: begins };
  const goTo = (stop: Stop, touch: Touch | null) => {
    if (stop.km - at.km > (touch ? 0 : SAME_KM)) parts.push({ from: at, to: stop, touch });
    at = parts.length > 0 || stop.km - at.km > SAME_KM ? stop : at;
  };
  for (const touch of drawn.toSorted((a, b) => stretchOf(a)[0] - stretchOf(b)[0])) {
    const [from, to] = stretchOf(touch);
    const [first, last] = junctionsOf(touch);
    if (from > SAME_KM) goTo({ km: from, name: first }, null);
    goTo(to >= length_km - SAME_KM ? { km: length_km, name: ends } : { km: to, name: last }, touch);
  }
  goTo({ km: length_km, name: ends }, null);
  return { parts, more: all.length - drawn.length };
}

/** The stretch of an alert: at least a kilometre, so that a point can be drawn. */
function stretchOf({ match: { from_km, to_km } }: Touch): [from: number, to: number] {
  const from = from_km ?? 0;
  return [from, Math.max(to_km ?? from, from + 1)];
}

/** The two junctions that its words name. */
function junctionsOf({ alert }: Touch): [string, string] {
  const stretch = alert?.facts?.stretch?.find(
    ({ from, to }) => /^J\d/.test(from ?? '') && /^J\d/.test(to ?? ''),
  );
  return stretch ? [`${stretch.road} ${stretch.from}`, `${stretch.road} ${stretch.to}`] : ['', ''];
}

function endsOf(name: string): [string, string] {
  const [, begins, ends] = /^(.+?) (?:to|–|-) (.+)$/.exec(name) ?? [];
  return begins && ends ? [begins, ends] : ['Start', 'End'];
}

/** The drawn length of each part: equal steps, but at least `least` for a part with an alert. */
export function partLengths(parts: readonly StripPart[], length: number, least: number): number[] {
  const equal = length / parts.length;
  const touched = parts.filter(({ touch }) => touch).length;
  const wanted = Math.min(Math.max(equal, least), length / Math.max(1, touched));
  const rest = parts.length > touched ? (length - touched * wanted) / (parts.length - touched) : 0;
  return parts.map(({ touch }) => (touch ? wanted : rest));
}
