/** The content of an incident: what its publisher says of it. */
import type { Disruption, DisruptionMetadata, Phase } from '#contract/disruptions.ts';

type Said = Omit<Disruption, 'event_id' | 'source' | 'collected_at' | 'metadata' | 'facts'>;

/** As a collector reads it. Texts are plain; times are ISO 8601, UTC. */
export interface Content extends Said {
  /** Null where the publisher gives none: the time when this content was first seen is used. */
  updated_at: string | null;
  /** Null where the publisher gives none: the time when the incident was first seen is used. */
  start_time: string | null;
  phase: Phase;
  /** `status`: a rail operator that runs normally; listed with its source, never an alert. */
  kind: 'alert' | 'status';
  /** Answered with the phase. */
  metadata: Partial<DisruptionMetadata>;
}

/** Every field, and what is in it. Cleaning and hash follow this list. */
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
} as const satisfies { [F in keyof Required<Content>]: 'word' | 'text' | 'time' | 'number' | 'json' };
