import { pageAddress } from '#contract/addresses.ts';
import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown';
import { useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import styles from './NavBar.module.css';

const LINKS = [
  { href: pageAddress('handover'), text: 'Handover' },
  { href: pageAddress('history'), text: 'History' },
];

/** "Shift": links that are needed once or twice in a shift. Escape, or leaving the menu, closes it. */
export default function ShiftMenu({ path }: { path: string }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === path; // any navigation closes it
  const isHere = LINKS.some(({ href }) => path === href || path.startsWith(`${href}/`));

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape and focus, wherever inside it is
    <li
      className={styles.shift}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        // On a phone, only the next press closes the list around it.
        event.stopPropagation();
        setOpenAt(null);
        button.current?.focus();
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) setOpenAt(null);
      }}
    >
      <button
        ref={button}
        type="button"
        className={styles.link}
        aria-expanded={open}
        aria-controls={id}
        aria-current={isHere ? 'true' : undefined}
        onClick={() => setOpenAt(open ? null : path)}
      >
        Shift <CaretDownIcon weight="bold" aria-hidden />
      </button>
      <ul id={id} className={styles.under} hidden={!open}>
        {LINKS.map(({ href, text }) => (
          <li key={href}>
            <Link href={href} className={styles.link} aria-current={path === href ? 'page' : undefined}>
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </li>
  );
}
