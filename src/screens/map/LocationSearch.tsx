import { PLACE_QUERY_MAX } from '#contract/places/geocode.ts';
import { XIcon } from '@phosphor-icons/react/dist/csr/X';
import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react';
import { failureText } from '../../api/http.ts';
import { type Place, searchPlaces } from '../../api/places/geocode.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { useListbox } from '../../ui/controls/useListbox.ts';
import { counted } from '#contract/numbers.ts';
import { TempSign } from '../../ui/signs/TempSign.tsx';
import styles from './LocationSearch.module.css';

/** The pause in typing before a look-up. */
const PAUSE_MS = 400;
const FEWEST_LETTERS = 2;

interface Found {
  /** The text that was looked up. */
  of: string;
  places: Place[];
  attribution: string | null;
  failure: string | null;
}

const NOTHING: Found = { of: '', places: [], attribution: null, failure: null };

/** The search for a place: the user types a town or postcode and picks one of at most five places. */
export function LocationSearch({
  onPick,
  onAttribution,
}: {
  onPick: (place: Place) => void;
  /** The publisher of the place names, shown while any of them is in use. */
  onAttribution: (attribution: string) => void;
}) {
  const id = useId();
  const [text, setText] = useState('');
  const [found, setFound] = useState(NOTHING);
  const [open, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const running = useRef<AbortController>(undefined);
  const { places } = found;
  const listed = open && places.length > 0;
  const listbox = useListbox({
    options: places,
    isOpen: listed,
    onOpen: () => setOpen(true),
    onPick: pick,
    onClose: () => setOpen(false),
  });

  useEffect(() => stopLooking, []);

  function stopLooking() {
    clearTimeout(pause.current);
    running.current?.abort();
  }

  /** Null when a newer look-up has begun, or when there was no answer. */
  async function lookUp(query: string): Promise<Place[] | null> {
    stopLooking();
    const { signal } = (running.current = new AbortController());
    try {
      const answer = await searchPlaces(query, signal);
      if (signal.aborted) return null;
      setFound({ of: query, failure: null, ...answer });
      setOpen(true);
      listbox.reset();
      if (answer.attribution) onAttribution(answer.attribution);
      return answer.places;
    } catch (error) {
      if (signal.aborted) return null;
      setFound({ ...NOTHING, of: query, failure: failureText(error, 'Unable to fetch locations') });
      return null;
    }
  }

  function type(next: string) {
    stopLooking();
    setText(next);
    setOpen(false);
    setFound(NOTHING);
    const query = next.trim();
    if (query.length >= FEWEST_LETTERS) pause.current = setTimeout(() => void lookUp(query), PAUSE_MS);
  }

  function clear() {
    type('');
    input.current?.focus();
  }

  function pick(place: Place) {
    stopLooking();
    setText(place.label);
    setFound({ ...found, of: place.label, places: [place] });
    setOpen(false);
    onPick(place);
  }

  async function search(event: SubmitEvent) {
    event.preventDefault();
    const query = text.trim();
    if (query.length < FEWEST_LETTERS) return;
    const isKnown = found.of === query && found.failure === null;
    const candidates = isKnown ? places : await lookUp(query);
    if (candidates?.length === 1) pick(candidates[0]!);
    else setOpen(true);
  }

  return (
    <form className={styles.form} data-line="0" onSubmit={(event) => void search(event)}>
      <label htmlFor={id}>
        <span data-hidden>Location</span>
      </label>
      <div className={styles.box}>
        <input
          ref={input}
          id={id}
          className={styles.input}
          role="combobox"
          {...listbox.field}
          aria-controls={listbox.list.id}
          aria-expanded={listed}
          placeholder="Enter town or postcode"
          autoCapitalize="words"
          enterKeyHint="search"
          maxLength={PLACE_QUERY_MAX}
          value={text}
          onChange={({ target }) => type(target.value)}
          onKeyDown={(event) => {
            if (listbox.steer(event) || event.key !== 'Escape' || !text) return;
            clear();
            event.preventDefault();
          }}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
        />
        {text && (
          <button type="button" className={styles.clear} aria-label="Clear" onClick={clear}>
            <XIcon weight="bold" size="1.1rem" aria-hidden />
          </button>
        )}
      </div>
      <Button kind="primary" type="submit" className={styles.search}>
        Search
      </Button>

      <div className={styles.drop} hidden={!listed}>
        <div {...listbox.list} data-ruled aria-label="Places">
          {places.map((place, index) => (
            <div
              key={`${place.label} ${place.latitude} ${place.longitude}`}
              data-line="4"
              {...listbox.option(index)}
            >
              {place.label}{' '}
              {place.type && (
                <small data-text="small" data-tone="3">
                  {place.type}
                </small>
              )}
            </div>
          ))}
        </div>
        {found.attribution && <p className={styles.attribution}>{found.attribution}</p>}
      </div>
      <div className={styles.notice} role="status">
        {found.failure && <TempSign soft>{found.failure}</TempSign>}
        {!found.failure && found.of && places.length === 0 && (
          <p className={styles.none}>No place found for “{found.of}”</p>
        )}
        {listed && <span data-hidden>{counted(places.length, 'place')} found</span>}
      </div>
    </form>
  );
}
