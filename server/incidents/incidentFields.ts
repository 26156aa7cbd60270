/** The content of an incident: the publisher's data, and what we read from it. */
import type { Disruption, DisruptionMetadata, Phase } from '#contract/incidents/disruptions.ts';
import type { RowOf } from '../db/schema.ts';

/** Fields that are added to an answer. */
type NotContent = 'event_id' | 'source' | 'collected_at' | 'trend' | 'see';

/** The content as a collector reads it. Texts are plain; times are ISO 8601, UTC. */
export interface Content extends Omit<Disruption, NotContent | 'metadata'> {
  /** Null when the publisher gives none: then the time counts when this content was first seen. */
  updated_at: string | null;
  /** Null when the publisher gives none: then the time counts when the incident was first seen. */
  start_time: string | null;
  phase: Phase;
  /** `status`: a rail operator that runs normally. It is listed with its source and is never an alert. */
  kind: 'alert' | 'status';
  /** Answers also hold the phase. */
  metadata: Partial<DisruptionMetadata>;
}

/**
 * Every field, and how it is stored: columns, cleaning and hash follow this list (docs/adding-a-field.md). `word`,
 * `text`, `time`, `number`, `json`: in a column of its own. `said`: any JSON value of the publisher, in the column
 * `details`. `derived`: any JSON value that we read from the others, in `details`; a change to it does not count as
 * the publisher's.
 */
export const CONTENT = {
  severity: 'word',
  event_type: 'text',
  title: 'text',
  summary_line: 'text',
  updated_at: 'time',
  start_time: 'time',
  end_time: 'time',
  phase: 'word',
  kind: 'word',
  latitude: 'number',
  longitude: 'number',
  metadata: 'json',
  facts: 'derived',
  since: 'derived',
  windows: 'derived',
} as const satisfies Record<keyof Content, FieldKind>;

export type FieldKind = 'word' | 'text' | 'time' | 'number' | 'json' | 'said' | 'derived';

type Kept = Required<typeof CONTENT>;
type InDetails = { [F in keyof Kept]: Kept[F] extends 'said' | 'derived' ? F : never }[keyof Kept];

export const FIELDS = Object.keys(CONTENT) as (keyof Content)[];
const isInDetails = (field: keyof Content): field is InDetails =>
  ['said', 'derived'].includes(CONTENT[field]);
const hasColumn = (field: keyof Content): field is Exclude<keyof Content, InDetails> => !isInDetails(field);
const IN_DETAILS = FIELDS.filter(isInDetails);
/** The columns that hold the content. */
export const COLUMNS = [...FIELDS.filter(hasColumn), 'details' as const];
type Columns = Pick<RowOf<'disruptions'>, (typeof COLUMNS)[number]>;

/** The content with the times of a stored incident. */
type Dated = Content & Pick<Columns, 'updated_at' | 'start_time'>;

export const pick = <T, F extends keyof T>(of: T, fields: readonly F[]) =>
  Object.fromEntries(fields.map((field) => [field, of[field]])) as Pick<T, F>;

export function toColumns(content: Dated): Columns {
  const { metadata, ...inColumns } = pick(content, FIELDS.filter(hasColumn));
  const details = JSON.stringify(pick(content, IN_DETAILS));
  return { ...inColumns, metadata: JSON.stringify(metadata), details };
}

export function toContent(row: Columns): Dated {
  const { metadata, details, ...inColumns } = pick(row, COLUMNS);
  return { ...inColumns, metadata: JSON.parse(metadata), ...JSON.parse(details) };
}
