import { pageAddress } from '#contract/addresses.ts';
import { VISIBLE } from '#contract/names.ts';
import { CheckCircleIcon } from '@phosphor-icons/react/dist/csr/CheckCircle';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { serverNow } from '../../time/freshness.ts';
import { Button, buttonLook } from '../../ui/controls/Button.tsx';
import { formatDate } from '../../time/london.ts';
import { BROADER_AREA_KM, GATHERED_PERCENT, type SetupDraft, watchedFrom } from './setupDraft.ts';
import styles from './SetupDone.module.css';

/** The last page of the event setup. */
export function SetupDone({ draft, onAnother }: { draft: SetupDraft; onAnother: () => void }) {
  const [today] = useState(serverNow);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const what = [seen(draft.eventName) || 'Your event', seen(draft.venueName)].filter(Boolean).join(', ');

  return (
    <section className={styles.done} data-stack="5" aria-labelledby="setup-done">
      <div className={styles.sign}>
        <CheckCircleIcon weight="fill" aria-hidden />
        <h2 id="setup-done" ref={heading} tabIndex={-1}>
          Event Watch Activated
        </h2>
        <p>
          <bdi>{what}</bdi>. Watching from {formatDate(watchedFrom(draft, today))}.
        </p>
      </div>
      <div className={styles.progress} data-stack>
        <p>
          <b>{GATHERED_PERCENT}%</b> gathering progress
        </p>
        <span
          className={styles.bar}
          role="progressbar"
          aria-label="Gathering progress"
          aria-valuenow={GATHERED_PERCENT}
          aria-valuemin={0}
          aria-valuemax={100}
          style={{ '--gathered': `${GATHERED_PERCENT}%` } as CSSProperties}
        />
        <p data-tone="3">
          {draft.includeBroaderArea && `Sources within ${BROADER_AREA_KM} km of the venue are included. `}
          This is a preview with a fixed figure: no alert is sent yet.
        </p>
      </div>
      <div data-row="3">
        <Link href={pageAddress('events')} {...buttonLook({ kind: 'primary' })}>
          View Events Dashboard
        </Link>
        <Link href={pageAddress('routes')} {...buttonLook()}>
          Routes
        </Link>
        <Button onClick={onAnother}>Add Another Event</Button>
        <Button onClick={() => location.assign(invitation(what))}>Invite Team</Button>
      </div>
    </section>
  );
}

/** Empty for a name of invisible characters only. */
const seen = (name: string) => (VISIBLE.test(name) ? name.trim() : '');

/** An email in the user's own mail program: nothing is sent from here. */
function invitation(what: string): string {
  const subject = `Watching ${what} with Clearway`;
  // oxlint-disable-next-line no-restricted-globals -- a mailto address has its own rules: spaces are never +
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`${location.origin}${pageAddress('events')}`)}`;
}
