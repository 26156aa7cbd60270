/** Routes, areas and feeds that a team watches, the incidents that they let through, and the parts of a route.
 *  Positions are GeoJSON's: [longitude, latitude], WGS84 degrees. Kilometres of a route are counted from its start. */
import { z } from 'zod/mini';
import { MadeId } from '../madeId.ts';
import { Disruption, Geometry, Source } from '../incidents/disruptions.ts';
import { Severity } from '../incidents/severity.ts';
import { MapEvent } from '../places/events.ts';
import { Direction } from '../incidents/facts.ts';
import { TellMe } from './tellMe.ts';
import { hasAtMost, isOneLine, keepsItsDirection, VISIBLE } from '../names.ts';
import { Which } from './whichIncidents.ts';
import { When } from './whenWatched.ts';

export const WATCH_LIMITS = {
  /** Watches of each kind. */
  perTeam: { route: 200, area: 200, feeds: 100 },
  /** The incidents of feeds that a list names, the worst first; the others are counted. */
  feedsListed: 100,
  /** How many incidents and events touch all of a team's routes and areas at one time; each counts once for each
   *  route or area. */
  matchesPerTeam: 20_000,
  legs: 60,
  vertices: 4000,
  /** The points of an area's outline. */
  outlinePoints: 500,
  /** The points of all lines that one route has from files. */
  foundRoads: 300,
  /** Junctions and places that a route passes. */
  places: 2000,
  departures: 20,
  bodyBytes: 256 * 1024,
  nameLength: 80,
  /** Periods in which a departure does not run. */
  exceptions: 40,
  /** The radius of an area's circle, and the width of a route to either side. */
  reachM: 50_000,
  feedbackLength: 300,
  /** Calls of `preview` by one user. */
  previewsPerMinute: 10,
  /** Calls of `resolve` by one user; a line, or a text longer than `shortText`, counts among the costly ones. */
  resolvesPerMinute: 300,
  costlyResolvesPerMinute: 10,
  shortText: 300,
  /** A deletion can be taken back for this long. */
  undoMinutes: 30,
  /** How many deleted routes of a team can be restored; for older ones only their matches are kept. */
  undoKept: 50,
  /** Deleted routes of a team that are remembered. */
  deletedKept: 500,
  /** Matches that one person marks within a day. */
  marksADay: 500,
} as const;

/** `feeds`: no place; everything, or the incidents of chosen feeds and sources. */
export const WatchKind = z.enum(['route', 'area', 'feeds']);
export type WatchKind = z.infer<typeof WatchKind>;

export const MadeBy = z.enum(['junctions', 'file', 'drawn', 'router', 'circle', 'polygon', 'feeds']);
export type MadeBy = z.infer<typeof MadeBy>;

export const Position = z.tuple([
  z.number().check(z.minimum(-180), z.maximum(180)),
  z.number().check(z.minimum(-90), z.maximum(90)),
]);
export type Position = z.infer<typeof Position>;

const Line = z.array(Position).check(z.minLength(2));
const RoadName = z.string().check(z.minLength(1), z.maxLength(12));
/** In the order of the road's table, or against it. */
const Sense = z.union([z.literal(1), z.literal(-1)]);

/** A piece of a tabled road. `from` and `to` are junctions as signs name them ("J26"), or places of an A road's chain. */
export const RoadLeg = z.object({
  type: z.literal('road'),
  road: RoadName,
  from: z.string().check(z.minLength(1), z.maxLength(60)),
  to: z.string().check(z.minLength(1), z.maxLength(60)),
  sense: Sense,
});
export type RoadLeg = z.infer<typeof RoadLeg>;

/** Drawn by hand; `road`: the road number that its author gave. */
export const LineLeg = z.object({ type: z.literal('line'), points: Line, road: z.optional(RoadName) });

/** Beyond every road and line; the limit keeps the numbers finite. */
const Along = z.number().check(z.minimum(0), z.maximum(100_000));

/** A tabled road found along an exact line: positions on the road (interval and fraction), kilometres on the line. */
export const FoundRoad = z.object({
  road: RoadName,
  lo: Along,
  hi: Along,
  sense: Sense,
  from_km: Along,
  to_km: Along,
});
export type FoundRoad = z.infer<typeof FoundRoad>;

