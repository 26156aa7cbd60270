import { type FormEvent, useState } from 'react';
import { failureText } from '../api/failureText.ts';
import { searchVenues } from '../api/events.ts';
import { type Place, searchPlaces } from '../api/geocode.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Slider } from '../ui/Slider.tsx';
import type { Draft } from './draft.ts';
import styles from './AreaForm.module.css';

const USUAL_KM = 10;
const MOST_KM = 50;

type Middle = Pick<Place, 'label' | 'latitude' | 'longitude' | 'type'>;

/** A circle round a place: town, station, airport, postcode or a venue of events. */
export function AreaForm({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const [words, setWords] = useState('');
  const [places, setPlaces] = useState<Middle[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [attribution, setAttribution] = useState<string | null>(null);
  const km = Math.round((draft.reach_m ?? USUAL_KM * 1000) / 1000);

  const look = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    try {
      const [found, venues] = await Promise.all([
        searchPlaces(words.trim()),
        searchVenues(words.trim()).catch(() => []), // places can be chosen without them
      ]);
      setPlaces([...found.places, ...venues]);
      setAttribution(found.attribution);
    } catch (error) {
      setFailure(failureText(error, 'Unable to fetch locations'));
    }
  };

  /** Its name follows, unless one was typed. */
  const change = (area: Draft['area'], radius: number) => {
    const offered = area ? `Within ${radius} km of ${area.label.split(',')[0]}` : draft.offered;
    const name = draft.name === draft.offered ? offered : draft.name;
    onChange({
      ...draft,
      area,
      name,
      offered,
      reach_m: radius * 1000,
      remade: draft.remade || area !== null,
    });
  };

  const pick = ({ label, latitude, longitude }: Middle) => {
    setPlaces(null);
    setWords(label);
    change({ label, latitude, longitude }, km);
  };

  return (
    <div className={styles.area}>
      <form className={styles.search} onSubmit={(event) => void look(event)}>
        <Field
          label="Place, station, venue or postcode"
          value={words}
          autoComplete="off"
          onChange={({ target }) => setWords(target.value)}
        />
        <Button type="submit" disabled={words.trim().length < 2}>
          Find
        </Button>
      </form>
      {failure && <Notice>{failure}</Notice>}
      {places && (
        <ul className={styles.places} aria-label="Places">
          {places.length === 0 && <li>No place found for “{words}”</li>}
          {places.map((place) => (
            <li key={`${place.label} ${place.latitude}`}>
              <button type="button" onClick={() => pick(place)}>
                {place.label} <small>{place.type}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
      {draft.area && <p>The middle is {draft.area.label}.</p>}
      <Slider
        label="Within"
        value={km}
        step={1}
        max={MOST_KM}
        shown={`${km} km`}
        ends={['1 km', '50 km']}
        onChange={(value) => change(draft.area, Math.max(1, value))}
      />
      <Field
        label="Name"
        value={draft.name}
        maxLength={80}
        onChange={({ target }) => onChange({ ...draft, name: target.value })}
      />
      {attribution && <p className={styles.attribution}>{attribution}</p>}
    </div>
  );
}
