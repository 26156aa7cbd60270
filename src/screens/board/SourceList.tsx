import { EVENTS_PER_SOURCE, isPlanned } from '#contract/incidents/disruptions.ts';
import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown';
import { CaretUpIcon } from '@phosphor-icons/react/dist/csr/CaretUp';
import { knownSource } from '#contract/feeds/knownSources.ts';
import { useId, useState } from 'react';
import type { Alert, SourceEntry } from '../../api/alerts/disruptions.ts';
import { isStale, serverNow } from '../../time/freshness.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { OutsideLink, webAddress } from '../../ui/signs/OutsideLink.tsx';
import { Severity } from '../../ui/signs/Severity.tsx';
import { StatusLine } from '../../ui/signs/StatusLine.tsx';
import { counted, grouped } from '#contract/numbers.ts';
import {
  ageText,
  alertAge,
  dateOf,
  detailOf,
  gradeOf,
  inOrder,
  inSentence,
  sinceText,
  startText,
  titleOf,
} from '../../feeds/alerts/alerts.ts';
import { useClock } from '../../time/tickingClock.ts';
import styles from './SourceList.module.css';
import { alertCount, operatorsOf, type SourceDetail, statusOf } from '../../feeds/alerts/sourceLine.ts';
import type { Sheet } from './useSources.ts';

export interface SourceListProps {
  feedTitle: string;
  /** `demo`: demo data has no sources. */
  sheet: Sheet | 'demo';
  /** The feed's sources as listed in the board's latest reply. */
  newest: readonly SourceEntry[];
  boardStale: boolean;
}

/** The sheet below an opened feed: a row for each source, with its status line and its last reports. */
export default function SourceList({ feedTitle, sheet, newest, boardStale }: SourceListProps) {
  const loadedAt = sheet !== 'demo' && sheet.state === 'ready' ? sheet.at : null;
  const old = useClock((now) => loadedAt !== null && isStale(loadedAt, now));

  return (
    <section
      className={styles.sheet}
      aria-label={`Sources for ${feedTitle}`}
      data-fresh={old ? 'stale' : undefined}
    >
      {contents()}
    </section>
  );

  function contents() {
    if (sheet === 'demo')
      return <p className={styles.message}>Source breakdown is available when connected to live data.</p>;
    if (sheet.state === 'loading') return <p className={styles.message}>Loading sources...</p>;
    if (sheet.state === 'failed') return <Failure>Unable to load source details</Failure>;
    if (sheet.sources.length === 0)
      return <p className={styles.message}>No contributing sources configured for this feed.</p>;

    return (
      <>
        <h3 className={styles.heading} data-size="lead" data-row data-align="baseline">
          {counted(sheet.sources.length, 'source')}{' '}
          {sheet.at && (
            <span data-text="small" data-tone="2">
              as of {sinceText(sheet.at, serverNow(), { seconds: true })}
            </span>
          )}
        </h3>
        {sheet.outdated && <Failure>Unable to load source details</Failure>}
        {sheet.directoryFailed && <Failure>Unable to load source directory</Failure>}
        {sheet.sources.every(({ outcome }) => outcome === 'empty') ? (
          <p className={styles.message}>No contributing feeds returned results for this summary.</p>
        ) : (
          sheet.sources.map((detail) => (
            <SourceRow
              key={detail.source}
              detail={detail}
              newest={newest.find(({ source }) => source === detail.source)}
              boardStale={boardStale || old}
            />
          ))
        )}
      </>
    );
  }
}

