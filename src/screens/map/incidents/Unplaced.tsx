import { useState, useEffect } from 'react';
import { type SourceEntry, type Alert, disruptionsWithoutPosition } from '../../../api/alerts/disruptions.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { counted } from '../../../ui/numbers.ts';
import { DataState } from './DataState.tsx';
import { IncidentRow } from './IncidentRow.tsx';
import styles from './Unplaced.module.css';
import { staleSince, type Line, NO_LINE } from './useIncidents.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { refreshOnce } from '../../../feeds/refresh/refreshOnce.ts';
import { startRefreshing } from '../../../feeds/refresh/refreshSchedule.ts';
import { isStale } from '../../../time/freshness.ts';
import { loadSnapshot, saveSnapshot } from '../../../offline/snapshot.ts';
import { pointOf } from '../clusters.ts';

/**
 * "and 21 disruptions without a known place", which opens a list of them. Nothing when every disruption has a place.
 */
export function Unplaced({ count, sources }: { count: number; sources: readonly SourceEntry[] }) {
  const [open, setOpen] = useState(false);
  const unplaced = useUnplaced({ count, open });
  const close = () => setOpen(false);

  return (
    <>
      {count > 0 && (
        <button type="button" className={styles.opener} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          and {numbered(count)}
        </button>
      )}
      {open && (
        <Dialog heading={numbered(unplaced.list?.total ?? count)} onClose={close}>
          <List {...unplaced} sources={sources} />
          <div data-justify="end" data-row>
            <Button onClick={close}>Close</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

const numbered = (count: number) => `${counted(count, 'disruption')} without a known place`;

function List({
  list,
  old,
  sources,
  ...line
}: UnplacedList & {
  sources: readonly SourceEntry[];
}) {
  const shown = list?.alerts ?? [];
  return (
    <>
      <p data-tone="2">Their publishers do not say where they are, so the map cannot show them.</p>
      <DataState at={list?.at ?? null} line={line} failure="Unable to load this list" />
      {!list && !line.problem && <p data-tone="2">Loading disruptions…</p>}
      {list && (
        <div
          className={styles.scroll}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must also scroll by keyboard
          tabIndex={0}
          role="group"
          aria-label="Disruptions without a known place"
        >
          <ul>
            {shown.map((alert) => (
              <IncidentRow
                key={alert.event_id}
                incident={{ alert, staleSince: staleSince(alert, { sources, old, at: list.at }) }}
                withFeed
              />
            ))}
          </ul>
          {list.total > shown.length && (
            <p data-tone="2">{counted(shown.length, 'disruption')} shown, the worst</p>
          )}
        </div>
      )}
    </>
  );
}

/** The name includes the version of the shape, so a copy in another shape is not found. */
const SNAPSHOT = 'unplaced-1';

interface UnplacedList extends Line {
  /** Null while no list is known. `at`: when the server sent it. */
  list: { alerts: Alert[]; total: number; at: Date } | null;
  old: boolean;
}

/** `count`: the number in the newest answer about an area. When it changes, the list is loaded once. */
function useUnplaced({ count, open }: { count: number; open: boolean }): UnplacedList {
  const [list, setList] = useState<UnplacedList['list']>(null);
  const [line, setLine] = useState(NO_LINE);

  useEffect(() => {
    if (count === 0 && !open) return;
    let stopped = false;
    const stopping = new AbortController();
    const show = (change: Partial<Line>) => {
      if (!stopped) setLine((now) => ({ ...now, ...change }));
    };
    const note = (next: NonNullable<UnplacedList['list']>) => {
      if (!stopped) setList((now) => (now && now.at > next.at ? now : next));
    };
    const recall = async () => {
      const kept = await loadSnapshot(SNAPSHOT);
      if (kept && isList(kept.data)) note({ ...kept.data, at: kept.at });
    };
    const recalled = recall();
    const ask = (signal: AbortSignal) =>
      refreshOnce(disruptionsWithoutPosition, signal, {
        copied: (answer, at) => note({ ...listOf(answer), at }),
        slow: (problem) => show({ problem }),
        async failed(problem) {
          await recalled;
          show({ problem });
        },
        answered(answer, at) {
          const next = listOf(answer);
          note({ ...next, at });
          show({ problem: null });
          void saveSnapshot(SNAPSHOT, next, at);
          return true;
        },
      });

    const { stop } = open
      ? startRefreshing(ask, show, 'attended', { whileHidden: false })
      : { stop: () => stopping.abort() };
    if (!open) void ask(stopping.signal);
    return () => {
      stopped = true;
      stop();
    };
  }, [open, open ? 0 : count]); // oxlint-disable-line react-hooks/exhaustive-deps -- an open list refreshes anyway

  const old = useClock((now) => list !== null && isStale(list.at, now));
  return { ...line, list, old };
}

/** The list of an answer. A server that does not support this query answers with all disruptions, so these are
 *  filtered. */
function listOf({ items, total }: { items: Alert[]; total: number }): { alerts: Alert[]; total: number } {
  const alerts = items.filter((alert) => pointOf(alert) === null);
  return { alerts, total: alerts.length < items.length ? alerts.length : total };
}

const isList = (data: unknown): data is { alerts: Alert[]; total: number } =>
  typeof data === 'object' &&
  data !== null &&
  'alerts' in data &&
  Array.isArray(data.alerts) &&
  'total' in data;
