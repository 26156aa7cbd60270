/** The messages between the page and the worker, and the names that both use. */

export type WorkerMessage =
  /** Take over from the older version, which still controls the pages. */
  | { type: 'SKIP_WAITING' }
  /** Control the page that asks and that no worker controls yet. */
  | { type: 'CLAIM' }
  /** Say which version of the app you hold. Answered on the port with the list of its files and their revisions. */
  | { type: 'VERSION' }
  /** Delete every answer stored for a user; `scope` is the session that ended. Answered on the port. */
  | { type: 'PURGE'; scope: string | null };

/** In IndexedDB: the receiver of messages for the person who is signed in here. Absent: no messages come here. */
export const DEVICE_RECEIVER = 'push-receiver';

/** In IndexedDB: taps on notifications that no page has taken yet. */
export const TAPPED = 'tapped-notifications';

export interface Tapped {
  id: string;
  /** The device's receiver at that time, so that one person's tap is not done by another. */
  receiver: string;
  action: 'acknowledge' | 'snooze';
  title: string;
  severity: string | null;
  event_ids: string[];
  /** Milliseconds since 1970, by the device's clock. */
  at: number;
}

/** The stored taps. Another version may have written them; unreadable ones are left out. */
export const tapsIn = (stored: unknown): Tapped[] =>
  Array.isArray(stored)
    ? stored.filter(
        (one: Partial<Tapped> | null): one is Tapped =>
          Array.isArray(one?.event_ids) && (one.action === 'acknowledge' || one.action === 'snooze'),
      )
    : [];

/** Sent to all pages when a notification was tapped. */
export interface TappedMessage {
  type: 'TAPPED';
}

/** Sent to all pages when a message was shown. */
export interface PushedMessage {
  type: 'PUSHED';
  unseen: number;
}

/** Sent to a page whose request was answered with a copy: the network's answer, which came later. */
export interface LateAnswer {
  type: 'LATE_ANSWER';
  url: string;
  /** The number of the request, by `ASKED_HEADER`, so that the answer to an older request is not taken for that to a
   *  newer one. */
  asked: string | null;
  /** Absent from a worker of an older version, which passes on no refusals. */
  status?: number;
  headers: [name: string, value: string][];
  body: string;
}

/** Prefix of the caches that hold what a user saw. The page deletes them too, in case no worker runs. */
export const PRIVATE_CACHES = 'clearway-private-';

/** Names the session that a request's stored answer belongs to. The worker removes it before the request leaves. */
export const SCOPE_HEADER = 'x-clearway-scope';

/** Numbers the requests of a page. The worker removes it before the request leaves. */
export const ASKED_HEADER = 'x-clearway-asked';

/** On every answer of the board's routes: the server's time when it gave the answer, in ISO 8601. */
export const CACHED_AT_HEADER = 'x-sw-cached-at';

/** `network`; `validated`: a stored copy that the server has just confirmed; or `cache`. */
export const SOURCE_HEADER = 'x-sw-source';
export type AnswerSource = 'network' | 'validated' | 'cache';

/** On a stored copy: why it was used. */
export const COPY_REASON_HEADER = 'x-sw-copy-reason';

/** `down`: no connection; `slow`: no answer yet; `unusable`: an answer that is not our server's, or an old one. */
export type CopyReason = 'down' | 'slow' | 'unusable';
