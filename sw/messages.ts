/** What the page and the worker may say to each other, and what both must spell alike. */

export type WorkerMessage =
  /** Take over from the older version that still serves the pages. */
  | { type: 'SKIP_WAITING' }
  /** Serve the page that asks, which no worker serves yet. */
  | { type: 'CLAIM' }
  /** Delete every answer that was kept for a user; `scope` is the session that ended. Answered on the port. */
  | { type: 'PURGE'; scope: string | null };

/** To the page whose request the worker has answered with a copy meanwhile: what the network said after all. */
export interface LateAnswer {
  type: 'LATE_ANSWER';
  url: string;
  headers: [name: string, value: string][];
  body: string;
}

/** Names of the caches that hold what a user saw. The page deletes them too, in case no worker runs. */
export const PRIVATE_CACHES = 'clearway-private-';

/** Names the session that a request's kept answer belongs to. The worker takes it off before the network. */
export const SCOPE_HEADER = 'x-clearway-scope';

/** On every answer of the board's routes: ISO 8601, the server's time when it gave the answer. */
export const CACHED_AT_HEADER = 'x-sw-cached-at';

/** `network`; `validated`: kept, and the server said just now that it still stands; or `cache`. */
export const SOURCE_HEADER = 'x-sw-source';
export type AnswerSource = 'network' | 'validated' | 'cache';

/** On a kept copy: why it had to stand in. */
export const COPY_REASON_HEADER = 'x-sw-copy-reason';

/** `down`: no connection; `slow`: no answer yet; `unusable`: an answer that is not our server's, or an old one. */
export type CopyReason = 'down' | 'slow' | 'unusable';
