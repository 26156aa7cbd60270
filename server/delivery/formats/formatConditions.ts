/** The conditions of a call in every format, as its parameters. */
import { z } from 'zod';
import { Phase } from '#contract/incidents/disruptions.ts';
import { Severity } from '#contract/incidents/severity.ts';
import { FeedCategory, FEEDS } from '#contract/feeds/feeds.ts';
import { FORMAT_LIMITS } from '#contract/watches/formats.ts';
import { PLACE_QUERY_MAX } from '#contract/places/geocode.ts';
import { KNOWN_SOURCES } from '#contract/feeds/knownSources.ts';
import type { Which } from '#contract/watches/whichIncidents.ts';
import { DISRUPTION_CURSOR } from '../../incidents/list/disruptionFilter.ts';
import {
  bounds,
  cursor,
  limit,
  oneOf,
  optional,
  severalOf,
  Time,
  words,
  yesNo,
} from '../../http/calls/parameters.ts';

/** The categories of the board's feeds and of the source directory. */
const CATEGORIES = [
  ...new Set([
    ...FeedCategory.options.map((category) => category.toLowerCase()),
    ...Object.values(KNOWN_SOURCES).map(({ category }) => category),
    'other',
  ]),
];

export const SOURCE = {
  description: `The source, such as ${Object.keys(KNOWN_SOURCES).join(', ')}.`,
  example: 'tfl',
};

export const RADIUS_KM = 25;
const RADIUS_MAX_KM = 2000;

export const nearWords = words(PLACE_QUERY_MAX).meta({
  description: 'Near a place: its name or postcode, or `latitude,longitude`.',
  example: 'Leeds',
});

export const radiusKm = optional(
  z.coerce
    .number('must be a number of kilometres')
    .positive('must be above 0')
    .max(RADIUS_MAX_KM, `must be at most ${RADIUS_MAX_KM}`),
).meta({
  description:
    `How near, with \`near\`; ${RADIUS_KM} if not given. Incidents with their position in the circle, or with a publisher’s ` +
    'outline that meets it: `distance_to` says which.',
  example: 25,
});

/** The conditions for alerts, in the list and in every format. */
const LIST_CONDITIONS = {
  source: words(100).meta(SOURCE),
  category: oneOf(CATEGORIES).meta({
    description: 'Of a feed (`Rail`) or of a source (`transport`).',
    example: 'rail',
  }),
  feed: oneOf(FEEDS.map(({ slug }) => slug)).meta({
    description: 'One feed only.',
    example: 'rail-network',
  }),
  severity: severalOf(Severity.options).meta({
    description: 'These severities only: separated by commas, or a parameter for each.',
    example: 'critical,high',
  }),
  event_type: words(100).meta({ description: 'This type only.', example: 'rail.incident' }),
  q: words(200).meta({ description: 'Words that must occur.', example: 'signal' }),
  north: optional(bounds.north),
  south: optional(bounds.south),
  east: optional(bounds.east),
  west: optional(bounds.west),
  position: oneOf(['known', 'none']).meta({ description: 'With a position only, or without one only.' }),
  near: nearWords,
  radius_km: radiusKm,
  road: optional(
    z
      .string()
      .max(20)
      .refine((road) => road.trim() !== '', 'must name a road'),
  ).meta({ description: 'Names this road, however written.', example: 'M62' }),
  state: oneOf(['active', 'planned', 'ended']).meta({
    description:
      'Those in force that have begun or that have not, or those that ended. Both in force if not given.',
    example: 'active',
  }),
  ended_since: optional(Time).meta({
    description: 'Those that ended at or after this time.',
    example: '2026-11-21T00:00:00Z',
  }),
  since: optional(Time).meta({
    description: 'Changed at or after this time.',
    example: '2026-11-21T08:00:00Z',
  }),
};

/** The cut and the order of the list's answer. */
const VIEW = {
  sort: oneOf(['worst', 'newest']).meta({
    description: '`worst` first, then nearest with `near`, else newest; or `newest` first.',
    example: 'newest',
  }),
  geometry: oneOf(['true', 'false']).meta({
    description: 'With the line or area of each that has one, simplified; at most 128 KB, the worst first.',
  }),
};

type Bounded = z.infer<z.ZodObject<typeof LIST_CONDITIONS>>;

function checkTogether(
  { north, south, east, west, near, radius_km, state, ended_since }: Bounded,
  context: z.core.$RefinementCtx,
): void {
  const given = [north, south, east, west].filter((bound) => bound !== undefined).length;
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (radius_km !== undefined && !near?.trim()) refuse('radius_km', 'Give near as well.');
  if (ended_since && state && state.toLowerCase() !== 'ended') {
    refuse('ended_since', 'is only for state=ended');
  }
  if (given === 0) return;
  if (given < 4) refuse('north', 'Give all four of north, south, east and west, or none of them.');
  else if (north! <= south!) refuse('north', 'must be greater than south');
  else if (east! <= west!) refuse('east', 'must be greater than west');
}

const CONDITIONS = {
  ...LIST_CONDITIONS,
  watch: words(64).meta({
    description: 'Touches this route or area of the team.',
    example: '6a0f3f0c-5f0d-4a52-9c1e-2d6a7f4f8b11',
  }),
  level: severalOf(['certain', 'possible']).meta({
    description: 'Touches it with this evidence; without `watch`, any route or area of the team.',
    example: 'certain',
  }),
  min_severity: oneOf(Severity.options).meta({
    description: 'This severity or worse. What its publisher does not rate stays, unless `hide_unrated`.',
    example: 'high',
  }),
  hide_unrated: optional(yesNo).meta({
    description: 'Without what its publisher does not rate.',
    example: true,
  }),
  phase: oneOf(Phase.options).meta({ description: 'Begun, or planned.', example: 'active' }),
  changes_only: optional(yesNo).meta({
    description: 'Only what began or changed in the last 24 hours.',
    example: true,
  }),
};

/** The query of `GET /disruptions`. `most`: the most rows in one answer. */
export const listQuery = (most: number, standard: number) =>
  z
    .object({
      ...CONDITIONS,
      ...VIEW,
      limit: limit(most, standard),
      cursor: cursor(DISRUPTION_CURSOR.isCursor),
    })
    .superRefine(checkTogether);

/** Conditions that make a filter. */
export const ConditionsQuery = z.object(CONDITIONS).superRefine(checkTogether);
export type Conditions = z.infer<typeof ConditionsQuery>;

/** The conditions of a route, an area or feeds. The other conditions of `which` are checked together with `watch`. */
export const conditionsOf = ({ id, which }: { id: string; which: Which }): Conditions => ({
  watch: id,
  min_severity: which.min_severity,
  ...(!which.unrated && { hide_unrated: true }),
  ...(which.phase && { phase: which.phase }),
});

const PAGING = {
  ...VIEW,
  limit: limit(FORMAT_LIMITS.rows, FORMAT_LIMITS.rows),
  cursor: cursor(DISRUPTION_CURSOR.isCursor),
};
/** The cut and the order of one answer; not part of a filter. */
export const ViewQuery = z.object(PAGING);
export type View = z.infer<typeof ViewQuery>;

/** The query of `GET /disruptions.{ext}`. */
export const FormatQuery = z.object({ ...CONDITIONS, ...PAGING }).superRefine(checkTogether);

/** The conditions and the view in a query of `FormatQuery`. */
export function divided({
  sort,
  geometry,
  limit: most,
  cursor: after,
  ...conditions
}: z.infer<typeof FormatQuery>): {
  conditions: Conditions;
  view: View;
} {
  return { conditions, view: { sort, geometry, limit: most, cursor: after } };
}
