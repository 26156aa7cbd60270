import { type CountedKind, countsAs, type NetChange } from '#contract/incidents/changes.ts';
import { knownSource } from '#contract/feeds/sources.ts';
import { Link } from 'wouter';
import { create } from 'zustand';
import { alertAddress } from '../../feeds/alerts/alertAddress.ts';
import { useClock } from '../../time/tickingClock.ts';
import { Severity } from '../../ui/signs/Severity.tsx';
import styles from './ChangesStrip.module.css';
import { changeWords, isGone, KIND_WORDS } from './changeWords.ts';

/** All changes of the span, as the server lists them. */
export const useListed = create<{ changes: readonly NetChange[] }>(() => ({ changes: [] }));

/** All of one kind. */
export function ChangedList({ kind }: { kind: CountedKind }) {
  const all = useListed(({ changes }) => changes);
  const changes = all.filter((change) => countsAs(change, kind));

  return (
    <section className={styles.listed} aria-label={`Only what is ${KIND_WORDS[kind]}`}>
      {changes.length > 0 ? (
        <ul>
          {changes.map((change) => (
            <ChangedRow key={change.event_id} change={change} />
          ))}
        </ul>
      ) : (
        <p>Nothing is {KIND_WORDS[kind]}.</p>
      )}
    </section>
  );
}

/** Alerts of one feed that are cleared or no longer known, last and hollow. */
export function GoneOf({ feed }: { feed: string }) {
  const all = useListed(({ changes }) => changes);
  const changes = all.filter((change) => isGone(change) && knownSource(change.source).feed === feed);
  if (changes.length === 0) return null;

  return (
    <section className={styles.gone} aria-label="Cleared or no longer known">
      <ul>
        {changes.map((change) => (
          <ChangedRow key={change.event_id} change={change} />
        ))}
      </ul>
    </section>
  );
}

function ChangedRow({ change }: { change: NetChange }) {
  const words = useClock((now) => changeWords(change, now));
  return (
    <li data-gone={isGone(change) || undefined} data-fresh={isGone(change) ? 'stale' : undefined}>
      <span className={styles.grade}>
        <Severity grade={change.severity} />
      </span>
      <Link href={alertAddress(change)} className={styles.title}>
        {change.title}
      </Link>
      <span data-text="note">{knownSource(change.source).displayName}</span>
      <b className={styles.mark}>{words}</b>
    </li>
  );
}
