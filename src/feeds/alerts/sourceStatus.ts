/** The sources of a feed, and their status lines. */
import { EVENTS_PER_SOURCE, isPlanned } from '#contract/incidents/disruptions.ts';
import { knownFeed } from '#contract/feeds/feeds.ts';
import { RAIL_STATUS_CLASSES, railStatusClass, railStatusText } from '#contract/incidents/railStatus.ts';
import { knownSource } from '#contract/feeds/sources.ts';
import type { Alert, SourceEntry, SourceEvents } from '../../api/alerts/disruptions.ts';
import type { FeedEntry } from '../../api/alerts/feeds.ts';
import { counted } from '../../ui/numbers.ts';
import type { Status } from '../../ui/signs/StatusLine.tsx';
import { dateOf, isAhead, sinceText } from './alerts.ts';

/** At most this many alerts of a source are requested and shown. */
export const SOURCE_LIMIT = EVENTS_PER_SOURCE;

/** Up to this many alerts or operators, the status line is the milder one. */
const MONITORING_UP_TO = 4;
const REPORTING_UP_TO = 3;

/** The answer for one source. `empty`: the server does not know the source, or has nothing from it. */
export interface SourceDetail {
  source: string;
  outcome: 'answered' | 'empty' | 'failed';
  answer: SourceEvents | null;
  /** The directory's entry, when the directory has one. */
  entry: SourceEntry | null;
  /** Whether the directory gives its sources' states: then a source missing from it is not connected. */
  directoryDeclares: boolean;
}

/** The feed's sources as the server names them, else those of the known feed; the most important first. */
export function sourcesOf(feed: FeedEntry): string[] {
  const named = feed.sources?.map(({ source }) => source);
  return [...new Set(named ?? knownFeed(feed.slug)?.sources)].sort(
    (a, b) => knownSource(a).priority - knownSource(b).priority,
  );
}

/** The status line. `newest` is the source's entry in the latest reply of the board, which may be younger than the
 *  detail; `boardStale`: there has been no answer for minutes, so nothing may be called calm. */
export function statusOf(
  detail: SourceDetail,
  { newest, boardStale, now }: { newest?: SourceEntry | null; boardStale: boolean; now: Date },
): StatusWords {
  const said = [newest, detail.answer, detail.entry].filter((entry) => entry != null);

  const declared = said.find(({ state }) => state != null);
  if (declared && !isConnected(declared)) return NOT_CONNECTED;
  if (detail.outcome === 'empty' && !detail.entry && !newest && detail.directoryDeclares)
    return NOT_CONNECTED;

  const stale = said.find(isSilent);
  if (stale) return notRecent(stale.last_collected, now);
  if (detail.outcome === 'failed') return { status: 'none', text: 'Unable to load latest events' };

  const current = isRail(detail) ? operatorStatus(detail) : alertStatus(alertCount(detail));
  if (!boardStale || current.status !== 'good') return current;
  return notRecent(said.find(({ last_collected }) => last_collected)?.last_collected, now);
}

/** The same from the board's answer alone, which gives a source's state and its number of alerts. */
export function briefStatusOf(
  entry: SourceEntry,
  { boardStale, now }: { boardStale: boolean; now: Date },
): StatusWords {
  const detail: SourceDetail = {
    source: entry.source,
    outcome: 'answered',
    answer: null,
    entry,
    directoryDeclares: true,
  };
  return statusOf(detail, { boardStale, now });
}

interface StatusWords {
  status: Status;
  text: string;
}

const NOT_CONNECTED: StatusWords = { status: 'none', text: 'Not connected' };

/** Since when, if known: a collection time in the future does not count. */
export function notRecentText(since: Date | null, now: Date): string {
  const isKnown = since && !isAhead(since, now);
  return isKnown ? `No recent information since ${sinceText(since, now)}` : 'No recent information';
}

