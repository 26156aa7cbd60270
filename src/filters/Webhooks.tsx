import { type WebhookFormat, WEBHOOK_LIMITS } from '#contract/webhooks.ts';
import { useEffect, useId, useRef, useState } from 'react';
import { failureText } from '../api/failureText.ts';
import type { Filter } from '../api/filters.ts';
import { useLoad } from '../api/useLoad.ts';
import {
  createWebhook,
  type Delivery,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  type MadeWebhook,
  rotateWebhook,
  sendAgain,
  testWebhook,
  turnWebhookOn,
  type Webhook,
} from '../api/webhooks.ts';
import { formatDate, formatDateTime } from '../time/london.ts';
import { Button } from '../ui/Button.tsx';
import { Confirm } from '../ui/Confirm.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Field, SelectField } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import styles from './Webhooks.module.css';

const FORMATS: readonly { format: WebhookFormat; name: string }[] = [
  { format: 'standard', name: 'Standard Webhooks, signed' },
  { format: 'slack', name: 'Slack' },
  { format: 'teams', name: 'Teams' },
];

/** Addresses to which the changes of a filter are posted, with what became of them. */
export function Webhooks({ filter }: { filter: Filter }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.webhooks} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span>Webhooks: each change, posted to your own address</span>
      </summary>
      {open && <Opened filter={filter} />}
    </details>
  );
}

function Opened({ filter: { id: filterId, name: filterName } }: { filter: Filter }) {
  const load = useLoad((signal) => listWebhooks(filterId, signal), 'Failed to load the webhooks');
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<MadeWebhook | null>(null);
  const [said, setSaid] = useState('');
  const add = useRef<HTMLButtonElement>(null);
  const hooks = 'data' in load ? (load.data ?? []) : [];
  const changed = (words: string) => {
    setSaid(words);
    return load.reload();
  };
  const shown = (webhook: MadeWebhook, words: string) => {
    setMade(webhook.secret ? webhook : null);
    return changed(words);
  };
  const close = () => {
    setAdding(false);
    setTimeout(() => add.current?.focus());
  };

  return (
    <div className={styles.opened}>
      {load.state === 'loading' && <p>Loading...</p>}
      {load.state === 'failed' && (
        <div className={styles.row}>
          <Notice>{load.message}</Notice>
          <Button small onClick={() => void load.reload()}>
            Try again
          </Button>
        </div>
      )}
      {load.state === 'ready' && hooks.length === 0 && !adding && (
        <p>None yet. A program, Slack or Teams gets each change that enters, changes in or leaves it.</p>
      )}
      {made?.secret && (
        <NewSecret
          key={made.secret}
          name={made.webhook.name}
          secret={made.secret}
          onDismiss={() => setMade(null)}
        />
      )}
      {hooks.length > 0 && (
        <ul className={styles.list} aria-label={`Webhooks of ${filterName}`}>
          {hooks.map((webhook) => (
            <OneWebhook
              key={webhook.id}
              filterId={filterId}
              webhook={webhook}
              onRotated={(one) => shown(one, `${webhook.name} has a new secret`)}
              onChanged={changed}
            />
          ))}
        </ul>
      )}
      {adding ? (
        <AddForm
          filterId={filterId}
          onCancel={close}
          onMade={async (one) => {
            await shown(one, `${one.webhook.name} was made`);
            // The secret has the focus.
            if (one.secret) setAdding(false);
            else close();
          }}
        />
      ) : (
        <Button small ref={add} onClick={() => setAdding(true)} aria-label={`Add a webhook to ${filterName}`}>
          Add a webhook
        </Button>
      )}
      <p role="status" className={styles.said}>
        {said}
      </p>
    </div>
  );
}

