/** A collector: one file that holds all we know about one source. */
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
  /** Shape that the publisher gives beyond a point: a line, an area, stops. Its roads and direction are in `facts`. */
  shape?: Shape | null;
  /** Text that `summary_line` is the beginning of. Facts are read from it; it is not kept. */
  text?: string;
}

/** Findings of one poll. */
export interface Collected {
  records: DisruptionRecord[];
  /** Foreign records that could not be read; each has a line in `problems`. */
  skipped: number;
  /** In words, without addresses that contain keys. */
  problems: string[];
  /** False when part of the source could not be read: such a poll adds and changes, but ends nothing. */
  complete: boolean;
  /** Event ids of listed records that could not be read: what is known of them stays, and does not end. */
  unreadable?: readonly string[];
  /**
   * Event ids of records listed as over: cleared, cancelled, no longer in force. If the poll is complete, they end
   * at once.
   */
  ended?: readonly string[];
  /**
   * For a list of only the newest items: its oldest time, UTC. Records last changed before that are absent for lack
   * of room, and do not end because of it.
   */
  listedSince?: string;
  /** Overrides the collector's own value, where a source comes in forms of different reliability. */
  absentPolls?: 1 | 2;
}

export interface Tools {
  get: Get;
  now: Date;
  /** Environment settings by name; only those that the collector declares. */
  settings: Readonly<Record<string, string | undefined>>;
  facts: Facts;
}

export interface Publisher {
  publisher: string;
  licence: { name: string; url: string | null };
  /** Must be shown with what the source says. */
  attribution: string;
}

/** A place that words name, and how. */
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
  /** Settings it reads; it cannot run without the required ones. */
  settings: readonly { name: string; required: boolean; secret?: boolean; about: string }[];
  /** An incident ends when it is absent from this many complete polls in a row. */
  absentPolls: 1 | 2;
  /** True where an empty document means a fault upstream, not calm. */
  neverEmpty: boolean;
  /** Where the words of a record without a position say it is, see placeByWords.ts; none does without it. */
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
