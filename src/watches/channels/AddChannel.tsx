import type { What } from '#contract/messages/channels.ts';
import { useState } from 'react';
import {
  addChannel,
  type Channel,
  changeChannel,
  removeChannel,
  rotateChannel,
  testChannel,
} from '../../api/watches/channels.ts';
import { useAction, useSubmit } from '../../api/useAction.ts';
import { useSession, useTyped } from '../../session/session.ts';
import { formatDateTime } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Check, Choice } from '../../ui/controls/Choice.tsx';
import { Confirm, ToolDialog } from '../../ui/dialogs/Dialog.tsx';
import { bound, Field } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { Reveal } from '../../ui/dialogs/Reveal.tsx';
import { SegmentedSwitch } from '../../ui/controls/SegmentedSwitch.tsx';
import styles from './AddChannel.module.css';

type Kind = 'teams' | 'slack' | 'email' | 'webhook';

const KINDS: readonly { value: Kind; label: string; hint: string }[] = [
  {
    value: 'teams',
    label: 'Teams',
    hint: 'In Teams: the channel, Workflows, “Post to a channel when a webhook request is received”. The address is the secret: we do not show it again.',
  },
  {
    value: 'slack',
    label: 'Slack',
    hint: 'In Slack: an app of yours with “Incoming Webhooks”, “Add New Webhook”. The address is the secret: we do not show it again.',
  },
  {
    value: 'email',
    label: 'E-mail',
    hint: 'We ask there first. Nothing else is sent before the link is followed.',
  },
  {
    value: 'webhook',
    label: 'Webhook',
    hint: 'Begins with https://. Messages are signed; the secret is shown once.',
  },
];

const WHOSE = [
  { value: 'team', label: 'The team’s' },
  { value: 'mine', label: 'Mine' },
] as const;

const WHAT: readonly { name: keyof What; label: string; about: string }[] = [
  { name: 'alerts', label: 'Alerts', about: 'told at once, as each route or area says' },
  { name: 'changes', label: 'Changes', about: 'each change that it lets through' },
  { name: 'digest', label: 'Digest', about: 'what was not told at once, 06:00' },
  { name: 'brief', label: 'Brief', about: 'one page, before the day begins' },
];

const GETS: Readonly<Record<Kind, What>> = {
  teams: { alerts: true, changes: false, digest: true, brief: false },
  slack: { alerts: true, changes: false, digest: true, brief: false },
  email: { alerts: true, changes: false, digest: true, brief: false },
  webhook: { alerts: false, changes: true, digest: false, brief: false },
};

const TAKERS: Readonly<Record<Kind, string>> = {
  teams: 'One test message is sent. It is on when Teams takes it.',
  slack: 'One test message is sent. It is on when Slack takes it.',
  email: 'It is on when the link in the message is followed.',
  webhook: 'One test is sent. It is on when your system takes it.',
};

/** Adds a channel, or changes one: its kind, owner and address, its messages, and the routes, areas and feeds that
 *  they are about. */
