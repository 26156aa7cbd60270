import type { FormatName } from '#contract/filters.ts';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import {
  createAddress,
  deleteFilter,
  type Filter,
  type FilterPreview,
  formatAddress,
  previewFilter,
  revokeAddress,
} from '../api/filters.ts';
import { failureText } from '../api/failureText.ts';
import { formatDate, formatDateTime } from '../time/london.ts';
import { Button } from '../ui/Button.tsx';
import { Confirm } from '../ui/Confirm.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { SelectField } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { PreviewWords } from './FilterForm.tsx';
import { Webhooks } from './Webhooks.tsx';
import styles from './FilterCard.module.css';

const FORMATS: readonly { format: FormatName; name: string; use: string }[] = [
  { format: 'json', name: 'JSON', use: 'programs' },
  { format: 'geojson', name: 'GeoJSON', use: 'maps' },
  { format: 'csv', name: 'CSV', use: 'spreadsheets' },
  { format: 'rss', name: 'RSS', use: 'feed readers' },
  { format: 'atom', name: 'Atom', use: 'feed readers' },
  { format: 'ics', name: 'iCalendar', use: 'calendars: what is planned' },
  { format: 'cap', name: 'CAP 1.2', use: 'warning systems' },
  { format: 'sse', name: 'Event stream', use: 'programs, as it happens' },
  { format: 'badge', name: 'Badge', use: 'a picture on a page' },
];

/** One filter: what it lets through now, its address in every format, and its secret address. */
export function FilterCard({
  filter,
  isMember,
  words,
  onEdit,
  onChanged,
}: {
  filter: Filter;
  /** Not a lead of the team: to them alone belong secret addresses and webhooks. */
  isMember: boolean;
  /** Its conditions. */
  words: string;
  onEdit: () => void;
  /** It, or its address, has changed: `said` is read out. Promises that the list says so too. */
  onChanged: (said: string) => Promise<void>;
}) {
  const { id, name } = filter;
  const [asking, setAsking] = useState<'delete' | 'revoke' | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  /** How often its address was revoked here. */
  const [revoked, setRevoked] = useState(0);
  const act = async (done: () => Promise<void>, otherwise: string, said: string) => {
    setBusy(true);
    setFailure(null);
    try {
      await done();
      await onChanged(said);
      setAsking(null);
    } catch (error) {
      setFailure(failureText(error, otherwise));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Panel
      heading={name || 'Filter without a name'}
      aside={
        !(isMember && filter.goes_out) && (
          <div className={styles.buttons}>
            <Button small onClick={onEdit} aria-label={`Change ${name}`}>
              Change
            </Button>
            <Button small onClick={() => setAsking('delete')} aria-label={`Delete ${name}`}>
              Delete
            </Button>
          </div>
        )
      }
    >
      <div className={styles.card}>
        <p>{words}</p>
        <Now key={filter.query} query={filter.query} />
        <details className={styles.formats}>
          <summary>Formats, for programs with an API key</summary>
          <ul>
            {FORMATS.map(({ format, name: called, use }) => (
              <Address
                key={format}
                label={called}
                about={`${called} address of ${name}`}
                text={formatAddress(id, format)}
              >
                <b>{called}</b> for {use}
              </Address>
            ))}
          </ul>
        </details>
        {isMember ? (
          <p>
            {addressWords(filter)} Secret addresses and webhooks are made by the leads of your team.
            {filter.goes_out &&
              ` With ${filter.address ? 'a secret address' : 'webhooks'}, it is changed and deleted by them alone.`}
          </p>
        ) : (
          <>
            <Secret
              key={revoked}
              filter={filter}
              onRevoke={() => setAsking('revoke')}
              onChanged={onChanged}
            />
            <Webhooks filter={filter} />
          </>
        )}
      </div>
      {asking === 'delete' && (
        <Confirm
          heading={<>Delete “{name}”?</>}
          act="Delete filter"
          busy={busy}
          failure={failure}
          onCancel={() => setAsking(null)}
          onAct={() => void act(() => deleteFilter(id), 'Failed to delete the filter', `${name} was deleted`)}
        >
          Programs and calendars that read it get nothing more. Its secret address is dead for good, and its
          webhooks end.
        </Confirm>
      )}
      {asking === 'revoke' && (
        <Confirm
          heading={<>Revoke the secret address of “{name}”?</>}
          act="Revoke"
          busy={busy}
          failure={failure}
          onCancel={() => setAsking(null)}
          onAct={() =>
            void act(
              async () => {
                await revokeAddress(id);
                setRevoked(revoked + 1);
              },
              'Failed to revoke the address',
              'The address was revoked',
            )
          }
        >
          Every calendar and feed reader that has it gets nothing more.
        </Confirm>
      )}
    </Panel>
  );
}

function Now({ query }: { query: string }) {
  const [preview, setPreview] = useState<FilterPreview | 'failed' | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    previewFilter(query, stop.signal).then(setPreview, () => {
      if (!stop.signal.aborted) setPreview('failed');
    });
    return () => stop.abort();
  }, [query]);

  if (preview === null) return <p>Counting...</p>;
  if (preview === 'failed') return <p>The alerts cannot be counted now.</p>;
  return <PreviewWords preview={preview} />;
}

