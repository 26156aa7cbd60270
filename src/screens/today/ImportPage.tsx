import { pageAddress } from '#contract/addresses.ts';
import { londonDay } from '#contract/london.ts';
import { TELL_ME } from '#contract/watches/tellMe.ts';
import { JOB_LIMITS } from '#contract/watches/jobs.ts';
import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft';
import { type DragEvent, useId, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useNavigate, usePageQuery } from '../../device/address/useAddress.ts';
import { useAction } from '../../api/useAction.ts';
import { useAnswer } from '../../api/useAnswer.ts';
import { importJobs, sheetMemory } from '../../api/watches/jobs.ts';
import { createWatchRecord, deleteWatch } from '../../api/watches/oneWatch.ts';
import { Refused } from '../../api/http.ts';
import { useLoad } from '../../api/useLoad.ts';
import { serverNow } from '../../time/freshness.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { ToolPage } from '../../ui/page/Page.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted } from '#contract/numbers.ts';
import { StatusLine } from '../../ui/signs/StatusLine.tsx';
import { bound, ToolField } from '../../ui/controls/Field.tsx';
import { useHere } from '../../ui/useHere.ts';
import { jobName } from '../../watches/jobState.ts';
import { useWatches } from '../../watches/useWatches.ts';
import { inLines, readSheet, type Sheet } from './daySheet.ts';
import { dayWords, type Doubt } from './sheetJobs.ts';
import { isAskedAbout } from './columnMeanings.ts';
import { headingsOf, type Meaning } from './headingWords.ts';
import { noteAdded } from './lastAdded.ts';
import { rowsOfText, type SheetRow } from './sheetText.ts';
import { sampleDay } from './sampleDay.ts';
import { SheetColumns } from './SheetColumns.tsx';
import { SheetGone } from './SheetGone.tsx';
import { SheetTrips } from './SheetTrips.tsx';
import { type SheetTrip, useTrips } from './useTrips.ts';
import styles from './ImportPage.module.css';

/** The longest text. A day sheet of 1,000 jobs is far shorter, so a longer text is not a day sheet. */
const TEXT_MAX = 400_000;

const NOTHING: Readonly<Record<string, string>> = {};

/** `/today/import`: the user pastes a sheet, checks what was understood, and adds it. Nothing is stored before that. */
export function ImportPage() {
  const { day: asked, sample } = usePageQuery('dayImport');
  const isHere = useHere();
  const [day, setDay] = useState(() => asked ?? londonDay(serverNow()));
  const [text, setText] = useState(() => (sample ? sampleDay(serverNow()) : ''));
  const [step, setStep] = useState<1 | 2>(1);
  /** The text as it was pasted, if it is now shown as one trip a line; otherwise null. */
  const [pasted, setPasted] = useState<string | null>(null);
  const memory = useLoad((signal) => sheetMemory(signal), 'Unable to load what the last sheet meant');
  const known = memory.data?.data;
  const remembered = known?.columns ?? NOTHING;
  const lastDay = known?.last_day ?? null;
  const back = pageAddress('today', day === londonDay(serverNow()) ? {} : { day });
  // A thousand rows take a third of a second.
  const read = useMemo(() => textRows(text), [text]);
  const type = (typed: string) => {
    setText(typed);
    setPasted(null);
  };
  const toLines = (lines: string | null) => {
    if (lines === null) return;
    setPasted(text);
    setText(lines);
  };

  return (
    <ToolPage
      className={styles.header}
      header={
        <>
          <div>
            {step === 1 ? (
              <Link href={back} data-tap data-text="line" data-tone="2">
                <CaretLeftIcon weight="bold" aria-hidden /> Today
              </Link>
            ) : (
              <button type="button" className={styles.again} data-tap="plain" onClick={() => setStep(1)}>
                <CaretLeftIcon weight="bold" aria-hidden /> Paste again
              </button>
            )}
            <h1 data-row="3" data-align="baseline" data-tight>
              Import day sheet{' '}
              <small data-text="line" data-tone="2">
                Step {step} of 2
              </small>
            </h1>
          </div>
          <ToolField label="For" className={styles.day}>
            <input type="date" {...bound(day, (value) => value && setDay(value))} />
            <span>{dayWords(day)}</span>
          </ToolField>
        </>
      }
    >
      {step === 1 ? (
        <Paste
          text={text}
          day={day}
          read={read}
          remembered={remembered}
          lastDay={lastDay}
          pasted={pasted}
          done={back}
          isHere={isHere}
          onText={type}
          onCorrect={setText}
          onLines={toLines}
          onNext={(lines) => {
            toLines(lines);
            setStep(2);
          }}
        />
      ) : (
        <Understood
          key={`${day} ${text}`}
          rows={read.rows}
          isInLines={pasted !== null}
          day={day}
          remembered={remembered}
          lastDay={lastDay}
          onDay={setDay}
          onBack={() => setStep(1)}
          done={back}
          isHere={isHere}
        />
      )}
    </ToolPage>
  );
}

