import { pageAddress, pageAddressOf } from '#contract/addresses.ts';
import { STATIONS_ATTRIBUTION } from '#contract/places/events.ts';
import { alertNumber } from '#contract/incidents/alertNumber.ts';
import { isPlanned, statedStart } from '#contract/incidents/disruptions.ts';
import { kilometres } from '#contract/places/distance.ts';
import { feedOf } from '#contract/feeds/feeds.ts';
import { isOwn, knownSource } from '#contract/feeds/knownSources.ts';
import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react';
import { Link } from 'wouter';
import { usePageId } from '../../device/address/useAddress.ts';
import { splitAlerts } from '../../api/accounts/admin.ts';
import type { AlertRecord } from '../../api/alerts/alerts.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { geometryOf } from '../../api/alerts/geometry.ts';
import { useAction } from '../../api/useAction.ts';
import {
  alertAddress,
  mapAddress,
  numberAddress,
  ageText,
  alertTime,
  dateOf,
  detailOf,
  gradeOf,
  isAhead,
  titleOf,
} from '../../feeds/alerts/alerts.ts';
import { PageSign, PageState } from '../../feeds/refresh/PageState.tsx';
import {
  askWords,
  clearAt,
  endOrStartWords,
  fromToday,
  shortTime,
  spanWords,
  untilWords,
} from '../../feeds/alerts/alertTimes.ts';
import { formsOf, headOf } from '../../feeds/alerts/titles.ts';
import { alsoText, trendText } from '../../feeds/alerts/leadAlerts.ts';
import type { Position } from '../../maps/land/ownDrawing.ts';
import { isAdmin, useSession } from '../../session/session.ts';
import { useStateOf } from '../../shift/inHand/inHandStates.ts';
import { doAction, useUnknownAt } from '../../shift/inHand/sendActions.ts';
import { useClock } from '../../time/tickingClock.ts';
import { isStale, serverNow } from '../../time/freshness.ts';
import { formatDateTime } from '../../time/london.ts';
import { Button, buttonLook } from '../../ui/controls/Button.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { grouped } from '#contract/numbers.ts';
import { OutsideLink } from '../../ui/signs/OutsideLink.tsx';
import { Facts } from '../../ui/page/Facts.tsx';
import { Panel } from '../../ui/page/Page.tsx';
import { GRADE_WORDS, Severity } from '../../ui/signs/Severity.tsx';
import { stretchWords } from '../../watches/routeWords.ts';
import styles from './AlertPage.module.css';
import { PassOn } from './PassOn.tsx';
import { endedWords, stepsOf } from './timeline.ts';
import {
  TeamPart,
  useTeamLog,
  EndReport,
  canStrike,
  noteSteps,
  teamSteps,
  withStrikes,
} from './TeamPart.tsx';
import { useAlert } from './useAlert.ts';
import { WhatWeRead } from './WhatWeRead.tsx';

const SmallMap = lazy(() => import('./SmallMap.tsx'));
const OnRoutes = lazy(() => import('./OnRoutes.tsx'));

/** `/disruptions/{event_id}`: everything that is known about one alert. */
export function AlertPage() {
  const id = usePageId();
  const answer = useAlert(id);
  const { data: alert, at, refused, problem, renew } = answer;
  const stale = useClock((now) => at !== null && isStale(at, now));
  const name = alert ? headOf(alert).place : null;
  useEffect(() => {
    if (name) document.title = `${name} – Clearway`;
  }, [name]);

  return (
    <div className={styles.page} data-fresh={stale ? 'stale' : undefined}>
      <header className={styles.bar} data-justify="between" data-line="4" data-only="screen">
        <Link href={pageAddress('list')} data-tone="1" data-tap data-text="strong">
          <CaretLeftIcon weight="bold" aria-hidden /> All alerts
        </Link>
        {(alert || !refused) && <PageState {...answer} />}
      </header>
      {alert && <PageSign line={answer} what="page" failure="Unable to refresh this alert" />}
      {alert ? (
        <Shown alert={alert} onChanged={renew} />
      ) : refused ? (
        <Missing>This alert is not here. It ended too long ago, or its address is not right.</Missing>
      ) : problem ? (
        <Missing>Unable to load this alert. This device keeps no copy of it.</Missing>
      ) : (
        <h1 data-pad="5">Loading...</h1>
      )}
    </div>
  );
}

function Missing({ children }: { children: ReactNode }) {
  return (
    <>
      <h1 data-pad="5">Alert</h1>
      <Notice>{children}</Notice>
    </>
  );
}

