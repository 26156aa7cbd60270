import { pageAddress } from '#contract/addresses.ts';
import { type Ref, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'wouter';
import {
  deleteLayout,
  type ListedLayout,
  listLayouts,
  listStandingMessages,
  type StandingMessage,
  withdrawMessage,
} from '../../api/displays/layouts.ts';
import { useAction } from '../../api/useAction.ts';
import { teamDisplays } from '../../api/accounts/teams.ts';
import { useLoad } from '../../api/useLoad.ts';
import { dateOf } from '../../feeds/alerts/alerts.ts';
import { useBoard } from '../../feeds/refresh/useBoard.ts';
import { formatClock } from '../../time/london.ts';
import { Button, buttonLook } from '../../ui/controls/Button.tsx';
import { Confirm } from '../../ui/dialogs/Dialog.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted } from '#contract/numbers.ts';
import { Page, Panel, LoadState } from '../../ui/page/Page.tsx';
import { Severity } from '../../ui/signs/Severity.tsx';
import { useWallJobs, useWallWatches } from '../../watches/useWatches.ts';
import { DisplayDialog } from './DisplayDialog.tsx';
import { FleetTable, layoutOf } from './FleetTable.tsx';
import { GiveDialog } from './GiveDialog.tsx';
import { LayoutEditor } from './LayoutEditor.tsx';
import styles from './LayoutsPage.module.css';
import { MessageDialog } from './MessageDialog.tsx';
import { NEW_PAGE } from './pages.ts';
import type { ListedDisplay } from './shownLayout.ts';

/** How often the displays' states are loaded again. */
const LOOK_MS = 15_000;

const NEW: ListedLayout = {
  id: '',
  name: '',
  pages: [NEW_PAGE],
  pin_criticals: true,
  rev: 0,
};

type Asked =
  | { to: 'message' }
  | { to: 'give' | 'delete'; layout: ListedLayout }
  | { to: 'display'; display: ListedDisplay };

/** /admin/displays/layouts: the layout of each wall of the team, messages to walls, and whether they show them. */
export function LayoutsPage() {
  const { reload, ...load } = useLoad(async (signal) => {
    const [layouts, displays, messages] = await Promise.all([
      listLayouts(signal),
      teamDisplays(signal),
      listStandingMessages(signal),
    ]);
    return { layouts, displays, messages };
  }, 'Unable to load the layouts');
  const board = useBoard(true);
  const { data, at } = useWallWatches('team');
  const jobs = useWallJobs('team');
  const [chosen, setChosen] = useState<string | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const send = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reload();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [reload]);

  const close = () => setAsked(null);
  const done = async () => {
    await reload();
    close();
  };
  /** `focus`: the element with the focus may be gone. */
  const choose = (id: string | null, { focus }: { focus: boolean }) => {
    flushSync(() => setChosen(id));
    if (focus) list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus();
  };
  const known = load.data;
  const routes = data && at && { data, at };

  return (
    <Page
      heading="Layouts"
      about="What each display shows. A change reaches every connected display within 65 seconds."
      aside={
        known && (
          <div data-tight="2" data-row="3">
            <Button onClick={() => setChosen(NEW.id)}>New layout</Button>
            <Button ref={send} kind="primary" onClick={() => setAsked({ to: 'message' })}>
              Send a message
            </Button>
          </div>
        )
      }
    >
      <LoadState load={load} />
      {known && (
        <div data-stack="6">
          <Standing messages={known.messages} onGone={reload} focus={() => send.current?.focus()} />
          <Chosen
            {...known}
            chosen={chosen}
            list={list}
            onChoose={(id) => setChosen(id)}
            onAsk={setAsked}
            onLoad={async (id, options) => {
              await reload();
              choose(id, options);
            }}
            routes={data?.watches ?? []}
            shown={{ board, routes, jobs }}
          />
          {known.displays.length > 0 ? (
            <FleetTable
              displays={known.displays}
              layouts={known.layouts}
              onOpen={(display) => setAsked({ to: 'display', display })}
            />
          ) : (
            <Panel heading="Displays">
              <p>No display is paired by your team.</p>
              <p data-tight="2" data-row="3" data-top="3">
                <Link href={pageAddress('pair')} {...buttonLook()}>
                  Pair a display
                </Link>
              </p>
            </Panel>
          )}
        </div>
      )}
      {known && asked?.to === 'message' && (
        <MessageDialog
          displays={known.displays}
          shown={{ board, routes, jobs }}
          onClose={close}
          onDone={done}
        />
      )}
      {known && asked?.to === 'give' && (
        <GiveDialog layout={asked.layout} displays={known.displays} onClose={close} onDone={done} />
      )}
      {known && asked?.to === 'display' && (
        <DisplayDialog display={asked.display} layouts={known.layouts} onClose={close} onDone={done} />
      )}
      {asked?.to === 'delete' && (
        <DeleteDialog
          layout={asked.layout}
          onClose={close}
          onDone={async () => {
            await reload();
            flushSync(close); // the dialog is closed first, because it traps the focus
            choose(null, { focus: true });
          }}
        />
      )}
    </Page>
  );
}

