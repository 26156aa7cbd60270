import { Severity } from '../../ui/signs/Severity.tsx';
import styles from './MapPage.module.css';

/** Meanings of the marks on the map. */
export function MapKey({ severities }: { severities: boolean }) {
  return (
    <div className={styles.key}>
      {severities && (
        <p>
          <Severity grade="critical" /> <Severity grade="high" /> <Severity grade="medium" />{' '}
          <Severity grade="low" />
        </p>
      )}
      <p>
        {CLUSTER_KEY.map(({ words, rings }) => (
          <span key={words}>
            <svg viewBox="0 0 34 34" aria-hidden="true" data-rings={rings.length}>
              <circle cx="17" cy="17" r="9" />
              {rings.map((radius) => (
                <circle key={radius} cx="17" cy="17" r={radius} className={styles.ring} />
              ))}
            </svg>{' '}
            {words}
          </span>
        ))}
      </p>
    </div>
  );
}

const CLUSTER_KEY = [
  { words: 'under 10', rings: [] },
  { words: 'under 100', rings: [12] },
  { words: '100 and over', rings: [12, 15.5] },
];