function AddForm({
  filterId,
  onCancel,
  onMade,
}: {
  filterId: string;
  onCancel: () => void;
  /** Promises that the list has it. */
  onMade: (webhook: MadeWebhook) => Promise<void>;
}) {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [format, setFormat] = useState<WebhookFormat>('standard');
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const save = async () => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await onMade(await createWebhook(filterId, { name, url, format }));
    } catch (error) {
      setFailure(failureText(error, 'Failed to make the webhook'));
      setBusy(false);
    }
  };

  return (
    <form
      className={styles.form}
      aria-label="New webhook"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field
        label="Name"
        value={name}
        onChange={({ target }) => setName(target.value)}
        ref={first}
        autoComplete="off"
        required
      />
      <Field
        label="Address"
        hint="Begins with https://"
        type="url"
        value={url}
        onChange={({ target }) => setUrl(target.value)}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <SelectField
        label="Format"
        value={format}
        onChange={({ target }) => setFormat(target.value as WebhookFormat)}
      >
        {FORMATS.map((one) => (
          <option key={one.format} value={one.format}>
            {one.name}
          </option>
        ))}
      </SelectField>
      {failure && <Notice>{failure}</Notice>}
      <p className={styles.buttons}>
        <Button small kind="primary" type="submit" disabled={busy}>
          Make the webhook
        </Button>
        <Button small kind="quiet" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
      </p>
    </form>
  );
}

/** It takes the focus, so that it is read out. */
function NewSecret({ name, secret, onDismiss }: { name: string; secret: string; onDismiss: () => void }) {
  const code = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={styles.made} aria-labelledby={id}>
      <h3 ref={heading} id={id} tabIndex={-1}>
        Signing secret of <bdi>{name}</bdi>
      </h3>
      <p>Make sure to copy it now. You won't be able to see it again!</p>
      <p className={styles.secret}>
        <code ref={code}>{secret}</code>
        <CopyButton kind="primary" text={secret} from={code} about="signing secret" />
      </p>
      <Button kind="quiet" onClick={onDismiss}>
        Dismiss
      </Button>
    </section>
  );
}

type Asking = 'delete' | 'rotate';

function OneWebhook({
  filterId,
  webhook,
  onRotated,
  onChanged,
}: {
  filterId: string;
  webhook: Webhook;
  onRotated: (made: MadeWebhook) => Promise<void>;
  /** `said` is read out. */
  onChanged: (said: string) => Promise<void>;
}) {
  const { id, name, host, format, state, last_error, off_at, last_delivery, both_sign_until } = webhook;
  const [asking, setAsking] = useState<Asking | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [turn, setTurn] = useState(0);
  const act = async (what: () => Promise<void>, otherwise: string) => {
    setBusy(true);
    setFailure(null);
    try {
      await what();
      setAsking(null);
    } catch (error) {
      setFailure(failureText(error, otherwise));
    } finally {
      setBusy(false);
    }
  };
  const test = () =>
    act(async () => {
      await testWebhook(filterId, id);
      setOpen(true);
      setTurn(turn + 1);
      await onChanged(`A test is on its way to ${name}`);
    }, 'Failed to send the test');
  const turnOn = () =>
    act(async () => {
      await turnWebhookOn(filterId, id);
      await onChanged(`${name} is on again, with the changes from now on`);
    }, 'Failed to turn it on');

  return (
    <li className={styles.webhook} aria-label={name}>
      <p className={styles.name}>
        <b>
          <bdi>{name}</bdi>
        </b>
        <span>{[FORMATS.find((one) => one.format === format)?.name, host].filter(Boolean).join(', ')}</span>
      </p>
      <p className={styles.state} data-state={state}>
        <b>{off_at ? `Turned off on ${formatDate(off_at)}` : STATES[state]}</b>
        {state !== 'ok' && last_error && `: ${inSentence(last_error)}`}.
        {state === 'off' && host === null && ' Delete it and make it again.'}
      </p>
      <p className={styles.last}>
        {last_delivery ? (
          <>
            Last: {last_delivery.title} <DeliveryState delivery={last_delivery} />
          </>
        ) : (
          'Nothing has been sent yet.'
        )}
        {both_sign_until && ` The old secret signs as well until ${formatDateTime(both_sign_until)}.`}
      </p>
      <p className={styles.buttons}>
        <Button
          small
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          aria-label={`Deliveries of ${name}`}
        >
          Deliveries
        </Button>
        {state === 'off' && host === null ? null : state === 'off' ? (
          <Button small disabled={busy} onClick={() => void turnOn()} aria-label={`Turn on ${name} again`}>
            Turn on again
          </Button>
        ) : (
          <Button small disabled={busy} onClick={() => void test()} aria-label={`Send a test to ${name}`}>
            Send a test
          </Button>
        )}
        {state !== 'off' && format === 'standard' && (
          <Button small onClick={() => setAsking('rotate')} aria-label={`New secret for ${name}`}>
            New secret
          </Button>
        )}
        <Button small onClick={() => setAsking('delete')} aria-label={`Delete the webhook ${name}`}>
          Delete
        </Button>
      </p>
      {failure && !asking && <Notice>{failure}</Notice>}
      {isOpen && <Deliveries key={turn} filterId={filterId} webhook={webhook} onChanged={onChanged} />}
      {asking === 'delete' && (
        <Confirm
          heading={<>Delete the webhook “{name}”?</>}
          act="Delete webhook"
          busy={busy}
          failure={failure}
          onCancel={() => setAsking(null)}
          onAct={() =>
            void act(async () => {
              await deleteWebhook(filterId, id);
              await onChanged(`${name} was deleted`);
            }, 'Failed to delete the webhook')
          }
        >
          Nothing more is sent there. Its deliveries are deleted, also those that wait.
        </Confirm>
      )}
      {asking === 'rotate' && (
        <Confirm
          heading={<>Make a new secret for “{name}”?</>}
          act="Make a new secret"
          busy={busy}
          failure={failure}
          onCancel={() => setAsking(null)}
          onAct={() =>
            void act(async () => onRotated(await rotateWebhook(filterId, id)), 'Failed to make a new secret')
          }
        >
          For {WEBHOOK_LIMITS.bothSignHours} hours both sign. A program that knows only the old one no longer
          believes what comes after that.
        </Confirm>
      )}
    </li>
  );
}

