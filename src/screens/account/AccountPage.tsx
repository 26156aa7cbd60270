import { useSession, reloadUser } from '../../session/session.ts';
import { Notice } from '../../ui/signs/Notice.tsx';
import { Page, Panel, LoadState } from '../../ui/page/Page.tsx';
import styles from './AccountPage.module.css';
import { SecondFactorPanel } from './SecondFactorPanel.tsx';
import { useState, useRef } from 'react';
import {
  changePassword,
  type AccountSession,
  endOtherSessions,
  endSession,
  listSessions,
} from '../../api/accounts/account.ts';
import { asksForCode } from '../../api/accounts/auth.ts';
import { Button, Named } from '../../ui/controls/Button.tsx';
import { CodeField, Field } from '../../ui/controls/Field.tsx';
import { useAction, useSubmit } from '../../api/useAction.ts';
import { useLoad } from '../../api/useLoad.ts';
import { TimeAgo } from '../../time/TimeAgo.tsx';
import { formatDate } from '../../time/london.ts';
import { Badge } from '../../ui/signs/StatusLine.tsx';
import { counted } from '#contract/numbers.ts';
import { Table } from '../../ui/page/Table.tsx';

const DUTIES = {
  change_password: 'Choose your own password first. The one that you signed in with was made for you.',
  set_up_second_factor: 'Set up a second factor first. This server asks for one.',
} as const;

/** /account: the user's own password, second factor and sessions. Nothing of it is stored on the device. */
export function AccountPage() {
  const user = useSession((session) => session.user);
  if (!user) return null;

  return (
    <Page
      heading="Account"
      about={
        <>
          <bdi>{user.displayName}</bdi>, <bdi>{user.email}</bdi>
        </>
      }
    >
      <div data-stack="6">
        {user.must && <Notice>{DUTIES[user.must]}</Notice>}
        <div className={styles.columns} data-columns="60" data-align="start">
          <PasswordPanel email={user.email} />
          <SecondFactorPanel email={user.email} />
        </div>
        <SessionsPanel />
      </div>
    </Page>
  );
}

const EMPTY = { current: '', next: '', again: '', code: '' };

/** Choosing another password. The typed text stays until the server has accepted it. */
function PasswordPanel({ email }: { email: string }) {
  const [typed, setTyped] = useState(EMPTY);
  const [asksCode, setAsksCode] = useState(false);
  const { action, isBusy, failure, done } = useSubmit(async () => {
    if (typed.next !== typed.again) return 'The two new passwords differ.';
    await changePassword(typed.current, typed.next, typed.code).catch((error: unknown) => {
      if (asksForCode(error)) setAsksCode(true);
      throw error;
    });
    setTyped((now) => (now === typed ? EMPTY : now));
    void reloadUser();
    return { done: 'Your password was changed. Other browsers were signed out.' };
  }, 'Unable to change the password');
  const field = (name: keyof typeof EMPTY) => ({
    type: 'password',
    required: true,
    maxLength: 1024,
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [name]: target.value }),
  });

  return (
    <Panel heading="Password" sheet>
      <form action={action} className={styles.form} data-stack="4">
        {/* Tells a password manager whose password it is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <Field label="Current password" autoComplete="current-password" {...field('current')} />
        <Field
          label="New password"
          autoComplete="new-password"
          hint="At least 8 characters. Three words that have nothing to do with you are best."
          {...field('next')}
        />
        <Field label="New password again" autoComplete="new-password" {...field('again')} />
        {asksCode && <CodeField {...field('code')} type="text" maxLength={32} />}
        {failure && <Notice>{failure}</Notice>}
        <p role="status">{done}</p>
        <Button type="submit" kind="primary" busy={isBusy}>
          {isBusy ? 'Changing...' : 'Change password'}
        </Button>
      </form>
    </Panel>
  );
}

/** The user's sign-ins: browsers, and the displays that the user has approved. Each can be ended. */
function SessionsPanel() {
  const load = useLoad(listSessions, 'Unable to load your sessions');
  const { run, isBusy: busy, failure, done } = useAction();
  const place = useRef<HTMLDivElement>(null);
  const rows = load.data;

  const act = (doIt: () => Promise<string>) =>
    run(async () => {
      const words = await doIt();
      await load.reload();
      // The button disappears with its row. If the user has moved the focus meanwhile, it stays there.
      if (hasFocusOf(place.current)) place.current?.focus();
      return words;
    }, 'Unable to end the session');
  const others = rows?.some((row) => row.kind !== 'display' && !row.current);

  return (
    <div ref={place} tabIndex={-1}>
      <Panel
        heading="Where you are signed in"
        aside={
          others && (
            <Button
              small
              busy={busy}
              onClick={() =>
                void act(async () => `${counted(await endOtherSessions(), 'other browser')} signed out.`)
              }
            >
              Sign out everywhere else
            </Button>
          )
        }
      >
        <LoadState load={load} />
        {failure && <Notice>{failure}</Notice>}
        <p role="status" data-bottom="3">
          {done}
        </p>
        {rows && rows.length > 0 && (
          <Table
            label="Where you are signed in"
            rows={rows}
            keyOf={({ id }) => id}
            columns={{
              'Browser or display': {
                as: 'head',
                cell: (row) => (
                  <>
                    <bdi>{nameOf(row)}</bdi>
                    {row.kind === 'display' && <small>Display, {row.browser}</small>}
                    {row.current && (
                      <span data-block data-top="1">
                        <Badge state="on">This browser</Badge>
                      </span>
                    )}
                  </>
                ),
              },
              Network: ({ network }) => (network ? <bdi>{network}</bdi> : '–'),
              'Last used': ({ last_used_at: at }) => (at ? <TimeAgo at={at} dated /> : '–'),
              Ends: ({ ends_at }) => (ends_at ? formatDate(ends_at) : '–'),
              Actions: {
                as: 'hidden',
                cell: (row) =>
                  !row.current && (
                    <Button
                      small
                      kind="danger"
                      busy={busy}
                      onClick={() =>
                        void act(async () => {
                          await endSession(row.id);
                          return `${nameOf(row)} was signed out.`;
                        })
                      }
                    >
                      {row.kind === 'display' ? 'Unpair' : 'Sign out'} <Named>{nameOf(row)}</Named>
                    </Button>
                  ),
              },
            }}
          />
        )}
      </Panel>
    </div>
  );
}

/** Whether nothing else on the page has the focus. */
const hasFocusOf = (place: HTMLElement | null) =>
  document.activeElement === document.body || place?.contains(document.activeElement);

const nameOf = ({ kind, name, browser }: AccountSession) =>
  (kind === 'display' ? name : browser) || 'Another program';
