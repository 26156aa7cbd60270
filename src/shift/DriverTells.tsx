import { type Severity, Severity as Level } from '#contract/disruptions.ts';
import { REPORT_LIMITS } from '#contract/responses.ts';
import { useActionState, useState } from 'react';
import { failureText } from '../api/failureText.ts';
import { addReport } from '../api/responses.ts';
import { serverNow } from '../time/freshness.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { GRADE_WORDS } from '../ui/Severity.tsx';
import styles from './inHand.module.css';
import { uuid7 } from './uuid7.ts';

const HOUR_MS = 60 * 60_000;
const HOURS = [1, 2, 4, 8, 24];

/** A report of the team's own: it is matched to its routes, and leaves the team in no way. */
export function DriverTells({ disabled, onMade }: { disabled: boolean; onMade: () => void }) {
  const [open, setOpen] = useState(false);

  return (
    <>
      <Button disabled={disabled} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        A driver tells us
      </Button>
      {open && (
        <ReportForm
          onClose={() => setOpen(false)}
          onMade={() => {
            setOpen(false);
            onMade();
          }}
        />
      )}
    </>
  );
}

function ReportForm({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  // Sent again after a lost answer, it counts once.
  const [id] = useState(() => uuid7(serverNow()));
  const [title, setTitle] = useState('');
  const [road, setRoad] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [place, setPlace] = useState('');
  const [severity, setSeverity] = useState<Severity>('high');
  const [hours, setHours] = useState(2);
  const [note, setNote] = useState('');
  const [failure, save, isSaving] = useActionState(async () => {
    const isSet = (text: string) => text.trim() || undefined;
    try {
      await addReport({
        id,
        title,
        severity,
        note,
        road: isSet(road),
        from: isSet(from),
        to: isSet(to),
        place: isSet(place),
        until: new Date(serverNow().getTime() + hours * HOUR_MS).toISOString(),
      });
      onMade();
      return null;
    } catch (error) {
      return failureText(error, 'Unable to save the report');
    }
  }, null);

  return (
    <Dialog heading="A driver tells us" onClose={onClose}>
      <form action={save} className={styles.report}>
        <Field
          label="What it is"
          required
          maxLength={REPORT_LIMITS.titleLength}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
        <div className={styles.pair}>
          <Field label="Road" value={road} onChange={({ target }) => setRoad(target.value)} />
          <Field label="From junction" value={from} onChange={({ target }) => setFrom(target.value)} />
          <Field label="To junction" value={to} onChange={({ target }) => setTo(target.value)} />
        </div>
        <Field label="Or a place" value={place} onChange={({ target }) => setPlace(target.value)} />
        <div className={styles.pair}>
          <label>
            Severity
            <select
              value={severity}
              onChange={({ target }) => setSeverity(Level.safeParse(target.value).data ?? 'high')}
            >
              {Level.options.map((level) => (
                <option key={level} value={level}>
                  {GRADE_WORDS[level]}
                </option>
              ))}
            </select>
          </label>
          <label>
            For
            <select value={hours} onChange={({ target }) => setHours(Number(target.value))}>
              {HOURS.map((one) => (
                <option key={one} value={one}>
                  {one} h
                </option>
              ))}
            </select>
          </label>
        </div>
        <Field label="Note" value={note} onChange={({ target }) => setNote(target.value)} />
        <p>Only your team sees it.</p>
        {failure && !isSaving && <Notice>{failure}</Notice>}
        <div className={styles.last}>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={isSaving}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
