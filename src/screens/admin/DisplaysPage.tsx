import { pageAddress } from '#contract/addresses.ts';
import { DISPLAY_NAME_MAX, type DisplayState, type WakeLock } from '#contract/displays/displays.ts';
import { wasSeen } from '#contract/displays/displayStanding.ts';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'wouter';
import {
  changeDisplay,
  listDisplays,
  renewDisplay,
  revokeDisplay,
  type Display,
} from '../../api/displays/displays.ts';
import { useSubmit } from '../../api/useAction.ts';
import { useLoad } from '../../api/useLoad.ts';
import { serverNow, STALE_FROM_MS } from '../../time/freshness.ts';
import { useSession, useTyped } from '../../session/session.ts';
import { Button, buttonLook, Named } from '../../ui/controls/Button.tsx';
import { Check } from '../../ui/controls/Choice.tsx';
import { Dialog, FormDialog } from '../../ui/dialogs/Dialog.tsx';
import { bound, Field } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted, grouped } from '#contract/numbers.ts';
import { Empty } from '../../ui/page/Empty.tsx';
import { Page, Panel, LoadState } from '../../ui/page/Page.tsx';
import { Badge, type Status, StatusLine } from '../../ui/signs/StatusLine.tsx';
import { Table } from '../../ui/page/Table.tsx';
import { formatDate, formatDateTime } from '../../time/london.ts';
import { TimeAgo } from '../../time/TimeAgo.tsx';
import { DisplayRoutesDialog, nameOf } from './DisplayRoutesDialog.tsx';
import styles from './DisplaysPage.module.css';

/** How long before a pairing ends the page says so. */
const NOTICE_MS = 30 * 24 * 60 * 60_000;

type Asked = { about: Display; to: 'edit' | 'routes' | 'renew' | 'revoke' };

/** /admin/displays: the paired displays and the state of each. */
export function DisplaysPage() {
  const load = useLoad(listDisplays, 'Unable to load displays');
  const [asked, setAsked] = useState<Asked | null>(null);
  const parts = useRef<HTMLDivElement>(null);
  const displays = load.state === 'ready' ? load.data : [];
  const paired = displays.filter(({ state }) => state === 'paired');
  const ended = displays.filter(({ state }) => state !== 'paired');
  const ending = paired.filter(endsSoon).length;

  const close = () => setAsked(null);
  const done = async () => {
    await load.reload();
    flushSync(close); // the dialog is closed first, because it traps the focus
    // The row moves to the other table, and its button with it.
    if (asked?.to === 'revoke') parts.current?.focus();
  };

  return (
    <Page
      heading="Displays"
      about="Screens that show the board by themselves. Each reports every 5 minutes."
      aside={
        <div data-row>
          <Button onClick={() => void load.reload()}>Refresh</Button>
          <Link href={pageAddress('layouts')} {...buttonLook()}>
            Layouts
          </Link>
          <Link href={pageAddress('pair')} {...buttonLook({ kind: 'primary' })}>
            Pair a display
          </Link>
        </div>
      }
    >
      <LoadState load={load} />
      {load.state === 'ready' && displays.length === 0 && (
        <Empty heading="No displays yet">
          <p>Open this site with /disruptions?display=wall on a screen, then enter its code at /pair.</p>
        </Empty>
      )}
      <div ref={parts} tabIndex={-1} data-stack="6">
        {ending > 0 && (
          <Notice>
            {counted(ending, 'display')} must be approved again within 30 days. Until then{' '}
            {ending === 1 ? 'it shows' : 'they show'} the board as before.
          </Notice>
        )}
        {paired.length > 0 && (
          <Panel heading={counted(paired.length, 'display')}>
            <Fleet label="Displays" displays={paired} onAsk={setAsked} />
          </Panel>
        )}
        {ended.length > 0 && (
          <Panel heading="No longer paired">
            <Fleet label="No longer paired" displays={ended} onAsk={setAsked} />
          </Panel>
        )}
      </div>
      {asked?.to === 'edit' && <EditDialog display={asked.about} onClose={close} onDone={done} />}
      {asked?.to === 'renew' && <RenewDialog display={asked.about} onClose={close} onDone={done} />}
      {asked?.to === 'routes' && <DisplayRoutesDialog display={asked.about} onClose={close} />}
      {asked?.to === 'revoke' && <RevokeDialog display={asked.about} onClose={close} onDone={done} />}
    </Page>
  );
}

