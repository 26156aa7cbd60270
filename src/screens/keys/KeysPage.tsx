import { pageAddress } from '#contract/addresses.ts';
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useSubmit } from '../../api/useAction.ts';
import { API_ORIGIN } from '../../api/http.ts';
import { listKeys, createKey } from '../../api/accounts/keys.ts';
import { useLoad } from '../../api/useLoad.ts';
import { useSession } from '../../session/session.ts';
import { useTrackView } from '../../api/accounts/analytics.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted } from '#contract/numbers.ts';
import { Empty } from '../../ui/page/Empty.tsx';
import { LoadState, Page, Panel } from '../../ui/page/Page.tsx';
import { KeyTable } from './KeyTable.tsx';
import { Reveal } from '../../ui/dialogs/Reveal.tsx';
import { confirmPassword } from '../../api/accounts/account.ts';
import { asksForCode } from '../../api/accounts/auth.ts';
import { FormDialog } from '../../ui/dialogs/Dialog.tsx';
import { bound, CodeField, Field, SelectField } from '../../ui/controls/Field.tsx';
import { useRuntimeConfig } from '../../api/runtimeConfig.ts';

/** The user's API keys. They are not stored on the device, so without the server there is nothing to show. */
export function KeysPage() {
  useTrackView('api_keys_viewed');
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<{ name: string; key: string } | null>(null);
  const [confirming, setConfirming] = useState(false);
  const [deleted, setDeleted] = useState<string | null>(null);
  const create = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  const { reload, ...load } = useLoad(listKeys, 'Failed to load API keys', { until: 'answered' });
  const keys = load.data;

  return (
    <Page
      heading="API Keys"
      about={
        <>
          One key per system. Delete a key the moment you stop using it. The addresses that a key can read are
          under <Link href={pageAddress('routes')}>Routes and areas</Link>, Share. The{' '}
          <a href={`${API_ORIGIN}/docs/guide`}>guide to the API</a> says how to make calls.
        </>
      }
      aside={
        <Button ref={create} kind="primary" aria-expanded={creating} onClick={() => setCreating(true)}>
          <PlusIcon weight="bold" aria-hidden /> Create New Key
        </Button>
      }
    >
      <div data-stack="6">
        {creating && (
          <CreateKeyForm
            onClose={() => {
              setCreating(false);
              create.current?.focus();
            }}
            onCreated={(name, key) => {
              setCreating(false);
              setMade({ name, key });
              void reload();
            }}
          />
        )}
        {made && (
          <NewKeyCard
            key={made.key}
            name={made.name}
            value={made.key}
            onDismiss={() => {
              setMade(null);
              create.current?.focus();
            }}
          />
        )}
        <div ref={list} tabIndex={-1}>
          <Panel
            heading="Your keys"
            aside={keys && keys.length > 0 && <p data-tone="3">{counted(keys.length, 'key')}</p>}
          >
            <LoadState load={load} again={reload}>
              <p>Keys are never stored on this device. They appear when the server answers again.</p>
            </LoadState>
            {keys?.length === 0 && !made && (
              <Empty heading="No API Keys Yet" as="h3">
                <p>Create a key, and your own systems can read events and disruptions with it.</p>
              </Empty>
            )}
            {keys && keys.length > 0 && (
              <KeyTable
                keys={keys}
                onGone={reload}
                onShow={() => setConfirming(true)}
                onDeleted={(name) => {
                  setDeleted(name);
                  list.current?.focus();
                }}
              />
            )}
          </Panel>
        </div>
        {confirming && (
          <ConfirmPassword
            onCancel={() => setConfirming(false)}
            onConfirmed={async () => {
              await reload();
              setConfirming(false);
              list.current?.focus();
            }}
          />
        )}
        <div role="status">
          {deleted !== null && (
            <span data-hidden>
              <bdi>{deleted}</bdi> was deleted
            </span>
          )}
        </div>
      </div>
    </Page>
  );
}

/** A new key's full value, until the user dismisses it. */
function NewKeyCard({ name, value, onDismiss }: { name: string; value: string; onDismiss: () => void }) {
  return (
    <Reveal
      as="h2"
      heading={
        <>
          <bdi>{name}</bdi> is ready
        </>
      }
      value={value}
      actions={
        <Button kind="quiet" onClick={onDismiss}>
          Dismiss
        </Button>
      }
    >
      Make sure to copy your API key now. You won't be able to see it again!
    </Reveal>
  );
}

/** Asks for the password again and, if the account has a second factor, for a code. */
function ConfirmPassword({
  onConfirmed,
  onCancel,
}: {
  /** Promises that the keys were read again. */
  onConfirmed: () => Promise<void>;
  onCancel: () => void;
}) {
  const email = useSession(({ user }) => user?.email ?? '');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const form = useSubmit(async () => {
    await confirmPassword(password, code).catch((error: unknown) => {
      if (asksForCode(error)) setAsksCode(true);
      throw error;
    });
    await onConfirmed();
  }, 'Unable to confirm the password');

  return (
    <FormDialog heading="Confirm your password" form={form} act="Show keys" safe onClose={onCancel}>
      <p>Full keys are shown for 15 minutes.</p>
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <Field
        label="Your password"
        type="password"
        required
        maxLength={1024}
        autoComplete="current-password"
        {...bound(password, setPassword)}
      />
      {asksCode && <CodeField required {...bound(code, setCode)} />}
    </FormDialog>
  );
}

/** Creates a key of the free tier; the team grants the other tiers. The form is empty each time it is opened. */
function CreateKeyForm({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (name: string, key: string) => void;
}) {
  const { contact_email } = useRuntimeConfig();
  const [name, setName] = useState('');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  const { action, isBusy, failure } = useSubmit(
    async () => onCreated(name.trim(), await createKey(name)),
    'Failed to create API key',
  );

  return (
    <Panel heading="New key" sheet>
      <form ref={form} action={action} data-stack="5">
        {failure && <Notice>{failure}</Notice>}
        <div data-grid data-align="start">
          <Field
            label="Name"
            name="name"
            required
            // Enough for the server's own limit in any script.
            maxLength={200}
            autoComplete="off"
            placeholder="Production, Development, Testing"
            hint="The system that will use it."
            {...bound(name, setName)}
          />
          <SelectField
            label="Tier"
            name="tier"
            disabled
            defaultValue="free"
            hint={
              <>
                For a higher tier, <a href={`mailto:${contact_email}`}>ask the team</a>.
              </>
            }
          >
            <option value="free">free</option>
          </SelectField>
        </div>
        <div data-row="3">
          <Button type="submit" kind="primary" busy={isBusy}>
            {isBusy ? 'Creating...' : 'Create Key'}
          </Button>
          <Button kind="quiet" busy={isBusy} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Panel>
  );
}
