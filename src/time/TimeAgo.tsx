import { createContext, useContext, useSyncExternalStore } from 'react';
import styles from '../ui/TimeAgo.module.css';
import { formatDateTime, timeAgo, type Instant } from './london.ts';

/** The clock that ages are counted by. The app sets the server's clock here: a device's own clock may be wrong. */
export const Clock = createContext<() => Date>(() => new Date());

/** "2 minutes ago", kept up to date, with the full time in its title. With `dated` the full time stands before it,
 *  for places where people look for the time itself. Nothing for a missing time. */
export function TimeAgo({ at, dated = false }: { at: Instant | null | undefined; dated?: boolean }) {
  const now = useContext(Clock);
  const words = useSyncExternalStore(everyFewSeconds, () => (at == null ? '' : timeAgo(at, now())));
  if (at == null || words === '') return null;

  const full = formatDateTime(at);
  const dateTime = new Date(at).toISOString();
  if (!dated) {
    return (
      <time dateTime={dateTime} title={full}>
        {words}
      </time>
    );
  }
  return (
    <time dateTime={dateTime} className={styles.dated}>
      {full}
      {words !== full && <span> {words}</span>}
    </time>
  );
}

const LOOK_MS = 5000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all ages on the page; a component renders again only when its text has changed. */
function everyFewSeconds(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((listen) => listen()), LOOK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