/** A surveyed line, from a file or a router. */
export const ExactLeg = z.object({
  type: z.literal('exact'),
  points: Line,
  roads: z.array(FoundRoad).check(z.maxLength(WATCH_LIMITS.foundRoads)),
});
export type ExactLeg = z.infer<typeof ExactLeg>;

const EndName = z.nullable(z.string().check(z.maxLength(120)));

/** A straight connection between two following places. */
export const LinkLeg = z.object({
  type: z.literal('link'),
  points: Line,
  /** The author's names of its first and its last point. */
  names: z.optional(z.tuple([EndName, EndName])),
});

export const Leg = z.discriminatedUnion('type', [RoadLeg, LineLeg, ExactLeg, LinkLeg]);
export type Leg = z.infer<typeof Leg>;

export const pointsOf = (leg: Leg): readonly Position[] => (leg.type === 'road' ? [] : leg.points);

const verticesOf = (legs: readonly Leg[]) => legs.reduce((sum, leg) => sum + pointsOf(leg).length, 0);

const roadsOf = (legs: readonly Leg[]) =>
  legs.reduce((sum, leg) => sum + (leg.type === 'exact' ? leg.roads.length : 0), 0);

/** The part of a route that exceeds the limits, in words; null if none does. */
export function tooLong(legs: readonly Leg[]): string | null {
  const roads = roadsOf(legs);
  if (roads > WATCH_LIMITS.foundRoads)
    return `The lines of a route may run along ${WATCH_LIMITS.foundRoads} roads. These run along ${roads.toLocaleString('en-GB')}.`;
  const vertices = verticesOf(legs);
  const said =
    legs.length > WATCH_LIMITS.legs
      ? `${legs.length} legs`
      : vertices > WATCH_LIMITS.vertices
        ? `${vertices.toLocaleString('en-GB')} points`
        : null;
  return said && `A route may have 60 legs and 4,000 points. This has ${said}.`;
}

export const OUTSIDE_THE_ISLANDS = 'This line lies outside the United Kingdom and Ireland.';

/** The United Kingdom and Ireland with their coasts. */
const ISLANDS = { west: -11, south: 49, east: 2.5, north: 61.5 } as const;

export const isOnTheIslands = ([longitude, latitude]: Position): boolean =>
  longitude >= ISLANDS.west &&
  longitude <= ISLANDS.east &&
  latitude >= ISLANDS.south &&
  latitude <= ISLANDS.north;

/** A line that crosses the 180th meridian is outside as well. */
const inTheIslands = (legs: readonly Leg[]) => legs.every((leg) => pointsOf(leg).every(isOnTheIslands));

const Legs = z.array(Leg).check(
  z.refine((legs) => tooLong(legs) === null, {
    error: ({ input }) => tooLong(input as Leg[]) ?? undefined, // a list of legs: it was read before
    abort: true,
  }),
  z.refine(inTheIslands, OUTSIDE_THE_ISLANDS),
);

/** A day in London. */
const Day = z.iso.date();

/** When vehicles leave. The clock is London's. */
const departureShape = {
  name: z.nullable(z.string().check(z.maxLength(60))),
  /** "06:10" */
  at_local: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time such as 06:10' })),
  /** Bit 0 is Monday, bit 6 Sunday. */
  days: z.int().check(z.minimum(1), z.maximum(127)),
  from_date: z.nullable(Day),
  to_date: z.nullable(Day),
  /** It does not run on these days, the first and the last included: school holidays, entered by hand. */
  except: z.array(z.object({ from: Day, to: Day })).check(z.maxLength(WATCH_LIMITS.exceptions)),
  /** Minutes from its first to its last kilometre; null: not given, and taken from the length. */
  duration_min: z.nullable(z.int().check(z.minimum(1), z.maximum(2880))),
};

export const Departure = z.object({ id: z.string(), ...departureShape });
export type Departure = z.infer<typeof Departure>;

/** `id`: for a departure that stays; new ones have none. */
const DepartureRequest = z.object({ id: z.optional(z.string()), ...departureShape });
export type DepartureInput = z.infer<typeof DepartureRequest>;

/** The speed for a duration that was not given. */
export const GUESSED_KMH = 80;

/** In minutes, rounded up to the next five. */
export const guessedDuration = (lengthKm: number): number =>
  Math.max(5, Math.round(((lengthKm / GUESSED_KMH) * 60) / 5) * 5);

