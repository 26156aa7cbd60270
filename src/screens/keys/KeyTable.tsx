import { TrashIcon } from '@phosphor-icons/react/dist/csr/Trash';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useAction } from '../../api/useAction.ts';
import { deleteKey, keyRateLimit, type ApiKey } from '../../api/accounts/keys.ts';
import { useLoad } from '../../api/useLoad.ts';
import { Badge } from '../../ui/signs/StatusLine.tsx';
import { Button, Named } from '../../ui/controls/Button.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { Confirm } from '../../ui/dialogs/Dialog.tsx';
import { grouped } from '#contract/numbers.ts';
import { Table } from '../../ui/page/Table.tsx';
import { formatClock, formatDateTime } from '../../time/london.ts';
import styles from './KeyTable.module.css';

/** The keys with their use, and the actions for each. */
export function KeyTable({
  keys,
  onGone,
  onShow,
  onDeleted,
}: {
  keys: readonly ApiKey[];
  /** A key was deleted. Promises that the list was read again. */
  onGone: () => Promise<void>;
  /** Asks for the password, so that full keys are shown. */
  onShow: () => void;
  onDeleted: (name: string) => void;
}) {
  /** The use of all keys today. One key's use can lower the quota of others, because the keys of a tier share it. */
  const usedToday = keys.reduce((total, { requests_today }) => total + requests_today, 0);

  return (
    <Table
      label="Your keys"
      rows={keys}
      keyOf={({ id }) => id}
      columns={{
        Name: { className: styles.nameCell, cell: (key) => <bdi className={styles.name}>{nameOf(key)}</bdi> },
        Key: { className: styles.keyCell, cell: (key) => <KeyValue apiKey={key} onShow={onShow} /> },
        Tier: ({ rate_limit_tier }) => <span>{rate_limit_tier && <Badge>{rate_limit_tier}</Badge>}</span>,
        Created: {
          as: 'line',
          className: styles.time,
          cell: ({ created_at }) => created_at && formatDateTime(created_at),
        },
        'Last used': {
          as: 'line',
          className: styles.time,
          cell: ({ last_used_at }) => (last_used_at ? formatDateTime(last_used_at) : 'Never'),
        },
        Today: {
          as: 'number',
          cell: ({ id, requests_today }) => (
            <div>
              {grouped(requests_today)}
              {/* Loaded again when any key was used. */}
              <Remaining key={usedToday} id={id} />
            </div>
          ),
        },
        'This month': { as: 'number', cell: ({ requests_month }) => grouped(requests_month) },
        Actions: {
          as: 'hidden',
          cell: (key) => <DeleteKey id={key.id} name={nameOf(key)} onGone={onGone} onDeleted={onDeleted} />,
        },
      }}
    />
  );
}

const nameOf = ({ name }: ApiKey) => name?.trim() || 'Untitled key';

function KeyValue({ apiKey, onShow }: { apiKey: ApiKey; onShow: () => void }) {
  if (apiKey.key) return <Hideable value={apiKey.key} name={nameOf(apiKey)} />;
  if (!apiKey.key_hidden) return <OlderKey prefix={apiKey.key_prefix} />;
  return (
    <div data-row="3" data-tight data-align="baseline">
      {apiKey.key_prefix && <code>{apiKey.key_prefix}…</code>}
      <span className={styles.acts} data-row data-tight data-align="baseline">
        <Button kind="quiet" small onClick={onShow}>
          Confirm your password to show <Named>{nameOf(apiKey)}</Named>
        </Button>
      </span>
    </div>
  );
}

/** A full key, masked until the user asks for it. */
function Hideable({ value, name }: { value: string; name: string }) {
  const [revealed, setRevealed] = useState(false);
  const code = useRef<HTMLElement>(null);

  return (
    <div data-row="3" data-tight data-align="baseline">
      <code ref={code}>{revealed ? value : masked(value)}</code>
      <span className={styles.acts} data-row data-tight data-align="baseline">
        <Button kind="quiet" small aria-pressed={revealed} onClick={() => setRevealed(!revealed)}>
          {revealed ? 'Hide' : 'Reveal'} <Named>{name}</Named>
        </Button>
        {revealed && <CopyButton small text={value} from={code} about={name} />}
      </span>
    </div>
  );
}

/** `cw_live_7Kq2…Ga5E`. A short key shows less, because otherwise little would be hidden. */
const masked = (key: string) =>
  key.length < 24 ? `${key.slice(0, 4)}…` : `${key.slice(0, 12)}…${key.slice(-4)}`;

function OlderKey({ prefix }: { prefix: string | null | undefined }) {
  return (
    <div>
      {prefix && <code>{prefix}</code>}
      <p className={styles.note} data-tone="3" data-size="label">
        This key was created before full-key storage was enabled. Create a new key to reveal the complete
        value here.
      </p>
    </div>
  );
}

/** The requests that are left today. Shows nothing when the server does not send it. */
function Remaining({ id }: { id: string }) {
  const load = useLoad((signal) => keyRateLimit(id, signal), '');
  if (load.state !== 'ready') return null;
  const { limit_per_day, remaining, resets_at } = load.data;
  if (limit_per_day === null) return <small>no limit</small>;
  if (limit_per_day === undefined || remaining == null) return null;

  const again = remaining === 0 && resets_at ? `, more from ${formatClock(resets_at)}` : '';
  return (
    <small>
      {grouped(remaining)} of {grouped(limit_per_day)} left{again}
    </small>
  );
}

function DeleteKey({
  id,
  name,
  onGone,
  onDeleted,
}: {
  id: string;
  name: string;
  onGone: () => Promise<void>;
  onDeleted: (name: string) => void;
}) {
  const { run, isBusy, failure, clear } = useAction();
  const [isAsking, setAsking] = useState(false);

  const remove = () =>
    run(async () => {
      await deleteKey(id);
      await onGone();
      flushSync(() => setAsking(false)); // the dialog is closed first, because it traps the focus
      onDeleted(name);
    }, 'Failed to delete API key');

  return (
    <>
      <Button
        kind="danger"
        small
        onClick={() => {
          clear();
          setAsking(true);
        }}
      >
        <TrashIcon weight="bold" aria-hidden /> Delete <Named>{name}</Named>
      </Button>
      {isAsking && (
        <Confirm
          heading={
            <>
              Delete <bdi>{name}</bdi>?
            </>
          }
          act={isBusy ? 'Deleting...' : 'Delete key'}
          busy={isBusy}
          failure={failure}
          onAct={() => void remove()}
          onCancel={() => setAsking(false)}
        >
          <p>Are you sure you want to delete this API key? This action cannot be undone.</p>
        </Confirm>
      )}
    </>
  );
}
