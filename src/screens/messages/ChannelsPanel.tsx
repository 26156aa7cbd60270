import { lazy, Suspense, useEffect, useState } from 'react';
import {
  addChannel,
  type Channel,
  type Channels,
  removeChannel,
  testChannel,
  turnChannelOn,
} from '../../api/watches/channels.ts';
import { useAction } from '../../api/useAction.ts';
import {
  brokenFirst,
  channelStatus,
  KIND_WORDS,
  standsWords,
  whatWords,
} from '../../watches/channels/channelWords.ts';
import { useSession } from '../../session/session.ts';
import { useClock } from '../../time/tickingClock.ts';
import { formatClock } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { counted } from '#contract/numbers.ts';
import { Notice } from '../../ui/signs/Notice.tsx';
import { Panel } from '../../ui/page/Page.tsx';
import { StatusLine, type Status } from '../../ui/signs/StatusLine.tsx';
import styles from './ChannelsPanel.module.css';
import {
  abilities,
  Blocked,
  deviceState,
  type DeviceState,
  deviceWords,
  receiverHere,
  turnOff,
  turnOn,
} from './thisDevice.ts';

const AddChannel = lazy(() => import('../../watches/channels/AddChannel.tsx'));

/** The channels of the team and the person. Channels that cannot be relied on come first. */
export function ChannelsPanel({
  channels: { channels, has_email },
  isLead,
  onChanged,
  onTested,
}: {
  channels: Channels;
  isLead: boolean;
  onChanged: () => Promise<void>;
  onTested: () => void;
}) {
  const [here, setHere] = useState<string | undefined>(undefined);
  const [unreachable, setUnreachable] = useState(false);
  const [able, setAble] = useState(abilities);
  const { run, isBusy, failure, done } = useAction();
  const [isAsking, setAsking] = useState(false);
  const [editing, setEditing] = useState<Channel | 'new' | null>(null);
  const email = useSession(({ user }) => user?.email ?? '');
  useEffect(() => {
    void receiverHere().then(setHere);
  }, []);

  const team = channels.filter(({ is_team }) => is_team);
  const own = channels.filter(({ is_team }) => !is_team);
  const device = deviceState(
    able,
    own.find(({ id }) => id === here),
    unreachable,
  );
  const others = own.filter(({ id }) => id !== here);

  const act = (what: () => Promise<unknown>, said = '') =>
    run(async () => {
      await what();
      await onChanged();
      return said;
    }, 'Unable to save this');
  const turnOnHere = () =>
    act(async () => {
      setUnreachable(false);
      setAsking(true);
      try {
        await turnOn();
      } catch (error) {
        if (!(error instanceof Blocked)) setUnreachable(true);
      }
      setAsking(false);
      setAble(abilities());
      setHere(await receiverHere());
    });
  const row = (one: Channel) => (
    <OneChannel
      key={one.id}
      channel={one}
      busy={isBusy}
      onEdit={() => setEditing(one)}
      onAsk={() =>
        void act(
          async () => {
            await testChannel(one.id);
            onTested();
          },
          one.kind === 'email' ? 'It was asked again.' : 'A test is on its way.',
        )
      }
      onTurnOn={() => void act(() => turnChannelOn(one.id), `${one.name} is on again.`)}
      onForget={() => void act(() => removeChannel(one.id))}
    />
  );

  return (
    <Panel
      heading="Channels"
      aside={
        <Button small aria-haspopup="dialog" onClick={() => setEditing('new')}>
          Add a channel
        </Button>
      }
    >
      {channels.length === 0 && (
        <p data-pad="3" data-text="note">
          Only in the app. Add Teams, Slack, e-mail or a webhook.
        </p>
      )}
      {team.length > 0 && (
        <>
          <h3 className={styles.group} data-text="label" data-tone="2">
            The team’s, {team.length}
          </h3>
          <ul className={styles.list} aria-label="The team’s channels">
            {brokenFirst(team).map(row)}
          </ul>
        </>
      )}
      <h3 className={styles.group} data-text="label" data-tone="2">
        Mine, {others.length + 2}
      </h3>
      <ul className={styles.list} aria-label="My channels">
        {brokenFirst(others).map(row)}
        <li>
          <p>
            <b data-text="strong">This device</b>
          </p>
          <StatusLine status={deviceStatus(device)}>{deviceWords(device)}</StatusLine>
          {device.kind === 'on' && (
            <Button busy={isBusy} onClick={() => void act(() => turnOff(device.receiver))}>
              Turn off
            </Button>
          )}
          {(device.kind === 'off' || device.kind === 'lost' || device.kind === 'unreachable') &&
            able.hasPush && (
              <Button busy={isBusy} onClick={() => void turnOnHere()}>
                Tell me on this device
              </Button>
            )}
        </li>
        {has_email && !own.some(({ kind }) => kind === 'email') && (
          <li>
            <p>
              <b data-text="strong">E-mail</b>
            </p>
            <StatusLine status="off">Off</StatusLine>
            <Button
              busy={isBusy}
              onClick={() =>
                void act(
                  () => addChannel({ kind: 'email', address: email }),
                  'Follow the link in the message.',
                )
              }
            >
              Turn on
            </Button>
          </li>
        )}
        <li>
          <p>
            <b data-text="strong">In the app</b>
          </p>
          <StatusLine status="good">Always</StatusLine>
        </li>
      </ul>
      {!has_email && (
        <p data-pad="3" data-text="note">
          E-mail is not set up on this server.
        </p>
      )}
      <p data-top="3">
        <Button
          small
          busy={isBusy}
          disabled={own.length === 0}
          onClick={() =>
            void act(async () => {
              await Promise.all(own.map(({ id }) => testChannel(id)));
              onTested();
            }, 'A test is on its way.')
          }
        >
          Send me a test
        </Button>
      </p>
      {failure && <Notice>{failure}</Notice>}
      <p role="status" className={styles.done}>
        {isAsking ? 'Asking the browser…' : done}
      </p>
      {editing && (
        <Suspense fallback={null}>
          <AddChannel
            {...(editing !== 'new' && { channel: editing })}
            hasEmail={has_email}
            isLead={isLead}
            onClose={() => setEditing(null)}
            onAdded={onChanged}
          />
        </Suspense>
      )}
    </Panel>
  );
}

