import { useActionState, useRef, useState } from 'react';
import { failureText } from '../api/failureText.ts';
import { shareWatch } from '../api/sharing.ts';
import { Button } from '../ui/Button.tsx';
import { Check } from '../ui/Check.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import styles from './ShareRoute.module.css';

const FORMATS = [
  { ending: 'ics', label: 'Calendar' },
  { ending: 'rss', label: 'Feed reader' },
  { ending: 'csv', label: 'Table' },
] as const;

/** Makes a secret address at which anybody reads what touches this route, and nothing of the route itself. */
export default function ShareRoute({
  watchId,
  name: routeName,
  onClose,
}: {
  watchId: string;
  name: string;
  onClose: () => void;
}) {
  const [name, setName] = useState('Shared alerts');
  const [certain, setCertain] = useState(false);
  const [result, make, making] = useActionState(async (): Promise<{ failure?: string; address?: string }> => {
    try {
      return { address: await shareWatch(watchId, { name: name.trim(), certain }) };
    } catch (error) {
      return { failure: failureText(error, 'Unable to share this route') };
    }
  }, {});

  // Its address is shown only now.
  const close = () => {
    if (!making) onClose();
  };

  return (
    <Dialog
      heading={
        <>
          Share by filter: <bdi>{routeName}</bdi>
        </>
      }
      onClose={close}
    >
      {result.address ? (
        <div className={styles.form}>
          <p>
            Anybody who has one of these addresses reads the alerts that touch this route. They are shown this
            once, and end when your team deletes the filter, or after 90 days without use.
          </p>
          {FORMATS.map(({ ending, label }) => (
            <Address key={ending} label={label} address={`${result.address}.${ending}`} />
          ))}
          <div className={styles.acts}>
            <Button kind="primary" onClick={onClose}>
              Close
            </Button>
          </div>
        </div>
      ) : (
        <form action={make} className={styles.form}>
          <p>
            Your team keeps a filter of the alerts that touch this route, with a secret address for a calendar
            or a feed reader. It says nothing of the route, its departures or your notes.
          </p>
          <Field
            label="Name of the filter"
            hint="Readers of the address see it, too."
            value={name}
            maxLength={80}
            required
            autoComplete="off"
            onChange={({ target }) => setName(target.value)}
          />
          <Check label="Only what certainly touches it" checked={certain} onChange={setCertain} />
          {result.failure && !making && <Notice>{result.failure}</Notice>}
          <div className={styles.acts}>
            <Button type="submit" kind="primary" disabled={making || name.trim() === ''}>
              Make a secret address
            </Button>
            <Button aria-disabled={making} onClick={close}>
              Cancel
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function Address({ label, address }: { label: string; address: string }) {
  const text = useRef<HTMLElement>(null);
  return (
    <p className={styles.address}>
      <b>{label}</b> <code ref={text}>{address}</code>
      <CopyButton text={address} from={text} about={`the address for: ${label}`} small />
    </p>
  );
}
