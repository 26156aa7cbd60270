import { pageAddress } from '#contract/addresses.ts';
import { london } from '#contract/london.ts';
import { STRIKE_MS } from '#contract/shift/responses.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import { unplacedWords } from '#contract/watches/watches.ts';
import { PrinterIcon } from '@phosphor-icons/react/dist/csr/Printer';
import { type ReactNode, useState } from 'react';
import { useNavigate, usePageQuery } from '../../device/address/useAddress.ts';
import { useAction } from '../../api/useAction.ts';
import {
  addLine,
  readHandover,
  type Line,
  type Sheet,
  strikeLine,
  takeOver,
} from '../../api/shift/handover.ts';
import { dateOf } from '../../feeds/alerts/alerts.ts';
import { PageSign, PageState } from '../../feeds/refresh/PageState.tsx';
import { useRefreshed } from '../../feeds/refresh/useRefreshed.ts';
import { QrCode } from '../../ui/signs/QrCode.tsx';
import { useSession } from '../../session/session.ts';
import { useClock } from '../../time/tickingClock.ts';
import { formatClock } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { bound, TextField, ToolField } from '../../ui/controls/Field.tsx';
import { Mark } from '../../ui/page/Brand.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { Severity } from '../../ui/signs/Severity.tsx';
import paper from '../../ui/page/Paper.module.css';
import styles from './HandoverPage.module.css';
import {
  footWords,
  gradeOf,
  inHandWords,
  routeNames,
  sinceIn,
  spanName,
  timeIn,
  titleOf,
  untilWords,
} from './sheetWords.ts';
import { usePageFoot } from './usePageFoot.ts';

/** `/handover`: the sheet of one shift for the next. On paper it is A4, black on white. */
export function HandoverPage() {
  const { from, to } = usePageQuery('handover');
  const answer = useRefreshed(`handover ${from} ${to}`, (signal) => readHandover({ from, to }, signal));
  const { data: sheet, refused } = answer;

  return (
    <div className={paper.page}>
      <header className={styles.bar} data-bottom="4" data-split="3" data-align="end" data-only="screen">
        <div data-row="3" data-align="end">
          {sheet && (
            <>
              <Span sheet={sheet} />
              <Acts sheet={sheet} isCopy={answer.problem !== null} onChanged={answer.renew} />
            </>
          )}
        </div>
        <PageState {...answer} />
      </header>
      <PageSign line={answer} what="page" failure="Unable to refresh this sheet" />
      {sheet ? (
        <Shown sheet={sheet} isCopy={answer.problem !== null} onChanged={answer.renew} />
      ) : (
        <>
          <h1 data-top="5" data-bottom="5">
            {refused || answer.problem ? 'Handover' : 'Loading...'}
          </h1>
          {refused && <Notice>{refused}</Notice>}
          {!refused && answer.problem && (
            <Notice>Unable to load this sheet. This device keeps no copy of it.</Notice>
          )}
        </>
      )}
    </div>
  );
}

/** A time of day in 24 hours, whatever the device's settings. */
const CLOCK = {
  inputMode: 'numeric',
  pattern: '([01]\\d|2[0-3]):[0-5]\\d',
  title: 'A time such as 06:00',
  maxLength: 5,
  size: 5,
  required: true,
} as const;

/** Which shift. */
function Span({ sheet }: { sheet: Sheet }) {
  const navigate = useNavigate();
  const [from, setFrom] = useState(formatClock(sheet.from));
  const [to, setTo] = useState(formatClock(sheet.to));
  return (
    <form
      data-row="3"
      data-align="end"
      action={() => navigate(pageAddress('handover', { from, to }))}
      aria-label="Shift"
    >
      <ToolField label="From">
        <input {...CLOCK} {...bound(from, setFrom)} />
      </ToolField>
      <ToolField label="To">
        <input {...CLOCK} {...bound(to, setTo)} />
      </ToolField>
      <Button type="submit">Show</Button>
    </form>
  );
}

