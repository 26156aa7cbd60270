import { DAY_MS, HOUR_MS } from '#contract/durations.ts';
import { pageAddress } from '#contract/addresses.ts';
import type { SharedForm } from '#contract/watches/sharing.ts';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { useAction } from '../../../api/useAction.ts';
import {
  changeAddressEnd,
  endAddress,
  keyedAddress,
  makeAddress,
  type SharedAddress,
  type SharedAddresses,
  setFrameHosts,
} from '../../../api/watches/sharing.ts';
import type { Load } from '../../../api/useLoad.ts';
import type { ListedWatch } from '../../../api/watches/watches.ts';
import { useTyped } from '../../../session/session.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { serverNow } from '../../../time/freshness.ts';
import { formatDay } from '../../../time/london.ts';
import { Button, buttonLook } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { Confirm, FormDialog } from '../../../ui/dialogs/Dialog.tsx';
import { bound, Field, SelectField, optionsOf } from '../../../ui/controls/Field.tsx';
import { Menu } from '../../../ui/controls/Menu.tsx';
import { grouped } from '#contract/numbers.ts';
import { Notice } from '../../../ui/signs/Notice.tsx';
import { Reveal } from '../../../ui/dialogs/Reveal.tsx';
import { dayAndClock } from '../../../watches/timeWindow.ts';
import styles from './Share.module.css';

const FORMS: readonly { form: Exclude<SharedForm, 'page'>; name: string; use: string }[] = [
  { form: 'json', name: 'JSON', use: 'programs' },
  { form: 'sse', name: 'Event stream', use: 'programs, as it happens' },
  { form: 'geojson', name: 'GeoJSON', use: 'maps' },
  { form: 'ics', name: 'iCalendar', use: 'calendars' },
  { form: 'csv', name: 'CSV', use: 'spreadsheets' },
  { form: 'cap', name: 'CAP 1.2', use: 'warning systems' },
  { form: 'rss', name: 'RSS', use: 'feed readers' },
  { form: 'atom', name: 'Atom', use: 'feed readers' },
  { form: 'badge', name: 'Badge', use: 'a picture on a page' },
];
const nameOf = (form: SharedForm) => FORMS.find((one) => one.form === form)?.name ?? 'Public page';

/** How long it lasts. */
const ENDS = [
  { value: 'hour', label: 'In 1 hour', ms: HOUR_MS },
  { value: 'shift', label: 'In 8 hours', ms: 8 * HOUR_MS },
  { value: 'day', label: 'In 1 day', ms: DAY_MS },
  { value: 'week', label: 'In 7 days', ms: 7 * DAY_MS },
  { value: 'month', label: 'In 30 days', ms: 30 * DAY_MS },
  { value: 'season', label: 'In 90 days', ms: 90 * DAY_MS },
] as const;
const NEVER = { value: 'never', label: 'No end', ms: null } as const;
type End = (typeof ENDS)[number] | typeof NEVER;

const endAt = (value: string, ends: readonly End[]): string | null => {
  const ms = ends.find((end) => end.value === value)?.ms ?? null;
  return ms === null ? null : new Date(serverNow().getTime() + ms).toISOString();
};

const NOUNS = { route: 'route', area: 'area', feeds: 'filter' } as const;