/** "The address answered 410" as "it answered 410": its name stands above. */
function inSentence(error: string): string {
  const words = error.replace(/^The address\b/, 'it');
  return words.charAt(0).toLowerCase() + words.slice(1);
}

const STATES = { ok: 'On', failing: 'Failing', off: 'Off' } as const;

function DeliveryState({ delivery: { state, reason, sent_at, next_at } }: { delivery: Delivery }) {
  return (
    <span className={styles.outcome} data-state={state}>
      {reason}
      {state === 'sent' && sent_at && ` ${formatDateTime(sent_at)}`}
      {state === 'waiting' && next_at && `, next try ${formatDateTime(next_at)}`}
    </span>
  );
}

function Deliveries({
  filterId,
  webhook: { id, name, state },
  onChanged,
}: {
  filterId: string;
  webhook: Webhook;
  onChanged: (said: string) => Promise<void>;
}) {
  const load = useLoad((signal) => listDeliveries(filterId, id, signal), 'Failed to load the deliveries');
  const [failure, setFailure] = useState<string | null>(null);
  const refresh = async () => {
    await load.reload();
    await onChanged('');
  };
  const [busy, setBusy] = useState(false);
  const again = async ({ id: deliveryId, title }: Delivery) => {
    setBusy(true);
    setFailure(null);
    try {
      await sendAgain(filterId, id, deliveryId);
      await load.reload();
      await onChanged(`${title} is sent again`);
    } catch (error) {
      setFailure(failureText(error, 'Failed to send it again'));
    }
    setBusy(false);
  };
  const deliveries = 'data' in load ? load.data : undefined;

  return (
    <section className={styles.deliveries} aria-label={`Last deliveries of ${name}`}>
      {load.state === 'loading' && <p>Loading...</p>}
      {load.state === 'failed' && <Notice>{load.message}</Notice>}
      {failure && <Notice>{failure}</Notice>}
      {deliveries?.length === 0 && <p>Nothing has been sent yet.</p>}
      {deliveries && deliveries.length > 0 && (
        <ol className={styles.list}>
          {deliveries.map((delivery) => (
            <li key={delivery.id} className={styles.delivery}>
              <span>{delivery.created_at && formatDateTime(delivery.created_at)}</span>
              <span className={styles.what}>
                {delivery.title} <code>{delivery.type}</code>
              </span>
              <DeliveryState delivery={delivery} />
              {delivery.state === 'failed' && state !== 'off' && (
                <Button
                  small
                  disabled={busy}
                  onClick={() => void again(delivery)}
                  aria-label={`Send again: ${delivery.title}`}
                >
                  Send again
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
      <p className={styles.foot}>
        <span>
          Those that arrived are kept for a day, those that failed for {WEBHOOK_LIMITS.keptDays} days.
        </span>
        <Button
          small
          kind="quiet"
          onClick={() => void refresh()}
          aria-label={`Refresh the deliveries of ${name}`}
        >
          Refresh
        </Button>
      </p>
    </section>
  );
}
