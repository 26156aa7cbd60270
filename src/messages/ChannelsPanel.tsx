import { useEffect, useId, useState } from 'react';
import { failureText } from '../api/failureText.ts';
import { addReceiver, type Channels, type Receiver, removeReceiver, testReceiver } from '../api/messages.ts';
import { useSession } from '../session/session.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import styles from './ChannelsPanel.module.css';
import {
  abilities,
  Blocked,
  deviceState,
  deviceWords,
  lostWords,
  receiverHere,
  turnOff,
  turnOn,
} from './device.ts';
import { TeamChannels } from './TeamChannels.tsx';

/** By which channels the person and the team are notified. */
export function ChannelsPanel({
  channels,
  onChanged,
  onTested,
}: {
  channels: Channels;
  onChanged: () => Promise<void>;
  onTested: () => void;
}) {
  const [here, setHere] = useState<string | undefined>(undefined);
  const [unreachable, setUnreachable] = useState(false);
  const [able, setAble] = useState(abilities);
  const [failure, setFailure] = useState<string | null>(null);
  const [done, setDone] = useState('');
  const [busy, setBusy] = useState(false);
  const email = useSession(({ user }) => user?.email ?? '');
  const { receivers, has_email } = channels;
  useEffect(() => {
    void receiverHere().then(setHere);
  }, []);

  const own = receivers.filter(({ is_own }) => is_own);
  const mine = own.find(({ id }) => id === here);
  const device = deviceState(able, mine, unreachable);
  const others = own.filter(({ id, kind }) => id !== here && kind === 'push');
  const mails = own.filter(({ kind }) => kind === 'email');

  const act = async (what: () => Promise<unknown>, said = '') => {
    setBusy(true);
    setFailure(null);
    setDone('');
    try {
      await what();
      await onChanged();
      setDone(said);
    } catch (error) {
      setFailure(failureText(error, 'Unable to save this'));
    }
    setBusy(false);
  };
  const turnOnHere = async () => {
    setBusy(true);
    setFailure(null);
    setUnreachable(false);
    setDone('Asking the browser…');
    try {
      await turnOn();
    } catch (error) {
      if (!(error instanceof Blocked)) setUnreachable(true);
    }
    await onChanged();
    setDone('');
    setAble(abilities());
    setHere(await receiverHere());
    setBusy(false);
  };

  return (
    <Panel heading="Channels">
      <ul className={styles.list}>
        <Channel name="This device" words={deviceWords(device)} isGood={device.kind === 'on'}>
          {device.kind === 'on' && (
            <Button small disabled={busy} onClick={() => void act(() => turnOff(device.receiver))}>
              Turn off
            </Button>
          )}
          {(device.kind === 'off' || device.kind === 'lost' || device.kind === 'unreachable') &&
            able.hasPush && (
              <Button small disabled={busy} onClick={() => void turnOnHere()}>
                Tell me on this device
              </Button>
            )}
        </Channel>
        {mails.length === 0 && (
          <Channel
            name="E-mail"
            words={has_email ? 'Off' : 'E-mail is not set up on this server.'}
            isGood={false}
          >
            {has_email && (
              <Button
                small
                disabled={busy}
                onClick={() =>
                  void act(
                    () => addReceiver({ kind: 'email', address: email }),
                    'Follow the link in the message.',
                  )
                }
              >
                Turn on
              </Button>
            )}
          </Channel>
        )}
        {mails.map((one) => (
          <Channel
            key={one.id}
            name="E-mail"
            words={one.is_confirmed ? wordsOf(one) : `Follow the link that was sent to ${one.name}`}
            isGood={one.is_confirmed && one.state === 'ok'}
          >
            <Button small disabled={busy} onClick={() => void act(() => removeReceiver(one.id))}>
              Turn off
            </Button>
          </Channel>
        ))}
        {others.map((one) => (
          <Channel key={one.id} name={one.name} words={wordsOf(one)} isGood={one.state === 'ok'}>
            <Button small disabled={busy} onClick={() => void act(() => removeReceiver(one.id))}>
              Forget
            </Button>
          </Channel>
        ))}
        <Channel name="In the app" words="always" isGood />
      </ul>
      <p className={styles.test}>
        <Button
          small
          disabled={busy || own.length === 0}
          onClick={() =>
            void act(async () => {
              await Promise.all(own.map(({ id }) => testReceiver(id)));
              onTested();
            }, 'A test is on its way.')
          }
        >
          Send me a test
        </Button>
      </p>
      {failure && <Notice>{failure}</Notice>}
      <p role="status" className={styles.done}>
        {done}
      </p>
      <TeamChannels receivers={receivers.filter(({ is_own }) => !is_own)} onChanged={onChanged} />
    </Panel>
  );
}

const wordsOf = (receiver: Receiver) => {
  if (receiver.state === 'off') return lostWords(receiver);
  return receiver.state === 'ok' ? 'On' : `On. ${receiver.last_error ?? 'The last message failed'}`;
};

/** One way, and how it stands in words. */
export function Channel({
  name,
  words,
  isGood,
  children,
}: {
  name: string;
  words: string;
  isGood: boolean;
  children?: React.ReactNode;
}) {
  const id = useId();
  return (
    <li className={styles.channel} aria-labelledby={id}>
      <b id={id}>{name}</b>
      <span className={styles.words} data-good={isGood || undefined}>
        {words}
      </span>
      {children}
    </li>
  );
}
