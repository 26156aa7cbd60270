import { pageAddressOf } from '#contract/addresses.ts';
import { useClock } from '../../time/tickingClock.ts';
import { serverNow } from '../../time/freshness.ts';
import { Row } from '../../watches/RouteRow.tsx';
import rows from '../../watches/RouteRow.module.css';
import { NoRouteShape, StateShape } from '../../watches/StateShape.tsx';
import {
  arrivalLine,
  type DayJob,
  jobName,
  jobWords,
  leavesWords,
  refWords,
  slotWords,
  tripName,
} from '../../watches/dayJobs.ts';
import { Plate } from './Plate.tsx';

/** One job of the list. Its parent judges it again as time passes. */
export function JobRow({
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