function Fleet({
  label,
  displays,
  onAsk,
}: {
  label: string;
  displays: Display[];
  onAsk: (asked: Asked) => void;
}) {
  return (
    <div data-figures>
      <Table
        label={label}
        rows={displays}
        keyOf={({ id }) => id}
        columns={{
          Name: {
            as: 'head',
            className: styles.name,
            cell: (display) => <NameOfDisplay display={display} />,
          },
          'Last seen': (display) => (
            <div data-row>
              <LastSeen display={display} />
            </div>
          ),
          'Data age': (display) => (
            <div data-row>
              <DataAge display={display} age={display.report?.data_age_seconds} />
            </div>
          ),
          Screen: ({ report }) => (
            <div data-row>
              {sizeText(report?.screen)}
              {report?.visibility === 'hidden' && <Badge state="off">Hidden</Badge>}
            </div>
          ),
          'Wake lock': ({ report }) => (report?.wake_lock ? WAKE_LOCKS[report.wake_lock] : '–'),
          Memory: ({ report }) =>
            report?.heap_bytes == null ? '–' : `${grouped(Math.round(report.heap_bytes / 1e6))} MB`,
          Build: ({ report }) => (report?.build ? <code>{report.build}</code> : '–'),
          Actions: { as: 'hidden', cell: (display) => <Acts display={display} onAsk={onAsk} /> },
        }}
      />
    </div>
  );
}

function NameOfDisplay({ display }: { display: Display }) {
  const { owner, state } = display;
  return (
    <>
      <bdi>{nameOf(display)}</bdi>
      <small>
        {owner ? (
          <>
            Approved by <bdi>{owner.display_name}</bdi>
          </>
        ) : (
          'Its account was deleted'
        )}
      </small>
      <span className={styles.badges}>
        {state !== 'paired' && state && <Badge state="off">{STATES[state]}</Badge>}
        {endsSoon(display) && <Badge state="off">Ends {formatDate(display.ends_at!)}</Badge>}
      </span>
    </>
  );
}

function LastSeen({ display }: { display: Display }) {
  if (!display.last_seen_at) return 'Not yet';
  const isSeen = wasSeen(display, serverNow());
  return (
    <StatusLine status={display.state !== 'paired' ? 'none' : isSeen ? 'good' : 'severe'}>
      <TimeAgo at={display.last_seen_at} dated />
    </StatusLine>
  );
}

function DataAge({ display, age }: { display: Display; age: number | null | undefined }) {
  if (age == null) return '–';
  return (
    <StatusLine status={ageStatus(display, age)}>
      {ageText(age)}
      {!wasSeen(display, serverNow()) && ' when last seen'}
    </StatusLine>
  );
}

function sizeText(screen: NonNullable<Display['report']>['screen']): string {
  if (!screen?.width) return '–';
  const ratio = screen.pixel_ratio ?? 1;
  return `${screen.width} × ${screen.height}${ratio === 1 ? '' : ` at ${Number(ratio.toFixed(2))}x`}`;
}

function Acts({ display, onAsk }: { display: Display; onAsk: (asked: Asked) => void }) {
  const { state, owner } = display;
  const act = (to: Asked['to'], words: string, kind?: 'primary' | 'danger') => (
    <Button small kind={kind} onClick={() => onAsk({ about: display, to })}>
      {words} <Named>{nameOf(display)}</Named>
    </Button>
  );
  return (
    <div data-row>
      {endsSoon(display) && act('renew', 'Approve again', 'primary')}
      {state === 'paired' && act('edit', 'Edit')}
      {state === 'paired' && owner && act('routes', 'Routes')}
      {!isBlanked(state) && act('revoke', state === 'paired' ? 'Revoke' : 'Blank', 'danger')}
    </div>
  );
}

interface DialogProps {
  display: Display;
  onClose: () => void;
  onDone: () => Promise<void>;
}

function RenewDialog({ display, onClose, onDone }: DialogProps) {
  const form = useSubmit(async () => {
    await renewDisplay(display.id);
    await onDone();
  }, 'Unable to approve the display');

  return (
    <FormDialog
      heading={
        <>
          Approve <bdi>{nameOf(display)}</bdi> for another year
        </>
      }
      form={form}
      act="Approve"
      safe
      onClose={onClose}
    >
      <p>Only if you know where this screen is. Otherwise revoke it.</p>
    </FormDialog>
  );
}