function Chosen({
  layouts,
  displays,
  chosen,
  list,
  onChoose,
  onAsk,
  onLoad,
  routes,
  shown,
}: {
  layouts: readonly ListedLayout[];
  displays: readonly ListedDisplay[];
  chosen: string | null;
  list: Ref<HTMLUListElement>;
  onChoose: (id: string) => void;
  onAsk: (asked: Asked) => void;
} & Pick<React.ComponentProps<typeof LayoutEditor>, 'onLoad' | 'routes' | 'shown'>) {
  const current = chosen === NEW.id ? NEW : (layouts.find(({ id }) => id === chosen) ?? layouts[0]);
  const having = (id: string) => displays.filter((display) => layoutOf(display) === id);

  return (
    <div className={styles.layouts} data-columns="60" data-align="start">
      <nav aria-label="Layouts">
        <ul ref={list} className={styles.list} data-part>
          {layouts.map(({ id, name, rev, pages }) => (
            <li key={id}>
              <button
                type="button"
                data-press
                data-columns
                data-tone="1"
                data-text="note"
                aria-current={id === current?.id}
                onClick={() => onChoose(id)}
              >
                <b>
                  <bdi>{name}</bdi>
                </b>
                <span data-tone="2">
                  {having(id).length > 0 ? counted(having(id).length, 'display') : 'No display'}
                </span>
                <small>
                  {rev > 0 ? `Rev ${rev}` : 'Ready-made'} · {counted(pages.length, 'page')}
                </small>
              </button>
            </li>
          ))}
        </ul>
      </nav>
      {current && (
        <LayoutEditor
          key={current.id}
          layout={current}
          displays={having(current.id)}
          routes={routes}
          shown={shown}
          onGive={() => onAsk({ to: 'give', layout: current })}
          onDelete={() => onAsk({ to: 'delete', layout: current })}
          onLoad={onLoad}
        />
      )}
    </div>
  );
}

/** The messages on screens now, with buttons to end them. */
function Standing({
  messages,
  onGone,
  focus,
}: {
  messages: readonly StandingMessage[];
  onGone: () => Promise<void>;
  /** Moves the focus, because the button is gone with its message. */
  focus: () => void;
}) {
  const { run, isBusy, failure } = useAction();
  if (messages.length === 0) return null;

  const withdraw = (id: string) =>
    run(async () => {
      await withdrawMessage(id);
      await onGone();
      focus();
    }, 'Unable to withdraw the message');
  return (
    <Panel heading={`${counted(messages.length, 'message')} on screens now`}>
      {failure && <Notice>{failure}</Notice>}
      <ul data-list>
        {messages.map((message) => {
          const [at, until] = [dateOf(message.at), dateOf(message.until)];
          return (
            <li key={message.id} data-row="3" data-pad="3">
              <Severity grade={message.look ?? 'unrated'} wordless />
              <p data-grow>
                <b>{message.text}</b>
                <small data-tone="2" data-block data-size="label">
                  {[
                    `${message.from ?? 'Somebody whose account was deleted'}${at ? `, ${formatClock(at)}` : ''}`,
                    message.cover === 'band' ? 'band' : 'whole screen',
                    counted(message.displays ?? 0, 'display'),
                    until && `until ${formatClock(until)}`,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </small>
              </p>
              <Button small aria-disabled={isBusy} onClick={() => void withdraw(message.id)}>
                Withdraw
              </Button>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

function DeleteDialog({
  layout,
  onClose,
  onDone,
}: {
  layout: ListedLayout;
  onClose: () => void;
  onDone: () => Promise<void>;
}) {
  const { run, isBusy, failure } = useAction();
  const act = () =>
    run(async () => {
      await deleteLayout(layout.id);
      await onDone();
    }, 'Unable to delete the layout');
  return (
    <Confirm
      heading={
        <>
          Delete <bdi>{layout.name}</bdi>?
        </>
      }
      act="Delete"
      busy={isBusy}
      failure={failure}
      onAct={() => void act()}
      onCancel={onClose}
    >
      <p>The displays that show it show all feeds again.</p>
    </Confirm>
  );
}
