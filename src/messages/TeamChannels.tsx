import { useRef, useState } from 'react';
import { failureText } from '../api/failureText.ts';
import { addReceiver, type Receiver, removeReceiver, testReceiver } from '../api/messages.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Field, SelectField } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import styles from './ChannelsPanel.module.css';

const KINDS = [
  ['webhook', 'Webhook'],
  ['slack', 'Slack'],
  ['teams', 'Teams'],
] as const;
type Kind = (typeof KINDS)[number][0];

/** Addresses of the whole team: programs, Slack, Teams. */
export function TeamChannels({
  receivers,
  onChanged,
}: {
  receivers: readonly Receiver[];
  onChanged: () => Promise<void>;
}) {
  const [adding, setAdding] = useState(false);
  const [kind, setKind] = useState<Kind>('webhook');
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const shown = useRef<HTMLElement>(null);

  const act = async (what: () => Promise<unknown>) => {
    setBusy(true);
    setFailure(null);
    try {
      await what();
      await onChanged();
    } catch (error) {
      setFailure(failureText(error, 'Unable to save this'));
    }
    setBusy(false);
  };
  const add = () =>
    act(async () => {
      const made = await addReceiver({ kind, name, url });
      setSecret(made.secret ?? null);
      setAdding(false);
      setName('');
      setUrl('');
    });

  return (
    <section className={styles.team} aria-labelledby="team-channels">
      <h3 id="team-channels">Of the team</h3>
      <ul className={styles.list}>
        {receivers.map((one) => (
          <li key={one.id} className={styles.channel}>
            <b>{one.name}</b>
            <span className={styles.words} data-good={one.state === 'ok' || undefined}>
              {one.state === 'ok' ? 'On' : (one.last_error ?? 'Off')}
            </span>
            <span className={styles.buttons}>
              <Button small disabled={busy} onClick={() => void act(() => testReceiver(one.id))}>
                Test
              </Button>
              <Button small disabled={busy} onClick={() => void act(() => removeReceiver(one.id))}>
                Forget
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {secret && (
        <p className={styles.secret}>
          Its signing secret, shown only now: <code ref={shown}>{secret}</code>{' '}
          <CopyButton text={secret} from={shown} label="Copy secret" />
        </p>
      )}
      {adding ? (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy) void add();
          }}
        >
          <SelectField label="Kind" value={kind} onChange={({ target }) => setKind(target.value as Kind)}>
            {KINDS.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
          <Field label="Name" value={name} onChange={({ target }) => setName(target.value)} required />
          <Field
            label="Address"
            hint="Begins with https://"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
            required
          />
          <p className={styles.buttons}>
            <Button small disabled={busy} onClick={() => setAdding(false)}>
              Cancel
            </Button>
            <Button small kind="primary" type="submit" disabled={busy}>
              Add
            </Button>
          </p>
        </form>
      ) : (
        <Button small onClick={() => setAdding(true)}>
          Add an address
        </Button>
      )}
      {failure && <Notice>{failure}</Notice>}
    </section>
  );
}
