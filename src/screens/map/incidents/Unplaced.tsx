import { useEffect, useEffectEvent, useState } from 'react';
import { type SourceEntry, type Alert, disruptionsWithoutPosition } from '../../../api/alerts/disruptions.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { counted } from '#contract/numbers.ts';
import { DataState } from './DataState.tsx';
import { IncidentRow } from './IncidentRow.tsx';
import styles from './Unplaced.module.css';
import { staleSince, type Line } from './useIncidents.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { useKept, useRefreshed } from '../../../feeds/refresh/useRefreshed.ts';
import { isStale } from '../../../time/freshness.ts';
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
const SNAPSHOT = 'unplaced-2';

interface UnplacedList extends Line {
  /** Null while no list is known. `at`: when the server sent it. */
  list: { alerts: Alert[]; total: number; at: Date } | null;
  old: boolean;
}

/** `count`: the number in the newest answer about an area. While the list is closed, it is loaded once for each
 *  number. */
function useUnplaced({ count, open }: { count: number; open: boolean }): UnplacedList {
  const { data, at, refresh, ...line } = useRefreshed(
    count > 0 || open ? SNAPSHOT : null,
    disruptionsWithoutPosition,
    open ? 'attended' : 'once',
  );
  const loadAgain = useEffectEvent(refresh);
  useEffect(() => {
    if (count > 0) loadAgain();
  }, [count]);
  const kept = useKept(SNAPSHOT, { data, at }, (stored) => (areDisruptions(stored) ? stored : null));
  const known = data && at ? { data, at } : kept;
  const old = useClock((now) => known !== null && isStale(known.at, now));
  return { ...line, list: known && { ...listOf(known.data), at: known.at }, old };
}

/** The list of an answer. A server that does not support this query answers with all disruptions, so these are
 *  filtered. */
function listOf({ items, total }: { items: Alert[]; total: number }): { alerts: Alert[]; total: number } {
  const alerts = items.filter((alert) => pointOf(alert) === null);
  return { alerts, total: alerts.length < items.length ? alerts.length : total };
}

const areDisruptions = (data: unknown): data is { items: Alert[]; total: number } =>
  typeof data === 'object' &&
  data !== null &&
  'items' in data &&
  Array.isArray(data.items) &&
  'total' in data;