const WatchName = z
  .string()
  .check(
    z.trim(),
    z.regex(VISIBLE, { error: 'Give the route a name.', abort: true }),
    z.refine(
      hasAtMost(WATCH_LIMITS.nameLength),
      `The name may have at most ${WATCH_LIMITS.nameLength} characters.`,
    ),
    z.refine(isOneLine, 'The name must be one line of text.'),
    z.refine(keepsItsDirection, 'The name must not contain characters that change the text direction.'),
  );

/** A name that somebody typed. Null or absent: the name is made from what it is, and follows every edit. */
const GivenName = z.optional(z.nullable(WatchName));

/** The name of the place in an area's middle: "Leeds". Null: not known, or no area. */
const AreaPlace = z.nullable(
  z
    .string()
    .check(
      z.trim(),
      z.regex(VISIBLE, { error: 'Give the place a name, or null.', abort: true }),
      z.refine(hasAtMost(WATCH_LIMITS.nameLength)),
      z.refine(isOneLine, 'must be one line of text'),
      z.refine(keepsItsDirection, 'must not contain characters that change the text direction'),
    ),
);

/** Metres to either side of a route; the radius of a circle. Null: a route with the widths of its legs. */
const Reach = z.nullable(z.int().check(z.minimum(0), z.maximum(WATCH_LIMITS.reachM)));

/** An area: a Point with `reach_m` as its radius, or a Polygon. */
const AreaGeometry = z.nullable(Geometry);

/** Body of `POST /watches` and of `POST /watches/preview`. The server makes the line of a route from its legs. */
export const WatchRequest = z.object({
  kind: WatchKind,
  name: GivenName,
  made_by: MadeBy,
  /** Only for a route. */
  legs: z._default(Legs, []),
  /** Only for an area. */
  geometry: z._default(AreaGeometry, null),
  reach_m: z._default(Reach, null),
  place: z.optional(AreaPlace),
  /** Left out: everything, always. */
  which: z.optional(Which),
  when: z.optional(When),
  /** Only for a route. */
  departures: z._default(z.array(DepartureRequest).check(z.maxLength(WATCH_LIMITS.departures)), []),
  notify: z.optional(TellMe),
});
export type WatchRequest = z.infer<typeof WatchRequest>;

/** Body of `POST /watches`. If it is sent again with the same id and content, it is made once. */
export const NewWatch = z.extend(WatchRequest, { id: z.optional(MadeId) });

/** Body of `PATCH /watches/{id}`, with `If-Match: rev`. Omitted fields stay as they are. */
export const WatchChange = z.object({
  /** Null: the name is made from the content again. */
  name: GivenName,
  made_by: z.optional(MadeBy),
  legs: z.optional(Legs),
  geometry: z.optional(AreaGeometry),
  reach_m: z.optional(Reach),
  place: z.optional(AreaPlace),
  /** Replaces the whole condition: a field that is left out gets the value of a new one. */
  which: z.optional(Which),
  when: z.optional(When),
  departures: z.optional(z.array(DepartureRequest).check(z.maxLength(WATCH_LIMITS.departures))),
  /** The settings for its messages. */
  notify: z.optional(TellMe),
});
export type WatchChange = z.infer<typeof WatchChange>;

/** A junction or place of a route, in order. */
export const RoutePlace = z.object({
  km: z.number(),
  latitude: z.number(),
  longitude: z.number(),
  /** "Leeds", "Chain Bar"; null: the junction's table has no name. */
  name: z.nullable(z.string()),
  /** Two if the route changes there from one road to another: M62 J29 and M1 J42. Empty at a place off the tabled
   *  roads. */
  junctions: z.array(z.object({ road: z.string(), junction: z.string() })),
  /** A place that the route only passes: neither an end of a leg nor named by the author. */
  minor: z.boolean(),
});
export type RoutePlace = z.infer<typeof RoutePlace>;

/** A piece of a route on one road, or off all known ones (`road` null). */
export const CoursePart = z.object({
  from_km: z.number(),
  to_km: z.number(),
  road: z.nullable(z.string()),
  /** As signs name them; null if the piece does not begin or end at a junction. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  /** As the road's signs say it at this piece; null if they say nothing. */
  direction: z.nullable(Direction),
  /** The origin of its line: `link` is straight, `chain` goes from junction to junction, the others are as given. */
  line: z.enum(['chain', 'exact', 'drawn', 'link']),
});
export type CoursePart = z.infer<typeof CoursePart>;

