/** The status line of one source, and its rail operators. A file of its own, because the board loads the lines of
 *  feeds first. */
import { isPlanned } from '#contract/incidents/disruptions.ts';
import { RAIL_STATUS_CLASSES, railStatusClass, railStatusText } from '#contract/incidents/railStatus.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import type { Alert, SourceEntry, SourceEvents } from '../../api/alerts/disruptions.ts';
import { counted } from '#contract/numbers.ts';
import type { Status } from '../../ui/signs/StatusLine.tsx';
import { isConnected, isSilent, NOT_CONNECTED, notRecent, type StatusWords } from './sourceStatus.ts';

/** Up to this many alerts or operators, the status line has the milder words. */
const MONITORING_UP_TO = 4;
const REPORTING_UP_TO = 3;

/** The answer for one source. `empty`: the server does not know the source, or has nothing from it. */
export interface SourceDetail {
  source: string;
  outcome: 'answered' | 'empty' | 'failed';
  answer: SourceEvents | null;
  /** The source's entry in the directory; null when the directory has none. */
  entry: SourceEntry | null;
  /**
   * Whether the directory gives the states of its sources. If it does, a source that it leaves out is not connected.
   */
  directoryDeclares: boolean;
}

/** The status line. `newest` is the source's entry in the board's latest reply, which may be younger than the
 *  detail. `boardStale`: there was no answer for minutes, so nothing may be called calm. */
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

/** The status line from the board's answer alone, which gives a source's state and its number of alerts. */
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

/** The number of a source's active alerts, which may be more than the answer lists. */
export function alertCount({ answer, entry }: SourceDetail): number {
  if (!answer) return entry?.event_count ?? 0;
  return answer.event_count ?? answer.events.filter((alert) => !isPlanned(alert)).length;
}

export interface Operator {
  id: string;
  name: string;
  status: Exclude<Status, 'none'>;
  text: string;
  /** The operator's words about parts of its network, and where to read more. */
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

  // `additional_info` is left out: publishers fill it with "Follow us on Twitter".
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