interface Read {
  rows: SheetRow[];
  failure: string | null;
}

function textRows(text: string): Read {
  if (text.trim() === '') return { rows: [], failure: null };
  if (text.length > TEXT_MAX) return { rows: [], failure: 'This is too long for a day sheet.' };
  try {
    return { rows: rowsOfText(text), failure: null };
  } catch (error) {
    return { rows: [], failure: (error as Error).message }; // it throws sentences for the user
  }
}

/** The first step: a box, a file, and at once what was found in it. */
function Paste({
  text,
  day,
  read,
  remembered,
  lastDay,
  pasted,
  done,
  isHere,
  onText,
  onCorrect,
  onLines,
  onNext,
}: {
  text: string;
  day: string;
  read: Read;
  remembered: Readonly<Record<string, string>>;
  lastDay: string | null;
  pasted: string | null;
  done: string;
  isHere: () => boolean;
  onText: (text: string) => void;
  /** The corrected text of lines that were made from the pasted text. */
  onCorrect: (text: string) => void;
  onLines: (lines: string) => void;
  /** `lines`: the trips of sentences, one a line. */
  onNext: (lines: string | null) => void;
}) {
  const id = useId();
  const file = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<File | null>(null);
  const { failure } = useAnswer(
    chosen,
    async () => (await import('./sheetFile.ts')).sheetText(chosen!, day), // it asks only with a file
    'This file cannot be read.',
    { take: onText },
  );
  const drop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    setChosen(event.dataTransfer.files[0]!); // there is one
  };
  const sheet = useMemo(
    () => (read.rows.length > 0 ? readSheet(read.rows, { day, remembered }) : null),
    [read.rows, day, remembered],
  );
  const jobs = sheet?.rows.filter((row) => row.jobs.length > 0).length ?? 0;
  const lines = useMemo(() => sheet && inLines(sheet, text, day), [sheet, text, day]);
  // The next sheet is paste and one button, if each of its trips is as last time or can have no route.
  const known = sheet && lines === null && pasted === null && isPlain(sheet) ? jobsOf(sheet) : null;
  const { answer, trips, isAsking } = useTrips(day, known?.slice(0, JOB_LIMITS.jobsPerDay) ?? null);
  const { add, isAdding, failure: refused } = useAdd(day, done, isHere);
  const isReady =
    known !== null &&
    answer !== null &&
    !isAsking &&
    answer.missing.length + answer.problems.length === 0 &&
    trips.every(({ found, chosen, made }) => found === 'as last time' || (chosen ?? made) === null);
  const lost = trips.filter(({ chosen }) => chosen === null).length;
  const nothing =
    read.failure ??
    (sheet && lines === null && jobs === 0 && !sheet.columns.some(({ meaning }) => meaning === 'time')
      ? noTimes(sheet, text)
      : null);

  return (
    <div className={styles.box} data-stack>
      <label htmlFor={id}>Paste from your spreadsheet, or drop a file</label>
      <textarea
        id={id}
        value={text}
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`${id}-said`}
        onChange={({ target }) => (pasted === null ? onText : onCorrect)(target.value)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
      />
      <div data-split>
        <p id={`${id}-said`} role="status">
          {(failure ?? refused) ? (
            <StatusLine status="severe">{failure ?? refused}</StatusLine>
          ) : nothing ? (
            <StatusLine status="severe">{nothing}</StatusLine>
          ) : lines !== null ? (
            <StatusLine status="minor">The times stand within sentences or lists.</StatusLine>
          ) : pasted !== null ? (
            <StatusLine status="minor">
              One trip a line, and the rest below. Look at each line and correct it here.
            </StatusLine>
          ) : sheet ? (
            <StatusLine status="good">
              <b>
                {counted(sheet.rows.length, 'row')}, {counted(sheet.columns.length, 'column')}.
              </b>{' '}
              {sheet.isKnown && lastDay && `The headings are those of ${sheetOf(lastDay)}.`}
              {isReady &&
                (lost > 0 ? ` ${counted(lost, 'trip')} without a route.` : ' Each trip is as last time.')}
              {isReady && staysWords(answer) && ` ${staysWords(answer)}.`}
            </StatusLine>
          ) : null}
        </p>
        <p data-row>
          <input
            ref={file}
            type="file"
            accept=".csv,.tsv,.txt,.xlsx,.ics"
            aria-label="A file of a day sheet"
            tabIndex={-1}
            hidden
            onChange={({ target }) => {
              if (target.files?.[0]) setChosen(target.files[0]);
              target.value = ''; // so that the same file can be chosen again, after a correction
            }}
          />
          <Button onClick={() => file.current?.click()}>Choose a file</Button>
          {lines !== null && <Button onClick={() => onLines(lines)}>Read it as one trip a line</Button>}
          {pasted !== null && <Button onClick={() => onText(pasted)}>As it was pasted</Button>}
          {isReady && (
            <Button kind="primary" busy={isAdding} onClick={() => void add(sheet!, trips, [])}>
              {addWords(answer, known.length)}
            </Button>
          )}
          <Button
            kind={isReady ? 'default' : 'primary'}
            disabled={!sheet || nothing !== null}
            onClick={() => onNext(lines)}
          >
            See what was understood
          </Button>
        </p>
      </div>
      <div data-grid data-part data-top="3" data-pad="3" data-text="line" data-tone="2">
        <p>
          <b data-tone="1" data-block>
            Any layout
          </b>{' '}
          Columns are found by their headings and by what is in them. You can correct each of them.
        </p>
        <p>
          <b data-tone="1" data-block>
            Nothing is stored yet
          </b>{' '}
          You see every row and every trip first, and what is left out.
        </p>
        <p>
          <b data-tone="1" data-block>
            For your team only
          </b>{' '}
          Vehicles, drivers, references and notes never leave your team, and are deleted after some days.
        </p>
      </div>
    </div>
  );
}

