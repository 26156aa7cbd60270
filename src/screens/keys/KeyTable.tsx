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
  return (
    <Table
      label="Your keys"
      columns={[
        'Name',
        'Key',
        'Tier',
        'Created',
        'Last used',
        { number: 'Today' },
        { number: 'This month' },
        { hidden: 'Actions' },
      ]}
    >
      {keys.map((key) => (
        <KeyRow
          key={key.id}
          apiKey={key}
          usedToday={usedToday(keys)}
          onGone={onGone}
          onShow={onShow}
          onDeleted={onDeleted}
        />
      ))}
    </Table>
  );
}

/** The use of all keys today. One key's use can lower the quota of others, because the keys of a tier share it. */
const usedToday = (keys: readonly ApiKey[]) =>
  keys.reduce((total, { requests_today }) => total + requests_today, 0);

function KeyRow({
  apiKey,
  usedToday,
  onGone,
  onShow,
  onDeleted,
}: {
  apiKey: ApiKey;
  usedToday: number;
  onGone: () => Promise<void>;
  onShow: () => void;
  onDeleted: (name: string) => void;
}) {
  const name = apiKey.name?.trim() || 'Untitled key';
  const { created_at, last_used_at, rate_limit_tier, requests_today, requests_month } = apiKey;

  return (
    <tr>
      <td data-th="Name" className={styles.nameCell}>
        <bdi className={styles.name} data-break>
          {name}
        </bdi>
      </td>
      <td data-th="Key" className={styles.keyCell}>
        {apiKey.key ? (
          <Hideable value={apiKey.key} name={name} />
        ) : apiKey.key_hidden ? (
          <Unconfirmed prefix={apiKey.key_prefix} name={name} onShow={onShow} />
        ) : (
          <OlderKey prefix={apiKey.key_prefix} />
        )}
      </td>
      <td data-th="Tier">
        <span>{rate_limit_tier && <Badge>{rate_limit_tier}</Badge>}</span>
      </td>
      <td data-th="Created" className={styles.time} data-nowrap>
        {created_at ? formatDateTime(created_at) : ''}
      </td>
      <td data-th="Last used" className={styles.time} data-nowrap>
        {last_used_at ? formatDateTime(last_used_at) : 'Never'}
      </td>
      <td data-th="Today" data-number>
        <div>
          {grouped(requests_today)}
          {/* Loaded again when any key was used. */}
          <Remaining key={usedToday} id={apiKey.id} />
        </div>
      </td>
      <td data-th="This month" data-number>
        {grouped(requests_month)}
      </td>
      <td data-th="">
        <DeleteKey id={apiKey.id} name={name} onGone={onGone} onDeleted={onDeleted} />
      </td>
    </tr>
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

function Unconfirmed({
  prefix,
  name,
  onShow,
}: {
  prefix: string | null | undefined;
  name: string;
  onShow: () => void;
}) {
  return (
    <div data-row="3" data-tight data-align="baseline">
      {prefix && <code>{prefix}…</code>}
      <span className={styles.acts} data-row data-tight data-align="baseline">
        <Button kind="quiet" small onClick={onShow}>
          Confirm your password to show <Named>{name}</Named>
        </Button>
      </span>
    </div>
  );
}

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