function EditDialog({ display, onClose, onDone }: DialogProps) {
  const me = useSession(({ user }) => user);
  const before = { name: display.name ?? '', mine: false, names: display.show_names ?? false };
  const [typed, setTyped, forget] = useTyped(
    `display ${display.id} ${display.owner?.id} ${JSON.stringify(before)}`,
    () => before,
  );
  const { name, mine, names } = typed;
  const form = useSubmit(async () => {
    await changeDisplay(display.id, { name, show_names: names, ...(mine && me && { owner_id: me.id }) });
    forget();
    await onDone();
  }, 'Unable to change the display');

  return (
    <FormDialog
      heading={
        <>
          Edit <bdi>{nameOf(display)}</bdi>
        </>
      }
      form={form}
      act="Save"
      onClose={onClose}
      forget={forget}
    >
      <Field
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={DISPLAY_NAME_MAX}
        required
        {...bound(name, (name) => setTyped({ ...typed, name }))}
      />
      <p data-tone="3" data-size="label">
        {display.address} · {display.user_agent} · paired {formatDateTime(display.paired_at ?? '')}
      </p>
      <Check
        label="Show the first names of those who have an alert in hand"
        checked={names}
        onChange={(names) => setTyped({ ...typed, names })}
      />
      {me && display.owner?.id !== me.id && (
        <Check
          label={
            <>
              Take it over. It now depends on the account of{' '}
              <bdi>{display.owner?.display_name ?? 'a deleted user'}</bdi>
            </>
          }
          checked={mine}
          onChange={(mine) => setTyped({ ...typed, mine })}
        />
      )}
    </FormDialog>
  );
}

function RevokeDialog({ display, onClose, onDone }: DialogProps) {
  const { action, isBusy, failure } = useSubmit(async (form) => {
    await revokeDisplay(display.id, { blank: form?.get('how') === 'blank' });
    await onDone();
  }, 'Unable to revoke the display');
  const isPaired = display.state === 'paired';

  return (
    <Dialog
      heading={
        <>
          {isPaired ? 'Revoke' : 'Blank'} <bdi>{nameOf(display)}</bdi>?
        </>
      }
      onClose={() => !isBusy && onClose()}
    >
      <form action={action} data-stack="4">
        {isPaired && (
          <p>
            <b>Revoke:</b> it keeps its last board, says when it was signed out, and shows a code to be paired
            again.
          </p>
        )}
        <p>
          <b>Revoke and blank:</b> it also clears its board, the next time it reaches the server. Until then
          it shows what it has.
        </p>
        {failure && <Notice>{failure}</Notice>}
        <div data-row>
          <Button busy={isBusy} onClick={onClose}>
            Cancel
          </Button>
          {isPaired && (
            <Button type="submit" name="how" value="keep" kind="danger" busy={isBusy}>
              Revoke
            </Button>
          )}
          <Button type="submit" name="how" value="blank" kind="danger" busy={isBusy}>
            Revoke and blank
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const STATES: Readonly<Record<DisplayState, string>> = {
  paired: 'Paired',
  signed_out: 'Signed out',
  revoked: 'Revoked',
  blanking: 'Revoked, not blank yet',
  blanked: 'Revoked and blank',
};

const WAKE_LOCKS: Readonly<Record<WakeLock, string>> = {
  held: 'Held',
  refused: 'Refused',
  unsupported: 'Not possible',
  released: 'Released',
};

const endsSoon = ({ state, ends_at }: Display) =>
  state === 'paired' && !!ends_at && Date.parse(ends_at) - serverNow().getTime() < NOTICE_MS;
const isBlanked = (state: Display['state']) => state === 'blanking' || state === 'blanked';
/** The status of a display's age. It has none when the display is silent or no longer paired, because its last
 *  report says nothing about now. */
function ageStatus(display: Display, seconds: number): Status {
  if (display.state !== 'paired' || !wasSeen(display, serverNow())) return 'none';
  return seconds * 1000 >= STALE_FROM_MS ? 'moderate' : 'good';
}

function ageText(seconds: number): string {
  if (seconds < 120) return counted(seconds, 'second');
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? counted(minutes, 'minute') : counted(Math.floor(minutes / 60), 'hour');
}