/** The same of a board of the past. */
const notAnsweredText = (since: Date | null, now: Date) =>
  `Had not answered${since ? ` since ${sinceText(since, now)}` : ''}`;

const notRecent = (time: string | null | undefined, now: Date, past = false): StatusWords => ({
  status: 'none',
  text: (past ? notAnsweredText : notRecentText)(dateOf(time), now),
});

function isRail({ source, answer }: SourceDetail): boolean {
  return (
    knownSource(source).listsOperators || answer?.operators_total != null || operatorsOf(answer).length > 0
  );
}

function operatorStatus({ answer, entry }: SourceDetail): StatusWords {
  const troubled =
    answer?.operators_disrupted ??
    (answer
      ? operatorsOf(answer).filter(({ status }) => status !== 'good').length
      : (entry?.event_count ?? 0));
  if (troubled === 0) return { status: 'good', text: 'All operators good service' };
  if (troubled > REPORTING_UP_TO) return { status: 'severe', text: `${troubled} operators disrupted` };
  const operators = troubled === 1 ? '1 operator' : `${troubled} operators`;
  return { status: 'minor', text: `${operators} reporting issues` };
}

function alertStatus(count: number): StatusWords {
  if (count === 0) return { status: 'good', text: 'No active alerts' };
  const alerts = counted(count, 'alert');
  if (count <= MONITORING_UP_TO) return { status: 'minor', text: `Monitoring, ${alerts}` };
  return { status: 'moderate', text: `Attention required, ${alerts}` };
}

/** Active alerts of a source, which may be more than the answer lists. */
export function alertCount({ answer, entry }: SourceDetail): number {
  if (!answer) return entry?.event_count ?? 0;
  return answer.event_count ?? answer.events.filter((alert) => !isPlanned(alert)).length;
}

/** Sources that were collected before but are no longer current: their present alerts are missing. */
export const silentSources = (feed: FeedEntry): SourceEntry[] => connectedSources(feed).filter(isSilent);

/** The server says of a feed or a source that its last report is too old to rely on. */
export const isSilent = ({ freshness }: Pick<FeedEntry | SourceEntry, 'freshness'>): boolean =>
  freshness === 'stale';

/** Since when nothing on the whole board is news, as every feed is silent; null while one is not. The newest of their
 *  last reports; where none has a time, `at`. */
export function allSilentSince(rows: readonly { feed: FeedEntry }[], at: Date | null): Date | null {
  if (rows.length === 0 || !rows.every(({ feed }) => isSilent(feed))) return null;
  const [newest] = rows
    .flatMap(({ feed }) => dateOf(feed.last_updated) ?? [])
    .toSorted((a, b) => Number(b) - Number(a));
  return newest ?? at;
}

/** Which sources have no recent information: "Heathrow: no recent information since 05:06", or "Silent, 2 sources" with
 *  their names; the fullest form first. Null when none is silent. */
export function silentWords(
  feed: FeedEntry,
  now: Date,
  /** True on a board of the past: "Heathrow had not answered since 05:06". */
  past = false,
): { label: string; forms: string[] } | null {
  const silent = silentSources(feed);
  const names = silent.map(({ source }) => knownSource(source).displayName);
  if (silent.length > 1)
    return { label: `Silent, ${counted(silent.length, 'source')}`, forms: [names.join('; ')] };
  if (silent.length === 0 && !isSilent(feed)) return null;
  const last = dateOf(silent[0]?.last_collected ?? feed.last_updated);
  const [name] = names;
  if (past) {
    const words = notAnsweredText(last, now);
    return { label: 'Silent', forms: [name ? `${name} ${words.replace(/^H/, 'h')}` : words] };
  }
  const since = notRecentText(last, now);
  return {
    label: 'Silent',
    forms: name ? [`${name}: ${since.replace(/^N/, 'n')}`, `${name}: silent`] : [since],
  };
}

const connectedSources = (feed: FeedEntry): SourceEntry[] => (feed.sources ?? []).filter(isConnected);

