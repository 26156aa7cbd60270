import { pageAddress, pageAddressOf } from '#contract/addresses.ts';
import { MINUTE_MS } from '#contract/durations.ts';
import { WATCH_LIMITS, type WatchKind } from '#contract/watches/watches.ts';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useNavigate, usePageId, usePageName, usePageQuery } from '../../device/address/useAddress.ts';
import { useAction } from '../../api/useAction.ts';
import { orderWatches, restoreWatch } from '../../api/watches/oneWatch.ts';
import type { ListedWatch, Watches } from '../../api/watches/watches.ts';
import { browserStore, tabStore, useStoredSwitch } from '../../device/browserStorage.ts';
import { useOnline } from '../../device/useOnline.ts';
import { sinceText } from '../../feeds/alerts/alerts.ts';
import { AsOfSign } from '../../feeds/refresh/AsOfSign.tsx';
import { PageState } from '../../feeds/refresh/PageState.tsx';
import { isSilent } from '../../feeds/alerts/sourceStatus.ts';
import { useSession, useTyped } from '../../session/session.ts';
import { DriverTells } from '../../shift/reports/DriverTells.tsx';
import InHand from '../../shift/InHand.tsx';
import ChangesStrip from '../../shift/changes/ChangesStrip.tsx';
import { useChanges } from '../../shift/changes/changeStore.ts';
import { useInHand } from '../../shift/inHand/inHandStore.ts';
import { useClock, useJudgedAgain } from '../../time/tickingClock.ts';
import { formatDateTime } from '../../time/london.ts';
import { isStale, serverNow } from '../../time/freshness.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Empty } from '../../ui/page/Empty.tsx';
import { PrintHead } from '../../ui/page/PrintHead.tsx';
import { Loading } from '../../ui/page/Page.tsx';
import { ListAndPane } from '../../ui/page/ListAndPane.tsx';
import { KeyedPage, type PageKey } from '../../ui/page/KeyedPage.tsx';
import { Menu } from '../../ui/controls/Menu.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { ProductSign } from '../../ui/signs/ProductSign.tsx';
import { useHere } from '../../ui/useHere.ts';
import {
  affectedNow,
  awake,
  inOrder,
  isBehind,
  isTouched,
  type Known,
  knownOf,
  type RouteState,
  stateOf,
} from '../../watches/watchState.ts';
import { useWatches } from '../../watches/useWatches.ts';
import { NEXT_DEPARTURE, type Window } from '../../watches/timeWindow.ts';
import { type Deleted, DeleteWatch } from './DeleteWatch.tsx';
import { begunWith } from './making/watchDraft.ts';
import type { Listed } from '../../watches/RouteRow.tsx';
import { Columns } from './Columns.tsx';
import { Groups } from './Groups.tsx';
import { type Filters, type Kind, kindAt, kindShown, kindsIn, shownIn, Tools } from './Tools.tsx';
import { RouteDetail } from './detail/RouteDetail.tsx';
import styles from './RoutesPage.module.css';
import { londonDay } from '#contract/london.ts';
import { z } from 'zod/mini';

const EditRoute = lazy(() => import('./making/EditRoute.tsx'));

const OFFLINE_EDITS = 'You are offline. Routes can be changed when the connection is back.';

const LETTERS = 'clearway_routes_letter_keys';
const VIEW = 'clearway_routes_view';

const KEYS: readonly PageKey[] = [
  { keys: ['↑', '↓'], what: 'the row before or after', short: 'row', always: true },
  { keys: ['Enter'], what: 'open the route', short: 'open', always: true },
  { keys: ['w'], what: 'why it is touched', short: 'why' },
  { keys: ['a'], what: 'acknowledge' },
  { keys: ['s'], what: 'snooze' },
  { keys: ['n'], what: 'new route', short: 'new route' },
  { keys: ['c'], what: 'list or columns', short: 'columns' },
  { keys: ['/'], what: 'search', short: 'search' },
  { keys: ['Esc'], what: 'close, and go back' },
  { keys: ['?'], what: 'these keys' },
];
type Editing = { what: 'route' | 'area' | 'feeds' } | { what: 'change'; id: string } | null;

