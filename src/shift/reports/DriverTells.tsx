import { type Severity, Severity as Level } from '#contract/incidents/disruptions.ts';
import { REPORT_LIMITS } from '#contract/shift/responses.ts';
import { useActionState, useId, useState } from 'react';
import { failureText } from '../../api/failureText.ts';
import { addReport } from '../../api/shift/responses.ts';
import { watchRecord } from '../../api/watches/oneWatch.ts';
import { type ListedWatch } from '../../api/watches/watches.ts';
import { useRefreshed } from '../../feeds/refresh/useRefreshed.ts';
import { serverNow } from '../../time/freshness.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { Field, SelectField } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { GRADE_WORDS } from '../../ui/signs/Severity.tsx';
import { betweenWords, placeName } from '../../watches/routeStrip.ts';
import styles from '../inHand/inHand.module.css';
import { isForLater, keepReport } from '../inHand/sendActions.ts';
import { uuid7 } from '#contract/uuid7.ts';

const HOUR_MS = 60 * 60_000;
const HOURS = [1, 2, 4, 8, 24];

/** Where it is: one of the three. */
type Where = 'road' | 'place' | 'route';
const WHERE_WORDS: Readonly<Record<Where, string>> = {
  road: 'On a road',
  place: 'At a place',
  route: 'On one of our routes',
};

type Route = Pick<ListedWatch, 'id' | 'name' | 'length_km'>;

/** A report of the team's own: it is matched to its routes, and leaves the team in no way. `routes`: those whose
 *  kilometres can be named, the likeliest first. */
export function DriverTells({
  routes,
  onMade,
}: {
  routes: readonly Route[];
  /** Promises that the page shows what it can of it. */
  onMade: () => Promise<void>;
}) {
  const [open, setOpen] = useState(false);

  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        A driver tells us
      </Button>
      {open && (
        <ReportForm
          routes={routes}
          onClose={() => setOpen(false)}
          onMade={async () => {
            await onMade();
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

function ReportForm({
  routes,
  onClose,
  onMade,
}: {
  routes: readonly Route[];
  onClose: () => void;
  onMade: () => Promise<void>;
}) {
  // Sent again after a lost answer, it counts once.
  const [id] = useState(() => uuid7(serverNow()));
  const [title, setTitle] = useState('');
  const [where, setWhere] = useState<Where>('road');
  const [road, setRoad] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [place, setPlace] = useState('');
  const [route, setRoute] = useState(routes[0]?.id ?? '');
  const [fromKm, setFromKm] = useState('');
  const [toKm, setToKm] = useState('');
  const [severity, setSeverity] = useState<Severity>('high');
  const [hours, setHours] = useState(2);
  const [note, setNote] = useState('');
  const [failure, save, isSaving] = useActionState(async () => {
    const isSet = (text: string) => text.trim() || undefined;
    const km = (text: string) => (isSet(text) === undefined ? undefined : Number(text));
    const places = {
      road: { road: isSet(road), from: isSet(from), to: isSet(to) },
      place: { place: isSet(place) },
      route: { watch_id: route, from_km: km(fromKm), to_km: km(toKm) },
    };
    const now = serverNow();
    const report = {
      id,
      at: now.toISOString(),
      title,
      severity,
      note,
      ...places[where],
      ask_again_at: new Date(now.getTime() + hours * HOUR_MS).toISOString(),
    };
    const { onLine } = navigator;
    try {
      if (!onLine) {
        await keepReport(report, false);
        onClose();
        return null;
      }
      await addReport(report);
      await onMade();
      return null;
    } catch (error) {
      if (isForLater(error)) {
        await keepReport(report, true);
        onClose();
        return null;
      }
      return failureText(error, 'Unable to save the report');
    }
  }, null);

  const close = () => {
    if (!isSaving) onClose();
  };
  return (
    <Dialog heading="A driver tells us" onClose={close}>
      <form action={save} data-stack="3">
        <Field
          label="What it is"
          required
          maxLength={REPORT_LIMITS.titleLength}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
        <SelectField
          label="Where it is"
          value={where}
          onChange={({ target }) => setWhere(target.value as Where)} // one of the options
        >
          {(['road', 'place', ...(routes.length > 0 ? ['route' as const] : [])] as const).map((one) => (
            <option key={one} value={one}>
              {WHERE_WORDS[one]}
            </option>
          ))}
        </SelectField>
        {where === 'road' && (
          <div className={styles.pair}>
            <Field label="Road" required value={road} onChange={({ target }) => setRoad(target.value)} />
            <Field label="From junction" value={from} onChange={({ target }) => setFrom(target.value)} />
            <Field label="To junction" value={to} onChange={({ target }) => setTo(target.value)} />
          </div>
        )}
        {where === 'place' && (
          <Field
            label="Place"
            hint="A town, a place of your routes, or a road and a place: A64 at Tadcaster"
            required
            value={place}
            onChange={({ target }) => setPlace(target.value)}
          />
        )}
        {where === 'route' && (
          <AlongRoute {...{ routes, route, setRoute, fromKm, setFromKm, toKm, setToKm }} />
        )}
        <div className={styles.pair}>
          <SelectField
            label="Severity"
            value={severity}
            onChange={({ target }) => setSeverity(Level.safeParse(target.value).data ?? 'high')}
          >
            {Level.options.map((level) => (
              <option key={level} value={level}>
                {GRADE_WORDS[level]}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="Ask us again in"
            value={hours}
            onChange={({ target }) => setHours(Number(target.value))}
          >
            {HOURS.map((one) => (
              <option key={one} value={one}>
                {one} h
              </option>
            ))}
          </SelectField>
        </div>
        <Field label="Note" value={note} onChange={({ target }) => setNote(target.value)} />
        <p>Only your team sees it.</p>
        {failure && !isSaving && <Notice>{failure}</Notice>}
        <div className={styles.last} data-row>
          <Button aria-disabled={isSaving} onClick={close}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" busy={isSaving}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Which route, and where on it: its places are suggested, and what lies around the kilometres is said. */
function AlongRoute({
  routes,
  route,
  setRoute,
  fromKm,
  setFromKm,
  toKm,
  setToKm,
}: {
  routes: readonly Route[];
  route: string;
  setRoute: (id: string) => void;
  fromKm: string;
  setFromKm: (km: string) => void;
  toKm: string;
  setToKm: (km: string) => void;
}) {
  const listId = useId();
  const { data } = useRefreshed(route, (signal) => watchRecord(route, signal));
  const places = data?.watch.places ?? [];
  const length = routes.find(({ id }) => id === route)?.length_km ?? 0;
  const kilometres = { type: 'number', min: 0, max: Math.floor(length * 10) / 10, step: 'any', list: listId };
  const words = betweenWords(
    places,
    fromKm === '' ? null : Number(fromKm),
    toKm === '' ? null : Number(toKm),
  );

  return (
    <>
      <SelectField
        label="Route"
        hint={`${length.toFixed(1)} km`}
        value={route}
        onChange={({ target }) => setRoute(target.value)}
      >
        {routes.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <div className={styles.pair}>
        <Field
          {...kilometres}
          label="From km"
          required
          value={fromKm}
          onChange={({ target }) => setFromKm(target.value)}
        />
        <Field {...kilometres} label="To km" value={toKm} onChange={({ target }) => setToKm(target.value)} />
      </div>
      <datalist id={listId}>
        {places.map((place) => (
          <option key={place.km} value={place.km.toFixed(1)}>
            {placeName(place)}
          </option>
        ))}
      </datalist>
      <p role="status">{words}</p>
    </>
  );
}
