import { Button } from '../ui/Button.tsx';
import { Check } from '../ui/Check.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './Keys.module.css';

/** The list's keys at its foot, and all of them where they can be switched off. */
export function Keys({
  open,
  onOpen,
  letters,
  onLetters,
}: {
  /** All of them are shown. */
  open: boolean;
  onOpen: (open: boolean) => void;
  /** Single characters are keys: some voice controls press them by accident. */
  letters: boolean;
  onLetters: (on: boolean) => void;
}) {
  return (
    <>
      <p className={styles.foot}>
        {letters && (
          <>
            <span>
              <kbd>j</kbd> <kbd>k</kbd> row
            </span>
            <span>
              <kbd>Enter</kbd> open
            </span>
            <span>
              <kbd>a</kbd> acknowledge
            </span>
            <span>
              <kbd>s</kbd> snooze
            </span>
            <span>
              <kbd>/</kbd> search
            </span>
          </>
        )}
        <button type="button" aria-haspopup="dialog" onClick={() => onOpen(true)}>
          {letters && (
            <>
              <kbd>?</kbd>{' '}
            </>
          )}
          all keys
        </button>
      </p>
      {open && (
        <Dialog heading="All keys" onClose={() => onOpen(false)}>
          <dl className={styles.all}>
            {ALL.map(([keys, what]) => (
              <div key={what}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
          <Check label="Keys of one character" checked={letters} onChange={onLetters} />
          <p>Without them, Tab and the arrows reach every row.</p>
          <div>
            <Button onClick={() => onOpen(false)}>Close</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

const ALL: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['j', '↓'], 'next row'],
  [['k', '↑'], 'row before'],
  [['Enter'], 'open the alert'],
  [['a'], 'acknowledge'],
  [['s'], 'snooze'],
  [['/'], 'search'],
  [['Esc'], 'leave the field'],
  [['?'], 'these keys'],
];
