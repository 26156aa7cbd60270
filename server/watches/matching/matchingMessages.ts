/** The messages between the service's thread and the one that matches. */
import type { FoundMatch } from './matchStore.ts';
import type { Crowd, MatchedIncident } from './matchInput.ts';
import type { MatchedWatch } from './matchStore.ts';
import type { Demoted } from './demotedMatch.ts';

/** To the matching thread. It answers each with one `Said`. */
export type Step =
  /** `put`: kept from now on; `drop`: ids that it no longer keeps. */
  | { kind: 'watches'; put: readonly MatchedWatch[]; drop: readonly string[] }
  | { kind: 'incidents'; put: readonly MatchedIncident[]; drop: readonly string[] }
  /** All that there are, and which alerts others stand for. */
  | { kind: 'merged'; into: ReadonlyMap<string, string> }
  /** All sources that are possible at best, and for whom. */
  | { kind: 'demoted'; sources: Demoted }
  | { kind: 'crowds'; all: readonly Crowd[] }
  /** These watches against every incident, or against every event. */
  | { kind: 'matchWatches' | 'matchEvents'; ids: readonly string[] }
  /** These incidents against every watch. */
  | { kind: 'matchIncidents'; ids: readonly string[] }
  | { kind: 'more' };

export interface Said {
  /** The next part of what was found; `more` fetches the following ones: receiving them holds up the service. */
  found: FoundMatch[];
  isLast: boolean;
  /** Watches that could not be read, and why. */
  faults: { id: string; message: string }[];
}
