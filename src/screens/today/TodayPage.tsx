import { pageAddress, pageAddressOf } from '#contract/addresses.ts';
import { dayAfter, NOW_HOURS } from '#contract/watches/departures.ts';
import { londonDay } from '#contract/london.ts';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'wouter';
import { useNavigate, usePageId, usePageQuery } from '../../device/address/useAddress.ts';
import type { Job } from '../../api/watches/jobs.ts';
import { useAction } from '../../api/useAction.ts';
import { useRuntimeConfig } from '../../api/runtimeConfig.ts';
import { useStoredSwitch } from '../../device/browserStorage.ts';
import { useOnline } from '../../device/useOnline.ts';
import { AsOfSign } from '../../feeds/refresh/AsOfSign.tsx';
import { PageState } from '../../feeds/refresh/PageState.tsx';
import { isSilent } from '../../feeds/alerts/sourceStatus.ts';
import InHand from '../../shift/InHand.tsx';
import { useInHand } from '../../shift/inHand/inHandStore.ts';
import { useClock, useJudgedAgain } from '../../time/tickingClock.ts';
import { isStale, serverNow } from '../../time/freshness.ts';
import { formatClock } from '../../time/london.ts';
import { Button, buttonLook } from '../../ui/controls/Button.tsx';
import { Empty } from '../../ui/page/Empty.tsx';
import { Loading } from '../../ui/page/Page.tsx';
import { ListAndPane } from '../../ui/page/ListAndPane.tsx';
import { KeyedPage, type PageKey } from '../../ui/page/KeyedPage.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { SegmentedSwitch } from '../../ui/controls/SegmentedSwitch.tsx';
import { StatusLine } from '../../ui/signs/StatusLine.tsx';
import { bound, ToolField } from '../../ui/controls/Field.tsx';
import { useHere } from '../../ui/useHere.ts';
import { useMedia } from '../../ui/useMedia.ts';
import { awakeJob, type DayJob, dayJob, isAffected, isFound, jobsInOrder } from '../../watches/jobState.ts';
import { dayWords } from './sheetJobs.ts';
import { JobDetail } from './JobDetail.tsx';
import { JobForm } from './JobForm.tsx';
import { JobGroups } from './JobGroups.tsx';
import { addedWords, undoAdded, useLastAdded } from './lastAdded.ts';
import { useDay } from './useDay.ts';
import styles from './TodayPage.module.css';

const LETTERS = 'clearway_today_letter_keys';

const KEYS: readonly PageKey[] = [
  { keys: ['↑', '↓'], what: 'the row before or after', short: 'row', always: true },
  { keys: ['Enter'], what: 'open the job', short: 'open', always: true },
  { keys: ['a'], what: 'acknowledge', short: 'acknowledge' },
  { keys: ['w'], what: 'why it is touched', short: 'why' },
  { keys: ['n'], what: 'new job', short: 'new job' },
  { keys: ['/'], what: 'search', short: 'search' },
  { keys: ['Esc'], what: 'close, and go back' },
  { keys: ['?'], what: 'these keys' },
];

type Show = 'all' | 'affected';

