import { nextTrip } from '#contract/watches/departures.ts';
import type { DepartureInput } from '#contract/watches/watches.ts';
import { useEffect, useRef } from 'react';
import type { Resolved } from '../../../api/watches/oneWatch.ts';
import { serverNow } from '../../../time/freshness.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { bound, Field } from '../../../ui/controls/Field.tsx';
import { Slider } from '../../../ui/controls/Slider.tsx';
import { daysWords, takesWords } from '../../../watches/routeWords.ts';
import { stripOf } from '../../../watches/routeStrip.ts';
import { DepartureForm } from './DepartureForm.tsx';
import { allDepartures, type Draft, typedDeparture, type TypedDeparture } from './watchDraft.ts';
import { Problems } from './Problems.tsx';
import { Strip } from '../Strip.tsx';
import { HoursFields } from '../HoursFields.tsx';
import { WhichFields } from '../WhichFields.tsx';
import styles from './Review.module.css';
import type { Geometry } from '#contract/incidents/disruptions.ts';

const REACH_STEP_M = 500;
const REACH_MAX_M = 5000;
/** The reach of the rules for a line from junction to junction. */
const USUAL_REACH_M = 2500;

/** The last step before saving: name, departures, reach and remaining problems, beside the route itself. */
export function Review({
  draft,
  resolved,
  isNew,
  onChange,
  onEdit,
  onSave,
}: {
  draft: Draft;
  resolved: Resolved;
  isNew: boolean;
  onChange: (draft: Draft) => void;
  onEdit: () => void;
  /** Called when Enter is pressed in the name, if the watch can be saved. */
  onSave: () => void;
}) {
  const { departures, typed, reach_m } = draft;
  /** Null while the typed departure is not complete: then no other one can be opened. */
  const all = allDepartures(draft);
  const open = (index: number) =>
    all && onChange({ ...draft, departures: all, typed: typedDeparture(all, index) });
  const closed = (next: DepartureInput[]) => onChange({ ...draft, departures: next, typed: null });
  /** The form for the departure at this place in the list. */
  const form = (shown: TypedDeparture) => (
    <DepartureForm
      typed={shown}
      isNew={shown.index === departures.length}
      onChange={(changed) => onChange({ ...draft, typed: changed })}
      onKeep={() => all && closed(all)}
      onRemove={() => closed(departures.filter((_, at) => at !== shown.index))}
    />
  );
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => fields.current?.querySelector('input')?.focus(), []);
  const trip = nextTrip(
    departures.map((departure) => ({ ...departure, id: departure.id ?? '' })),
    resolved.length_km,
    serverNow(),
  );
  const reach = reach_m ?? USUAL_REACH_M;
  const rows = stripOf({
    length_km: resolved.length_km,
    places: resolved.places.filter(({ minor }) => !minor),
    course: [],
    touches: [],
    silent: [],
    unknown: null,
    trip,
  }).filter(({ kind }) => kind === 'place');

  return (
    <div className={styles.review} data-columns="40">
      <div data-stack="4" ref={fields}>
        <Field
          label="Name"
          {...bound(draft.name, (name) => onChange({ ...draft, name }))}
          maxLength={80}
          required
          onKeyDown={({ key }) => key === 'Enter' && onSave()}
        />
        <div>
          <h3 data-text="strong">Departures</h3>
          <ul data-list>
            {departures.map((departure, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a new departure has no id, and the list is
              // changed in place
              <li key={index} data-row data-pad="3" data-text="line">
                <p data-grow>
                  <b>
                    Leaves at {departure.at_local} · {daysWords(departure.days)}
                  </b>{' '}
                  · {takesWords(departure, resolved.length_km)}
                </p>
                <Button
                  small
                  disabled={all === null}
                  onClick={() => all && (typed?.index === index ? closed(all) : open(index))}
                  aria-expanded={typed?.index === index}
                >
                  Change
                </Button>
                {typed?.index === index && form(typed)}
              </li>
            ))}
          </ul>
          {typed?.index === departures.length ? (
            form(typed)
          ) : (
            <p data-row data-top="3">
              <Button
                small
                disabled={all === null || all.length >= 20}
                onClick={() => all && open(all.length)}
              >
                Add a departure
              </Button>
              {isNew && (
                <Button
                  small
                  aria-pressed={draft.wayBack}
                  onClick={() => onChange({ ...draft, wayBack: !draft.wayBack })}
                >
                  {draft.wayBack ? 'The way back is added' : 'Add the way back'}
                </Button>
              )}
            </p>
          )}
        </div>
        <Slider
          label="Reach"
          value={reach}
          step={REACH_STEP_M}
          max={REACH_MAX_M}
          shown={reach === 0 ? 'on the road only' : `${reach / 1000} km`}
          ends={['on the road only', '5 km either side']}
          onChange={(value) => onChange({ ...draft, reach_m: value })}
        />
        <details>
          <summary>Which, and when</summary>
          <WhichFields kind="route" which={draft.which} onChange={(which) => onChange({ ...draft, which })} />
          <HoursFields when={draft.when} onChange={(when) => onChange({ ...draft, when })} />
        </details>
        <Problems
          problems={resolved.problems.filter(({ level }) => level === 'done' || level === 'proposal')}
          aside={
            <Button small onClick={onEdit}>
              Edit
            </Button>
          }
        />
      </div>
      <div className={styles.way}>
        <Strip rows={rows} small />
        <LineSketch geometry={resolved.geometry ?? null} name={draft.name} />
      </div>
    </div>
  );
}