/** Set up, and collected before. A server that sends no state does not say which are not. */
export const isConnected = (entry: SourceDeclaration): boolean =>
  entry.state !== 'not_configured' && !isWaiting(entry);

/** Set up but never collected. A source whose collection time is unknown is stale, not waiting. */
const isWaiting = ({ state, last_collected, freshness }: SourceDeclaration) =>
  state != null && state !== 'not_configured' && !last_collected && freshness == null;

type SourceDeclaration = Pick<SourceEntry, 'state' | 'last_collected' | 'freshness'>;

/** The line shown when there are no alerts: "No active alerts" only if the sources were really collected. `at`: the
 *  time of the board's data. */
export function quietLine(
  feed: FeedEntry,
  { boardStale, at, now, past }: { boardStale: boolean; at: Date; now: Date; past?: boolean },
): StatusWords & { note?: string } {
  const sources = feed.sources ?? [];
  const connected = connectedSources(feed);
  const neverCollected = feed.freshness === null && !feed.last_updated;
  if (neverCollected || (sources.length > 0 && connected.length === 0)) return NOT_CONNECTED;

  if (isSilent(feed)) return notRecent(feed.last_updated, now, past);
  if (boardStale) return notRecent(feed.last_updated ?? at.toISOString(), now);

  const names = (some: readonly SourceEntry[]) =>
    some.map(({ source }) => knownSource(source).displayName).join(', ');
  const silent = silentSources(feed);
  if (silent.length > 0) {
    // If one of these times is unknown, the empty string sorts first.
    const [oldest] = silent.map(({ last_collected }) => last_collected ?? '').toSorted();
    return { ...notRecent(oldest, now, past), note: names(silent) };
  }
  // A waiting source may have alerts; one that is not set up is not expected to.
  const waiting = sources.filter(isWaiting);
  if (waiting.length > 0) return { ...NOT_CONNECTED, note: names(waiting) };
  const late = connected.filter(isLate);
  const notes = [
    late.length > 0 && `Late: ${names(late)}`,
    connected.length < sources.length && `${connected.length} of ${sources.length} sources connected`,
  ].filter(Boolean);
  return { status: 'good', text: 'No active alerts', note: notes.join('; ') || undefined };
}

/** Not as recent as it should be, or read only in part; but not yet too old to rely on. */
export const isLate = ({ freshness }: Pick<SourceEntry, 'freshness'>): boolean => freshness === 'late';

export interface Operator {
  id: string;
  name: string;
  status: Exclude<Status, 'none'>;
  text: string;
  /** Words of the operator about parts of its network, and where to read more. */
  groups: { name: string; detail: string; url: string | null }[];
}

/** The rail operators among a source's events, worst first, then by name. */
export function operatorsOf(answer: SourceEvents | null): Operator[] {
  const operators = (answer?.events ?? []).flatMap((event) => operatorOf(event) ?? []);
  return operators.sort(
    (a, b) =>
      RAIL_STATUS_CLASSES.indexOf(a.status) - RAIL_STATUS_CLASSES.indexOf(b.status) ||
      a.name.localeCompare(b.name),
  );
}

function operatorOf(event: Alert): Operator | null {
  const nsi = event.metadata?.nsi;
  if (!nsi) return null;

  // Not `additional_info`: publishers fill it with "Follow us on Twitter".
  const text = [railStatusText(nsi.status ?? ''), nsi.status_description?.trim()].filter(Boolean).join(': ');
  return {
    id: event.event_id,
    name: nsi.toc_name?.trim() || event.title?.trim() || nsi.toc_code || event.event_id,
    status: railStatusClass(nsi.status ?? ''),
    text: text || 'Status not given',
    groups: (nsi.service_groups ?? []).flatMap((group) => {
      const detail = group.detail?.trim() ?? '';
      return detail || group.url
        ? [{ name: group.group_name?.trim() ?? '', detail, url: group.url ?? null }]
        : [];
    }),
  };
}