/** `/routes` and `/routes/{id}`: the team's routes, areas and whole feeds, and the chosen one. */
export function RoutesPage() {
  const chosen = usePageId();
  const page = usePageName();
  const { new: asked, kind: askedKind, conditions } = usePageQuery('routes');
  const navigate = useNavigate();
  const line = useWatches();
  const offline = !useOnline() || line.problem === 'offline';
  const [filters, setFilters] = useState<Filters>(() => ({
    view: browserStore.get(VIEW) === 'columns' ? 'columns' : 'list',
    kind: null,
    show: 'all',
    // A link in a message is about the match that it names, so the window that was kept does not count.
    window: location.hash === '' ? keptWindow() : NEXT_DEPARTURE,
    search: '',
  }));
  const { show, window, search } = filters;
  // A chosen watch is shown beside the list.
  const view = chosen ? 'list' : filters.view;
  /** The route of the pane when the address names none. It stays when the list is sorted again. */
  const [held, setHeld] = useState<string | null>(null);
  const set = (changed: Partial<Filters>) => {
    setFilters((before) => ({ ...before, ...changed }));
    if (changed.window) tabStore.set(WINDOW, JSON.stringify(changed.window));
    else if (changed.view) {
      browserStore.set(VIEW, changed.view);
      if (chosen) navigate(pageAddress('routes'));
    } else setHeld(null); // other rows are listed
    if (changed.kind && !chosen) navigate(pageAddress('routes', { kind: changed.kind }), { replace: true });
  };
  /** The kind that the address named last. It counts until the user chooses another. */
  const [named, setNamed] = useState<string | undefined>(undefined);
  if (askedKind !== named) {
    setNamed(askedKind);
    if (askedKind !== undefined) setFilters({ ...filters, kind: kindAt(askedKind) });
  }
  const [editing, setEditing] = useState<Editing>(asked ? { what: madeOf(asked) } : null);
  const [deleting, setDeleting] = useState<ListedWatch | null>(null);
  const [deleted, setDeleted] = useTyped<(Deleted & { until: number }) | null>('deleted route', () => null);
  const canUndo = useClock((now) => deleted !== null && now.getTime() < deleted.until);
  const acting = useAction();
  /** How many reports were made on this page. */
  const [made, setMade] = useState(0);
  const isHere = useHere();
  const letters = useStoredSwitch(LETTERS);
  const stale = useClock((now) => line.at !== null && isStale(line.at, now));
  useJudgedAgain();

  const known = useMemo(
    () => (line.data && line.at ? knownOf(line.data, line.at) : null),
    [line.data, line.at],
  );
  const all = line.data?.watches ?? [];
  const listed = line.data && known ? routesOf(line.data, known, window) : [];
  const me = useSession(({ user }) => user?.id ?? null);
  const changed = useChanges(({ watches }) => watches);
  const asleep = useInHand(({ snoozed }) => snoozed);
  const shownKind = kindShown(view, filters.kind, all);
  const counting = !stale && !offline;
  /** Whether the groups count what is affected now, although a row may name a later departure. */
  const countsNow = show === 'affected' || window.kind === 'departure' || window.kind === 'now';
  const awakeNow = (one: Listed): Listed => ({ ...one, state: awake(one.state, asleep, serverNow()) });
  const shown = (show === 'affected' && known ? affectedOf(listed, known, shownKind) : listed).filter(
    ({ watch }) =>
      shownIn(view, shownKind, watch) &&
      (changed === null || changed.has(watch.id)) &&
      (show !== 'mine' || watch.created_by?.id === me) &&
      watch.name.toLowerCase().includes(search.trim().toLowerCase()),
  );
  const inGroups = KINDS_IN_ORDER.flatMap((one) => shown.filter(({ watch }) => watch.kind === one));
  const openId = chosen || held;
  const open = listed.find(({ watch }) => watch.id === openId) ?? (chosen ? undefined : inGroups[0]);
  if (!chosen && open && open.watch.id !== held) setHeld(open.watch.id);

  const reported = () => {
    setMade(made + 1);
    return line.renew();
  };
  const saved = async (id: string, isNew: boolean) => {
    await line.renew();
    if (!isHere()) return;
    setEditing(null);
    // For a new area or filter, the next question is who gets its messages.
    const isNext = isNew && editing?.what !== 'route';
    // This replaces the dialog, which is an entry of the history.
    navigate(pageAddressOf(isNext ? 'routeTell' : 'route', id), { replace: true });
  };
  const gone = async (watch: Deleted) => {
    await line.renew();
    setDeleted({ ...watch, until: serverNow().getTime() + WATCH_LIMITS.undoMinutes * MINUTE_MS });
    if (!isHere()) return;
    setEditing(null);
    setDeleting(null);
    navigate(pageAddress('routes'), { replace: true });
  };
  const undo = (watch: Deleted) =>
    acting.run(async () => {
      await restoreWatch(watch.id);
      await line.renew();
      setDeleted(null);
      if (isHere()) navigate(pageAddressOf('route', watch.id));
    }, 'Unable to bring this route back');
  /** Moves a column to the place of another, which moves on by one. */
  const move = (id: string, to: string) =>
    acting.run(async () => {
      const ids = all.map((watch) => watch.id);
      const others = ids.filter((one) => one !== id);
      const at = others.indexOf(to) + (ids.indexOf(id) < ids.indexOf(to) ? 1 : 0);
      await orderWatches(others.toSpliced(at, 0, id));
      await line.renew();
    }, 'Unable to move this column');
  const begin = (next: Editing) => !offline && setEditing(next);

  const news = [
    { label: 'New route', act: () => begin({ what: 'route' }) },
    { label: 'New area', act: () => begin({ what: 'area' }) },
    { label: 'New filter', act: () => begin({ what: 'feeds' }) },
  ];

  return (
    <KeyedPage
      keys={KEYS}
      actions={{
        n: () => begin({ what: 'route' }),
        c: () => set({ view: view === 'list' ? 'columns' : 'list' }),
      }}
      letters={letters}
      resting={editing !== null}
      className={styles.header}
      chosen={chosen}
      data-fresh={stale || offline ? 'stale' : undefined}
      header={
        <>
          <h1>Routes and areas</h1>
          <PageState {...line} silent={(line.data?.sources ?? []).filter(isSilent).length} />
          <div className={styles.actions} data-row data-listed>
            <Link href={pageAddress('team')} data-tap>
              Team
            </Link>
            <DriverTells routes={withKilometres(listed, open)} onMade={reported} />
            {news.toReversed().map(({ label, act }, at) => (
              <Button
                key={label}
                className={styles.new}
                kind={at === 2 ? 'primary' : 'default'}
                disabled={offline}
                onClick={act}
              >
                {label}
              </Button>
            ))}
          </div>
          {offline && (
            <p className={styles.refused} data-across data-text="note">
              {OFFLINE_EDITS}
            </p>
          )}
          <div role="status">
            {deleted && canUndo && (
              <p className={styles.refused} data-across data-text="note">
                “{deleted.name}” is deleted for the whole team.{' '}
                <Button small disabled={offline} onClick={() => void undo(deleted)}>
                  Undo
                </Button>
              </p>
            )}
          </div>
          {acting.failure && <Notice>{acting.failure}</Notice>}
          <Tools
            filters={{ ...filters, view, kind: shownKind }}
            set={set}
            kinds={kindsIn(view, all)}
            chosen={Boolean(chosen)}
          >
            <Menu label="New" kind="primary" disabled={offline} actions={news} />
          </Tools>
        </>
      }
    >
      <PrintHead
        title={chosen && open ? open.watch.name : 'Routes and areas'}
        data={line.at ? `Data of ${formatDateTime(line.at)}` : ''}
        about={stale || offline ? 'Not current: see the time of the data' : null}
      />
      {known && (
        // Without routes there are no changes, and so no strip and no rule.
        <div
          className={listed.length > 0 ? styles.strip : undefined}
          data-row="0"
          data-listed
          data-only="screen"
        >
          {listed.length > 0 && <ChangesStrip screen="routes" rowsAt={line.at} />}
          <InHand alerts={known.alerts} changed={made} full />
        </div>
      )}
      <AsOfSign line={line} offline={offline} what="routes and areas">
        <Behind since={known?.behindSince ?? null} />
      </AsOfSign>
      {!line.data ? (
        line.problem || line.refused ? (
          <Notice>Unable to load routes</Notice>
        ) : (
          <Loading />
        )
      ) : listed.length === 0 && !chosen ? (
        <NoneYet disabled={offline} news={news} />
      ) : view === 'columns' ? (
        shown.length > 0 ? (
          <Columns
            label={`${shownKind === 'areas' ? 'Areas' : shownKind === 'feeds' ? 'Whole feeds' : 'Areas and whole feeds'} side by side`}
            columns={inTeamOrder(shown, all).map(awakeNow)}
            counting={counting}
            onMove={offline ? null : (id, to) => void move(id, to)}
          />
        ) : (
          <p data-pad="4" data-text="line" data-tone="2">
            {all.some((watch) => shownIn('columns', 'all', watch))
              ? 'No areas or feeds match'
              : 'No areas or feeds yet.'}
          </p>
        )
      ) : (
        <ListAndPane
          as="nav"
          label="Routes, areas and whole feeds, worst first"
          list={
            shown.length > 0 ? (
              <Groups
                rows={shown.map((one) => ({
                  ...awakeNow(one),
                  besides:
                    known && window.kind === 'departure' && show !== 'affected'
                      ? besides(one, known, asleep)
                      : null,
                  isAffected: countsNow
                    ? known !== null && isAffectedNow(one.watch, known)
                    : isTouched(one.state),
                }))}
                countsNow={countsNow}
                openId={open?.watch.id}
                counting={counting}
                folds={search.trim() === ''}
              />
            ) : (
              <p data-pad="4" data-gutter data-text="line" data-tone="2">
                {all.some((watch) => shownIn('list', shownKind, watch)) ? 'No routes match' : 'None yet'}
              </p>
            )
          }
        >
          {open && known ? (
            <RouteDetail
              key={open.watch.id}
              watch={open.watch}
              state={paneState(open, known, window, shown)}
              known={known}
              offline={offline}
              window={window}
              tab={page === 'routeTell' ? 'tell' : page === 'routeShare' ? 'share' : 'now'}
              onWindow={(window) => set({ window })}
              ids={all.map(({ id }) => id)}
              onChanged={line.renew}
              onEdit={() => setEditing({ what: 'change', id: open.watch.id })}
              onDelete={() => setDeleting(open.watch)}
            />
          ) : (
            <div data-pad="4" data-gutter data-text="line">
              <p>
                {line.refreshing || line.problem
                  ? 'Loading...'
                  : 'This route is not here, or is not your team’s.'}
              </p>
              <Link href={pageAddress('routes')} data-tap>
                Routes and areas
              </Link>
            </div>
          )}
        </ListAndPane>
      )}
      {editing && (
        <Suspense fallback={null}>
          <EditRoute
            what={editing.what}
            {...(editing.what === 'change' && { id: editing.id })}
            {...(conditions &&
              (editing.what === 'area' || editing.what === 'feeds') && {
                begun: begunWith(conditions, editing.what),
              })}
            refused={offline ? OFFLINE_EDITS : null}
            onClose={() => setEditing(null)}
            onSaved={saved}
            onDeleted={gone}
          />
        </Suspense>
      )}
      {deleting && <DeleteWatch watch={deleting} onDeleted={gone} onCancel={() => setDeleting(null)} />}
    </KeyedPage>
  );
}