/** A source that reports on a piece of a route; most report on all of it. */
export const Coverage = z.object({ source: z.string(), from_km: z.number(), to_km: z.number() });
export type Coverage = z.infer<typeof Coverage>;

/** Facts of the way itself, each list in its order. An area has only `coverage`, from 0 to 0. */
const wayShape = {
  geometry: Geometry,
  length_km: z.number(),
  course: z.array(CoursePart),
  places: z.array(RoutePlace),
  coverage: z.array(Coverage),
};

const watchShape = {
  id: z.string(),
  kind: WatchKind,
  name: z.string(),
  /** The name that is made from its content, by which strangers read of it. The same as `name`, unless somebody
   *  typed a name. */
  made_name: z.string(),
  named_by_hand: z.boolean(),
  /** The place in the middle of an area. */
  place: z.nullable(z.string()),
  which: Which,
  when: When,
  made_by: MadeBy,
  length_km: z.number(),
  reach_m: z.nullable(z.int()),
  /** The sources that report on it, the most important first. */
  sources: z.array(z.string()),
  /** Null if that person is deleted. */
  created_by: z.nullable(z.object({ id: z.string(), display_name: z.string() })),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  /** For `If-Match`. */
  rev: z.int(),
  /**
   * True until it is matched after it was made or its line was changed: before that nobody can say that it is clear.
   */
  checking: z.boolean(),
  departures: z.array(Departure),
  /** The settings for its messages. */
  notify: z.optional(TellMe),
};

export const Watch = z.object({ ...watchShape, legs: z.array(Leg), ...wayShape });
export type Watch = z.infer<typeof Watch>;

/** `near`: an event near the route, never evidence of trouble. */
export const MatchLevel = z.enum(['certain', 'possible', 'near']);
export type MatchLevel = z.infer<typeof MatchLevel>;

export const MatchSubject = z.enum(['disruption', 'event']);
export type MatchSubject = z.infer<typeof MatchSubject>;

/** `lost`: its source was silent for too long; `moved`: away from the route; `edited`: the route was changed. */
export const MatchEnd = z.enum(['ended', 'lost', 'moved', 'edited']);
export type MatchEnd = z.infer<typeof MatchEnd>;

/** The rule that decided: R1 to R13 of matching. */
export const RuleName = z.enum([
  'R1',
  'R2',
  'R3',
  'R4',
  'R5',
  'R6',
  'R7',
  'R8',
  'R9',
  'R10',
  'R11',
  'R12',
  'R13',
]);
export type RuleName = z.infer<typeof RuleName>;

const matchShape = {
  subject: MatchSubject,
  /** The incident's `event_id`; an event's `performance_id`. */
  subject_id: z.string(),
  level: MatchLevel,
  /** The rule's words, lower case, without a full stop: "names the M62, J27 to J26, westbound", "0.7 km away". */
  why: z.string(),
  /** Null for areas, and if the place on the route is not known, as for "names the M1, but not where". */
  from_km: z.nullable(z.number()),
  to_km: z.nullable(z.number()),
};

/** A match as lists have it. */
export const BriefMatch = z.object(matchShape);
export type BriefMatch = z.infer<typeof BriefMatch>;

export const Match = z.object({
  ...matchShape,
  began_at: z.iso.datetime(),
  /** How far its position is from the route. */
  off_m: z.nullable(z.int()),
  /** Only if a departure was asked for: when that vehicle reaches it. */
  reached: z.optional(z.nullable(z.iso.datetime())),
  /** Present if `subject` is disruption. */
  disruption: z.optional(z.extend(Disruption, { geometry: z.optional(z.nullable(Geometry)) })),
  /** Present if `subject` is event. */
  event: z.optional(MapEvent),
});
export type Match = z.infer<typeof Match>;

/** The time of the oldest change that is not yet matched; null: everything known is matched. */
const behindSince = z.nullable(z.iso.datetime());

/** The number of incidents in force without any place: nobody can say whether they touch an area. 0 if the answer is
 *  not about an area. */
const unplaced = z.int();

