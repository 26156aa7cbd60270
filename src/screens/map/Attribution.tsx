import { InfoIcon } from '@phosphor-icons/react/dist/csr/Info';
import { useId, useState } from 'react';
import styles from './Attribution.module.css';

/** The sources of the map and the place names. Always shown; where only one line fits, a button opens all of it. */
export function Attribution({ texts }: { texts: readonly (string | null)[] }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);

  return (
    <div className={styles.attribution} data-open={isOpen || undefined}>
      <p id={id}>{texts.filter(Boolean).join(' · ')}</p>
      <button
        type="button"
        aria-label="Map licences"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <InfoIcon weight={isOpen ? 'fill' : 'bold'} aria-hidden />
      </button>
    </div>
  );
}
