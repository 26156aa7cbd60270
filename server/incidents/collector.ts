/** A collector: one file with everything that we know about one source. */
import type { LocationMethod } from '#contract/incidents/disruptions.ts';
import type { Content } from './incidentFields.ts';
import type { Reader } from './facts/reported.ts';
import type { Located } from '../geography/names/locate.ts';
import type { Shape } from '../geography/shapes/shape.ts';
import type { Facts, Get } from '../http/documents/upstream.ts';

/** One incident as a collector reads it. */
export interface DisruptionRecord extends Content {
  /** `<source>:<the source's own id>`. */
  event_id: string;
  /** The shape that the publisher gives beyond a point: a line, an area, stops. Roads and directions are in `facts`. */
  shape?: Shape | null;
  /** The whole text whose beginning is `summary_line`. Facts are read from it; it is not stored. */
  text?: string;
}

/** The result of one poll. */
export interface Collected {
  records: DisruptionRecord[];
  /** The number of foreign records that could not be read; each has a line in `problems`. */
  skipped: number;
  /** Problems in words, without addresses that contain keys. */
  problems: string[];
  /** False when part of the source could not be read: such a poll adds and changes, but ends nothing. */
  complete: boolean;
  /** Event ids of listed records that could not be read: their stored data stays, and they do not end. */
  unreadable?: readonly string[];
  /** Event ids of records listed as over: cleared, cancelled, no longer in force. If the poll is complete, they end
   *  at once. */
  ended?: readonly string[];
  /** For a list of only the newest items: the time of the oldest, UTC. Records that changed last before it are
   *  missing for lack of room, so they do not end. */
  listedSince?: string;
  /** Overrides the collector's own value, for a source with forms of different reliability. */
  absentPolls?: 1 | 2;
}

export interface Tools {
  get: Get;
  now: Date;
  /** Environment settings by name; only the ones that the collector declares. */
  settings: Readonly<Record<string, string | undefined>>;
  facts: Facts;
}

export interface Publisher {
  publisher: string;
  licence: { name: string; url: string | null };
  /** Words that must be shown with the source's data. */
  attribution: string;
}

/** A place that words name, and how it was found. */
export interface Found {
  at: Located;
  method: LocationMethod;
}

export interface Collector extends Reader {
  source: string;
  publisher: Publisher;
  everyMinutes: number;
  /** After this many minutes without a good poll, the source's data must not be believed. */
  maxAgeMinutes: number;
  /** The settings that it reads. It cannot run without the required ones. */
  settings: readonly { name: string; required?: boolean; secret?: boolean; about: string }[];
  /** An incident ends when it is absent from this many complete polls in a row. */
  absentPolls: 1 | 2;
  /** True when an empty document means a fault of the publisher and not calm. */
  neverEmpty?: boolean;
  /** The place of a record without a position, by its words, see placeByWords.ts. Without this function it has none. */
  locate?(record: DisruptionRecord): Found | null;
  /** Reads everything in force or planned now. Throws when the source could not be read. */
  collect(tools: Tools): Promise<Collected>;
}

/** The required settings of a collector that are not set. If there are any, it cannot run. */
export function missingSettings(
  { settings: declared }: Pick<Collector, 'settings'>,
  settings: Readonly<Record<string, string | undefined>>,
): string[] {
  return declared.filter(({ name, required }) => required && !settings[name]?.trim()).map(({ name }) => name);
}