function Shown({ alert, onChanged }: { alert: AlertRecord; onChanged: () => Promise<void> }) {
  return (
    <article>
      <Head alert={alert} />
      <TeamPart alert={alert}>
        {alert.report && !alert.ended_at && <EndReport report={alert.report} onChanged={onChanged} />}
        <ShareButton address={`${location.origin}${alertAddress(alert)}`} title={headOf(alert).place} />
        <Button onClick={() => window.print()}>Print</Button>
      </TeamPart>
      <div className={styles.columns} data-columns="60">
        <div data-stack="4">
          <Times alert={alert} />
          <Advice alert={alert} />
          <PublishersWords alert={alert} />
          <PassOn alert={alert} />
          <HowItWent alert={alert} />
        </div>
        <div data-stack="4">
          <Place alert={alert} />
          <Source alert={alert} />
          <AlsoReported alert={alert} onChanged={onChanged} />
          {!alert.ended_at && (
            <Suspense fallback={null}>
              <OnRoutes alert={alert} />
            </Suspense>
          )}
          <Near alert={alert} />
        </div>
      </div>
    </article>
  );
}

function Head({ alert }: { alert: AlertRecord }) {
  const grade = gradeOf(alert);
  const ended = dateOf(alert.ended_at);
  const { place, effect } = headOf(alert);
  const { lapsed } = useStateOf(alert);
  // "Acknowledged by Rosa Jones at 08:12. Worse since." is shown below, and "easing" would contradict it.
  const trend = useClock((now) =>
    lapsed === 'worse' && alert.trend?.direction === 'easing' ? '' : trendText(alert, now),
  );
  const time = useClock((now) =>
    ended
      ? `ended ${shortTime(ended, now)}`
      : [spanWords(alert, now), askWords(alert, now)].filter(Boolean).join('. '),
  );
  const also = alsoText(alert);

  return (
    <header
      className={styles.head}
      data-grade={ended ? 'ended' : grade}
      data-fresh={ended ? 'stale' : undefined}
      data-long={place.length > 60 || undefined}
    >
      <span className={styles.symbol}>
        <Severity grade={grade} plate={!ended} wordless />
      </span>
      <div>
        <p data-row="4" data-tight data-text="line">
          <b>{[GRADE_WORDS[grade], !ended && isPlanned(alert) && 'planned'].filter(Boolean).join(', ')}</b>
          {isOwn(alert) && <span>Ours</span>}
          {ended && (
            <span>
              {isOwn(alert) && alert.ended_reason !== 'expired' ? 'Over' : endedWords(alert.ended_reason)}
            </span>
          )}
          {!ended && trend && (
            <span data-line="1">
              <Arrow isUp={alert.trend?.direction === 'worse'} /> {trend}
            </span>
          )}
          {also && <span>{also}</span>}
        </p>
        <h1>{place}</h1>
        <div className={styles.below} data-split="5">
          <p className={styles.effect}>{effect}</p>
          <p className={styles.time}>{time}</p>
        </div>
      </div>
    </header>
  );
}

const Arrow = ({ isUp }: { isUp: boolean }) => (
  <svg
    viewBox="0 0 24 24"
    width="0.95em"
    aria-hidden="true"
    className={styles.arrow}
    data-up={isUp || undefined}
  >
    <path d="M12 2 22 13h-6.5v9h-7v-9H2z" />
  </svg>
);

function PublishersWords({ alert }: { alert: AlertRecord }) {
  const line = detailOf(alert);

  return (
    <details className={styles.words} data-text="sign" data-part>
      <summary>{isOwn(alert) ? 'What was reported' : "The publisher's words"}</summary>
      <blockquote>
        <p>
          <b>{titleOf(alert)}</b>
        </p>
        {line && <p>{line}</p>}
        {alert.what_was_read && <WhatWeRead eventId={alert.event_id} read={alert.what_was_read} />}
        {(alert.metadata?.links ?? []).map(({ url, label }) => (
          <p key={url}>
            <OutsideLink url={url}>{label?.trim() || 'More about it'}</OutsideLink>
          </p>
        ))}
      </blockquote>
    </details>
  );
}

/** The device's own way to share, if it has one; otherwise the address to copy. */
function ShareButton({ address, title }: { address: string; title: string }) {
  const shown = useRef<HTMLSpanElement>(null);
  if ('share' in navigator && matchMedia('(pointer: coarse)').matches) {
    return (
      <Button
        onClick={() => {
          navigator.share({ title, url: address }).catch(() => {}); // it may be closed without a choice
        }}
      >
        Share link
      </Button>
    );
  }
  return (
    <span className={styles.share}>
      <CopyButton text={address} from={shown} about="the link to this alert" label="Copy link" />
      <span ref={shown} data-hidden>
        {address}
      </span>
    </span>
  );
}