const deviceStatus = ({ kind }: DeviceState): Status | 'off' =>
  kind === 'on' ? 'good' : kind === 'off' ? 'off' : 'none';

function OneChannel({
  channel,
  busy,
  onEdit,
  onAsk,
  onTurnOn,
  onForget,
}: {
  channel: Channel;
  busy: boolean;
  onEdit: () => void;
  onAsk: () => void;
  onTurnOn: () => void;
  onForget: () => void;
}) {
  const { name, kind, state, what, why, waiting, next_at, failed, can_change } = channel;
  const stands = useClock((now) => standsWords(channel, now));
  const behind = [
    failed > 0 && `${failed} not delivered`,
    waiting > 0 && `${counted(waiting, 'message')} ${waiting === 1 ? 'waits' : 'wait'}`,
    waiting > 0 && next_at && `next try ${formatClock(next_at)}`,
  ].filter(Boolean);
  const isNamed = kind !== 'email' && kind !== 'device';
  /** The channel's one button: its action, and its words before and after the channel's name. */
  const [act, before, after] =
    kind === 'device'
      ? [onForget, 'Forget']
      : state === 'unconfirmed' && kind === 'email'
        ? [onAsk, 'Ask', 'again']
        : state === 'off'
          ? [onTurnOn, 'Turn', 'on']
          : [onEdit, state === 'working' ? 'Change' : 'Repair'];

  return (
    <li data-bad={state === 'failing' || undefined}>
      <p>
        <b data-text="strong">{name}</b> {isNamed && <span>{KIND_WORDS[kind]}</span>}
      </p>
      <StatusLine status={channelStatus(channel)}>
        {stands}
        {state !== 'working' && why && `: ${why}`}
      </StatusLine>
      <small>
        {behind.length > 0
          ? behind.join(', ')
          : state === 'unconfirmed'
            ? 'Gets nothing until confirmed'
            : state !== 'off' && whatWords(what)}
      </small>
      {can_change && (
        <Button
          busy={busy}
          aria-haspopup={act === onEdit ? 'dialog' : undefined}
          aria-label={`${before} ${name}${after ? ` ${after}` : ''}`}
          onClick={act}
        >
          {[before, after].filter(Boolean).join(' ')}
        </Button>
      )}
    </li>
  );
}