/** How the watch is shared: a public page, secret addresses, and every format with a key. */
export default function Share({
  watch,
  ways,
  count,
  isLead,
  offline,
}: {
  watch: ListedWatch;
  ways: Load<SharedAddresses> & { reload: () => Promise<void> };
  /** Number there now. */
  count: number;
  isLead: boolean;
  offline: boolean;
}) {
  const [made, setMade] = useState<{ form: SharedForm; address: string } | null>(null);
  const [length, setLength] = useState<string>('week');
  const { run, isBusy: busy, failure } = useAction();
  const known = ways.data;
  const pages = (known?.addresses ?? []).filter(({ form }) => form === 'page');
  const secrets = (known?.addresses ?? []).filter(({ form }) => form !== 'page');
  const isLocked = offline || busy;
  const noun = NOUNS[watch.kind];
  const nobody = `Nobody outside can see this ${noun}.`;

  const make = (form: SharedForm, expires_at: string | null) =>
    run(async () => {
      setMade({ form, address: await makeAddress({ watch_id: watch.id, form, expires_at }) });
      await ways.reload();
    }, 'Unable to make the address');
  const rows = (addresses: readonly SharedAddress[]) => (
    <ul className={styles.addresses}>
      {addresses.map((one) => (
        <Address
          key={one.id}
          address={one}
          hosts={known?.frame_hosts ?? []}
          isLead={isLead}
          isLocked={isLocked}
          onChanged={async () => {
            setMade(null);
            await ways.reload();
          }}
        />
      ))}
    </ul>
  );

  return (
    <div className={styles.share} data-text="sign">
      {ways.state === 'failed' && <Notice>{ways.message}</Notice>}
      {failure && <Notice>{failure}</Notice>}
      <section>
        <header data-columns data-align="center">
          <h3 data-text="lead">Public page</h3>
          <p>
            {pages.length > 0 || isLead
              ? `Nobody needs to sign in. It shows ${count === 1 ? 'this one and its' : `these ${grouped(count)} and their`} age: no names, notes, jobs or other routes.`
              : nobody}
          </p>
        </header>
        {made?.form === 'page' && (
          <Reveal
            heading="Public page made"
            value={made.address}
            about="the address of the public page"
            actions={
              <a href={made.address} target="_blank" rel="noreferrer" {...buttonLook()}>
                Open
              </a>
            }
          >
            Copy its address now: it is not shown again.
          </Reveal>
        )}
        {rows(pages)}
        {known && pages.length === 0 && isLead && (
          <>
            {secrets.length === 0 && (
              <p data-pad="3" data-text="line">
                {nobody}
              </p>
            )}
            <form
              data-row
              data-align="end"
              onSubmit={(event) => {
                event.preventDefault();
                void make('page', endAt(length, ENDS));
              }}
            >
              <SelectField label="It ends" {...bound(length, setLength)}>
                {optionsOf(ENDS.map(({ value, label }) => [value, label]))}
              </SelectField>
              <Button type="submit" busy={busy} disabled={offline}>
                Make a public page
              </Button>
            </form>
          </>
        )}
      </section>
      <section>
        <header data-columns data-align="center">
          <h3 data-text="lead">
            Secret addresses <span>{known ? secrets.length : ''}</span>
          </h3>
          <p>Anyone who has one can read this {noun}. Each is shown once, when it is made.</p>
          {isLead && (
            <Menu
              label="New address"
              small
              busy={busy}
              disabled={offline}
              actions={FORMS.map(({ form, name, use }) => ({
                label: (
                  <>
                    {name} <small data-text="note">{use}</small>
                  </>
                ),
                act: () => void make(form, null),
              }))}
            />
          )}
        </header>
        {made && made.form !== 'page' && (
          <Reveal
            heading={`${nameOf(made.form)} address made`}
            value={made.address}
            about={`the ${nameOf(made.form)} address`}
          >
            Copy it now: it is not shown again.
          </Reveal>
        )}
        {rows(secrets)}
        {!isLead && (
          <p data-pad="3" data-text="line">
            Leads of the team can make these.
          </p>
        )}
      </section>
      <section>
        <header data-columns data-align="center">
          <h3 data-text="lead">With a key</h3>
          <p>
            The same {count === 1 ? 'one' : grouped(count)} in every form.{' '}
            <Link href={pageAddress('keys')} data-tap="line">
              API Keys
            </Link>
          </p>
        </header>
        <p data-bottom="3">
          <code>{keyedAddress(watch.id)}</code>
        </p>
        <ul className={styles.forms}>
          {FORMS.map(({ form, name, use }) => (
            <Form key={form} form={form} name={name} use={use} text={`${keyedAddress(watch.id)}.${form}`} />
          ))}
        </ul>
      </section>
    </div>
  );
}

function Form({ form, name, use, text }: { form: string; name: string; use: string; text: string }) {
  const code = useRef<HTMLElement>(null);
  return (
    <li>
      <b>{name}</b> <code ref={code}>.{form}</code>
      <span data-tone="2">{use}</span>
      <CopyButton text={text} from={code} about={`the ${name} address`} />
    </li>
  );
}

/** "Rosa Jones, today 06:05 · not opened yet · no end" */
function aboutWords({ form, made_by, made_at, last_used_at, expires_at, dies_at }: SharedAddress, now: Date) {
  const at = (time: string) => dayAndClock(new Date(time), now);
  const isPage = form === 'page';
  return [
    [made_by?.display_name, made_at && at(made_at)].filter(Boolean).join(', '),
    last_used_at
      ? `${isPage ? 'last opened' : 'last used'} ${at(last_used_at)}`
      : isPage
        ? 'not opened yet'
        : 'not used yet',
    !isPage && (expires_at ? `ends ${at(expires_at)}` : 'no end'),
    !isPage && dies_at && `dead on ${formatDay(dies_at, now)} if unused`,
  ]
    .filter(Boolean)
    .join(' · ');
}