/** `/today` and `/today/{id}`: the jobs of a day, their trouble, and the chosen job. */
export function TodayPage() {
  const chosen = usePageId();
  const { day: asked } = usePageQuery('today');
  const navigate = useNavigate();
  const isHere = useHere();
  const today = useClock(londonDay);
  // The address of a job has no day: the job is opened from the list of its day.
  const [keptDay, keepDay] = useState<string | null>(null);
  if (!chosen && (asked ?? null) !== keptDay) keepDay(asked ?? null);
  const day = keptDay ?? today;
  const { jobs, watches, known, sources, routes, line, refused, renew } = useDay(day);
  const offline = !useOnline() || line.problem === 'offline';
  const stale = useClock((now) => line.at !== null && isStale(line.at, now));
  useJudgedAgain();
  const [show, setShow] = useState<Show>('all');
  const [search, setSearch] = useState('');
  const [held, setHeld] = useState<string | null>(null);
  const [editing, setEditing] = useState<Job | 'new' | null>(null);
  const letters = useStoredSwitch(LETTERS);
  const { last } = useLastAdded();
  const { run: undo, isBusy: isUndoing, failure: notUndone } = useAction(renew);
  const isSaid = useClock(() => last !== null && Date.now() < last.until);
  const added = isSaid && last?.day === day ? last : null;
  const asleep = useInHand(({ snoozed }) => snoozed);

  const now = serverNow();
  const all: DayJob[] = known && jobs ? jobs.map((job) => dayJob(job, { watches, known }, now)) : [];
  const affected = all.filter(isAffected);
  const shown = (show === 'affected' ? affected : all).filter((one) => isFound(one, search));
  const rows = shown.map((one) => awakeJob(one, asleep, now));
  const openId = chosen || held;
  const firstRow = jobsInOrder(rows.filter(({ group }) => group === 'soon'))[0] ?? jobsInOrder(rows)[0];
  const open = all.find(({ job }) => job.id === openId) ?? (chosen ? undefined : firstRow);
  if (!chosen && open && open.job.id !== held) setHeld(open.job.id);
  const counting = !stale && !offline;

  const goTo = (next: string) =>
    navigate(pageAddress('today', next === today ? {} : { day: next }), { replace: true });

  const isNarrow = useMedia('(width < 60rem)');
  const isEmpty = jobs?.length === 0;
  const buttons = (
    <>
      <Link
        href={pageAddress('dayImport', day === today ? {} : { day })}
        {...buttonLook(isEmpty ? { kind: 'primary' } : {})}
      >
        Import day sheet
      </Link>
      <Button kind={isEmpty ? 'default' : 'primary'} onClick={() => setEditing('new')}>
        New job
      </Button>
    </>
  );

  return (
    <KeyedPage
      keys={KEYS}
      actions={{ n: () => setEditing('new') }}
      letters={letters}
      resting={editing !== null}
      className={styles.header}
      chosen={chosen}
      data-fresh={stale || offline ? 'stale' : undefined}
      header={
        <>
          {/* When a job is chosen on a phone, this heading is only read out, because a page needs a heading of the
              first level. */}
          <div data-row="3" data-tight data-align="baseline" data-hidden={(chosen && isNarrow) || undefined}>
            <h1>Today</h1>
            <p data-text="line" data-tone="2">
              {dayWords(day)}
            </p>
          </div>
          <PageState {...line} silent={sources.filter(isSilent).length} />
          {jobs && !isEmpty && (
            <p className={styles.actions} data-row data-listed>
              {buttons}
            </p>
          )}
          <search className={styles.tools} data-across data-row aria-label="Filters" data-listed>
            <DaySwitch day={day} today={today} onChange={goTo} />
            {jobs && !isEmpty && (
              <>
                <div className={styles.show}>
                  <SegmentedSwitch
                    label="Show"
                    options={[
                      { value: 'all', label: 'All', count: all.length },
                      { value: 'affected', label: 'Affected now', count: affected.length },
                    ]}
                    value={show}
                    onChange={(next: Show) => {
                      setHeld(null);
                      setShow(next);
                    }}
                  />
                </div>
                <ToolField label="Search" letter="/" className={styles.search}>
                  <input
                    type="search"
                    data-search
                    value={search}
                    onChange={({ target }) => {
                      setHeld(null);
                      setSearch(target.value);
                    }}
                  />
                </ToolField>
              </>
            )}
          </search>
          <div data-across data-row="3" data-text="strong" data-listed>
            <span role="status">
              {added && (
                <StatusLine status={notUndone ? 'severe' : 'good'}>
                  {notUndone ?? addedWords(added)}
                </StatusLine>
              )}
            </span>
            {added && !added.isUndone && (
              <Button
                kind="quiet"
                busy={isUndoing}
                onClick={() => void undo(undoAdded, 'Unable to take the sheet back')}
              >
                Undo
              </Button>
            )}
          </div>
        </>
      }
    >
      {known && (
        <div data-row="0">
          <InHand alerts={known.alerts} full />
        </div>
      )}
      <AsOfSign line={line} offline={offline} what="jobs" />
      {!jobs || !known ? (
        refused || line.problem ? (
          <Notice>{refused ?? 'Unable to load jobs'}</Notice>
        ) : (
          <Loading />
        )
      ) : isEmpty && !chosen ? (
        <NoneYet day={day} today={today} buttons={buttons} />
      ) : (
        <ListAndPane
          wide
          label="Jobs of the day"
          list={
            shown.length > 0 ? (
              <JobGroups
                key={`${day} ${show} ${search}`}
                jobs={rows}
                day={day}
                openId={open?.job.id}
                counting={counting}
                until={day === today ? formatClock(now.getTime() + NOW_HOURS * 3_600_000) : ''}
              />
            ) : (
              <p data-pad="4" data-gutter data-text="line" data-tone="2">
                {search ? 'No jobs match' : 'No job is affected now'}
              </p>
            )
          }
        >
          {open ? (
            <JobDetail
              key={open.job.id}
              one={open}
              known={known}
              offline={offline}
              asOf={counting ? null : line.at}
              onEdit={() => setEditing(open.job)}
              onChanged={() => void renew()}
              back={pageAddress('today', keptDay ? { day: keptDay } : {})}
            />
          ) : (
            <div data-pad="4" data-gutter data-text="line">
              <p>
                {line.refreshing
                  ? 'Loading...'
                  : 'This job is not here, or is of another day or another team.'}
              </p>
              <Link href={pageAddress('today')} data-tap>
                Today
              </Link>
            </div>
          )}
        </ListAndPane>
      )}
      {editing && (
        <JobForm
          job={editing === 'new' ? null : editing}
          day={day}
          routes={(routes.data?.watches ?? []).filter(({ kind }) => kind === 'route')}
          offline={offline}
          onClose={() => setEditing(null)}
          onSaved={async (id) => {
            await renew();
            setEditing(null);
            if (editing === 'new' && isHere())
              navigate(pageAddressOf('job', id), { replace: Boolean(chosen) });
          }}
        />
      )}
    </KeyedPage>
  );
}

