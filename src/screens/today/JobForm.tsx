import { JOB_LIMITS } from '#contract/watches/jobs.ts';
import { londonDay } from '#contract/london.ts';
import { londonInstant } from '#contract/watches/departures.ts';
import { deadlineProblem } from '#contract/watches/sheetClock.ts';
import { useSubmit } from '../../api/useAction.ts';
import { addJob, changeJob, type Job } from '../../api/watches/jobs.ts';
import { useTyped } from '../../session/session.ts';
import { dayWords, formatClock } from '../../time/london.ts';
import { FormDialog } from '../../ui/dialogs/Dialog.tsx';
import { bound, Field, SelectField } from '../../ui/controls/Field.tsx';
import { timeIn } from './sheetCells.ts';

const LONGEST = { maxLength: JOB_LIMITS.fieldLength };

/** The form of a new job, or of the chosen one. */
export function JobForm({
  job,
  day,
  routes,
  offline,
  onClose,
  onSaved,
}: {
  /** Null: a new one. */
  job: Job | null;
  day: string;
  routes: readonly { id: string; name: string }[];
  offline: boolean;
  onClose: () => void;
  /** Promises that the list has the job. */
  onSaved: (id: string) => Promise<void>;
}) {
  const [typed, setTyped, forget] = useTyped(job ? `job ${job.id} ${job.rev}` : 'job', () => ({
    day: job?.day ?? day,
    leaves: job?.leaves_local ?? '',
    trip: job?.trip ?? '',
    route: job?.watch_id ?? '',
    takes: job?.duration_min?.toString() ?? '',
    ref: job?.ref ?? '',
    vehicle: job?.vehicle ?? '',
    driver: job?.driver ?? '',
    people: job?.people?.toString() ?? '',
    deadline: job?.deadline_local ?? '',
    deadlineWhat: job?.deadline_what ?? '',
    note: job?.note ?? '',
    left: clockOf(job?.left_at),
    arrived: clockOf(job?.arrived_at),
  }));
  const of = (name: keyof typeof typed) =>
    bound(typed[name], (value) => setTyped({ ...typed, [name]: value }));
  const form = useSubmit(async () => {
    if (offline) return 'You are offline. Jobs can be changed when the connection is back.';
    const leaves = timeIn(typed.leaves)?.local;
    if (!leaves) return `No time in “${typed.leaves}”. Write it as 06:10; 25:15 is 01:15 of the next day.`;
    const deadline = timeIn(typed.deadline)?.local ?? null;
    if (typed.deadline.trim() && !deadline) return `No time in “${typed.deadline}”.`;
    const early = deadlineProblem(leaves, deadline);
    if (early) return early;
    const marks = {
      left_at: markedAt(job?.left_at, typed.left),
      arrived_at: markedAt(job?.arrived_at, typed.arrived),
    };
    const unread = [typed.left, typed.arrived].find((text) => text.trim() && !timeIn(text));
    if (unread) return `No time in “${unread}”.`;
    const said = (text: string) => text.trim() || null;
    const number = (text: string) => (text.trim() === '' ? null : Math.round(Number(text)));
    const asked = {
      day: typed.day,
      leaves_local: leaves,
      trip: typed.trip,
      watch_id: typed.route || null,
      duration_min: number(typed.takes),
      ref: said(typed.ref),
      vehicle: said(typed.vehicle),
      driver: said(typed.driver),
      people: number(typed.people),
      deadline_local: deadline,
      deadline_what: said(typed.deadlineWhat),
      note: said(typed.note),
    };
    if (job) await changeJob(job.id, job.rev, { ...asked, ...marks });
    const { id } = job ?? (await addJob(asked));
    forget();
    return onSaved(id);
  }, 'Unable to save the job');

  return (
    <FormDialog
      heading={job ? 'Edit job' : 'New job'}
      form={form}
      act="Save"
      safe
      onClose={onClose}
      forget={forget}
    >
      <div data-grid="11">
        <Field label="Leaves at" required placeholder="06:10" {...of('leaves')} />
        <Field label="Day" type="date" required hint={dayWords(typed.day)} {...of('day')} />
      </div>
      <Field
        label="From and to"
        required
        placeholder="Leeds → Heathrow T5"
        maxLength={JOB_LIMITS.tripLength}
        {...of('trip')}
      />
      <SelectField label="Route" {...of('route')}>
        <option value="">No route</option>
        {routes.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <div data-grid="11">
        <Field label="Reference" {...LONGEST} {...of('ref')} />
        <Field label="Vehicle" {...LONGEST} {...of('vehicle')} />
        <Field label="Driver" {...LONGEST} {...of('driver')} />
        <Field label="People" type="number" min={0} max={9999} {...of('people')} />
        <Field label="Deadline" placeholder="14:05" {...of('deadline')} />
        <Field label="What closes then" placeholder="Check-in closes" {...LONGEST} {...of('deadlineWhat')} />
      </div>
      {(job?.left_at || job?.arrived_at) && (
        <div data-grid="11">
          {job.left_at && <Field label="Left at" hint="Empty: not marked" {...of('left')} />}
          {job.arrived_at && <Field label="Arrived at" hint="Empty: not marked" {...of('arrived')} />}
        </div>
      )}
      <Field
        label="Takes (minutes)"
        type="number"
        min={1}
        max={2880}
        hint="Left empty, it is guessed from the length of the route"
        {...of('takes')}
      />
      <Field label="Note" maxLength={JOB_LIMITS.noteLength} {...of('note')} />
      <p data-tone="2">Only your team sees it. Jobs are deleted some days after their own.</p>
    </FormDialog>
  );
}

const clockOf = (at: string | null | undefined) => (at ? formatClock(at) : '');

/** The mark's new time, on the day of the old one; undefined: it does not change. */
function markedAt(before: string | null | undefined, typed: string): string | null | undefined {
  if (!before || typed.trim() === clockOf(before)) return undefined;
  const clock = timeIn(typed)?.local;
  return clock ? londonInstant(londonDay(new Date(before)), clock).toISOString() : null;
}