function Times({ alert }: { alert: AlertRecord }) {
  const ended = dateOf(alert.ended_at);
  const said = alertTime(alert);
  const checked = dateOf(alert.collected_at);
  const end = clearAt(alert);
  const askAgain = dateOf(alert.metadata?.ask_again_at);
  const began = useClock((now) => {
    if (isPlanned(alert) && !ended) return fromToday(alert, now).replace(/^from /i, '');
    const start = dateOf(statedStart(alert));
    return start && !isAhead(start, now) ? shortTime(start, now) : 'Not given';
  });
  const since = dateOf(alert.since);
  const changed = useClock((now) => (since ? shortTime(since, now) : ''));
  const clear = useClock((now) => {
    if (ended) return shortTime(ended, now);
    if (!end) return 'Not given';
    return untilWords(alert, now).includes('still listed')
      ? `${shortTime(end, now)}, still listed`
      : `about ${shortTime(end, now)}`;
  });
  const lastWord = useClock((now) => (said ? shortTime(said, now) : 'Not given'));
  const lastCheck = useClock((now) => (checked ? shortTime(checked, now) : 'Not known'));

  return (
    <section className={styles.times} data-part aria-label="Times">
      <dl>
        <Time name={isPlanned(alert) && !ended ? 'Begins' : 'Began'}>{began}</Time>
        {changed && !ended && <Time name="In this state since">{changed}</Time>}
        <Time name={ended ? 'Ended' : askAgain ? 'We ask again' : 'Expected clear'}>
          {!ended && askAgain ? shortTime(askAgain, serverNow()) : clear}
          {!ended && alert.facts?.expected_clear_from === 'words' && (
            <small data-text="note">by its text</small>
          )}
        </Time>
        <Time name={isOwn(alert) ? 'Last changed' : 'Publisher’s last word'}>{lastWord}</Time>
        {!isOwn(alert) && <Time name={ended ? 'Last listed' : 'We checked'}>{lastCheck}</Time>}
      </dl>
    </section>
  );
}

const Time = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt data-text="note">{name}</dt>
    <dd>{children}</dd>
  </div>
);

function Advice({ alert: { facts } }: { alert: AlertRecord }) {
  const advice = facts?.advice ?? [];
  const delay = facts?.delay_minutes;
  const { closed, of } = facts?.lanes ?? {};
  const more = [
    delay && `About ${delay} ${delay === 1 ? 'minute' : 'minutes'} longer.`,
    closed && `${closed}${of ? ` of ${of}` : ''} ${(of ?? closed) === 1 ? 'lane' : 'lanes'} closed.`,
  ].filter(Boolean);

  return (
    <Panel heading="Advice">
      <p className={styles.advice} data-size="lead">
        {[...advice, ...more].join(' ') || 'Not given'}
      </p>
    </Panel>
  );
}

function HowItWent({ alert }: { alert: AlertRecord }) {
  const { log, at } = useTeamLog(alert.event_id);
  const { waiting, taken } = useUnknownAt(at);
  const user = useSession((session) => session.user);
  const now = serverNow();
  const versions = stepsOf(alert, now);
  const known = new Set(log.map(({ id }) => id));
  const unknown = (actions: typeof waiting) =>
    actions.filter(({ event_id, id }) => event_id === alert.event_id && !known.has(id));
  const steps = [
    ...versions,
    ...teamSteps(withStrikes(log, [...taken, ...waiting]), now),
    ...noteSteps(unknown(taken), user?.displayName ?? ''),
    ...noteSteps(unknown(waiting), 'Not sent yet'),
  ].toSorted((one, other) => other.at.getTime() - one.at.getTime());
  if (steps.length === 0) return null;
  const left = (alert.versions ?? 0) - (alert.history ?? []).length;

  return (
    <Panel heading="How it went">
      <ol className={styles.steps}>
        {steps.map(({ key, at, head, detail, isOurs, by, struck, note }) => (
          <li key={key} data-now={key === versions[0]?.key || undefined} data-ours={isOurs}>
            <time dateTime={at.toISOString()} title={formatDateTime(at)}>
              {shortTime(at, now)}
            </time>
            <i aria-hidden="true" />
            <p>
              <b data-block>{head}</b>
              {detail && (
                <span className={styles.detail} data-text="note">
                  {struck ? <s>{detail}</s> : detail}
                </span>
              )}
              {detail && by && ' '}
              {by && <span data-text="note">{[by, struck].filter(Boolean).join('. ')}</span>}
              {note && canStrike(note, user?.id, now) && <Strike alert={alert} note={note.id} />}
            </p>
          </li>
        ))}
      </ol>
      {left > 0 && (
        <p data-text="small" data-tone="2">
          {grouped(left)} earlier versions are not shown.
        </p>
      )}
    </Panel>
  );
}

