import type { Alert } from '../../../api/alerts/disruptions.ts';
import { gradeOf, titleOf } from '../../../feeds/alerts/alerts.ts';
import { endOrStartWords } from '../../../feeds/alerts/alertTimes.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { Severity } from '../../../ui/signs/Severity.tsx';
import { stretchWords } from '../../../watches/routeWords.ts';
import { fitting, useFacesLoaded } from '../words/wallFit.ts';
import { NEXT_TEXT } from '../words/wallMeasures.ts';
import { useOurs } from '../words/seenByTeam.ts';
import styles from './NextHours.module.css';

/** How many reports are shown. The others are a number. */
const SHOWN = 2;

/** The height of the heading with its rule, and of one report. In units. */
const HEADING = 56;
const REPORT = 58;
/** How much of the room for the next hours the reports take. In units. */
export const useOursRoom = (): number => {
  const count = useOurs(({ ours }) => ours.length);
  return count === 0 ? 0 : HEADING + Math.min(count, SHOWN) * REPORT;
};

/** "Ours": drivers' reports to the team, which are in no feed. */
export function WallOurs() {
  useFacesLoaded();
  const ours = useOurs((known) => known.ours);
  if (ours.length === 0) return null;
  const more = ours.length - SHOWN;

  return (
    <section className={`${styles.next} ${styles.ours}`} aria-labelledby="wall-ours">
      <h2 className={styles.heading} data-nowrap id="wall-ours">
        Ours{more > 0 && `, and ${more} more`}
      </h2>
      <ul>
        {ours.slice(0, SHOWN).map((alert) => (
          <Own key={alert.event_id} alert={alert} />
        ))}
      </ul>
    </section>
  );
}

function Own({ alert }: { alert: Alert }) {
  const until = useClock((now) => endOrStartWords(alert, now));
  const { place, effect } = alert.facts ?? {};
  const title = place && effect ? place : titleOf(alert);
  const more = place && effect ? effect : stretchWords(alert) || alert.metadata?.location_names?.[0] || '';
  return (
    <li>
      <Severity grade={gradeOf(alert)} wordless />
      <p>
        <b>{fitting([title], NEXT_TEXT, 'next')}</b>
        <span>{fitting([[more, until].filter(Boolean).join(', '), more || until], NEXT_TEXT, 'next')}</span>
      </p>
    </li>
  );
}