function Address({
  address,
  hosts,
  isLead,
  isLocked,
  onChanged,
}: {
  address: SharedAddress;
  hosts: readonly string[];
  isLead: boolean;
  isLocked: boolean;
  onChanged: () => Promise<void>;
}) {
  const { id, form, expires_at } = address;
  const isPage = form === 'page';
  const [asking, setAsking] = useState<'end' | 'change' | null>(null);
  const { run, isBusy: busy, failure } = useAction();
  const about = useClock((now) => aboutWords(address, now));
  const ends = useClock((now) => (expires_at ? dayAndClock(new Date(expires_at), now) : ''));
  const act = (what: () => Promise<void>, otherwise: string) =>
    run(async () => {
      await what();
      await onChanged();
      setAsking(null);
    }, otherwise);
  const end = isPage ? 'End this page' : 'End this address';

  return (
    <li data-columns="40" data-align="center" data-text="note" data-tone="1">
      <p>
        <b data-block data-text="lead">
          {isPage ? `On, ends ${ends || 'by hand'}` : nameOf(form)}
        </b>
        <span data-tone="2">
          {about}
          {isPage && hosts.length > 0 && ` · may be framed on ${new Intl.ListFormat('en-GB').format(hosts)}`}
        </span>
      </p>
      {isLead && (
        <span className={styles.acts} data-row>
          <Button
            disabled={isLocked}
            aria-label={`Change: ${nameOf(form)}`}
            onClick={() => setAsking('change')}
          >
            Change
          </Button>
          <Button disabled={isLocked} aria-label={`${end}: ${nameOf(form)}`} onClick={() => setAsking('end')}>
            {end}
          </Button>
        </span>
      )}
      {asking === 'end' && (
        <Confirm
          heading={isPage ? 'End the public page?' : `End the ${nameOf(form)} address?`}
          act={end}
          busy={busy}
          failure={failure}
          onCancel={() => setAsking(null)}
          onAct={() => void act(() => endAddress(id), 'Unable to end it')}
        >
          It stops working for everybody who has it. This cannot be undone.
        </Confirm>
      )}
      {asking === 'change' && (
        <Change
          id={id}
          isPage={isPage}
          hosts={hosts}
          busy={busy}
          failure={failure}
          onCancel={() => setAsking(null)}
          onChange={(value, framed) =>
            act(async () => {
              if (value) await changeAddressEnd(id, endAt(value, [...ENDS, NEVER]));
              if (framed) await setFrameHosts(framed);
            }, 'Unable to save this')
          }
        />
      )}
    </li>
  );
}

/** Changes the end. For a page it also changes the sites that may frame it, which are one list for the whole team. */
function Change({
  id,
  isPage,
  hosts,
  busy,
  failure,
  onCancel,
  onChange,
}: {
  id: string;
  isPage: boolean;
  hosts: readonly string[];
  busy: boolean;
  failure: string | null;
  onCancel: () => void;
  /** Promises whether it was done. */
  onChange: (end: string, hosts: string[] | null) => Promise<boolean>;
}) {
  const before = hosts.join(', ');
  const [typed, setTyped, forget] = useTyped(`address ${id} ${before}`, () => ({ end: '', framed: before }));
  const { end, framed } = typed;
  const options = isPage ? ENDS : [...ENDS, NEVER];
  const change = () => {
    const named = framed === before ? null : framed.split(/[\s,;]+/).filter(Boolean);
    void onChange(end, named).then((isDone) => isDone && forget());
  };

  return (
    <FormDialog
      heading={isPage ? 'Change the public page' : 'Change the address'}
      form={{ action: change, isBusy: busy, failure }}
      act="Save"
      safe
      onClose={onCancel}
      forget={forget}
    >
      <SelectField label="It ends" {...bound(end, (end) => setTyped({ ...typed, end }))}>
        <option value="">As it is</option>
        {optionsOf(options.map(({ value, label }) => [value, label]))}
      </SelectField>
      {isPage && (
        <Field
          label="May be framed on"
          hint="Names of hosts, such as intranet.example.com. They count for all public pages of the team."
          autoComplete="off"
          spellCheck={false}
          {...bound(framed, (framed) => setTyped({ ...typed, framed }))}
        />
      )}
    </FormDialog>
  );
}