/** It stays legible. */
function Strike({ alert, note }: { alert: AlertRecord; note: string }) {
  const { event_id, severity } = alert;
  const doing = { kind: 'strike' as const, note };
  return (
    <Button
      small
      kind="quiet"
      onClick={() =>
        void doAction({ event_id, title: titleOf(alert), severity: severity ?? undefined, doing, rev: 0 })
      }
    >
      Strike out
    </Button>
  );
}

function Place({ alert }: { alert: AlertRecord }) {
  const { latitude, longitude } = alert;
  if (!mapAddress(alert) || latitude == null || longitude == null) {
    return (
      <section data-part aria-label="Place">
        <p>
          {isOwn(alert) ? stretchWords(alert) || 'The report has no place.' : 'The publisher gave no place.'}
        </p>
      </section>
    );
  }
  return <Placed alert={alert} latitude={latitude} longitude={longitude} />;
}

/** The map of the place. It is memoised, so that a refresh without a change does not draw it again. */
function Placed({ alert, latitude, longitude }: { alert: AlertRecord; latitude: number; longitude: number }) {
  const { metadata, geometry } = alert;
  const map = mapAddress(alert);
  const shape = JSON.stringify(geometry ?? null);
  const drawn = useMemo(() => geometryOf({ geometry: JSON.parse(shape) as unknown }), [shape]);
  const at = useMemo((): Position => [longitude, latitude], [longitude, latitude]);
  // Only the publisher gives a line or an area.
  const isExact = drawn !== null || metadata?.location_method === 'publisher';
  const where = `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`.replaceAll('-', '−');
  const length =
    drawn?.type === 'MultiLineString' && drawn.coordinates.length === 1
      ? `${lengthKm(drawn.coordinates).toFixed(1)} km of road`
      : '';

  return (
    <section data-part aria-label="Place" data-fresh={alert.ended_at ? 'stale' : undefined}>
      <Suspense fallback={<div className={styles.mapRoom} />}>
        <SmallMap
          at={at}
          isExact={isExact}
          drawn={drawn}
          grade={gradeOf(alert)}
          label={`Map: ${headOf(alert).place}${isExact ? '' : ', approximate'}`}
        />
      </Suspense>
      <div data-split="3">
        <p data-text="note">
          {[isExact ? where : `${where}, approximate${methodWords(metadata?.location_method)}`, length]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {map && (
          <Link href={map} {...buttonLook({ small: true })}>
            Open in Map View
          </Link>
        )}
      </div>
    </section>
  );
}

const lengthKm = (lines: readonly Position[][]): number =>
  lines
    .flatMap((line) => line.slice(1).map((to, at) => ({ to, from: line[at]! })))
    .reduce((km, { from, to }) => km + kilometres(from[1], from[0], to[1], to[0]), 0);

function methodWords(method: string | null | undefined): string {
  const words: Record<string, string> = {
    stretch: ': a point of the stretch of road',
    area: ': a point of the area',
    stop: ': one of the stops',
    airport: ': the airport',
    station: ': the station that the words name',
    line_section: ': between the stations that the words name',
    line: ': the middle of the line',
    junction: ': at the junctions that the words name',
    place_name: ': the place that the words name',
    between_places: ': between the places that the words name',
  };
  return words[method ?? ''] ?? '';
}

function Source({ alert }: { alert: AlertRecord }) {
  const { published, source, event_id } = alert;
  const said = alertTime(alert);
  const collected = dateOf(alert.collected_at);
  const age = useClock((now) => (said ? ageText(said, now) : ''));
  const collectedAt = useClock((now) => (collected ? shortTime(collected, now) : ''));
  const { name, url } = published?.licence ?? {};
  const licence = url ? <OutsideLink url={url}>{name}</OutsideLink> : name;
  const by = (
    <b>
      {alert.report ? alert.report.by?.name : (published?.publisher ?? knownSource(source ?? '').displayName)}
    </b>
  );
  const feed = published?.feed?.title ?? (source ? feedOf(source)?.title : undefined);

  return (
    <Panel heading="Source">
      <Facts
        className={styles.facts}
        data-text="line"
        facts={[
          [alert.report ? 'Reported by' : 'Published by', by],
          ['Seen by', isOwn(alert) && 'Only your team'],
          ['Feed', feed],
          ['Licence', licence],
          ['Age', [age, collectedAt && `collected ${collectedAt}`].filter(Boolean).join(', ')],
          ['Reference', event_id.slice(event_id.indexOf(':') + 1)],
          ['Number', !isOwn(alert) && `${alertNumber(event_id)}, at ${location.host}${numberAddress(alert)}`],
        ]}
      />
      {published?.attribution && (
        <p data-text="small" data-tone="2">
          {published.attribution}
        </p>
      )}
    </Panel>
  );
}

function AlsoReported({ alert, onChanged }: { alert: AlertRecord; onChanged: () => Promise<void> }) {
  const admin = useSession(isAdmin);
  const { run, isBusy, failure } = useAction();
  const others = alert.metadata?.also_reported_by ?? [];
  if (others.length === 0) return null;

  const split = (other: string) =>
    run(async () => {
      await splitAlerts(alert.event_id, other);
      await onChanged();
    }, 'Unable to keep the two alerts apart');

  return (
    <Panel heading="Also reported by">
      <ul className={styles.near} data-ruled data-text="note">
        {others.map(({ event_id, source, title, why }) => (
          <li key={event_id}>
            <div>
              <b data-tone="1" data-text="strong">
                {knownSource(source ?? '').displayName}
              </b>
              <span>
                {event_id ? (
                  <Link data-tone="1" href={pageAddressOf('alert', event_id)}>
                    {title}
                  </Link>
                ) : (
                  title
                )}
              </span>
              <span>
                {[source && feedOf(source)?.title, why && `Kept as one incident: ${why}`]
                  .filter(Boolean)
                  .join('. ')}
              </span>
              {admin && event_id && (
                <Button small aria-disabled={isBusy} onClick={() => void split(event_id)}>
                  Not the same incident
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {failure && <Notice>{failure}</Notice>}
    </Panel>
  );
}

function Near({ alert: { nearby } }: { alert: AlertRecord }) {
  const { alerts, events, stations } = nearby ?? {};
  if (!alerts?.length && !events?.length && !stations?.length) return null;

  return (
    <Panel heading="Near it">
      <ul className={styles.near} data-ruled data-text="note">
        {(alerts ?? []).map(
          (other) =>
            other.event_id && (
              <NearAlert key={other.event_id} alert={other as Alert & { distance_km?: number | null }} />
            ),
        )}
        {(events ?? []).map(
          ({ event_id, name, venue_name, start_datetime, distance_km, is_sample }, index) => (
            <li key={`${event_id} ${index}`}>
              <div>
                <b data-tone="1" data-text="strong">
                  {event_id ? (
                    <Link data-tone="1" href={pageAddressOf('event', event_id)}>
                      {name}
                    </Link>
                  ) : (
                    name
                  )}
                </b>
                <span>
                  {[
                    venue_name,
                    start_datetime && formatDateTime(start_datetime),
                    kmText(distance_km),
                    is_sample && 'sample data',
                  ]
                    .filter(Boolean)
                    .join(', ')}
                </span>
              </div>
            </li>
          ),
        )}
        {(stations ?? []).map(({ name, crs, distance_km }) => (
          <li key={name}>
            <div>
              <b data-tone="1" data-text="strong">{`${name ?? ''} station${crs ? ` (${crs})` : ''}`}</b>
              <span>{kmText(distance_km)}</span>
            </div>
          </li>
        ))}
      </ul>
      {stations && stations.length > 0 && (
        <p data-text="small" data-tone="2">
          {STATIONS_ATTRIBUTION}
        </p>
      )}
    </Panel>
  );
}

function NearAlert({ alert }: { alert: Alert & { distance_km?: number | null } }) {
  const time = useClock((now) => endOrStartWords(alert, now));
  return (
    <li data-alert>
      <Severity grade={gradeOf(alert)} wordless />
      <div>
        <b data-tone="1" data-text="strong">
          <Link data-tone="1" href={alertAddress(alert)}>
            {formsOf(alert)[0]}
          </Link>
        </b>
        <span>{[kmText(alert.distance_km), time].filter(Boolean).join(', ')}</span>
      </div>
    </li>
  );
}

const kmText = (km: number | null | undefined) => (km == null ? '' : `${km.toFixed(1)} km`);