/** An address with its copy button. */
function Address({
  label,
  about,
  text,
  children,
}: {
  label: string;
  about: string;
  text: string;
  children: ReactNode;
}) {
  const code = useRef<HTMLElement>(null);
  return (
    <li className={styles.address} aria-label={label}>
      <p>{children}</p>
      <code ref={code}>{text}</code>
      <CopyButton small text={text} from={code} about={about} />
    </li>
  );
}

function addressWords({ address }: Filter): string {
  if (!address) return 'Calendars and feed readers cannot send a key. They need a secret address.';
  const { created_at, last_used_at, dies_at } = address;
  const made = created_at ? `, made ${formatDate(created_at)}` : '';
  const used = last_used_at ? `, last used ${formatDateTime(last_used_at)}` : ', never used';
  const dies = dies_at ? `. Unused, it is dead on ${formatDate(dies_at)}` : '';
  return `It has a secret address${made}${used}${dies}.`;
}

/** It is shown once, when it was made; afterwards only that there is one. */
function Secret({
  filter,
  onRevoke,
  onChanged,
}: {
  filter: Filter;
  onRevoke: () => void;
  onChanged: (said: string) => Promise<void>;
}) {
  const { id, name, address } = filter;
  const [made, setMade] = useState<string | null>(null);
  const [format, setFormat] = useState<FormatName>('ics');
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const code = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const headingId = useId();
  useEffect(() => {
    if (made) heading.current?.focus();
  }, [made]);

  const make = async () => {
    setBusy(true);
    setFailure(null);
    try {
      setMade(await createAddress(id));
      await onChanged('The secret address was made');
    } catch (error) {
      setFailure(failureText(error, 'Failed to make the address'));
    } finally {
      setBusy(false);
    }
  };

  if (made) {
    const text = `${made}.${format}`;
    return (
      <section className={styles.made} aria-labelledby={headingId}>
        <h3 ref={heading} id={headingId} tabIndex={-1}>
          Secret address of <bdi>{name}</bdi>
        </h3>
        <p>
          Make sure to copy it now. You won't be able to see it again! Anyone who has it can read this filter.
        </p>
        <SelectField
          label="Format"
          value={format}
          onChange={({ target }) => setFormat(target.value as FormatName)}
        >
          {FORMATS.map((one) => (
            <option key={one.format} value={one.format}>
              {one.name}
            </option>
          ))}
        </SelectField>
        <div className={styles.address}>
          <code ref={code}>{text}</code>
          <CopyButton kind="primary" text={text} from={code} about="secret address" />
        </div>
        <div className={styles.buttons}>
          <Button kind="quiet" onClick={() => setMade(null)}>
            Dismiss
          </Button>
          <Button kind="quiet" onClick={onRevoke}>
            Revoke
          </Button>
        </div>
      </section>
    );
  }

  return (
    <div className={styles.secret}>
      {failure && <Notice>{failure}</Notice>}
      {address ? (
        <>
          <p>{addressWords(filter)}</p>
          <Button small onClick={onRevoke} aria-label={`Revoke the secret address of ${name}`}>
            Revoke
          </Button>
        </>
      ) : (
        <>
          <p>{addressWords(filter)}</p>
          <Button
            small
            disabled={busy}
            onClick={() => void make()}
            aria-label={`Make a secret address for ${name}`}
          >
            Make a secret address
          </Button>
        </>
      )}
    </div>
  );
}