const KINDS_IN_ORDER: readonly WatchKind[] = ['route', 'area', 'feeds'];

/** The kind to be made, from the address. */
const madeOf = (asked: string): WatchKind => KINDS_IN_ORDER.find((kind) => kind === asked) ?? 'route';

/** The watches in the team's order. */
const inTeamOrder = (shown: readonly Listed[], all: readonly { id: string }[]) =>
  all.flatMap(({ id }) => shown.find(({ watch }) => watch.id === id) ?? []);

/** The states of all watches in the window. A chosen departure only changes the pane: the row still names the worst
 *  departure. */
function routesOf(data: Watches, known: Known, window: Window): Listed[] {
  const now = serverNow();
  const rows = window.kind === 'departure' ? NEXT_DEPARTURE : window;
  return inOrder(data.watches.map((watch) => ({ watch, state: stateOf(watch, known, rows, now) })));
}

/** The watches that are affected now, whatever window is chosen, each with its state now, so that none looks clear.
 *  Whole feeds are included only when only feeds are listed. */
function affectedOf(listed: readonly Listed[], known: Known, kind: Kind): Listed[] {
  const now = serverNow();
  return inOrder(
    listed.flatMap(({ watch }) => {
      if (watch.kind === 'feeds' && kind !== 'feeds') return [];
      const state = affectedNow(watch, known, now);
      return state ? [{ watch, state }] : [];
    }),
  );
}