export default function AddChannel({
  channel,
  hasEmail,
  isLead,
  from,
  watches,
  onClose,
  onAdded,
}: {
  /** The channel to change; absent for a new one. */
  channel?: Channel;
  hasEmail: boolean;
  isLead: boolean;
  /** The route, area or feed on whose page the channel is added. */
  from?: { id: string; name: string };
  /** How many routes, areas and feeds there are. */
  watches?: number;
  onClose: () => void;
  /** Promises that the page lists the channel. */
  onAdded: () => Promise<void>;
}) {
  const email = useSession(({ user }) => user?.email ?? '');
  const offered = KINDS.filter(({ value }) => value !== 'email' || hasEmail);
  const begun: Kind = channel && channel.kind !== 'device' ? channel.kind : offered[0]!.value; // there are always three kinds
  const [typed, setTyped, forget] = useTyped(`channel ${channel?.id ?? ''}`, () => ({
    kind: begun,
    whose: (isLead ? 'team' : 'mine') as 'team' | 'mine',
    name: channel?.name ?? '',
    address: '',
    what: channel?.what ?? GETS[begun],
    all: channel ? channel.watch_ids === null : from === undefined,
  }));
  const { kind, whose, name, address, what, all } = typed;
  const set = (changed: Partial<typeof typed>) => setTyped({ ...typed, ...changed });
  const [secret, setSecret] = useState<string | null>(null);
  const { label, hint } = KINDS.find(({ value }) => value === kind)!; // one of them
  const isMail = kind === 'email';
  const chosen = channel?.watch_ids ?? (from ? [from.id] : []);

  const {
    action: submit,
    isBusy: saving,
    failure,
  } = useSubmit(async () => {
    const watch_ids = all ? null : [...chosen];
    if (channel) {
      await changeChannel(channel.id, { name, what, watch_ids, ...(address && { address }) });
    } else {
      const shared = { is_team: whose === 'team', what, watch_ids };
      const made = await addChannel(
        kind === 'email'
          ? { kind, address: address.trim(), ...(name.trim() && { name }), ...shared }
          : { kind, name: name.trim() || label, address: address.trim(), ...shared },
      );
      if (made.secret) {
        forget();
        setSecret(made.secret);
        return onAdded();
      }
    }
    forget();
    await onAdded();
    return onClose();
  }, 'Unable to save this');
  const close = () => {
    if (!saving) onClose();
  };
  const choose = (next: Kind) => {
    const isOwn = next === 'email' && address === '' && whose === 'mine';
    set({ kind: next, what: GETS[next], ...(isOwn && { address: email }) });
  };

  return (
    <ToolDialog
      heading={channel ? `Change ${channel.name}` : 'Add a channel'}
      action={submit}
      onClose={close}
      footer={
        secret ? (
          <Button kind="primary" onClick={onClose}>
            Close
          </Button>
        ) : (
          <>
            <p>{(!channel || address) && TAKERS[kind]}</p>
            <Button
              aria-disabled={saving}
              onClick={() => {
                if (saving) return;
                forget();
                onClose();
              }}
            >
              Cancel
            </Button>
            <Button type="submit" kind="primary" busy={saving}>
              {channel ? 'Save' : isMail ? 'Add and ask there' : 'Add and send a test'}
            </Button>
          </>
        )
      }
    >
      <div data-stack="4">
        {secret ? (
          <Reveal heading="Signing secret" value={secret} about="signing secret">
            Copy it now: it is not shown again.
          </Reveal>
        ) : (
          <>
            {!channel && (
              <div className={styles.kinds}>
                <Choice legend="Kind" options={offered} value={kind} onChange={choose} />
              </div>
            )}
            <div className={styles.two} data-row="4" data-align="stretch">
              {!channel && isLead && (
                <div className={styles.field} data-stack="1" data-align="start">
                  <span data-text="strong" aria-hidden="true">
                    Whose
                  </span>
                  <SegmentedSwitch
                    label="Whose"
                    options={WHOSE}
                    value={whose}
                    onChange={(to) => set({ whose: to })}
                  />
                </div>
              )}
              <Field
                label="Name"
                {...bound(name, (name) => set({ name }))}
                maxLength={80}
                autoComplete="off"
                placeholder={isMail ? 'as the address' : label}
              />
            </div>
            <Field
              label={channel ? 'New address, if it has changed' : 'Address'}
              hint={hint}
              type={isMail ? 'email' : 'url'}
              required={!channel}
              autoComplete="off"
              spellCheck={false}
              {...bound(address, (address) => set({ address }))}
            />
            <fieldset className={styles.gets}>
              <legend data-text="strong">Gets</legend>
              <div>
                {WHAT.map((one) => (
                  <Check
                    key={one.name}
                    label={
                      <>
                        <b data-block>{one.label}</b>
                        <span data-text="note">{one.about}</span>
                      </>
                    }
                    checked={what[one.name]}
                    onChange={(isOn) => set({ what: { ...what, [one.name]: isOn } })}
                  />
                ))}
              </div>
            </fieldset>
            {channel && (
              <Existing
                channel={channel}
                onSecret={setSecret}
                onRemoved={async () => {
                  await onAdded();
                  onClose();
                }}
              />
            )}
            {chosen.length > 0 && (
              <div className={styles.field} data-stack="1" data-align="start">
                <span data-text="strong" aria-hidden="true">
                  From
                </span>
                <SegmentedSwitch
                  label="From"
                  options={[
                    {
                      value: 'all',
                      label: watches
                        ? `All ${watches} routes, areas and feeds`
                        : 'All routes, areas and feeds',
                    },
                    { value: 'chosen', label: `Chosen, ${chosen.length}` },
                  ]}
                  value={all ? 'all' : 'chosen'}
                  onChange={(next) => set({ all: next === 'all' })}
                />
                {!all && (
                  <p data-text="note">{from ? `${from.name}.` : 'Others are ticked under Tell of each.'}</p>
                )}
              </div>
            )}
          </>
        )}
        {failure && <Notice>{failure}</Notice>}
      </div>
    </ToolDialog>
  );
}

/** Other actions on a channel that exists. */
function Existing({
  channel: { id, name, kind, has_secret, both_sign_until },
  onSecret,
  onRemoved,
}: {
  channel: Channel;
  onSecret: (secret: string) => void;
  onRemoved: () => Promise<void>;
}) {
  const [asking, setAsking] = useState(false);
  const { run, isBusy, failure, done } = useAction();
  const act = (what: () => Promise<string | void>) => void run(what, 'Unable to do this');

  return (
    <div>
      <p data-row>
        <Button
          small
          busy={isBusy}
          onClick={() =>
            act(async () => {
              await testChannel(id);
              return 'A test is on its way.';
            })
          }
        >
          Send a test
        </Button>
        {kind === 'webhook' && has_secret && (
          <Button
            small
            busy={isBusy}
            onClick={() =>
              act(async () => {
                const { secret } = await rotateChannel(id);
                if (secret) onSecret(secret);
              })
            }
          >
            New secret
          </Button>
        )}
        <Button small busy={isBusy} onClick={() => setAsking(true)}>
          Delete
        </Button>
        <span role="status">{done}</span>
      </p>
      {both_sign_until && <p>The old secret signs as well until {formatDateTime(both_sign_until)}.</p>}
      {failure && !asking && <Notice>{failure}</Notice>}
      {asking && (
        <Confirm
          heading={`Delete “${name}”?`}
          act="Delete channel"
          busy={isBusy}
          failure={failure}
          onCancel={() => setAsking(false)}
          onAct={() =>
            act(async () => {
              await removeChannel(id);
              await onRemoved();
            })
          }
        >
          Nothing more is sent there; messages that wait are dropped.
        </Confirm>
      )}
    </div>
  );
}
