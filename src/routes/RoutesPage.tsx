import { pageAddress, pageAddressOf } from '#contract/addresses.ts';
import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft';
import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useNavigate, usePageId, usePageQuery } from '../addresses/useAddress.ts';
import type { Watches } from '../api/watches.ts';
import { browserStore } from '../device/browserStorage.ts';
import { useOnline } from '../device/useOnline.ts';
import { sinceText } from '../feeds/alerts.ts';
import { NextTry } from '../feeds/dataSign.tsx';
import { PageState } from '../feeds/PageState.tsx';
import { isSilent } from '../feeds/sources.ts';
import { useSession } from '../session/session.ts';
import { DriverTells } from '../shift/DriverTells.tsx';
import InHand from '../shift/InHand.tsx';
import ChangesStrip from '../shift/ChangesStrip.tsx';
import { useChanges } from '../shift/changeStore.ts';
import { useInHand } from '../shift/inHandStore.ts';
import { useClock } from '../time/clock.ts';
import { isStale, serverNow } from '../time/freshness.ts';
import { Button } from '../ui/Button.tsx';
import { KeyLine, type PageKey } from '../ui/KeyLine.tsx';
import { Notice } from '../ui/Notice.tsx';
import { TempSign } from '../ui/TempSign.tsx';
import { useHere } from '../ui/useHere.ts';
import { awake, inOrder, isBehind, type Known, knownOf, stateOf } from '../watches/state.ts';
import { useWatches } from '../watches/useWatches.ts';
import { NEXT_DEPARTURE, type Window } from '../watches/window.ts';
import { type Listed, RouteRow } from './RouteRow.tsx';
import { RouteDetail } from './RouteDetail.tsx';
import { type Show, Tools } from './Tools.tsx';
import { useKeys } from './useKeys.ts';
import styles from './RoutesPage.module.css';

const EditRoute = lazy(() => import('./EditRoute.tsx'));

export const OFFLINE_EDITS = 'You are offline. Routes can be changed when the connection is back.';

const LETTERS = 'clearway_routes_letter_keys';

const KEYS: readonly PageKey[] = [
  { keys: ['↑', '↓'], what: 'the row before or after', short: 'row', always: true },
  { keys: ['Enter'], what: 'open the route', short: 'open', always: true },
  { keys: ['w'], what: 'why it is touched', short: 'why' },
  { keys: ['a'], what: 'acknowledge' },
  { keys: ['s'], what: 'snooze' },
  { keys: ['n'], what: 'new route', short: 'new route' },
  { keys: ['/'], what: 'search', short: 'search' },
  { keys: ['Esc'], what: 'close, and go back' },
  { keys: ['?'], what: 'these keys' },
];
/** States depend on the time; so often they are judged again. */
const JUDGE_MS = 5000;

type Editing = { what: 'route' | 'area' } | { what: 'change'; id: string } | null;