function noTimes({ columns }: Sheet, text: string): string {
  const at = columns.findIndex(({ heading }) => headingsOf(heading ?? '').includes('time'));
  const { heading, samples: [cell] = [] } = columns[at] ?? {};
  return cell === undefined
    ? `No times found in ${text.length.toLocaleString('en-GB')} characters. Paste the rows with their headings.`
    : `“${cell}” below “${heading}” is no time. Write it as 06:10.`;
}

/** "Monday’s sheet" */
const sheetOf = (day: string) => `${dayWords(day).split(' ')[0]}’s sheet`;

/** The second step: what was understood, each different trip once, and jobs that the sheet no longer has. */
function Understood({
  rows,
  isInLines,
  day,
  remembered,
  lastDay,
  onDay,
  onBack,
  done,
  isHere,
}: {
  rows: readonly SheetRow[];
  /** The trips of sentences, one a line. */
  isInLines: boolean;
  day: string;
  remembered: Readonly<Record<string, string>>;
  lastDay: string | null;
  onDay: (day: string) => void;
  onBack: () => void;
  done: string;
  isHere: () => boolean;
}) {
  const [chosen, setChosen] = useState<ReadonlyMap<number, Meaning>>(new Map());
  const [answers, setAnswers] = useState<Readonly<Partial<Record<Doubt, boolean>>>>({});
  const [isDayKept, setDayKept] = useState(false);
  const [cancel, setCancel] = useState(false);
  const { add, isAdding, failure } = useAdd(day, done, isHere);
  const sheet = useMemo(
    () => readSheet(rows, { day, remembered, chosen, answers }),
    [rows, day, remembered, chosen, answers],
  );
  const jobs = jobsOf(sheet);
  const {
    answer,
    trips,
    failure: refused,
    isAsking,
    choose,
    remake,
  } = useTrips(day, jobs.slice(0, JOB_LIMITS.jobsPerDay));
  const routes = (useWatches().data?.watches ?? []).filter(({ kind }) => kind === 'route');
  /** The row of each job. */
  const lines = sheet.rows.flatMap((row) => row.jobs.map(() => row.line));
  const asked = questions(sheet, isDayKept);
  const left = sheet.rows.filter(({ problem }) => problem !== null).length;
  const fresh = trips.filter((trip) => trip.chosen === 'new');
  const missing = answer?.missing ?? [];
  const stays = staysWords(answer);

  const words = [
    counted(jobs.length, 'job'),
    fresh.length > 0 && counted(fresh.length, 'new route'),
    left > 0 && `${counted(left, 'row')} left out`,
  ];

  return (
    <>
      <SheetColumns
        sheet={sheet}
        about={
          isInLines
            ? 'Read as one trip a line.'
            : sheet.isKnown && lastDay
              ? `Columns as on ${sheetOf(lastDay)}.`
              : ''
        }
        onMeaning={(at, meaning) => setChosen((before) => new Map(before).set(at, meaning))}
      >
        {asked.length + sheet.questions.length > 0 && (
          <ul className={styles.asked} data-list aria-label="Questions">
            {sheet.saysDay && !isDayKept && (
              <li data-row data-text="strong">
                <StatusLine status="minor">
                  {sheet.asked.find((one) => one.startsWith('This sheet says')) ?? ''}
                </StatusLine>
                <Button small onClick={() => onDay(sheet.saysDay!)}>
                  It is for {dayWords(sheet.saysDay)}
                </Button>
                <Button small onClick={() => setDayKept(true)}>
                  It is for {dayWords(day)}
                </Button>
              </li>
            )}
            {sheet.questions.map(({ of, words: question, answers: possible, taken }) => (
              <li key={of} data-row data-text="strong">
                <StatusLine status="minor">{question}</StatusLine>
                {possible.map(([answer, is]) => (
                  <Button
                    key={answer}
                    small
                    data-toggle={taken !== undefined || undefined}
                    aria-pressed={taken === undefined ? undefined : taken === is}
                    onClick={() => setAnswers((before) => ({ ...before, [of]: is }))}
                  >
                    {answer}
                  </Button>
                ))}
              </li>
            ))}
            {sheet.asked
              .filter((one) => one.startsWith('Which') || one.startsWith('There'))
              .map((one) => (
                <li key={one} data-row data-text="strong">
                  <StatusLine status="severe">{one}</StatusLine>
                </li>
              ))}
            {sheet.columns.map(
              (column, at) =>
                isAskedAbout(column) && (
                  <li key={`${at} ${column.meaning}`} data-row data-text="strong">
                    <StatusLine status="minor">
                      {questionOf(sheet, at)} It holds {column.samples.map((one) => `“${one}”`).join(', ')}.
                    </StatusLine>
                    <Button
                      small
                      onClick={() => setChosen((before) => new Map(before).set(at, column.meaning))}
                    >
                      Yes
                    </Button>
                    <Button small onClick={() => setChosen((before) => new Map(before).set(at, 'none'))}>
                      No, do not use it
                    </Button>
                  </li>
                ),
            )}
          </ul>
        )}
      </SheetColumns>
      {trips.length > 0 && <SheetTrips trips={trips} routes={routes} onChoose={choose} onRemake={remake} />}
      {missing.length > 0 && <SheetGone jobs={missing} day={day} cancel={cancel} onCancel={setCancel} />}
      {stays && <StatusLine status="minor">{stays}. Undo on the job’s page brings it back.</StatusLine>}
      {(failure ?? refused) && <Notice>{failure ?? refused}</Notice>}
      {!isAsking &&
        answer?.problems.map(({ row, text }) => (
          <Notice key={row}>{text.replace(/^Row \d+/, `Row ${lines[row - 1]}`)}</Notice>
        ))}
      <div className={styles.foot} data-row data-foot>
        <p role="status" data-text="line" data-tone="2">
          <b>Nothing is stored yet.</b>{' '}
          {asked.length > 0
            ? asked[0]
            : isAsking
              ? 'Looking at the trips...'
              : `${words.filter(Boolean).join(', ')}.`}
        </p>
        <Button onClick={onBack}>Back</Button>
        <Button
          kind="primary"
          busy={isAdding}
          disabled={asked.length > 0 || jobs.length === 0 || isAsking}
          onClick={() => void add(sheet, trips, cancel ? missing.map(({ id }) => id) : [])}
        >
          {addWords(isAsking ? null : answer, jobs.length)}
        </Button>
      </div>
    </>
  );
}