/** Whether something touches the watch now. The dashboard and "Affected now" use the same rule. */
function isAffectedNow(watch: ListedWatch, known: Known): boolean {
  const state = affectedNow(watch, known, serverNow());
  return state !== null && isTouched(state);
}

/** The state now, if it is worse than the state for the departures that the row is judged by; otherwise null. */
function besides({ watch, state }: Listed, known: Known, asleep: ReadonlySet<string>): RouteState | null {
  const now = serverNow();
  const affected = affectedNow(watch, known, now);
  if (!affected || affected.window.kind === state.window.kind) return null;
  const left = awake(affected, asleep, now);
  return isTouched(left) ? left : null;
}

/** The state in the pane: for the departure that is chosen there, otherwise that of the row. */
function paneState(
  { watch, state }: Listed,
  known: Known,
  window: Window,
  shown: readonly Listed[],
): RouteState {
  if (window.kind !== 'departure') return state;
  if (watch.departures.some(({ id }) => id === window.id)) return stateOf(watch, known, window, serverNow());
  return shown.find((one) => one.watch.id === watch.id)?.state ?? state;
}

/** The routes, whose kilometres can be named; the open one comes first. */
const withKilometres = (listed: readonly Listed[], open: Listed | undefined) =>
  (open ? [open, ...listed.filter((one) => one !== open)] : listed)
    .map(({ watch }) => watch)
    .filter(({ kind }) => kind === 'route');

