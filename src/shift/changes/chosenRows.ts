/** The board's rows with what changed: only what one count counts, and what is cleared or no longer known. */
import { type CountedKind, countsAs, type NetChange } from '#contract/incidents/changes.ts';
import { knownSource } from '#contract/feeds/sources.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import type { Row } from '../../api/alerts/feeds.ts';
import type { Chosen, GoneLine } from './changeStore.ts';
import { changeWords, isGone, KIND_WORDS } from './changeWords.ts';

const feedOf = ({ source }: NetChange) => knownSource(source).feed;

/** Alerts that one count counts of a feed: as the row has them, else as the log of changes names them. */
export function chosenOf(
  { feed, events }: Row,
  kind: CountedKind,
  { changes, snoozed, now }: { changes: readonly NetChange[]; snoozed: ReadonlySet<string>; now: Date },
): Chosen {
  const listed = new Map(events.map((alert) => [alert.event_id, alert]));
  const found = changes.filter(
    (change) => countsAs(change, kind) && feedOf(change) === feed.slug && !snoozed.has(change.event_id),
  );
  return {
    events: found.map((change) =>
      isGone(change) ? alertOf(change, now) : (listed.get(change.event_id) ?? alertOf(change, now)),
    ),
    isGone: kind === 'cleared' || kind === 'lost',
    nothing: `Nothing is ${KIND_WORDS[kind]}`,
  };
}

/** The routes that one count is about; null where the server does not say. */
export function watchesOf(changes: readonly NetChange[], kind: CountedKind): ReadonlySet<string> | null {
  const counted = changes.filter((change) => countsAs(change, kind));
  if (counted.some(({ watch_ids }) => !watch_ids)) return null;
  return new Set(counted.flatMap(({ watch_ids }) => watch_ids ?? []));
}

/** Its words are its line, so that they are read out too. */
const alertOf = (change: NetChange, now: Date): Alert => ({
  event_id: change.event_id,
  source: change.source,
  severity: change.severity,
  title: change.title,
  summary_line: changeWords(change, now),
  metadata: { phase: 'active' },
});

/** The newest that is cleared or no longer known of each feed. */
export function lastGone(changes: readonly NetChange[], now: Date): Record<string, GoneLine> {
  const last: Record<string, NetChange> = {};
  for (const change of changes) {
    const feed = feedOf(change);
    if (!feed || !isGone(change) || change.phase !== 'active') continue;
    if (!last[feed] || change.at > last[feed].at) last[feed] = change;
  }
  return Object.fromEntries(
    Object.entries(last).map(([feed, change]) => [
      feed,
      {
        id: change.event_id,
        word: change.kind === 'lost' ? 'Not known' : 'Cleared',
        title: change.title,
        text: changeWords(change, now),
      },
    ]),
  );
}