const DAY = london({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

interface Changing {
  sheet: Sheet;
  isCopy: boolean;
  /** Promises that the sheet shows the change. */
  onChanged: () => Promise<void>;
}

function Shown({ sheet, isCopy, onChanged }: Changing) {
  const foot = footWords(sheet);
  usePageFoot(foot);
  const out = sheet.made_by?.name;
  const taken = sheet.taken?.by?.name;
  const at = dateOf(sheet.made_at);

  return (
    <>
      <article
        className={`${paper.sheet} ${styles.sheet}`}
        data-dense={sheet.on_routes.length > 20 || undefined}
      >
        <header>
          <Mark />
          <div>
            <h1>{spanName(sheet)}</h1>
            <p>
              {[DAY.format(new Date(sheet.from)).replace(',', ''), sheet.team].filter(Boolean).join(' · ')}
            </p>
            {isCopy && at && (
              <p>
                <b>Offline: the sheet as it was at {formatClock(at)}.</b>
              </p>
            )}
          </div>
          <p className={paper.people}>
            {out && out !== taken && (
              <>
                Out: <b>{out}</b>
                <br />
              </>
            )}
            In: <b>{taken ?? '____________'}</b>
          </p>
        </header>

        <Rows
          title="1 On our routes now"
          rows={sheet.on_routes}
          keyOf={eventIdOf}
          className={styles.four}
          columns={{
            Incident: (row) => (
              <>
                <span className={styles.grade}>
                  <Severity grade={gradeOf(row.incident)} />
                </span>{' '}
                {titleOf(row.incident)} <span className={styles.routes}>{routeNames(row, sheet)}</span>
              </>
            ),
            Since: ({ since }) => <span data-nowrap>{sinceIn(since, sheet)}</span>,
            'Who and what': (row) => inHandWords(row, sheet),
            'Last note': ({ last_note }) => <span className={styles.text}>{last_note ?? '–'}</span>,
          }}
        />

        {sheet.beside.length > 0 && (
          <p>
            Also in force, ahead of none of our departures now:{' '}
            {sheet.beside.map((one) => titleOf(one)).join('; ')}.
          </p>
        )}

        {sheet.checking.length > 0 && (
          <p>
            <b>Checking…</b> What touches {sheet.checking.map(({ name }) => name).join(', ')} is not yet
            known.
          </p>
        )}

        {sheet.unplaced > 0 && <p>{unplacedWords(sheet.unplaced, 'in our areas')}.</p>}

        {sheet.jobs.length > 0 && (
          <Rows
            title="Jobs on the way and at risk"
            rows={sheet.jobs}
            keyOf={({ time, what, left }) => `${time} ${what} ${left}`}
            columns={{
              Job: ({ time, what, left }) => (
                <>
                  {time} {what} <i>{left}</i>
                </>
              ),
              'Touched by': ({ touched_by }) => touched_by || '–',
              Arrives: ({ arrives }) => arrives || '–',
              'What was done': ({ done }) => done || '–',
            }}
          />
        )}

        <Rows
          title="2 Snoozed, until when"
          rows={sheet.snoozed}
          keyOf={eventIdOf}
          columns={{
            Incident: ({ incident }) => titleOf(incident),
            Until: (row) => untilWords(row, sheet),
            By: ({ by }) => by?.name,
          }}
        />

        <Section title="3 Notes of this shift" isEmpty={sheet.notes.length === 0}>
          <ol className={styles.notes} data-list>
            {sheet.notes.map(({ note, incident }) => (
              <li key={note.id}>
                <Struck line={note}>
                  <b>
                    {timeIn(note.at, sheet)} {note.by?.name}
                  </b>{' '}
                  {incident && <i>{titleOf(incident)}: </i>}
                  {note.text}
                </Struck>
              </li>
            ))}
          </ol>
        </Section>

        <div className={paper.two} data-columns="40">
          <Rows
            title="4 Cleared in this shift"
            rows={sheet.cleared}
            keyOf={eventIdOf}
            columns={{
              Incident: ({ incident }) => titleOf(incident),
              Cleared: ({ reason, at }) =>
                `${reason === 'expired' ? 'no longer known, ' : ''}${timeIn(at, sheet)}`,
            }}
          />
          <Rows
            title="5 Next 8 hours planned"
            rows={sheet.planned}
            keyOf={({ title, at }) => `${title} ${at}`}
            columns={{
              Planned: ({ title, route }) => (
                <>
                  {title} <i>{route}</i>
                </>
              ),
              From: ({ at }) => <span data-nowrap>{timeIn(at, sheet)}</span>,
            }}
          />
        </div>

        <div className={paper.two} data-columns="40">
          <Rows
            title="6 Sources we could not see"
            rows={sheet.unseen_sources}
            keyOf={({ source, from }) => `${source} ${from}`}
            columns={{
              Source: ({ source }) => knownSource(source).displayName,
              From: ({ from }) => <span data-nowrap>{timeIn(from, sheet)}</span>,
              To: ({ to }) => <span data-nowrap>{to ? timeIn(to, sheet) : 'now'}</span>,
            }}
          />
          <Rows
            title="7 Displays not seen for 10 min, or without what they should show"
            rows={sheet.unseen_displays}
            keyOf={({ name }) => name ?? ''}
            columns={{
              Display: ({ name }) => name,
              'Last seen': ({ last_seen_at, not_taken }) =>
                `${last_seen_at ? timeIn(last_seen_at, sheet) : ''}${not_taken ? ', does not show what it should' : ''}`,
            }}
          />
        </div>

        <NextShift sheet={sheet} isCopy={isCopy} onChanged={onChanged} />

        <footer>
          <div>
            <p>
              <b>{foot}</b>
            </p>
            <p>
              {sheet.taken?.at
                ? `Taken over by ${taken} at ${formatClock(sheet.taken.at)}`
                : 'Taken over by ____________________ at ______'}
            </p>
          </div>
          <div className={styles.qr}>
            <QrCode text={addressOf(sheet)} label="QR code to this page" />
          </div>
        </footer>
      </article>
      <AddLine isCopy={isCopy} onChanged={onChanged} />
    </>
  );
}

/** The address of the same shift, whenever it is opened. */
const addressOf = ({ from, to }: Sheet) =>
  new URL(pageAddress('handover', { from, to }), location.origin).href;

const eventIdOf = ({ incident }: Pick<Sheet['cleared'][number], 'incident'>) => incident.event_id;

function Section({ title, isEmpty, children }: { title: string; isEmpty: boolean; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {isEmpty ? <p>Nothing</p> : children}
    </section>
  );
}

/** A section with a table. `columns`: each by its heading; the first names the row. On a phone each cell has its
 *  heading before it. */
function Rows<Row>({
  title,
  rows,
  keyOf,
  className,
  columns,
}: {
  title: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  className?: string | undefined;
  columns: Readonly<Record<string, (row: Row) => ReactNode>>;
}) {
  const [first, ...others] = Object.entries(columns);
  return (
    <Section title={title} isEmpty={rows.length === 0}>
      <table className={className}>
        <thead data-only="desk">
          <tr>
            {Object.keys(columns).map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              <th scope="row">{first![1](row)}</th>
              {others.map(([head, cell]) => (
                <td key={head} data-head={head}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function Struck({ line, children }: { line: Line; children: ReactNode }) {
  return line.struck_at ? (
    <>
      <s>{children}</s> Struck out {formatClock(line.struck_at)}
    </>
  ) : (
    children
  );
}

/** The actions of the page, which are not printed. */
function Acts({ sheet, isCopy, onChanged }: Changing) {
  const act = useAction(onChanged);
  const { from, to } = sheet;
  return (
    <div data-row="3">
      {!sheet.taken && (
        <Button
          kind="primary"
          busy={act.isBusy}
          disabled={isCopy}
          onClick={() => void act.run(() => takeOver({ from, to }), NOT_SENT)}
        >
          Take over
        </Button>
      )}
      <Button onClick={() => print()}>
        <PrinterIcon weight="bold" aria-hidden /> Print
      </Button>
      <span role="alert">{act.failure}</span>
    </div>
  );
}

/** The lines under "For the next shift:". */
function NextShift({ sheet, isCopy, onChanged }: Changing) {
  const act = useAction(onChanged);
  const userId = useSession(({ user }) => user?.id);
  const now = useClock((time) => time.getTime());
  const canStrike = (line: Line) =>
    !line.struck_at && line.by?.id === userId && now - (dateOf(line.at)?.getTime() ?? 0) < STRIKE_MS;

  return (
    <section className={styles.next} data-only={sheet.next_shift.length === 0 ? 'screen' : undefined}>
      <h2>For the next shift:</h2>
      {sheet.next_shift.map((line) => (
        <p key={line.id}>
          <Struck line={line}>{line.text}</Struck> <small>{line.by?.name}</small>{' '}
          {canStrike(line) && (
            <span data-only="screen">
              <Button
                kind="quiet"
                small
                busy={act.isBusy}
                disabled={isCopy}
                onClick={() => void act.run(() => strikeLine(line.id), NOT_SENT)}
              >
                Strike out
              </Button>
            </span>
          )}
        </p>
      ))}
      <span role="alert">{act.failure}</span>
    </section>
  );
}

/** The form for a line, beside the paper and not printed. */
function AddLine({ isCopy, onChanged }: Pick<Changing, 'isCopy' | 'onChanged'>) {
  const [text, setText] = useState('');
  const act = useAction(onChanged);
  return (
    <form
      className={styles.add}
      data-top="4"
      data-only="screen"
      data-line="3"
      data-align="end"
      action={() =>
        void act.run(async () => {
          await addLine(text);
          // Text that was typed meanwhile is kept for the next line.
          setText((now) => (now === text ? '' : now));
        }, NOT_SENT)
      }
    >
      <TextField
        label="For the next shift: add a line"
        rows={2}
        maxLength={1000}
        required
        {...bound(text, setText)}
      />
      <Button type="submit" busy={act.isBusy} disabled={isCopy}>
        Add
      </Button>
      <span role="alert">{act.failure}</span>
    </form>
  );
}

const NOT_SENT = 'This could not be sent. Try again.';
