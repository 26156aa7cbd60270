import { pageAddress, pageAddressOf } from '#contract/addresses.ts';
import { isUnderWay } from '#contract/watches/departures.ts';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from '../../../device/address/useAddress.ts';
import { watchRecord } from '../../../api/watches/oneWatch.ts';
import { listAddresses } from '../../../api/watches/sharing.ts';
import { ownTeam } from '../../../api/accounts/teams.ts';
import { useLoad } from '../../../api/useLoad.ts';
import { useRefreshed } from '../../../feeds/refresh/useRefreshed.ts';
import { isAdmin, useSession } from '../../../session/session.ts';
import { useInHand } from '../../../shift/inHand/inHandStore.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { serverNow } from '../../../time/freshness.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { counted, grouped } from '#contract/numbers.ts';
import { Pane } from '../../../ui/page/ListAndPane.tsx';
import { Loading } from '../../../ui/page/Page.tsx';
import { Tabs } from '../../../ui/page/Tabs.tsx';
import { dayAndClock, type Window, windowName } from '../../../watches/timeWindow.ts';
import type { Listed } from '../../../watches/RouteRow.tsx';
import { awake, countOf, type Known, type RouteState } from '../../../watches/watchState.ts';
import { whichWords } from '../../../watches/whichWords.ts';
import { RouteNow } from './RouteNow.tsx';
import { useTold } from './Tell.tsx';

const RouteHistory = lazy(() => import('./RouteHistory.tsx'));
const Tell = lazy(() => import('./Tell.tsx'));
const Share = lazy(() => import('./Share.tsx'));

type DetailTab = 'now' | 'tell' | 'share';
const PAGES = { now: 'route', tell: 'routeTell', share: 'routeShare' } as const;

/** The chosen route, area or feed: its present alerts, its messages, and its public pages and addresses. */
export function RouteDetail({
  watch,
  state,
  known,
  offline,
  window,
  tab,
  ids,
  onWindow,
  onEdit,
  onDelete,
  onChanged,
}: Listed & {
  known: Known;
  offline: boolean;
  window: Window;
  tab: DetailTab;
  /** The ids of all the team's routes, areas and feeds. */
  ids: readonly string[];
  onWindow: (window: Window) => void;
  onEdit: () => void;
  onDelete: () => void;
  /** Call it after a change to the watch. Promises that the list shows the change. */
  onChanged: () => Promise<void>;
}) {
  const navigate = useNavigate();
  // The way itself changes only with the route. Its alerts come with the list.
  const { data: record, renew } = useRefreshed(`${watch.id} ${watch.rev}`, (signal) =>
    watchRecord(watch.id, signal),
  );
  const [mapShown, setMapShown] = useState(false);
  const [pastShown, setPastShown] = useState(false);
  const snoozed = useInHand((inHand) => inHand.snoozed);
  const count = countOf(awake(state, snoozed, serverNow()));
  const when = useClock((now) => paneWords(state, now));
  const isRoute = watch.kind === 'route';
  const told = useTold(watch.id);
  const ways = useLoad((signal) => listAddresses(watch.id, signal), 'Unable to load the addresses', {
    until: 'answered',
  });
  const admin = useSession(isAdmin);
  const team = useLoad(ownTeam, '');
  // While the role is not known the actions are offered, because the server would refuse them in words.
  const isLead = admin || team.data?.role !== 'member';
  const changed = async () => {
    await Promise.all([onChanged(), renew()]);
  };

  return (
    <Pane
      back={[pageAddress('routes'), 'Routes and areas']}
      heading={watch.name}
      about={isRoute ? `${grouped(Math.round(watch.length_km))} km${when}` : whichWords(watch)}
      acts={
        <>
          {tab === 'now' && isRoute && (
            <Button small aria-pressed={mapShown} onClick={() => setMapShown(!mapShown)}>
              {mapShown ? 'Hide map' : 'Show map'}
            </Button>
          )}
          {tab === 'now' && (
            <Button small aria-expanded={pastShown} onClick={() => setPastShown(!pastShown)}>
              {pastShown ? 'Hide history' : 'History'}
            </Button>
          )}
          <Button small onClick={() => globalThis.print()}>
            Print
          </Button>
          <Button small disabled={offline || !record} onClick={onEdit}>
            Edit
          </Button>
        </>
      }
    >
      <Tabs
        label={watch.name}
        look="page"
        tabs={[
          { value: 'now', label: 'Now', count: state.standing === 'off' ? undefined : count },
          { value: 'tell', label: 'Tell', count: told.count },
          { value: 'share', label: 'Share', count: ways.data?.addresses.length },
        ]}
        value={tab}
        onChange={(next: DetailTab) => navigate(pageAddressOf(PAGES[next], watch.id), { replace: true })}
      >
        <Suspense fallback={<Loading data-pad="3" />}>
          {tab === 'tell' ? (
            record ? (
              <Tell
                key={watch.rev}
                {...{ watch, told, ids, isLead, offline, onDelete }}
                record={record.watch}
                onChanged={changed}
              />
            ) : (
              <Loading data-pad="3" />
            )
          ) : tab === 'share' ? (
            <Share {...{ watch, ways, count, isLead, offline }} />
          ) : (
            <>
              {pastShown && <RouteHistory key={watch.id} id={watch.id} name={watch.name} />}
              <RouteNow
                {...{ watch, state, known, record, mapShown, offline, window, onWindow }}
                onChanged={() => void changed()}
              />
            </>
          )}
        </Suspense>
      </Tabs>
    </Pane>
  );
}

/** " · next 12 hours · leaves 06:10 tomorrow, arrives about 10:10 tomorrow" */
function paneWords({ window, trip, trips }: RouteState, now: Date): string {
  const name = window.kind === 'departure' && trip ? '' : windowName(window, trip, now);
  const way =
    trip &&
    `${isUnderWay(trip, now) ? 'on the way, left' : 'leaves'} ${dayAndClock(trip.leaves, now)}, arrives about ${dayAndClock(trip.arrives, now)}`;
  const more =
    (window.kind === 'departure' || window.kind === 'date') && trips.length > 1
      ? `with ${counted(trips.length - 1, 'more departure')}`
      : '';
  return [name, way, more].map((part) => part && ` · ${part}`).join('');
}
