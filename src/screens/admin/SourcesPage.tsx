import { ArrowClockwiseIcon } from '@phosphor-icons/react/dist/csr/ArrowClockwise';
import { useEffect, useState } from 'react';
import type { Standing } from '#contract/feeds/sourceReports.ts';
import { useAction } from '../../api/useAction.ts';
import {
  demoteSource,
  listSourceReports,
  restoreSource,
  type SourceReport,
  switchSource,
  trySource,
} from '../../api/alerts/sources.ts';
import { useLoad } from '../../api/useLoad.ts';
import { serverNow } from '../../time/freshness.ts';
import { formatClock, formatDay, timeAgo, formatDateTime } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted } from '#contract/numbers.ts';
import { Page, LoadState } from '../../ui/page/Page.tsx';
import { StatusLine } from '../../ui/signs/StatusLine.tsx';
import { Table } from '../../ui/page/Table.tsx';
import styles from './SourcesPage.module.css';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';

const STANDINGS = {
  failing: { word: 'Failing', status: 'severe' },
  silent: { word: 'Silent', status: 'moderate' },
  faltering: { word: 'Last poll failed', status: 'moderate' },
  not_set_up: { word: 'Not set up', status: 'none' },
  off: { word: 'Off', status: 'off' },
  waiting: { word: 'Waiting', status: 'minor' },
  working: { word: 'Working', status: 'good' },
} as const satisfies Record<Standing, object>;

/** How often, and how many times, the page checks whether a requested poll is done. */
const LOOK_MS = 1500;
const LOOKS = 40;

/** A poll that somebody has asked for on this page. */
interface Asked {
  source: string;
  name: string;
  /** The last attempt before that poll. */
  before: string | null;
  looks: number;
}