/** Today, tomorrow or a date; on a phone one select. */
function DaySwitch({
  day,
  today,
  onChange,
}: {
  day: string;
  today: string;
  onChange: (day: string) => void;
}) {
  const id = useId();
  const tomorrow = dayAfter(today);
  const [isDate, setDate] = useState(day !== today && day !== tomorrow);
  const value = isDate ? 'date' : day === tomorrow ? 'tomorrow' : 'today';
  const choose = (next: string) => {
    setDate(next === 'date');
    if (next !== 'date') onChange(next === 'tomorrow' ? tomorrow : today);
  };
  const options = [
    { value: 'today', label: 'Today' },
    { value: 'tomorrow', label: 'Tomorrow' },
    { value: 'date', label: 'Date' },
  ];

  return (
    <>
      <div className={styles.wide}>
        <SegmentedSwitch label="Day" options={options} value={value} onChange={choose} />
      </div>
      <ToolField label="Day" className={styles.narrow}>
        <select {...bound(value, choose)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </ToolField>
      {isDate && (
        <ToolField label="Date" className={styles.date}>
          <input id={id} type="date" {...bound(day, (value) => value && onChange(value))} />
        </ToolField>
      )}
    </>
  );
}

function NoneYet({ day, today, buttons }: { day: string; today: string; buttons: ReactNode }) {
  const { replay } = useRuntimeConfig();
  return (
    <div data-pad="5">
      <Empty heading={day === today ? 'No jobs today.' : `No jobs on ${dayWords(day)}.`}>
        <p>Paste your day sheet and see which of them is in trouble.</p>
        <p data-row>{buttons}</p>
        {replay && (
          <p>
            <Link href={pageAddress('dayImport', { sample: 'yes' })}>Try it with a sample day</Link>
          </p>
        )}
      </Empty>
      <ol className={styles.steps} data-list data-text="line">
        <li>Copy the rows from your spreadsheet, with its headings.</li>
        <li>Look at what was understood. Each different trip is shown once, with its route.</li>
        <li>Add the jobs. The next sheet is paste and one button.</li>
      </ol>
    </div>
  );
}
