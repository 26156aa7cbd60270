import { type Position, WATCH_LIMITS } from '#contract/watches/watches.ts';
import { type FormEvent, Suspense, useState } from 'react';
import { useAnswer } from '../../../api/useAnswer.ts';
import { searchVenues } from '../../../api/places/events.ts';
import { type Place, searchPlaces } from '../../../api/places/geocode.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/signs/Notice.tsx';
import { SegmentedSwitch } from '../../../ui/controls/SegmentedSwitch.tsx';
import { Slider } from '../../../ui/controls/Slider.tsx';
import { counted } from '#contract/numbers.ts';
import { type Draft, USUAL_REACH_M } from './watchDraft.ts';
import { DrawMap } from './Draw.tsx';
import styles from './AreaForm.module.css';

const MOST_KM = 50;

const SHAPES = [
  { value: 'circle', label: 'A circle' },
  { value: 'polygon', label: 'An outline' },
] as const;

type Middle = Pick<Place, 'label' | 'latitude' | 'longitude' | 'type'>;

/**
 * An area: a circle round a place (town, station, airport, postcode or a venue of events), or an outline on the map.
 */
export function AreaForm({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const words = draft.search ?? draft.place ?? '';
  /** The words that were searched for last; null: none, or a place was picked since. */
  const [asked, setAsked] = useState<{ words: string } | null>(null);
  const { data, failure, isLoading, last } = useAnswer(
    asked,
    async (signal) => {
      const { words } = asked!; // it asks only with words
      const [found, venues] = await Promise.all([
        searchPlaces(words, signal),
        searchVenues(words, signal).catch(() => []), // a place can also be chosen without venues
      ]);
      return { places: [...found.places, ...venues], attribution: found.attribution };
    },
    'Unable to fetch locations',
  );
  const km = Math.round((draft.reach_m ?? USUAL_REACH_M) / 1000);

  const look = (event: FormEvent) => {
    event.preventDefault();
    setAsked({ words: words.trim() });
  };

  const change = (changed: Partial<Draft>) => onChange({ ...draft, ...changed });

  const pick = ({ label, latitude, longitude }: Middle) => {
    setAsked(null);
    change({
      search: null,
      area: { latitude, longitude },
      place: label.split(',')[0]!, // split returns at least one part
      reach_m: km * 1000,
      remade: true,
    });
  };

  const choice = (
    <SegmentedSwitch
      label="Bounded by"
      options={SHAPES}
      value={draft.shape}
      onChange={(shape) => change({ shape, remade: true })}
    />
  );
  if (draft.shape === 'polygon')
    return (
      <div data-stack="4" data-top="3" data-text="line">
        {choice}
        <Outline outline={draft.outline} onOutline={(outline) => change({ outline, remade: true })} />
      </div>
    );

  return (
    <div data-stack="4" data-top="3" data-text="line">
      {choice}
      <form className={styles.search} onSubmit={look}>
        <Field
          label="Place, station, venue or postcode"
          value={words}
          autoComplete="off"
          onChange={({ target }) => {
            setAsked(null);
            change({ search: target.value === draft.place ? null : target.value });
          }}
        />
        <Button type="submit" disabled={words.trim().length < 2}>
          Find
        </Button>
      </form>
      {failure && <Notice>{failure}</Notice>}
      {isLoading && <p role="status">Looking...</p>}
      {data && (
        <ul className={styles.places} data-ruled aria-label="Places">
          {data.places.length === 0 && <li>No place found for “{words}”</li>}
          {data.places.map((place) => (
            <li key={`${place.label} ${place.latitude}`}>
              <button type="button" onClick={() => pick(place)}>
                {place.label} <small data-tone="2">{place.type}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
      {draft.area && draft.place !== null && <p>The middle is {draft.place}.</p>}
      {draft.place !== null && draft.search !== null && (
        <p role="status">Find a place and choose it, or type “{draft.place}” again.</p>
      )}
      <Slider
        label="Within"
        value={km}
        step={1}
        max={MOST_KM}
        shown={`${km} km`}
        ends={['1 km', '50 km']}
        onChange={(value) => change({ reach_m: Math.max(1, value) * 1000 })}
      />
      {last?.attribution && <p data-tone="2">{last.attribution}</p>}
    </div>
  );
}

function Outline({
  outline,
  onOutline,
}: {
  outline: readonly Position[];
  onOutline: (outline: readonly Position[]) => void;
}) {
  return (
    <>
      <p>
        Tap the map to set the corners in order. Drag one to move it. Arrow keys move a focused one by 100 m,
        Delete removes it.
      </p>
      <Suspense fallback={<p>Loading...</p>}>
        <DrawMap
          points={outline}
          closed
          label="Map to draw the area on"
          onPoints={(points) => points.length < WATCH_LIMITS.outlinePoints && onOutline(points)}
        />
      </Suspense>
      <p data-split>
        <span role="status" data-text="strong">
          {outline.length < 3
            ? `${counted(outline.length, 'corner')}: an area needs three`
            : counted(outline.length, 'corner')}
        </span>
        <span data-row>
          <Button small disabled={outline.length === 0} onClick={() => onOutline(outline.slice(0, -1))}>
            Remove the last corner
          </Button>
          <Button small disabled={outline.length === 0} onClick={() => onOutline([])}>
            Begin again
          </Button>
        </span>
      </p>
    </>
  );
}