function SourceRow({
  detail,
  newest,
  boardStale,
}: {
  detail: SourceDetail;
  newest: SourceEntry | undefined;
  boardStale: boolean;
}) {
  const { status, text } = statusOf(detail, { newest, boardStale, now: serverNow() });
  const { displayName, tagline } = knownSource(detail.source);
  const operators = operatorsOf(detail.answer);
  // For a source that is not believed, bad news is shown with its age, and good news is left out.
  const isBelieved = status !== 'none';
  const listedOperators = operators
    .filter(({ status }) => isBelieved || status !== 'good')
    .slice(0, EVENTS_PER_SOURCE);
  const count = alertCount(detail);
  const alerts = operators.length > 0 ? [] : inOrder(detail.answer?.events ?? []);
  const collected = dateOf(detail.answer?.last_collected ?? detail.entry?.last_collected);
  const id = useId();
  const [listed, setListed] = useState(false);
  const operatorsTotal = Math.max(detail.answer?.operators_total ?? 0, operators.length);

  return (
    <div className={styles.source}>
      <div data-tight="1" data-row="4">
        <h4 data-break data-size="lead" id={id}>
          {displayName}
        </h4>
        <StatusLine status={status}>{text}</StatusLine>
        <div data-justify="end" data-push data-row="4" data-text="small" data-tone="2">
          <p>
            {collected ? (
              <>
                {(isBelieved || count > 0) && !text.includes('alert') && `${counted(count, 'alert')} · `}
                <Collected at={collected} />
              </>
            ) : (
              tagline
            )}
          </p>
          {/* Closed at first: the status line has the main point, and forty alerts are too many to scan. */}
          {alerts.length > 0 && (
            <Button small aria-expanded={listed} aria-describedby={id} onClick={() => setListed(!listed)}>
              Latest alerts
              {listed ? (
                <CaretUpIcon weight="bold" aria-hidden />
              ) : (
                <CaretDownIcon weight="bold" aria-hidden />
              )}
            </Button>
          )}
        </div>
      </div>

      {listedOperators.length > 0 && (
        <ul className={styles.grid} aria-label="Operators">
          {listedOperators.map((operator) => (
            <li key={operator.id}>
              <p data-row>
                <StatusLine status={operator.status}>{operator.name}</StatusLine>
              </p>
              <p className={styles.words} data-text="note">
                {operator.text}
              </p>
              {operator.groups.map(({ name, detail, url }) => (
                <p className={styles.words} data-text="note" key={name + detail + url}>
                  {name && `${name}: `}
                  {webAddress(url) ? <OutsideLink url={url}>{detail || linkText(url)}</OutsideLink> : detail}
                </p>
              ))}
            </li>
          ))}
        </ul>
      )}
      {listedOperators.length > 0 && operatorsTotal > listedOperators.length && (
        <p data-text="small" data-tone="2">
          {counted(operatorsTotal - listedOperators.length, 'more operator')} not listed
        </p>
      )}

      {listed && (
        <LatestAlerts
          alerts={alerts.slice(0, EVENTS_PER_SOURCE)}
          total={Math.max(detail.answer?.total ?? 0, alerts.length)}
          label={`Latest alerts of ${displayName}`}
        />
      )}
    </div>
  );
}

function LatestAlerts({ alerts, total, label }: { alerts: readonly Alert[]; total: number; label: string }) {
  return (
    <>
      <ul className={styles.grid} aria-label={label}>
        {alerts.map((alert) => (
          <li key={alert.event_id}>
            <p data-row>
              <Severity grade={gradeOf(alert)} /> <AlertTime alert={alert} />
            </p>
            <p className={styles.words} data-text="strong">
              {titleOf(alert)}
            </p>
            <p className={styles.words} data-text="note">
              {detailOf(alert)}
            </p>
            {(alert.metadata?.links ?? []).map(({ url, label }) => (
              <p className={styles.words} data-text="note" key={url}>
                <OutsideLink url={url}>{label?.trim() || linkText(url)}</OutsideLink>
              </p>
            ))}
          </li>
        ))}
      </ul>
      {total > alerts.length && (
        <p data-text="small" data-tone="2">
          {grouped(total - alerts.length)} more not listed
        </p>
      )}
    </>
  );
}

function AlertTime({ alert }: { alert: Alert }) {
  const age = useClock((now) => alertAge(alert, now));
  return (
    <span data-text="small" data-tone="2">
      {isPlanned(alert) ? `Planned ${startText(alert)}` : age}
    </span>
  );
}

function Collected({ at }: { at: Date }) {
  const age = useClock((now) => ageText(at, now));
  return <time dateTime={at.toISOString()}>collected {inSentence(age)}</time>;
}

function Failure({ children }: { children: string }) {
  return (
    <div className={styles.message}>
      <Notice>{children}</Notice>
    </div>
  );
}

/** Words for a link that came without a text: the host that it leads to. */
function linkText(url: string | null | undefined): string {
  const address = webAddress(url);
  return address ? `More at ${new URL(address).hostname}` : '';
}
