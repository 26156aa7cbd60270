import { pageAddress } from '#contract/addresses.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link } from 'wouter';
import { useAction } from '../../api/useAction.ts';
import { type Channel, listChannels, pauseChannels } from '../../api/watches/channels.ts';
import { listMessages, type Message, seeMessages, sendMessageAgain } from '../../api/watches/messages.ts';
import { ownTeam } from '../../api/accounts/teams.ts';
import { useLoad } from '../../api/useLoad.ts';
import { AppSign } from '../../session/OfflineNotice.tsx';
import { isAdmin, useSession } from '../../session/session.ts';
import { REFRESH_MS } from '../../feeds/refresh/refreshSchedule.ts';
import { setUnseen, useUnseen } from '../../shift/changes/changeStore.ts';
import { cannotWords } from '../../watches/channels/channelWords.ts';
import { useClock } from '../../time/tickingClock.ts';
import { serverNow } from '../../time/freshness.ts';
import { formatClock } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { StatusLine } from '../../ui/signs/StatusLine.tsx';
import { ProductSign } from '../../ui/signs/ProductSign.tsx';
import { ChannelsPanel } from './ChannelsPanel.tsx';
import { receiverHere } from './thisDevice.ts';
import { MessageLog } from './MessageLog.tsx';
import { LoadState, ToolPage } from '../../ui/page/Page.tsx';
import styles from './MessagesPage.module.css';
import { SettingsPanels } from './SettingsPanels.tsx';

/** How long a message must be on screen before it counts as seen. */
const SEEN_AFTER_MS = 3000;
/** How long after no answer it is reported again. */
const SEEN_AGAIN_MS = 30_000;

