import { tooLong } from '#contract/watches/watches.ts';
import { useState } from 'react';
import type { Resolved } from '../../api/watches/oneWatch.ts';
import { ByJunctions } from '../watches/making/ByJunctions.tsx';
import { textOf } from '../watches/making/watchDraft.ts';
import { Strip } from '../watches/Strip.tsx';
import { counted } from '#contract/numbers.ts';
import { useTyped } from '../../session/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Disclosure } from '../../ui/controls/Disclosure.tsx';
import { ToolDialog } from '../../ui/dialogs/Dialog.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { ToolField } from '../../ui/controls/Field.tsx';
import { stripOf } from '../../watches/routeStrip.ts';
import styles from './ImportPage.module.css';
import type { Chosen, SheetTrip } from './useTrips.ts';

/** Each different trip once: new ones first, then trips without a route, then known ones. */
export function SheetTrips({
  trips,
  routes,
  onChoose,
  onRemake,
}: {
  trips: readonly SheetTrip[];
  routes: readonly { id: string; name: string }[];
  onChoose: (key: string, chosen: Chosen) => void;
  onRemake: (key: string, way: Resolved) => void;
}) {
  const [open, setOpen] = useState(false);
  const fresh = trips.filter(({ chosen }) => chosen === 'new').length;
  const none = trips.filter(({ chosen }) => chosen === null).length;
  const isKnown = ({ found, chosen }: SheetTrip) => found === 'as last time' && chosen !== null;
  const known = trips.filter(isKnown);
  // A few known trips are shown with the others.
  const folded = known.length > 4 && !open ? known : [];
  const shown = trips.filter((trip) => !folded.includes(trip)).toSorted((a, b) => rankOf(a) - rankOf(b));

  return (
    <section className={styles.part} data-pad="4">
      <header data-split="5" data-align="baseline">
        <h2 data-size="h3">Each different trip, once</h2>
        <p data-text="line" data-tone="2">
          <b>{counted(trips.length, 'trip')}:</b>{' '}
          {[
            `${trips.length - fresh - none} have a route`,
            fresh > 0 && `${fresh} ${fresh === 1 ? 'is' : 'are'} new`,
            none > 0 && `${none} ${none === 1 ? 'has' : 'have'} none`,
          ]
            .filter(Boolean)
            .join(', ')}
          .
        </p>
      </header>
      <ul className={styles.trips} data-list data-text="line">
        {shown.map((trip) => (
          <Trip key={trip.key} trip={trip} routes={routes} onChoose={onChoose} onRemake={onRemake} />
        ))}
      </ul>
      {folded.length > 0 && (
        <Disclosure open={false} onOpen={setOpen}>
          {folded.length} more trips, {counted(jobsOf(folded), 'job')}: as last time
        </Disclosure>
      )}
    </section>
  );
}

const jobsOf = (trips: readonly SheetTrip[]) => trips.reduce((all, { jobs }) => all + jobs, 0);

const rankOf = ({ chosen, found }: SheetTrip) =>
  found === 'none' && chosen === 'new' ? 0 : chosen === null ? 1 : 2;

function Trip({
  trip,
  routes,
  onChoose,
  onRemake,
}: {
  trip: SheetTrip;
  routes: readonly { id: string; name: string }[];
  onChoose: (key: string, chosen: Chosen) => void;
  onRemake: (key: string, way: Resolved) => void;
}) {
  const [isChanging, setChanging] = useState(false);
  const { key, words, jobs, chosen, made, name, straightKm, isAsking } = trip;
  const value = chosen === 'new' ? 'new' : chosen === null ? '' : chosen.id;
  const straight = (made?.problems ?? []).filter(({ level }) => level === 'done');

  return (
    <li>
      <b>{words}</b>
      <span>{counted(jobs, 'job')}</span>
      <ToolField label="Route">
        <select
          aria-label={`Route of ${words}`}
          value={value}
          onChange={({ target }) =>
            onChoose(key, target.value === 'new' ? 'new' : target.value ? { id: target.value } : null)
          }
        >
          {made && <option value="new">New: {name}</option>}
          <option value="">No route</option>
          {routes.map((route) => (
            <option key={route.id} value={route.id}>
              {route.name}
            </option>
          ))}
        </select>
      </ToolField>
      <span data-tone="2">
        {isAsking ? (
          'Looking...'
        ) : chosen === 'new' ? (
          <b>New, look at it</b>
        ) : chosen === null && straightKm !== null ? (
          <b>The new route has a straight line of {straightKm} km: choose it only if that is so</b>
        ) : chosen === null ? (
          <b>We cannot say</b>
        ) : trip.watch_id === chosen.id ? (
          trip.found
        ) : (
          'chosen'
        )}
      </span>
      {chosen === 'new' && made && (
        <div className={styles.made} data-columns="60">
          <div>
            <h3>New route: {name}</h3>
            <p>
              Made from the words of {counted(jobs, 'job')}. {straight.map(({ text }) => text).join(' ')}
            </p>
            <Button small onClick={() => setChanging(true)}>
              Change
            </Button>
          </div>
          <Strip
            rows={stripOf({
              length_km: made.length_km,
              places: made.places.filter(({ minor }) => !minor),
              course: [],
              touches: [],
              silent: [],
              unknown: null,
              trip: null,
            }).filter(({ kind }) => kind === 'place')}
            small
          />
        </div>
      )}
      {isChanging && made && (
        <ChangeWay
          name={name}
          made={made}
          onClose={() => setChanging(false)}
          onChanged={(way) => {
            onRemake(key, way);
            setChanging(false);
          }}
        />
      )}
    </li>
  );
}

/** Chooses another way for a new route, before it is stored. */
function ChangeWay({
  name,
  made,
  onChanged,
  onClose,
}: {
  name: string;
  made: Resolved;
  onChanged: (way: Resolved) => void;
  onClose: () => void;
}) {
  const before = textOf(made);
  const [text, setText, forget] = useTyped(`way of ${name}: ${before}`, () => before);
  const [way, setWay] = useState<Resolved | null>(text === before ? made : null);
  const long = way && tooLong(way.legs);
  const isStopped = way?.problems.some(({ level }) => level === 'stop') ?? true;
  const isRead = way !== null && way.legs.length > 0 && !isStopped && !long;
  const take = () => {
    if (!isRead) return;
    forget();
    onChanged(way);
  };

  return (
    <ToolDialog
      heading={name}
      onClose={onClose}
      footer={
        <>
          <p>Nothing is stored yet.</p>
          <Button
            onClick={() => {
              forget();
              onClose();
            }}
          >
            Cancel
          </Button>
          <Button kind="primary" disabled={!isRead} onClick={take}>
            Use this way
          </Button>
        </>
      }
    >
      <ByJunctions
        byRouter={false}
        text={text}
        resolved={way}
        onText={setText}
        onResolved={setWay}
        onNext={take}
      />
      {long && <Notice>{long}</Notice>}
    </ToolDialog>
  );
}
