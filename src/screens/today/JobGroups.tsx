import { type ReactNode, useId, useState } from 'react';
import {
  arrivalLine,
  type DayJob,
  GROUP_NAMES,
  type JobGroup,
  jobName,
  jobsInOrder,
  jobWords,
  leavesWords,
  refWords,
  slotWords,
  tripName,
} from '../../watches/jobState.ts';
import { HELD_MINUTES } from '#contract/history/history.ts';
import { loadJobStats } from '../../api/alerts/history.ts';
import { useLoad } from '../../api/useLoad.ts';
import { Disclosure } from '../../ui/controls/Disclosure.tsx';
import { ListGroup } from '../../ui/page/ListAndPane.tsx';
import styles from './TodayPage.module.css';
import { pageAddressOf } from '#contract/addresses.ts';
import { useClock } from '../../time/tickingClock.ts';
import { serverNow } from '../../time/freshness.ts';
import { Row } from '../../watches/RouteRow.tsx';
import rows from '../../watches/RouteRow.module.css';
import { NoRouteShape, StateShape } from '../../watches/StateShape.tsx';

const GROUPS: readonly JobGroup[] = ['soon', 'way', 'later'];

/** The jobs in their groups, worst first. No row moves while somebody uses the list: the order is set when the list
 *  is first shown, when a job changes its group, and when the focus leaves the list. */
export function JobGroups({
  jobs,
  day,
  openId,
  counting,
  until,
}: {
  jobs: readonly DayJob[];
  day: string;
  openId: string | undefined;
  counting: boolean;
  /** The time until which the jobs of "Leaves soon" leave; '' on another day. */
  until: string;
}) {
  const [order, setOrder] = useState<{ of: string; ids: readonly string[] }>({ of: '', ids: [] });
  const groups = jobs
    .map(({ job, group }) => `${job.id} ${group}`)
    .toSorted()
    .join('\n');
  const sorted = () => jobsInOrder(jobs).map(({ job }) => job.id);
  if (order.of !== groups) setOrder({ of: groups, ids: sorted() });
  const at = new Map(order.ids.map((id, index) => [id, index]));
  const inOrder = jobs.toSorted((a, b) => (at.get(a.job.id) ?? 0) - (at.get(b.job.id) ?? 0));

  return (
    <div
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOrder({ of: groups, ids: sorted() });
      }}
    >
      {GROUPS.map((group) => {
        const own = inOrder.filter((one) => one.group === group);
        return (
          own.length > 0 && (
            <ListGroup
              key={group}
              heading={GROUP_NAMES[group]}
              count={own.length}
              aside={group === 'soon' && until && `until ${until}`}
              aria-label={GROUP_NAMES[group]}
            >
              <ol aria-label={`${GROUP_NAMES[group]}, worst first`}>
                {own.map((one) => (
                  <JobRow
                    key={one.job.id}
                    one={one}
                    day={day}
                    counting={counting}
                    isOpen={one.job.id === openId}
                  />
                ))}
              </ol>
            </ListGroup>
          )
        );
      })}
      <Done
        jobs={inOrder.filter(({ group }) => group === 'done')}
        day={day}
        openId={openId}
        counting={counting}
      />
    </div>
  );
}

function Done({ jobs, day, openId, counting }: Omit<Parameters<typeof JobGroups>[0], 'until'>) {
  const id = useId();
  const [unfolded, setUnfolded] = useState<boolean | null>(null);
  if (jobs.length === 0) return null;
  const cancelled = jobs.filter(({ job }) => job.cancelled_at !== null).length;
  const arrived = jobs.length - cancelled;
  // A job that was marked a moment ago is still the chosen one, so it stays visible.
  const isOpen = unfolded ?? jobs.some(({ job }) => job.id === openId);
  const words = [arrived > 0 && `${arrived} arrived`, cancelled > 0 && `${cancelled} cancelled`];

  return (
    <section aria-labelledby={id}>
      <Disclosure inList open={isOpen} onOpen={setUnfolded}>
        <b id={id}>Done</b> <span>{words.filter(Boolean).join(', ')}</span>
      </Disclosure>
      {isOpen && <Held />}
      {isOpen && (
        <ol aria-label="Done">
          {jobs.map((one) => (
            <JobRow key={one.job.id} one={one} day={day} counting={counting} isOpen={one.job.id === openId} />
          ))}
        </ol>
      )}
    </section>
  );
}

/** How often the expected arrivals were right; '' while there are too few jobs to say. */
function Held() {
  const stats = useLoad(loadJobStats, 'Unable to load how often arrivals held');
  const known = stats.data;
  if (!known || known.share === null) return null;
  return (
    <p className={styles.held} data-text="note">
      The arrival predicted on leaving was right, within {HELD_MINUTES} min, for {known.held} of {known.jobs}{' '}
      jobs in {known.days} days; {known.late} arrived later, {known.early} earlier.
    </p>
  );
}

/** One job of the list. Its parent judges it again as time passes. */
function JobRow({
  one,
  day,
  isOpen,
  counting,
}: {
  one: DayJob;
  /** The day of the list. A job of the night before also shows its weekday. */
  day: string;
  isOpen: boolean;
  /** Whether "in 5 min" can be shown. It cannot on an old answer. */
  counting: boolean;
}) {
  const { job, state, group } = one;
  const slot = useClock((now) => (counting ? slotWords(one, now) : ''));
  const now = serverNow();
  const lines = jobWords(one, now);
  const arrival = arrivalLine(one);
  const ref = refWords(one, now);
  const time = leavesWords({ ...job, day });
  const label = [
    [time.weekday, jobName(job)].filter(Boolean).join(' '),
    ...lines.map(({ bold, words }) => [bold, words].filter(Boolean).join(' ')),
    arrival?.bold.toLowerCase(),
    arrival?.words,
    slot,
    ref,
  ];

  return (
    <Row
      id={job.id}
      href={pageAddressOf('job', job.id)}
      name={tripName(job)}
      label={label.filter(Boolean).join(', ')}
      time={time}
      shape={group === 'done' ? null : state ? <StateShape state={state} /> : <NoRouteShape />}
      slot={slot}
      isOpen={isOpen}
    >
      {lines.map(({ bold, words }) => (
        <span key={bold + words} className={rows.state}>
          {bold && <b>{bold}</b>} {words}
        </span>
      ))}
      {arrival && (
        <span className={rows.state}>
          {arrival.plate ? (
            <Plate kind={arrival.plate}>{arrival.bold}</Plate>
          ) : (
            arrival.bold && <b>{arrival.bold} · </b>
          )}
          {arrival.words}
        </span>
      )}
      {ref && <span className={rows.ref}>{ref}</span>}
    </Row>
  );
}

/** "Will miss it" is certain: a solid plate. "May miss it" is an outline with a hatched mark. Both are black,
 *  because colour is only for severity. */
export function Plate({ kind, children }: { kind: 'will' | 'may'; children: ReactNode }) {
  return (
    <b className={styles.plate} data-kind={kind}>
      {children}
    </b>
  );
}