const WIDE = 300;
const HIGH = 216;
const MARGIN = 18;

/** A line without a map: enough to see whether it is the right one. */
function LineSketch({ geometry, name }: { geometry: Geometry | null; name: string }) {
  const lines = linesOf(geometry);
  const points = lines.flat();
  if (points.length < 2) return null;

  // A degree of longitude is shorter than one of latitude.
  const squeeze = Math.cos(((points[0]?.[1] ?? 54) * Math.PI) / 180);
  const xs = points.map(([longitude]) => longitude * squeeze);
  const ys = points.map(([, latitude]) => -latitude);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [across, down] = [Math.max(...xs) - left || 1e-6, Math.max(...ys) - top || 1e-6];
  const scale = Math.min((WIDE - 2 * MARGIN) / across, (HIGH - 2 * MARGIN) / down);
  const at = ([longitude, latitude]: readonly [number, number]) =>
    [
      MARGIN + (WIDE - 2 * MARGIN - across * scale) / 2 + (longitude * squeeze - left) * scale,
      MARGIN + (HIGH - 2 * MARGIN - down * scale) / 2 + (-latitude - top) * scale,
    ].map((value) => Math.round(value * 10) / 10);
  const ends = [points[0]!, points.at(-1)!]; // there are at least two

  return (
    <svg
      className={styles.sketch}
      data-only="desk"
      viewBox={`0 0 ${WIDE} ${HIGH}`}
      role="img"
      aria-label={`The line of ${name || 'the route'}`}
    >
      {lines.map((line) => (
        <path
          key={String(line[0])}
          fill="none"
          stroke="var(--line-ink)"
          strokeWidth="5"
          strokeLinejoin="round"
          d={`M${line.map((point) => at(point).join(' ')).join('L')}`}
        />
      ))}
      {ends.map((end) => {
        const [x, y] = at(end);
        return (
          <circle
            key={String(end)}
            fill="var(--ground)"
            stroke="var(--line-ink)"
            strokeWidth="4"
            cx={x}
            cy={y}
            r="6"
          />
        );
      })}
    </svg>
  );
}

type Point = readonly [longitude: number, latitude: number];

function linesOf(geometry: Geometry | null): Point[][] {
  if (geometry?.type === 'LineString') return [geometry.coordinates as unknown as Point[]];
  return geometry?.type === 'MultiLineString' ? (geometry.coordinates as unknown as Point[][]) : [];
}