/** The sources of the data, and which of them fail, are silent, not set up or off. */
export function SourcesPage() {
  const { reload, ...reports } = useLoad(listSourceReports, 'Unable to load the sources');
  const [open, setOpen] = useState<string | null>(null);
  const { run, isBusy, failure } = useAction();
  /** The source that the last action was about. */
  const [acted, setActed] = useState('');
  const [asked, setAsked] = useState<Asked | null>(null);
  const [said, setSaid] = useState('');
  const data = reports.data;
  const sources = data?.sources ?? [];

  useEffect(() => {
    if (!asked) return undefined;
    const now = sources.find(({ source }) => source === asked.source);
    if (now && isDone(now, asked)) {
      setAsked(null);
      setSaid(`${asked.name}: ${outcome(now)}`);
      return undefined;
    }
    if (asked.looks >= LOOKS) {
      setAsked(null);
      setSaid(`${asked.name} has not answered yet.`);
      return undefined;
    }
    const timer = setTimeout(() => {
      void reload().then(() => setAsked((one) => one && { ...one, looks: one.looks + 1 }));
    }, LOOK_MS);
    return () => clearTimeout(timer);
    // It checks again after each answer, which raises `looks`.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [asked]);

  const act = (source: SourceReport, otherwise: string, doIt: () => Promise<unknown>) => {
    setActed(nameOf(source));
    setSaid('');
    return run(async () => {
      await doIt();
      await reload();
    }, otherwise);
  };
  const ask = (report: SourceReport, doIt: () => Promise<unknown>, otherwise: string) =>
    act(report, otherwise, async () => {
      await doIt();
      const { source, last_attempt } = report;
      setAsked({ source, name: nameOf(report), before: last_attempt ?? null, looks: 0 });
    });
  const isBusyNow = isBusy || asked !== null;
  const button = (report: SourceReport, text: string, onClick: () => unknown, isDisabled = isBusyNow) => (
    <Button
      small
      aria-label={`${text}: ${nameOf(report)}`}
      aria-disabled={isDisabled}
      onClick={() => !isDisabled && onClick()}
    >
      {text}
    </Button>
  );
  const acts = (report: SourceReport) => {
    const { source, standing, demoted } = report;
    const isSuggested = suggestedBy(report) > 0;
    return (
      <div className={styles.acts} data-justify="end" data-row>
        {standing === 'not_set_up' && button(report, 'How to', () => setOpen(source), false)}
        {standing === 'off' &&
          button(report, 'Turn on', () =>
            ask(report, () => switchSource(source, false), 'Unable to turn the source on'),
          )}
        {['failing', 'silent', 'faltering', 'waiting'].includes(standing) &&
          button(report, 'Try now', () => ask(report, () => trySource(source), 'Unable to ask the source'))}
        {isSuggested &&
          button(report, 'Demote for all', () =>
            act(report, 'Unable to demote the source', () => demoteSource(source)),
          )}
        {(demoted || isSuggested) &&
          button(report, 'Restore', () =>
            act(report, 'Unable to restore the source', () => restoreSource(source)),
          )}
        {isAsked(report) && button(report, 'More', () => setOpen(source), false)}
      </div>
    );
  };

  const shown = sources.find(({ source }) => source === open);
  const bad = sources.filter(({ standing }) => standing !== 'working');
  return (
    <Page
      heading="Sources"
      about={<Sums sources={sources} />}
      aside={
        <p data-tight="2" data-row="4">
          {data?.at && <span data-text="note">Last refresh {formatClock(data.at, { seconds: true })}</span>}
          <Button onClick={() => void reload()}>
            <ArrowClockwiseIcon weight="bold" aria-hidden /> Refresh
          </Button>
        </p>
      }
    >
      <LoadState load={reports} />
      {failure && <Notice>{`${acted}: ${failure}`}</Notice>}
      <p role="status" data-bottom="3" data-text="line">
        {asked ? `Asking ${asked.name} ...` : said}
      </p>
      {sources.length > 0 && (
        <Table
          label="Sources"
          rows={sources}
          keyOf={({ source }) => source}
          rowProps={(report) => ({
            // The last of the sources with trouble.
            className: bad.length < sources.length && report === bad.at(-1) ? styles.ends : undefined,
          })}
          columns={{
            Source: {
              as: 'head',
              cell: (report) => (
                <>
                  {nameOf(report)}
                  <small>{report.feed}</small>
                </>
              ),
            },
            State: (report) => <State report={report} />,
            'Last success': ({ last_success }) => <LastSuccess at={last_success} />,
            'Records a poll, last 30': (report) => (
              <div>
                {isAsked(report) ? (
                  <Sparkline polls={report.polls ?? []} dim={report.standing !== 'working'} />
                ) : (
                  <small>no polls</small>
                )}
              </div>
            ),
            Now: { as: 'number', cell: (report) => <b>{isAsked(report) ? (report.alerts ?? 0) : '–'}</b> },
            Covers: (report) => (
              <div>
                {report.covers}
                {costOf(report) && <p data-text="label">{costOf(report)}</p>}
              </div>
            ),
            Action: { as: 'hidden', cell: acts },
          }}
        />
      )}
      {shown && (
        <SourceDialog
          report={shown}
          busy={isBusy}
          onTurnOff={() =>
            void act(shown, 'Unable to turn the source off', () => switchSource(shown.source, true)).then(
              () => setOpen(null),
            )
          }
          onClose={() => setOpen(null)}
        />
      )}
    </Page>
  );
}

const nameOf = ({ name, source }: SourceReport) => name ?? source;

const isDone = ({ last_attempt, polls }: SourceReport, { before }: Asked) =>
  last_attempt != null && last_attempt !== before && polls?.at(-1)?.at === last_attempt;

function outcome({ polls, why }: SourceReport): string {
  const last = polls?.at(-1);
  if (last?.ok === false) return why ?? 'it failed again';
  return `it answered with ${counted(last?.records ?? 0, 'record')}`;
}

/** "1 failing, 1 silent, 11 working", each with its symbol. */
function Sums({ sources }: { sources: readonly SourceReport[] }) {
  return (
    <span data-tight="1" data-tone="1" data-row="5">
      {Object.entries(STANDINGS).map(([standing, { word, status }]) => {
        const count = sources.filter((one) => one.standing === standing).length;
        if (count === 0) return null;
        return (
          <StatusLine key={standing} status={status}>
            {count} {word.toLowerCase()}
          </StatusLine>
        );
      })}
    </span>
  );
}

const isAsked = ({ standing }: SourceReport) => standing !== 'off' && standing !== 'not_set_up';

/** How many teams have demoted it, each for itself, while only an administrator could do so for all teams. */
const suggestedBy = ({ demoted, demoted_by }: SourceReport) => (demoted ? 0 : (demoted_by ?? 0));

function State({ report }: { report: SourceReport }) {
  const { word, status } = STANDINGS[report.standing];
  const teams = suggestedBy(report);
  return (
    <div data-stack="0" data-align="start">
      <StatusLine status={status}>{word}</StatusLine>
      {report.demoted && (
        <small className={styles.why} data-break>
          Possible only: {report.demoted.why}
        </small>
      )}
      {teams > 0 && (
        <small className={styles.why} data-break>
          {teams === 1 ? '1 team has' : `${teams} teams have`} demoted it: demote it for all?
        </small>
      )}
      {stateLines(report).map((line) => (
        <small key={line} className={styles.why} data-break>
          {line}
        </small>
      ))}
    </div>
  );
}

/** The meaning of the source's state, in words. */
function stateLines({ standing, why, off, last_success, interval_seconds, last_ms }: SourceReport): string[] {
  if (standing === 'off') {
    const when = off?.at ? `, ${formatDay(off.at, serverNow())}` : '';
    return [`Turned off by ${off?.by ?? 'an administrator'}${when}`];
  }
  if (standing === 'silent') {
    const since = last_success ? `Answers, nothing newer than ${formatClock(last_success)}` : null;
    return [why ?? since ?? 'Nothing to rely on'];
  }
  if (standing === 'waiting') return ['Not asked yet'];
  if (standing !== 'working') return why ? [why] : [];
  const took = last_ms == null ? '' : `, ${(last_ms / 1000).toFixed(1)}\u00a0s`;
  return [`every ${everyWords(interval_seconds ?? 60)}${took}`];
}

const everyWords = (seconds: number) =>
  seconds <= 60 ? `${seconds}\u00a0s` : `${Math.round(seconds / 60)}\u00a0min`;

/** The number of routes and alerts that depend on a source while it cannot be relied on. */
function costOf({ standing, freshness, alerts, routes }: SourceReport): string | null {
  if (standing === 'working' || standing === 'waiting' || standing === 'faltering') return null;
  const own = routes
    ? `${routes === 1 ? '1 of your routes depends' : `${routes} of your routes depend`} on it`
    : null;
  if (standing === 'not_set_up' || standing === 'off')
    return routes ? `${counted(routes, 'route')} ${routes === 1 ? 'says' : 'say'} “Not connected”` : null;
  const hollow =
    freshness === 'stale' && alerts
      ? `${counted(alerts, 'alert')} ${alerts === 1 ? 'is' : 'are'} hollow on the board`
      : null;
  return [hollow, own].filter(Boolean).join(', ') || null;
}

function LastSuccess({ at }: { at: string | null | undefined }) {
  if (!at)
    return (
      <b data-text="strong" data-figures>
        never
      </b>
    );
  const now = serverNow();
  const isToday = formatDay(at, now) === formatDay(now, now);
  const isRecent = now.getTime() - Date.parse(at) < 60 * 60_000;
  return (
    <div>
      <b data-text="strong" data-figures>
        {isToday ? formatClock(at) : formatDay(at, now)}
      </b>
      <small>{!isToday ? formatClock(at) : isRecent ? timeAgo(at, now).toLowerCase() : 'today'}</small>
    </div>
  );
}

const HIGH = 28;
const STEP = 5;
const POLLS = 30;

/** The number of records that each poll listed, on a scale of its own. A cross is a failed poll, a flat bar an empty
 *  one. */
function Sparkline({ polls, dim }: { polls: NonNullable<SourceReport['polls']>; dim: boolean }) {
  if (polls.length === 0) return <small>no polls</small>;

  const most = Math.max(1, ...polls.map(({ records }) => records ?? 0));
  const failed = polls.filter(({ ok }) => ok === false).length;
  return (
    <>
      <svg
        className={styles.spark}
        viewBox={`0 0 ${POLLS * STEP} ${HIGH}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {polls.slice(-POLLS).map(({ at, ok, records }, n) => {
          const x = n * STEP;
          if (ok === false)
            return (
              <path
                key={at ?? n}
                stroke="var(--text-2)"
                fill="none"
                strokeWidth="1.4"
                d={`M${x} ${HIGH - 4}l4 4m0-4-4 4`}
              />
            );
          const height = Math.max(1, ((records ?? 0) / most) * HIGH);
          return (
            <rect
              key={at ?? n}
              fill={`var(--text-${dim ? 3 : 2})`}
              x={x}
              y={HIGH - height}
              width={STEP - 1}
              height={height}
            />
          );
        })}
      </svg>
      <span data-hidden>
        {counted(polls.length, 'poll')}
        {failed > 0 ? `, ${failed} failed` : ''}, {most === 1 ? 'at most 1 record' : `up to ${most} records`}
      </span>
    </>
  );
}

/** A source's settings, and the problems of its last document. */
function SourceDialog({
  report,
  busy,
  onTurnOff,
  onClose,
}: {
  report: SourceReport;
  busy: boolean;
  onTurnOff: () => void;
  onClose: () => void;
}) {
  const { name, source, standing, settings, missing_settings, skipped, problems, next_run } = report;
  const missing = missing_settings ?? [];

  return (
    <Dialog heading={name ?? source} onClose={onClose}>
      {missing.length > 0 && (
        <p>
          Set {missing.join(' and ')} in the environment of the server, and start it again. The manual,
          docs/sources.md, says where to get each key.
        </p>
      )}
      {next_run && <p>Next poll {formatDateTime(next_run)}</p>}
      {(settings ?? []).length > 0 && (
        <dl className={styles.settings} data-stack="3">
          {(settings ?? []).map((setting) => (
            <div key={setting.name}>
              <dt>
                <code>{setting.name}</code>{' '}
                {setting.is_set ? 'is set' : setting.required ? 'is missing' : 'is not set'}
              </dt>
              <dd data-tone="2">{setting.about}</dd>
            </div>
          ))}
        </dl>
      )}
      {(skipped ?? 0) > 0 && <p>{counted(skipped ?? 0, 'record')} of the last poll could not be read.</p>}
      {(problems ?? []).length > 0 && (
        <ul className={styles.problems} data-break>
          {(problems ?? []).map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      <div className={styles.acts} data-justify="end" data-row>
        <Button onClick={onClose}>Close</Button>
        {standing !== 'off' && standing !== 'not_set_up' && (
          <Button kind="danger" aria-disabled={busy} onClick={() => !busy && onTurnOff()}>
            Turn off
          </Button>
        )}
      </div>
    </Dialog>
  );
}
