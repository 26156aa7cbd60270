import { HOUR_MS } from '#contract/durations.ts';
import { type Severity, Severity as Level } from '#contract/incidents/severity.ts';
import { REPORT_LIMITS } from '#contract/shift/responses.ts';
import { useId, useState } from 'react';
import { useSubmit } from '../../api/useAction.ts';
import { addReport } from '../../api/shift/responses.ts';
import { watchRecord } from '../../api/watches/oneWatch.ts';
import { type ListedWatch } from '../../api/watches/watches.ts';
import { useRefreshed } from '../../feeds/refresh/useRefreshed.ts';
import { useTyped } from '../../session/session.ts';
import { serverNow } from '../../time/freshness.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { FormDialog } from '../../ui/dialogs/Dialog.tsx';
import { bound, Field, SelectField, optionsOf } from '../../ui/controls/Field.tsx';
import { GRADE_WORDS } from '../../ui/signs/Severity.tsx';
import { useWatches } from '../../watches/useWatches.ts';
import { betweenWords, placeName } from '../../watches/routeStrip.ts';
import styles from '../inHand/inHand.module.css';
import { isForLater, keepReport, type ReportDraft } from '../inHand/sendActions.ts';
import { uuid7 } from '#contract/uuid7.ts';

const HOURS = [1, 2, 4, 8, 24];

/** How the driver gives the place. */
type Where = 'road' | 'place' | 'route';
const WHERE_WORDS: Readonly<Record<Where, string>> = {
  road: 'On a road',
  place: 'At a place',
  route: 'On one of our routes',
};

type Route = Pick<ListedWatch, 'id' | 'name' | 'length_km'>;

/** The form for a team's own report. The report is matched to the team's routes, and never leaves the team.
 *  `routes`: the routes whose kilometres can be named, the most likely first. */
