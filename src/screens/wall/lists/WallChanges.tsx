import { knownFeed } from '#contract/feeds/feeds.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import type { CSSProperties } from 'react';
import { changesOnDisplay, changesSince, type ChangesSummary } from '../../../api/alerts/changes.ts';
import { dateOf } from '../../../feeds/alerts/alerts.ts';
import { useRefreshed } from '../../../feeds/refresh/useRefreshed.ts';
import { useShown } from '../../../feeds/refresh/useBoard.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { isStale, serverNow } from '../../../time/freshness.ts';
import { counted } from '#contract/numbers.ts';
import { EntryMark, type EntryState } from './EntryMark.tsx';
import { fitting, textWidth } from '../words/textFit.ts';
import { ListBand } from './ListBand.tsx';
import { rowsThatFit } from '../rows/feedPages.ts';
import { LIST_HEIGHT, useForm } from '../words/wallMeasures.ts';
import { wallClock } from '../words/shownTime.ts';
import { shownTitle } from '../words/shownTitle.ts';
import { useLead } from '../band/useLead.ts';
import { ListFrame, type ListPageProps } from './WallList.tsx';
import styles from './WallList.module.css';

type Change = ChangesSummary['changes'][number];

const ROWS = { most: 12, height: LIST_HEIGHT, least: 54 };
/** The room that time, word, symbol and the gaps around the feed's name leave on the line, in units. */
const LINE = { usual: 1840 - 214 - 146 - 62 - 40, upright: 1000 - 214 - 62 - 20 };

const WORDS: Readonly<Partial<Record<Change['kind'], string>>> = {
  new: 'New',
  started: 'New',
  worse: 'Worse',
  better: 'Easing',
  cleared: 'Cleared',
  lost: 'Lost',
};

/** Alerts that began, changed grade or ended in the last day, newest first. `watchIds`: only alerts on these routes. */
export function ChangesPage({
  of,
  watchIds,
  isKnown = true,
  ...page
}: Omit<ListPageProps, 'turn'> & {
  of: 'team' | 'display';
  watchIds: readonly string[] | null;
  /** False until it is known whether the display has these routes. */
  isKnown?: boolean;
}) {
  const screen = watchIds ? 'routes' : 'board';
  const isDisplay = of === 'display';
  const { data, at } = useRefreshed<Pick<ChangesSummary, 'changes'>>(
    `changes ${screen}`,
    (signal) => (isDisplay ? changesOnDisplay(screen, signal) : changesSince('day', screen, signal)),
    isDisplay ? 'unattended' : 'attended',
  );
  const isOld = useClock((now) => at !== null && isStale(at, now));
  const { rows, boardStale } = useShown(page.board.view);
  const { candidates } = useLead(rows, boardStale);
  const upright = useForm() === 'upright';
  const most = rowsThatFit(ROWS, upright ? null : page.band);
  const line = upright ? LINE.upright : LINE.usual;
  const alerts = new Map(rows.flatMap(({ events }) => events.map((alert) => [alert.event_id, alert])));
  const changes = data && isKnown ? newestFirst(data.changes, watchIds) : null;
  return (
    <ListFrame
      {...page}
      title="Changes"
      note={changes ? `${counted(changes.length, 'change')} in 24 hours` : ''}
      what="Changes"
      at={at}
      states={(changes ?? []).map(stateOfChange)}
      worst={
        <ListBand
          touching={candidates.map((alert) => ({ alert, touches: 0 }))}
          of=""
          ours="the board"
          asOf={boardStale || isOld ? at : null}
        />
      }
    >
      {!changes && <p className={styles.none}>What changed is not known yet.</p>}
      {changes?.length === 0 && <p className={styles.none}>Nothing has changed in the last 24 hours.</p>}
      <ol className={`${styles.rows} ${styles.changes}`} style={{ '--most': most } as CSSProperties}>
        {(changes ?? []).slice(0, most).map((change) => {
          const feed = upright ? '' : feedName(change.source);
          const room = line - (feed ? textWidth(feed, 'queue') : 0);
          const alert = alerts.get(change.event_id);
          return (
            <li key={change.event_id}>
              <time>{wallClock(new Date(changedAt(change)), serverNow())}</time>
              <b>{WORDS[change.kind]}</b>
              <EntryMark state={change.severity} />
              <span className={styles.what}>
                {alert && isInForce(change)
                  ? shownTitle(alert, room, 'listWhat')
                  : fitting([change.title], room, 'listWhat')}
              </span>
              <span className={styles.feed} data-tone="2">
                {feed}
              </span>
            </li>
          );
        })}
      </ol>
    </ListFrame>
  );
}

/** The time of a change. For a new alert that became worse later, that later time. */
const changedAt = ({ at, worse_at }: Change): number => (dateOf(worse_at) ?? dateOf(at))?.getTime() ?? 0;

/** Changes of alerts that are or were in force, and that a wall has a word for. */
export const newestFirst = (changes: readonly Change[], watchIds: readonly string[] | null): Change[] =>
  changes
    .filter(({ kind, phase }) => WORDS[kind] !== undefined && phase === 'active')
    .filter(({ watch_ids }) => !watchIds || watch_ids?.some((id) => watchIds.includes(id)))
    .toSorted((a, b) => changedAt(b) - changedAt(a));

/** The state of a change. Every change has one, so that the sum is the number of changes. An alert that is over
 *  counts in no grade. */
const stateOfChange = (change: Change): EntryState =>
  isInForce(change) ? change.severity : change.kind === 'lost' ? 'unknown' : 'clear';

const isInForce = ({ kind }: Change): boolean => kind !== 'cleared' && kind !== 'lost';

const feedName = (source: string): string => knownFeed(knownSource(source).feed ?? '')?.title ?? '';
