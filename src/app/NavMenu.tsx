import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown';
import { useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import styles from './NavBar.module.css';

/** Links that are not needed often, behind one word of the bar. Escape, or leaving the menu, closes it. */
export default function NavMenu({
  text,
  links,
  path,
}: {
  text: string;
  links: readonly { href: string; text: string }[];
  path: string;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === path; // any navigation closes it
  const isHere = links.some(({ href }) => path === href || path.startsWith(`${href}/`));

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape and focus, wherever inside it is
    <li
      className={styles.group}
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
        {text} <CaretDownIcon weight="bold" aria-hidden />
      </button>
      <ul id={id} className={styles.under} hidden={!open}>
        {links.map(({ href, text: name }) => (
          <li key={href}>
            <Link href={href} className={styles.link} aria-current={path === href ? 'page' : undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </li>
  );
}
