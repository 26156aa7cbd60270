import { PauseIcon } from '@phosphor-icons/react/dist/csr/Pause';
import { type CSSProperties, memo, useMemo, useState } from 'react';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { FeedEntry } from '../../../api/alerts/feeds.ts';
import { AllAlerts } from '../../../feeds/rows/NewCriticals.tsx';
import { loopSeconds, useLiveLoop, prefersStillness } from '../../../feeds/rows/liveLoop.ts';
import { orderOf } from '../../../feeds/alerts/leadAlerts.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { grouped } from '#contract/numbers.ts';
import type { GoneLine } from '../../../shift/changes/changeStore.ts';
import { alertBelow, useSilentBelow, withGone } from './belowLead.tsx';
import { Lead } from '../Lead.tsx';
import { useMedia } from '../../../ui/useMedia.ts';
import styles from './LiveFeed.module.css';

const QUEUE_LENGTH = 2;

/** A feed's alerts like the trains on a platform sign: the first in full, the next in one line each. It moves in
 *  steps, but not while somebody reads it or its data is stale. A hidden list holds all the alerts. */
export const LiveFeed = memo(function LiveFeed({
  feed,
  events,
  unlisted,
  gone,
  row,
  held,
  long,
  stale,
  feedTitle,
  describedBy,
}: {
  feed: FeedEntry;
  /** At least one. */
  events: readonly Alert[];
  /** How many active alerts there are beyond those shown here. */
  unlisted: number;
  /** The last alert that is over. */
  gone?: GoneLine | undefined;
  /** The feed's place on the board, from 0. */
  row: number;
  /** True: it must stand still for a reason outside this component. */
  held: boolean;
  /** Its summary needs the room of a line. */
  long: boolean;
  stale: boolean;
  feedTitle: string;
  /** The id of the feed's title. */
  describedBy: string;
}) {
  const all = useMemo(() => {
    const { leads, queue, planned } = orderOf(events);
    return [...leads, ...queue, ...planned];
  }, [events]);
  // An alert that another feed counts never leads.
  const alerts = useMemo(() => (all.every(({ see }) => see) ? all : all.filter(({ see }) => !see)), [all]);
  const [paused, setPaused] = useState(prefersStillness);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const isTablet = useMedia('(60rem <= width < 80rem)');
  const running = !(paused || hovered || focused || held || stale);
  const { index, steps, step, moving } = useLiveLoop(alerts, { row, running, stale });

  const lead = alerts[index]!;
  const place = all.indexOf(lead);
  const queue = Array.from(
    { length: Math.min(QUEUE_LENGTH, all.length - 1) },
    (_, ahead) => all[(place + 1 + ahead) % all.length]!,
  );
  const silent = useSilentBelow(feed);

  return (
    // This pauses while somebody reads, which is no interaction: no pointer is needed here.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className={styles.live}
      aria-label={`Live feed, ${feedTitle}`}
      style={
        {
          '--loop': `${loopSeconds(alerts.length)}s`,
          '--place': index,
          '--alerts': alerts.length,
        } as CSSProperties
      }
      data-held={!moving || undefined}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={({ target }) => setFocused(target.matches(':focus-visible'))}
      onBlur={() => setFocused(false)}
    >
      <div className={styles.picture} data-only="screen">
        <Lead
          key={lead.event_id}
          alert={lead}
          stale={stale}
          linked
          flat={isTablet && !long}
          stepped={steps}
          below={withGone([...silent, ...queue.map(alertBelow)], QUEUE_LENGTH, gone)}
        />
      </div>

      <AllAlerts alerts={all} />

      {alerts.length > 1 && (
        <p className={styles.control} data-row data-text="small" data-tone="2" data-only="screen">
          <Button
            small
            data-toggle
            aria-pressed={paused}
            aria-describedby={describedBy}
            onClick={() => setPaused(!paused)}
          >
            <PauseIcon weight={paused ? 'fill' : 'bold'} aria-hidden />
            Pause
          </Button>
          {(paused || stale) && (
            <Button small aria-describedby={describedBy} onClick={step}>
              Next
            </Button>
          )}
          <span>
            Alert {index + 1} of {alerts.length}
            {unlisted > 0 && `, ${grouped(unlisted)} more not listed`}
          </span>
        </p>
      )}
    </section>
  );
});
