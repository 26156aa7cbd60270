import { useState } from 'react';
import type { SourceEntry } from '../../../api/alerts/disruptions.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { counted } from '../../../ui/numbers.ts';
import { DataState } from './DataState.tsx';
import { IncidentRow } from './IncidentRow.tsx';
import styles from './Unplaced.module.css';
import { staleSince } from './useIncidents.ts';
import { type Unplaced as UnplacedList, useUnplaced } from './useUnplaced.ts';

/** "and 21 disruptions without a known place", which opens a list of them. Nothing where every disruption has one. */
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
          <div className={styles.foot}>
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
      <p className={styles.about}>Their publishers do not say where they are, so the map cannot show them.</p>
      <DataState at={list?.at ?? null} line={line} failure="Unable to load this list" />
      {!list && !line.problem && <p className={styles.about}>Loading disruptions…</p>}
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
            <p className={styles.about}>{counted(shown.length, 'disruption')} shown, the worst</p>
          )}
        </div>
      )}
    </>
  );
}