/** Messages that were sent to the person or held back, with the reason, and the settings for messages. */
export function MessagesPage() {
  const [here, setHere] = useState<string | undefined>(undefined);
  const admin = useSession(isAdmin);
  const team = useLoad(ownTeam, '');
  // While the role is not known the actions are offered, because the server would refuse them in words.
  const isLead = admin || team.data?.role !== 'member';
  const [refreshedAt, setRefreshedAt] = useState<Date | null>(null);
  const [older, setOlder] = useState<{ messages: Message[]; next: string | null } | null>(null);
  const { run, isBusy, failure } = useAction();
  const { reload: reloadLog, ...log } = useLoad(
    async (signal) => {
      const here = await receiverHere();
      const { data } = await listMessages({ here: here ?? 'none' }, signal);
      setHere(here);
      setRefreshedAt(serverNow());
      setOlder(null);
      setUnseen(data.unseen);
      return data;
    },
    'Unable to load the messages',
    { until: 'answered' },
  );
  const { reload: reloadChannels, ...channels } = useLoad(listChannels, 'Unable to load the channels', {
    until: 'answered',
  });
  const page = log.data;
  const known = channels.data;
  // A page that was loaded twice, or that came after the list was read again, adds no message twice.
  const messages = onlyFirst([...(page?.messages ?? []), ...(older?.messages ?? [])]);
  const next = older ? older.next : (page?.next_cursor ?? null);

  // After a push, or when the user comes back to the page, there may be new messages.
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') void reloadLog();
    };
    document.addEventListener('visibilitychange', look);
    navigator.serviceWorker?.addEventListener('message', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      navigator.serviceWorker?.removeEventListener('message', look);
    };
  }, [reloadLog]);
  // A page that stays open shows what arrives, as the board does. Older pages that were opened stay as they are.
  const refresh = useEffectEvent(() => {
    if (document.visibilityState === 'visible' && older === null) void reloadLog();
  });
  useEffect(() => {
    const timer = setInterval(() => refresh(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  useSeen(messages, page);

  const pausedUntil = known?.paused_until ?? null;

  return (
    <ToolPage
      className={styles.header}
      header={
        <>
          <h1>Messages</h1>
          <Link href={pageAddress('briefs')} data-tap>
            Briefs
          </Link>
          <p data-text="note">
            {log.state === 'loading'
              ? 'Loading...'
              : refreshedAt && `Last refresh ${formatClock(refreshedAt, { seconds: true })}`}
          </p>
          <Button
            disabled={!known}
            aria-disabled={isBusy}
            onClick={() =>
              void run(async () => {
                await pauseChannels(pausedUntil ? 0 : 60);
                await reloadChannels();
              }, 'Unable to pause')
            }
          >
            {pausedUntil ? `Paused until ${formatClock(pausedUntil)}: go on` : 'Pause 1 hour'}
          </Button>
        </>
      }
    >
      <div data-notice role="status">
        <AppSign />
        {page?.behind && (
          <ProductSign>
            <strong>
              Messages are behind: {page.behind.waiting} {page.behind.waiting === 1 ? 'waits' : 'wait'} since{' '}
              {formatClock(page.behind.since)}.
            </strong>
          </ProductSign>
        )}
      </div>
      {failure && <Notice>{failure}</Notice>}
      {known && <Failing channels={known.channels} />}
      <div className={styles.columns} data-columns="60">
        <MessageLog
          messages={messages}
          unseen={page?.unseen ?? 0}
          possible={page?.possible ?? 0}
          failed={page?.failed ?? 0}
          here={here}
          onAgain={async (ids) => {
            for (const id of ids) await sendMessageAgain(id);
            await reloadLog();
          }}
          isLoaded={page !== undefined}
          failure={log.state === 'failed' ? log.message : null}
          onRetry={() => void reloadLog()}
          onOlder={
            next === null
              ? null
              : () =>
                  void run(async () => {
                    const here = await receiverHere();
                    const { data } = await listMessages({ here: here ?? 'none', cursor: next });
                    setOlder((before) => ({
                      messages: [...(before?.messages ?? []), ...data.messages],
                      next: data.next_cursor ?? null,
                    }));
                  }, 'Unable to load older messages')
          }
        />
        <aside id="channels" className={styles.settings} data-stack aria-label="How you are told">
          <LoadState load={channels} again={reloadChannels} />
          {known && (
            <>
              <ChannelsPanel
                channels={known}
                isLead={isLead}
                onChanged={reloadChannels}
                onTested={() => void reloadLog()}
              />
              <SettingsPanels settings={known.settings} onChanged={reloadChannels} />
            </>
          )}
        </aside>
      </div>
    </ToolPage>
  );
}

/** The failing channels, also shown above the log when the channels are below it. */
function Failing({ channels }: { channels: readonly Channel[] }) {
  return channels
    .filter(({ state }) => state === 'failing')
    .map((one) => <FailingOne key={one.id} channel={one} />);
}

function FailingOne({ channel }: { channel: Channel }) {
  const words = useClock((now) => cannotWords(channel, now));
  return (
    <p data-top="3" data-only="narrow">
      <StatusLine status="severe">
        <b>
          {channel.name} {words}.
        </b>{' '}
        {channel.why}{' '}
        <a href="#channels" data-tap="line">
          See Channels
        </a>
      </StatusLine>
    </p>
  );
}

const onlyFirst = (messages: readonly Message[]): Message[] =>
  messages.filter(({ id }, at) => messages.findIndex((one) => one.id === id) === at);

/** Reports to the server which messages were on screen while the user looked at the page. */
function useSeen(messages: readonly Message[], answer: unknown) {
  const ids = messages.flatMap(({ id, is_seen }) => (is_seen ? [] : [id])).join(' ');
  /** Which messages the server knows as seen, and how often it was not reached. */
  const [had, setHad] = useState('');
  const [failures, setFailures] = useState(0);
  useEffect(() => {
    if (!answer || ids === '' || ids === had) return undefined;
    const report = async () => {
      if (document.visibilityState !== 'visible') return; // when the user comes back, the list is read again
      if (await reportSeen(ids.split(' '))) setHad(ids);
      else setFailures(failures + 1);
    };
    const timer = setTimeout(() => void report(), failures === 0 ? SEEN_AFTER_MS : SEEN_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [ids, had, failures, answer]);
}

/** Promises whether the server has the report. */
async function reportSeen(ids: readonly string[]): Promise<boolean> {
  try {
    await seeMessages(ids);
    // Older messages that the page has not loaded stay unseen.
    setUnseen(Math.max(0, useUnseen.getState().count - ids.length));
    return true;
  } catch {
    return false;
  }
}