function NoneYet({
  disabled,
  news,
}: {
  disabled: boolean;
  news: readonly { label: string; act: () => void }[];
}) {
  return (
    <div data-pad="5">
      <Empty heading="Nothing is watched yet. Begin with the place you answer for.">
        <p data-row>
          {news.map(({ label, act }, at) => (
            <Button key={label} kind={at === 0 ? 'primary' : 'default'} disabled={disabled} onClick={act}>
              {label}
            </Button>
          ))}
        </p>
      </Empty>
    </div>
  );
}

/** Says that the routes' matches are older than the answer that they came with. */
function Behind({ since }: { since: Date | null }) {
  const behind = useClock((now) => (isBehind(since, now) ? sinceText(since!, now) : null)); // it is behind, so it has a time
  if (!behind) return null;
  return (
    <ProductSign>
      <strong>Matching is behind: routes as of {behind}.</strong>
    </ProductSign>
  );
}

/** The window that was chosen on the routes' page, kept for the tab: it survives Back and a reload. */
const WINDOW = 'clearway_routes_window';

const Kept = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('now') }),
  z.object({ kind: z.literal('hours') }),
  z.object({ kind: z.literal('departure'), id: z.nullable(z.string()) }),
  z.object({
    kind: z.literal('date'),
    day: z.iso.date(),
    clock: z.nullable(z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))),
  }),
]);

/** The default if none is kept, or if its day is over. */
function keptWindow(): Window {
  try {
    const kept = Kept.parse(JSON.parse(tabStore.get(WINDOW) ?? ''));
    return kept.kind === 'date' && kept.day < londonDay(serverNow()) ? NEXT_DEPARTURE : kept;
  } catch {
    return NEXT_DEPARTURE; // there is none, or it is of another version of the app
  }
}
