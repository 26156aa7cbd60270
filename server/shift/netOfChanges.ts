/** What the changes of one incident within a span amount to. */
import type { NetChange, NetKind } from '#contract/incidents/changes.ts';
import { severityRank } from '#contract/incidents/disruptions.ts';
import type { IncidentNow, IncidentThen, LoggedChange } from './netChangesStore.ts';

const FIELDS = ['end_time', 'start_time', 'title', 'summary_line'] as const;

/** `changes`: all of the span, in order, at least one; `then`: its content at the beginning, where that was another;
 *  `worse_at`: when it last got worse. Null: nothing that is worth showing. */
export function netOf(
  changes: readonly LoggedChange[],
  now: IncidentNow,
  then: IncidentThen | undefined,
  worse_at: string | null = null,
): NetChange | null {
  const first = changes[0]!;
  const last = changes.at(-1)!;
  const wasThere = first.kind !== 'began';
  const severity_from = wasThere ? (first.severity_from ?? null) : null;
  const net = (kind: NetKind, at: string, fields: string[] = []): NetChange => ({
    event_id: now.event_id,
    source: now.source,
    kind,
    at,
    title: now.title,
    severity: now.severity,
    severity_from,
    worse_at: kind === 'cleared' || kind === 'lost' ? null : worse_at,
    phase: now.phase,
    ended_reason: now.ended_at === null ? null : now.ended_reason,
    fields,
    end_time_from: fields.includes('end_time') ? (then?.end_time ?? null) : null,
    end_time: now.end_time,
  });
  const lastOf = (...kinds: LoggedChange['kind'][]) =>
    changes.findLast(({ kind }) => kinds.includes(kind))?.at ?? last.at;

  // One that began meanwhile and is lost may still be happening.
  if (last.kind === 'lost') return net('lost', now.last_seen_at);
  if (last.kind === 'ended') return wasThere ? net('cleared', last.at) : null;
  if (!wasThere) return net('new', lastOf('began'));

  const rank = severityRank(last.severity_to);
  const before = severityRank(severity_from ?? last.severity_to);
  if (rank < before) return net('worse', lastOf('worse', 'started', 'began'));
  if (then?.phase === 'planned' && now.phase === 'active') return net('started', lastOf('started', 'began'));
  if (rank > before) return net('better', lastOf('better', 'started', 'began'));
  const fields = then ? FIELDS.filter((field) => then[field] !== now[field]) : [];
  if (fields.length > 0) return net('changed', lastOf('changed', 'started', 'began'), fields);
  return worse_at === null ? null : net('worse', worse_at);
}