/** "4 incidents have no place, and may be here"; on the area, on its rows, in its messages and on the sheet. */
export const unplacedWords = (count: number, where = 'here'): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? 'incident has' : 'incidents have'} no place, and may be ${where}`;

/** If matching is late by this much, screens say so. */
export const BEHIND_FROM_MS = 2 * 60_000;

/** The number of incidents of each grade. */
export const GradeCounts = z.record(Severity, z.int());
export type GradeCounts = z.infer<typeof GradeCounts>;

/** Incidents that have begun and that `which` leaves out; `grade`: those that are left out only because of their
 *  grade. */
const LeftOutCounts = z.object({ grade: z.int(), others: z.int() });

/** A route, an area or feeds in the list. */
export const ListedWatch = z.object({
  ...watchShape,
  /** The incidents in force, begun or planned, that it lets through, certain ones first, and the events near it. For
   *  feeds the worst hundred, as `certain`. Outside its hours too: `isWatching` of `whenWatched.ts` says whether it is
   *  watched now. */
  matches: z.array(BriefMatch),
  /** Incidents of feeds that have begun and are not among `matches`. */
  beyond: GradeCounts,
  left_out: LeftOutCounts,
});
export type ListedWatch = z.infer<typeof ListedWatch>;

/** Answer of `GET /watches?summary=true`: all of the team, in the order in which they were made. The reader computes
 *  what is in force at a given time, and from it the state of a route: so the bytes change only with the data. Also
 *  the answer of `GET /displays/me/routes`: the routes of that display. */
export const WatchList = z.object({
  watches: z.array(ListedWatch),
  total: z.int(),
  /** The matched incidents, each once. */
  incidents: z.array(Disruption),
  /** The matched events, each once. */
  events: z.array(MapEvent),
  /** All sources that a watch names. */
  sources: z.array(Source),
  behind_since: behindSince,
  unplaced,
});
export type WatchList = z.infer<typeof WatchList>;

/** An incident in force that the team has marked as not on the route. */
export const NotOurs = z.object({
  subject_id: z.string(),
  title: z.string(),
  at: z.iso.datetime(),
  /** Null: that person is deleted. */
  by: z.nullable(z.string()),
});
export type NotOurs = z.infer<typeof NotOurs>;

/** Answer of `GET /watches/{id}`. */
export const WatchRecord = z.object({
  not_ours: z.array(NotOurs),
  watch: Watch,
  /** As in the list: for a route by kilometre, then matches without one; for feeds the worst first. */
  matches: z.array(Match),
  beyond: GradeCounts,
  left_out: LeftOutCounts,
  sources: z.array(Source),
  behind_since: behindSince,
  unplaced,
});
export type WatchRecord = z.infer<typeof WatchRecord>;

/** Answer of `GET /watches/{id}/matches?at=&hours=&departure=`: the matches that are in force in that window. */
export const WatchMatches = z.object({
  /** False: `at` is outside its hours, and no match is listed. */
  watching: z.boolean(),
  /** When `watching` changes; null: never. */
  watching_changes_at: z.nullable(z.iso.datetime()),
  matches: z.array(Match),
  checking: Watch.shape.checking,
  sources: z.array(Source),
  /** Everything that was reported up to this time is matched. */
  checked_at: z.iso.datetime(),
});
export type WatchMatches = z.infer<typeof WatchMatches>;

/** Answer of `POST /watches/preview`; nothing is stored. */
export const WatchPreview = z.object({
  ...wayShape,
  /** The name that would be made from its content. */
  made_name: z.string(),
  matches: z.array(Match),
  beyond: GradeCounts,
  left_out: LeftOutCounts,
  sources: z.array(Source),
  checked_at: z.iso.datetime(),
});
export type WatchPreview = z.infer<typeof WatchPreview>;

/** Body of `POST /watches/{id}/trial`: the fields that are being edited; other fields keep their stored values. */
export const TrialRequest = z.object({
  which: z.optional(Which),
  when: z.optional(When),
  notify: z.optional(TellMe),
});
export type TrialRequest = z.infer<typeof TrialRequest>;

/** Answer of `POST /watches/{id}/trial`: the messages that these settings would have sent since 06:00 yesterday.
 *  Nothing is stored. */
export const Trial = z.object({ since: z.iso.datetime(), at_once: z.int(), in_digest: z.int() });
export type Trial = z.infer<typeof Trial>;

/** Body of `PUT /watches/order`: all ids of the team that get a place in the order. */
export const WatchOrder = z.object({
  ids: z.array(z.string().check(z.maxLength(64))).check(z.maxLength(500)),
});
export type WatchOrder = z.infer<typeof WatchOrder>;

/** Answer of `GET /watches/{id}/explain/{subject_id}`: every rule that was tried, in order. */
export const Explanation = z.object({
  watch_id: z.string(),
  subject_id: z.string(),
  /** When the team marked it as not on the route; null: it has not. While it is marked, no list has it. */
  not_ours: z.nullable(z.object({ at: z.iso.datetime(), by: z.nullable(z.string()) })),
  level: z.enum(['certain', 'possible', 'none']),
  /** As in a match; null for `none`. */
  why: z.nullable(z.string()),
  /** How its words were read, and what was ignored, in a sentence. */
  read: z.string(),
  rules: z.array(
    z.object({
      rule: RuleName,
      /** `not_tried`: something that the rule needs is missing, such as a position. */
      outcome: z.enum(['certain', 'possible', 'none', 'not_tried']),
      /** The comparison in words. */
      words: z.string(),
      /** Measures: `off_km`, `from`, `to`, `overlap`. */
      numbers: z.record(z.string(), z.number()),
    }),
  ),
});
export type Explanation = z.infer<typeof Explanation>;

/** `ours` takes `not_ours` back. */
export const Verdict = z.enum(['not_ours', 'ours', 'missed']);
export type Verdict = z.infer<typeof Verdict>;

/** Body of `POST /watches/{id}/feedback`. The server adds the present level and reason. */
export const MatchFeedback = z.object({
  /** Made by the client: feedback that arrives twice counts once. */
  id: z.optional(z.uuid()),
  subject_id: z.string().check(z.minLength(1), z.maxLength(300)),
  verdict: Verdict,
  text: z._default(z.nullable(z.string().check(z.maxLength(WATCH_LIMITS.feedbackLength))), null),
});
export type MatchFeedback = z.infer<typeof MatchFeedback>;

/** Body of `POST /watches/resolve`. */
export const ResolveRequest = z.union([
  /** The same text, with its places joined by the operator's router; only if `/config.json` names one. */
  z.object({ text: z.string().check(z.maxLength(4000)), by: z.literal('router') }),
  /** Places and junctions in order, separated by a comma, a dash or a line break. */
  z.object({ text: z.string().check(z.maxLength(4000)) }),
  /** A line from a file. `roads`: the roads that its author says it uses, which are looked for as well. */
  z.object({ geometry: Geometry, roads: z.optional(z.array(RoadName).check(z.maxLength(60))) }),
]);
export type ResolveRequest = z.infer<typeof ResolveRequest>;

/**
 *
 * - `stop`: not understood; the route cannot be saved like this.
 * - `proposal`: something that we could do and have not done, such as a way along known roads between two towns.
 * - `done`: something that we did for the author, such as a straight line.
 * - `understood`: how a part was read.
 */
export const ProblemLevel = z.enum(['stop', 'proposal', 'done', 'understood']);
export type ProblemLevel = z.infer<typeof ProblemLevel>;

export const RouteProblem = z.object({
  level: ProblemLevel,
  /** One sentence. */
  text: z.string(),
  /** The part of the typed text, in UTF-16 units; null: the problem is not about a single part. */
  at: z.nullable(z.object({ from: z.int(), to: z.int() })),
  /** Buttons, each with the whole text that it makes: "Use J2". */
  repairs: z.array(z.object({ label: z.string(), text: z.string() })),
});
export type RouteProblem = z.infer<typeof RouteProblem>;

/** Answer of `POST /watches/resolve`; nothing is stored. */
export const Resolved = z.object({
  ...wayShape,
  legs: z.array(Leg),
  /** The worst first; within one level in the order of the text. */
  problems: z.array(RouteProblem),
  /** From the first to the last place: "Leeds to Heathrow"; null without places. */
  name: z.nullable(z.string()),
});
export type Resolved = z.infer<typeof Resolved>;

/** The number of typed characters from which suggestions come. */
export const SUGGEST_FROM = 2;

export const WatchSuggestion = z.object({
  /** The words to put into the text: "M1 J43", "Leeds". */
  text: z.string(),
  /** "Stourton", "West Yorkshire"; null: nothing to add. */
  detail: z.nullable(z.string()),
  kind: z.enum(['junction', 'road', 'place']),
  latitude: z.number(),
  longitude: z.number(),
});
export type WatchSuggestion = z.infer<typeof WatchSuggestion>;

/** Answer of `GET /watches/suggest?q=`: the meanings of the part that is being typed, the best first, at most eight. */
export const WatchSuggestions = z.object({ results: z.array(WatchSuggestion) });
export type WatchSuggestions = z.infer<typeof WatchSuggestions>;
