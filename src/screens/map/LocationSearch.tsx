import { PLACE_QUERY_MAX } from '#contract/places/geocode.ts';
import { XIcon } from '@phosphor-icons/react/dist/csr/X';
import { useId, useRef, useState, type SubmitEvent } from 'react';
import { useAnswer } from '../../api/useAnswer.ts';
import { type Place, searchPlaces } from '../../api/places/geocode.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { useListbox } from '../../ui/controls/useListbox.ts';
import { counted } from '#contract/numbers.ts';
import { ProductSign } from '../../ui/signs/ProductSign.tsx';
import styles from './LocationSearch.module.css';

/** The pause in typing before a look-up. */
const PAUSE_MS = 400;
const FEWEST_LETTERS = 2;

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
  const [asked, setAsked] = useState<{ query: string; isPressed: boolean } | null>(null);
  const [picked, setPicked] = useState<Place | null>(null);
  const [open, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { data: found, failure } = useAnswer(
    asked,
    (signal) => searchPlaces(asked!.query, signal), // it asks only with a query
    'Unable to fetch locations',
    {
      settleMs: asked?.isPressed ? 0 : PAUSE_MS,
      take({ places, attribution }) {
        listbox.reset();
        if (attribution) onAttribution(attribution);
        if (asked?.isPressed) show(places);
        else setOpen(true);
      },
    },
  );
  const places = picked ? [picked] : (found?.places ?? []);
  const listed = open && places.length > 0;
  const listbox = useListbox({
    options: places,
    isOpen: listed,
    onOpen: () => setOpen(true),
    onPick: pick,
    onClose: () => setOpen(false),
  });

  function type(next: string) {
    const query = next.trim();
    setText(next);
    setOpen(false);
    setPicked(null);
    setAsked(query.length >= FEWEST_LETTERS ? { query, isPressed: false } : null);
  }

  function clear() {
    type('');
    input.current?.focus();
  }

  function pick(place: Place) {
    setText(place.label);
    setPicked(place);
    setOpen(false);
    onPick(place);
  }

  /** Picks the only place, or lists them. */
  function show(candidates: readonly Place[]) {
    if (candidates.length === 1) pick(candidates[0]!);
    else setOpen(true);
  }

  function search(event: SubmitEvent) {
    event.preventDefault();
    const query = text.trim();
    if (query.length < FEWEST_LETTERS) return;
    if (picked || found) show(places);
    else setAsked({ query, isPressed: true });
  }

  return (
    <form className={styles.form} data-line="0" onSubmit={search}>
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
        {found?.attribution && <p className={styles.attribution}>{found.attribution}</p>}
      </div>
      <div className={styles.notice} role="status">
        {failure && <ProductSign soft>{failure}</ProductSign>}
        {found && places.length === 0 && <p className={styles.none}>No place found for “{asked?.query}”</p>}
        {listed && <span data-hidden>{counted(places.length, 'place')} found</span>}
      </div>
    </form>
  );
}