/** Adds a sheet with its new routes, and goes to its day. `isHere`: whether the page still exists; its step may have
 *  been left. */
function useAdd(day: string, done: string, isHere: () => boolean) {
  const navigate = useNavigate();
  const made = useRef<MadeRoutes>(new Map());
  const { run, isBusy: isAdding, failure } = useAction();
  const add = (sheet: Sheet, trips: readonly SheetTrip[], cancel: string[]) =>
    run(async () => {
      let added: Awaited<ReturnType<typeof importJobs>>;
      let ways: Awaited<ReturnType<typeof routesOf>>;
      try {
        ways = await routesOf(trips, made.current);
        added = await importJobs({
          day,
          rows: jobsOf(sheet),
          trips: trips
            .filter(({ isChosen, chosen }) => isChosen || chosen !== null)
            .map(({ words, key }) => ({ words, watch_id: ways.get(key) ?? null })),
          columns: columnsOf(sheet),
          cancel,
        });
      } catch (error) {
        // Without an answer the sheet may have been added: then its routes are kept for the next try, which is the
        // same sheet.
        if (error instanceof Refused) await takeBack(made.current);
        throw error;
      }
      await takeBack(made.current, ways);
      const { sheet: id, added: count, updated, cancelled, stays_cancelled: stays } = added;
      noteAdded(id, day, { added: count, updated, cancelled, stays: stays.length });
      if (isHere()) navigate(done);
    }, 'Unable to add these jobs');
  return { add, isAdding, failure };
}

