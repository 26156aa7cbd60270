import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Button } from '../controls/Button.tsx';
import { Check } from '../controls/Choice.tsx';
import { Dialog } from '../dialogs/Dialog.tsx';
import styles from './KeyedPage.module.css';
import { ToolPage } from './Page.tsx';
import { useKeys } from './useKeys.ts';

export interface PageKey {
  keys: readonly string[];
  what: string;
  /** Its word in the line at the foot. Keys without one are only in the dialog. */
  short?: string;
  /** True: the key works even when single letters are switched off. */
  always?: boolean;
}

/** A tool page with keys: a line of them at its foot, and a dialog with all, where single letters can be switched
 *  off, because some voice controls press them by accident. On a narrow page a chosen row is shown alone, from its
 *  top. */
export function KeyedPage({
  keys,
  actions = {},
  letters: [letters, setLetters],
  resting = false,
  chosen,
  children,
  ...page
}: {
  keys: readonly PageKey[];
  /** The page's own letters. */
  actions?: Readonly<Record<string, () => void>>;
  /** Whether single letters are keys. */
  letters: readonly [isOn: boolean, turn: (on: boolean) => void];
  /** True: single letters do nothing now. */
  resting?: boolean;
  /** The id of the chosen row. */
  chosen?: string;
} & Omit<ComponentProps<typeof ToolPage>, 'chosen' | 'ref'>) {
  const place = useRef<HTMLDivElement>(null);
  const [help, setHelp] = useState(false);
  useKeys(place, letters && !resting, { ...actions, '?': () => setHelp(true) });
  useEffect(() => {
    if (chosen && matchMedia('(width < 60rem)').matches) place.current?.scrollIntoView({ block: 'start' });
  }, [chosen]);

  return (
    <ToolPage {...page} ref={place} chosen={Boolean(chosen)} data-letters={letters ? undefined : 'off'}>
      {children}
      <p className={styles.foot} data-row="5" data-text="note">
        {keys.map(
          ({ keys: caps, short, always }) =>
            short &&
            (letters || always) && (
              <span key={short}>
                <Caps keys={caps} /> {short}
              </span>
            ),
        )}
        <button type="button" aria-haspopup="dialog" onClick={() => setHelp(true)}>
          {letters && (
            <>
              <kbd>?</kbd>{' '}
            </>
          )}
          all keys
        </button>
      </p>
      {help && (
        <Dialog heading="All keys" onClose={() => setHelp(false)}>
          <dl className={styles.all} data-stack>
            {keys.map(({ keys: caps, what }) => (
              <div key={what}>
                <dt data-line="1">
                  <Caps keys={caps} />
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
          <Check label="Keys of one character" checked={letters} onChange={setLetters} />
          <p>Without them, Tab and the arrows reach every row.</p>
          <div>
            <Button onClick={() => setHelp(false)}>Close</Button>
          </div>
        </Dialog>
      )}
    </ToolPage>
  );
}

const Caps = ({ keys }: Pick<PageKey, 'keys'>) =>
  keys.map((key, index) => (
    <span key={key}>
      {index > 0 && ' '}
      <kbd>{key}</kbd>
    </span>
  ));