/** `/routes` and `/routes/{id}`: the team's routes and areas, and the chosen one. */
export function RoutesPage() {
  const chosen = usePageId();
  const { new: asked } = usePageQuery('routes');
  const navigate = useNavigate();
  const line = useWatches();
  const offline = !useOnline() || line.problem === 'offline';
  const [show, setShow] = useState<Show>('all');
  const [window, setWindow] = useState<Window>(NEXT_DEPARTURE);
  const [search, setSearch] = useState('');
  const [editing, setEditing] = useState<Editing>(asked ? { what: 'route' } : null);
  const [help, setHelp] = useState(false);
  /** How many reports were made here. */
  const [made, setMade] = useState(0);
  const isHere = useHere();
  const [letters, setLetters] = useState(() => browserStore.get(LETTERS) !== 'off');
  const page = useRef<HTMLDivElement>(null);
  const stale = useClock((now) => line.at !== null && isStale(line.at, now));
  useClock((now) => Math.floor(now.getTime() / JUDGE_MS));

  const known = useMemo(
    () => (line.data && line.at ? knownOf(line.data, line.at) : null),
    [line.data, line.at],
  );
  const listed = line.data && known ? routesOf(line.data, known, window) : [];
  const me = useSession(({ user }) => user?.id ?? null);
  const changed = useChanges(({ watches }) => watches);
  const asleep = useInHand(({ snoozed }) => snoozed);
  const shown = listed.filter(
    ({ watch, state }) =>
      (changed === null || changed.has(watch.id)) &&
      (show !== 'mine' || watch.created_by?.id === me) &&
      (show !== 'affected' || state.certain.length + state.possible.length > 0) &&
      watch.name.toLowerCase().includes(search.trim().toLowerCase()),
  );
  const open = listed.find(({ watch }) => watch.id === chosen) ?? (chosen ? undefined : shown[0]);

  const reported = () => {
    setMade(made + 1);
    return line.renew();
  };
  const saved = async (id: string | null) => {
    await line.renew();
    if (!isHere()) return;
    setEditing(null);
    navigate(id === null ? pageAddress('routes') : pageAddressOf('route', id));
  };
  const begin = (next: Editing) => !offline && setEditing(next);
  useKeys(page, letters && editing === null, {
    n: () => begin({ what: 'route' }),
    '?': () => setHelp(true),
  });
  useEffect(() => {
    if (!chosen || !page.current || !matchMedia('(max-width: 59.9rem)').matches) return;
    // On a phone the route is all of the page, and the time for which it is judged stands above it.
    const isAlone = matchMedia('(max-width: 40rem)').matches;
    const shown = isAlone ? page.current : page.current.querySelector('[data-detail]');
    shown?.scrollIntoView({ block: 'start' });
  }, [chosen]);

  return (
    <div
      className={styles.page}
      ref={page}
      data-fresh={stale || offline ? 'stale' : undefined}
      data-chosen={chosen ? true : undefined}
      data-letters={letters ? undefined : 'off'}
    >
      <header className={styles.header}>
        <h1>Routes</h1>
        <Link href={pageAddress('routes')} className={styles.back}>
          <CaretLeftIcon weight="bold" aria-hidden /> Routes
        </Link>
        <PageState {...line} silent={(line.data?.sources ?? []).filter(isSilent).length} />
        <p className={styles.actions}>
          <Link href={pageAddress('team')} className={styles.team}>
            Team
          </Link>
          <DriverTells disabled={offline} routes={withKilometres(listed, open)} onMade={reported} />
          <Button disabled={offline} onClick={() => setEditing({ what: 'area' })}>
            New area
          </Button>
          <Button kind="primary" disabled={offline} onClick={() => setEditing({ what: 'route' })}>
            New route
          </Button>
        </p>
        {offline && <p className={styles.refused}>{OFFLINE_EDITS}</p>}
        <Tools {...{ show, setShow, window, setWindow, search, setSearch }} chosen={Boolean(chosen)} />
      </header>
      {known && (
        <div className={styles.strip}>
          {listed.length > 0 && <ChangesStrip screen="routes" rowsAt={line.at} />}
          <InHand alerts={known.alerts} changed={made} full />
        </div>
      )}
      <Sign line={line} behindSince={known?.behindSince ?? null} offline={offline} />
      {!line.data ? (
        line.problem || line.refused ? (
          <Notice>Unable to load routes</Notice>
        ) : (
          <p className={styles.empty}>Loading...</p>
        )
      ) : listed.length === 0 && !chosen ? (
        <Empty disabled={offline} onNew={() => setEditing({ what: 'route' })} />
      ) : (
        <div className={styles.columns}>
          <div className={styles.rows}>
            {shown.length > 0 ? (
              <ol aria-label="Routes and areas, worst first">
                {shown.map((one) => (
                  <RouteRow
                    key={one.watch.id}
                    {...one}
                    state={awake(one.state, asleep)}
                    counting={!stale && !offline}
                    isOpen={one.watch.id === open?.watch.id}
                  />
                ))}
              </ol>
            ) : (
              <p className={styles.empty}>No routes match</p>
            )}
          </div>
          {open && known ? (
            <RouteDetail
              key={open.watch.id}
              {...open}
              known={known}
              offline={offline}
              window={window}
              onWindow={setWindow}
              onEdit={() => setEditing({ what: 'change', id: open.watch.id })}
            />
          ) : (
            <div className={styles.missing}>
              <p>
                {line.refreshing || line.problem
                  ? 'Loading...'
                  : 'This route is not here, or is not your team’s.'}
              </p>
              <Link href={pageAddress('routes')}>Routes</Link>
            </div>
          )}
        </div>
      )}
      {editing && (
        <Suspense fallback={null}>
          <EditRoute
            what={editing.what}
            {...(editing.what === 'change' && { id: editing.id })}
            refused={offline ? OFFLINE_EDITS : null}
            onClose={() => setEditing(null)}
            onSaved={saved}
          />
        </Suspense>
      )}
      <KeyLine
        all={KEYS}
        open={help}
        onOpen={setHelp}
        letters={letters}
        onLetters={(on) => {
          browserStore.set(LETTERS, on ? 'on' : 'off');
          setLetters(on);
        }}
      />
    </div>
  );
}

function routesOf(data: Watches, known: Known, window: Window): Listed[] {
  const now = serverNow();
  return inOrder(data.watches.map((watch) => ({ watch, state: stateOf(watch, known, window, now) })));
}

/** An area has no kilometres. The open route comes first. */
const withKilometres = (listed: readonly Listed[], open: Listed | undefined) =>
  (open ? [open, ...listed.filter((one) => one !== open)] : listed)
    .map(({ watch }) => watch)
    .filter(({ kind }) => kind === 'route');

function Empty({ disabled, onNew }: { disabled: boolean; onNew: () => void }) {
  return (
    <div className={styles.none}>
      <p>
        <b>No routes yet</b>
      </p>
      <p>Add the roads your coaches use, and Clearway tells you what touches them.</p>
      <Button kind="primary" disabled={disabled} onClick={onNew}>
        New route
      </Button>
    </div>
  );
}

/** Over routes that are not current; read out when it appears. */
function Sign({
  line,
  behindSince,
  offline,
}: {
  line: Pick<ReturnType<typeof useWatches>, 'at' | 'problem' | 'refreshing' | 'nextTryAt'>;
  behindSince: Date | null;
  offline: boolean;
}) {
  const { at, problem } = line;
  const asOf = useClock((now) => (at ? sinceText(at, now) : null));
  const old = useClock((now) => at !== null && isStale(at, now));
  const behind = useClock((now) => (isBehind(behindSince, now) ? sinceText(behindSince!, now) : null)); // behind: it has a time
  const away = offline || problem !== null || old;

  return (
    <div role="status" className={styles.sign}>
      {asOf && away && (
        <TempSign icon={<WifiSlashIcon weight="bold" aria-hidden />}>
          <strong>
            {offline ? 'Offline' : 'No answer'}: showing routes from {asOf}
          </strong>{' '}
          <span aria-live="off">
            <NextTry {...line} />
          </span>
        </TempSign>
      )}
      {!away && behind && (
        <TempSign>
          <strong>Matching is behind: routes as of {behind}.</strong>
        </TempSign>
      )}
    </div>
  );
}