const jobsOf = ({ rows }: Sheet) => rows.flatMap(({ jobs }) => jobs);

type Answer = Pick<Awaited<ReturnType<typeof importJobs>>, 'added' | 'updated' | 'stays_cancelled'>;

/** The words of the button, by the server's answer to these jobs. */
function addWords(answer: Answer | null, jobs: number): string {
  const {
    added,
    updated,
    stays_cancelled: stays,
  } = answer ?? { added: jobs, updated: 0, stays_cancelled: [] };
  const words = [
    (added > 0 || updated === 0) && `Add ${counted(added, 'job')}`,
    updated > 0 && (added > 0 ? `update ${updated}` : `Update ${counted(updated, 'job')}`),
    stays.length > 0 && `${stays.length} ${stays.length === 1 ? 'stays' : 'stay'} cancelled`,
  ];
  return words.filter(Boolean).join(', ');
}

/** "1 job stays cancelled: C1"; null: none does. */
function staysWords(answer: Answer | null): string | null {
  const stays = answer?.stays_cancelled ?? [];
  if (stays.length === 0) return null;
  const names = stays.map((job) => job.ref ?? jobName(job));
  return `${counted(stays.length, 'job')} ${stays.length === 1 ? 'stays' : 'stay'} cancelled: ${names.join(', ')}`;
}

/** Whether nothing of the sheet is new: its headings are remembered, each row is a job without a remark, and
 *  nothing is asked. */
const isPlain = ({ isKnown, asked, questions: doubts, columns, rows }: Sheet): boolean =>
  isKnown &&
  asked.length + doubts.length === 0 &&
  columns.every(({ isSure }) => isSure) &&
  rows.every(({ problem, note }) => problem === null && note === null);

/** The questions that must be answered before the sheet can be added. */
const questions = (sheet: Sheet, isDayKept: boolean): string[] =>
  sheet.asked.filter((one) => !(isDayKept && sheet.saysDay && one.startsWith('This sheet says')));

const questionOf = (sheet: Sheet, at: number): string =>
  sheet.asked.find((one) => one.startsWith(`Is column ${at + 1} `)) ?? '';

/** Routes that were made for a sheet. The key is made of the trip, their name and their way. */
type MadeRoutes = Map<string, { id: string; rev: number }>;

/** The route of each trip, by the trip's key. New routes are made first, and noted in `made` as they are made. */
async function routesOf(trips: readonly SheetTrip[], made: MadeRoutes): Promise<Map<string, string>> {
  const ways = new Map<string, string>();
  for (const { key, chosen, made: way, name } of trips) {
    if (chosen === 'new' && way) {
      const of = JSON.stringify([key, name, way.legs]);
      const route =
        made.get(of) ??
        (await createWatchRecord({
          kind: 'route',
          name,
          made_by: 'junctions',
          legs: way.legs,
          geometry: null,
          reach_m: null,
          departures: [],
          notify: TELL_ME,
        }));
      made.set(of, route);
      ways.set(key, route.id);
    } else if (chosen !== null && chosen !== 'new') ways.set(key, chosen.id);
  }
  return ways;
}

/** Deletes routes that were made for a sheet: all of them if the sheet was refused, and unused ones if it was added. */
async function takeBack(made: MadeRoutes, used: ReadonlyMap<string, string> = new Map()): Promise<void> {
  const kept = new Set(used.values());
  for (const [of, { id, rev }] of made) {
    if (kept.has(id)) continue;
    made.delete(of);
    try {
      await deleteWatch(id, rev);
    } catch {
      /* By design: it can be deleted under Routes. */
    }
  }
}

/** The meanings by the words of the headings, for the next sheet. */
const columnsOf = ({ columns }: Sheet): Record<string, string> =>
  Object.fromEntries(
    columns
      .flatMap(({ heading, meaning }) =>
        heading && heading.length <= 80 ? [[heading.toLowerCase(), meaning] as const] : [],
      )
      .slice(0, JOB_LIMITS.columns),
  );