export function DriverTells({
  routes,
  onMade,
}: {
  routes: readonly Route[];
  /** Promises that the page shows the report. */
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

interface Form {
  routes: readonly Route[];
  /** A report that the server refused, to be corrected; `at` is when it was typed. */
  before?: ReportDraft & { at: string };
  onClose: () => void;
  onMade: () => Promise<void>;
}

/** The form with the refused report. A report along a route waits until the routes are loaded, or takes the last
 *  known ones. If a route was deleted, another must be chosen. */
export function CorrectReport({ before, ...form }: Omit<Required<Form>, 'routes'>) {
  const { data, problem } = useWatches();
  const along = before.watch_id;
  if (!data && !problem && along !== undefined) return null;
  const routes = (data?.watches ?? []).filter(({ kind }) => kind === 'route');
  const isDeleted = data && along !== undefined && !routes.some(({ id }) => id === along);
  return <ReportForm {...form} routes={routes} before={isDeleted ? { ...before, watch_id: '' } : before} />;
}

function ReportForm({ routes, before, onClose, onMade }: Form) {
  const [typed, setTyped, forget] = useTyped(before ? `report ${before.at}` : 'report', () => ({
    // The id makes it count once if it is sent again after a lost answer.
    id: uuid7(serverNow()),
    title: '',
    where: 'road' as Where,
    road: '',
    from: '',
    to: '',
    place: '',
    route: routes[0]?.id ?? '',
    fromKm: '',
    toKm: '',
    severity: 'high' as Severity,
    hours: 2,
    note: '',
    ...(before && typedIn(before)),
  }));
  const { id, title, where, road, from, to, place, route, fromKm, toKm, severity, hours, note } = typed;
  const set = (changed: Partial<typeof typed>) => setTyped({ ...typed, ...changed });
  const form = useSubmit(async () => {
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
      if (onLine) {
        await addReport(report);
        forget();
        return await onMade();
      }
    } catch (error) {
      if (!isForLater(error)) throw error;
    }
    await keepReport(report, onLine);
    forget();
    onClose();
    // The corrected report waits in the place of the refused one.
    if (before) void onMade();
    return undefined;
  }, 'Unable to save the report');

  return (
    <FormDialog heading="A driver tells us" form={form} act="Save" safe onClose={onClose} forget={forget}>
      <Field
        label="What it is"
        required
        maxLength={REPORT_LIMITS.titleLength}
        {...bound(title, (title) => set({ title }))}
      />
      <SelectField
        label="Where it is"
        value={where}
        onChange={({ target }) => set({ where: target.value as Where })} // one of the options
      >
        {optionsOf(
          (
            ['road', 'place', ...(routes.length > 0 || where === 'route' ? ['route' as const] : [])] as const
          ).map((one) => [one, WHERE_WORDS[one]]),
        )}
      </SelectField>
      {where === 'road' && (
        <div className={styles.pair}>
          <Field label="Road" required {...bound(road, (road) => set({ road }))} />
          <Field label="From junction" {...bound(from, (from) => set({ from }))} />
          <Field label="To junction" {...bound(to, (to) => set({ to }))} />
        </div>
      )}
      {where === 'place' && (
        <Field
          label="Place"
          hint="A town, a place of your routes, or a road and a place: A64 at Tadcaster"
          required
          {...bound(place, (place) => set({ place }))}
        />
      )}
      {where === 'route' && <AlongRoute {...{ routes, route, fromKm, toKm, set }} />}
      <div className={styles.pair}>
        <SelectField
          label="Severity"
          {...bound(severity, (value) => set({ severity: Level.safeParse(value).data ?? 'high' }))}
        >
          {optionsOf(Level.options.map((level) => [level, GRADE_WORDS[level]]))}
        </SelectField>
        <SelectField label="Ask us again in" {...bound(hours, (value) => set({ hours: Number(value) }))}>
          {optionsOf(HOURS.map((one) => [one, `${one} h`]))}
        </SelectField>
      </div>
      <Field label="Note" {...bound(note, (note) => set({ note }))} />
      <p>Only your team sees it.</p>
    </FormDialog>
  );
}

const typedIn = ({
  at,
  title,
  severity,
  note,
  road,
  from,
  to,
  place,
  watch_id,
  from_km,
  to_km,
  ask_again_at,
}: ReportDraft & { at: string }) => ({
  title,
  severity: severity ?? 'high',
  note: note ?? '',
  where:
    watch_id !== undefined
      ? ('route' as const)
      : place === undefined
        ? ('road' as const)
        : ('place' as const),
  ...(watch_id !== undefined && { route: watch_id }),
  fromKm: from_km === undefined ? '' : String(from_km),
  toKm: to_km === undefined ? '' : String(to_km),
  road: road ?? '',
  from: from ?? '',
  to: to ?? '',
  place: place ?? '',
  hours: ask_again_at ? Math.round((Date.parse(ask_again_at) - Date.parse(at)) / HOUR_MS) : 2,
});

/** The route and the place on it. Places are suggested, and the form says which places lie around the kilometres. */
function AlongRoute({
  routes,
  route,
  fromKm,
  toKm,
  set,
}: {
  routes: readonly Route[];
  route: string;
  fromKm: string;
  toKm: string;
  set: (changed: { route?: string; fromKm?: string; toKm?: string }) => void;
}) {
  const listId = useId();
  const { data } = useRefreshed(route || null, (signal) => watchRecord(route, signal));
  const places = data?.watch.places ?? [];
  const length = routes.find(({ id }) => id === route)?.length_km ?? data?.watch.length_km ?? 0;
  const max = length > 0 ? Math.floor(length * 10) / 10 : undefined;
  const kilometres = { type: 'number', min: 0, max, step: 'any', list: listId };
  const words = betweenWords(
    places,
    fromKm === '' ? null : Number(fromKm),
    toKm === '' ? null : Number(toKm),
  );

  return (
    <>
      <SelectField
        label="Route"
        hint={route && `${length.toFixed(1)} km`}
        required
        {...bound(route, (route) => set({ route }))}
      >
        {!route && <option value="">Choose a route</option>}
        {optionsOf(routes.map(({ id, name }) => [id, name]))}
      </SelectField>
      <div className={styles.pair}>
        <Field {...kilometres} label="From km" required {...bound(fromKm, (fromKm) => set({ fromKm }))} />
        <Field {...kilometres} label="To km" {...bound(toKm, (toKm) => set({ toKm }))} />
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
