import { ALL_FEEDS } from '#contract/displays/layouts.ts';
import type { ListedLayout } from '../../api/displays/layouts.ts';
import { nameOf } from '../admin/DisplayRoutesDialog.tsx';
import { dateOf } from '../../feeds/alerts/alerts.ts';
import { useClock } from '../../time/tickingClock.ts';
import { serverNow } from '../../time/freshness.ts';
import { Panel } from '../../ui/page/Page.tsx';
import { Table } from '../../ui/page/Table.tsx';
import { counted } from '#contract/numbers.ts';
import { wallClock } from '../wall/words/shownTime.ts';
import styles from './LayoutsPage.module.css';
import { pageName } from './pages.ts';
import { byNeed, type ListedDisplay, type Proof } from './shownLayout.ts';

const SIGNS: Readonly<Record<Proof['sign'], React.ReactNode>> = {
  look: (
    <path
      fillRule="evenodd"
      d="M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22zM10.6 5.5h2.8l-.4 8.3h-2zm0 10h2.8v2.8h-2.8z"
    />
  ),
  asked: <circle cx="12" cy="12" r="8.5" fill="none" stroke="currentColor" strokeWidth="4" />,
  taken: <path d="m9.6 19.5-7-7 2.6-2.6 4.4 4.4L18.8 5l2.6 2.6z" />,
};

/** Each display with the sign that it shows its layout. Displays that need a look come first. */
export function FleetTable({
  displays,
  layouts,
  onOpen,
}: {
  displays: readonly ListedDisplay[];
  layouts: readonly ListedLayout[];
  onOpen: (display: ListedDisplay) => void;
}) {
  useClock((now) => Math.floor(now.getTime() / 10_000)); // proofs age
  const now = serverNow();
  const rows = byNeed(displays, now);
  const needing = rows.filter(([, { sign }]) => sign === 'look').length;
  const clock = (at: string | null | undefined) => {
    const time = dateOf(at);
    return time ? wallClock(time, now) : '';
  };

  return (
    <Panel
      heading="Displays"
      aside={
        <p data-tone="2">
          {counted(displays.length, 'display')}
          {needing > 0 && `, ${needing} ${needing === 1 ? 'needs' : 'need'} a look`}
        </p>
      }
    >
      <Table
        label="Displays"
        rows={rows}
        keyOf={([{ id }]) => id}
        rowProps={([, { sign }]) => ({ className: styles.display, 'data-sign': sign })}
        columns={{
          Display: {
            as: 'head',
            cell: ([display]) => (
              <>
                <button type="button" data-tap="line" onClick={() => onOpen(display)}>
                  <bdi>{nameOf({ name: display.name ?? '' })}</bdi>
                </button>
                <small>{(display.tags ?? []).join(', ')}</small>
              </>
            ),
          },
          Layout: ([display]) => (
            <bdi>{layouts.find(({ id }) => id === layoutOf(display))?.name ?? ALL_FEEDS.name}</bdi>
          ),
          Proof: ([, proof]) => <ProofWords {...proof} />,
          'Page when seen': ([{ page }]) => (page ? pageName(page) : '–'),
          'Last seen': ([{ last_seen_at }]) => clock(last_seen_at) || '–',
          Size: ([{ screen }]) => (screen?.width ? `${screen.width} × ${screen.height}` : '–'),
        }}
      />
    </Panel>
  );
}

export const layoutOf = ({ layout_id }: ListedDisplay): string => layout_id ?? ALL_FEEDS.id;

function ProofWords({ sign, words, more }: Proof) {
  return (
    <span className={styles.proof} data-line data-align="stretch">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        {SIGNS[sign]}
      </svg>
      <span>
        {words}
        {more && <small>{more}</small>}
      </span>
    </span>
  );
}
