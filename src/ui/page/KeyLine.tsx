import { Button } from '../controls/Button.tsx';
import { Check } from '../controls/Choice.tsx';
import { Dialog } from '../dialogs/Dialog.tsx';
import styles from './KeyLine.module.css';

export interface PageKey {
  keys: readonly string[];
  what: string;
  /** Its word in the line at the foot. Keys without one are only in the dialog. */
  short?: string;
  /** True: the key works even when single letters are switched off. */
  always?: boolean;
}

/** The page's keys in a line at its foot, and a dialog with all of them, where single letters can be switched off. */
export function KeyLine({
  all,
  open,
  onOpen,
  letters,
  onLetters,
}: {
  all: readonly PageKey[];
  /** True: the dialog with all keys is open. */
  open: boolean;
  onOpen: (open: boolean) => void;
  /** True: single letters are keys. Some voice controls press them by accident. */
  letters: boolean;
  onLetters: (on: boolean) => void;
}) {
  return (
    <>
      <p className={styles.foot} data-row="5" data-text="note">
        {all.map(
          ({ keys, short, always }) =>
            short &&
            (letters || always) && (
              <span key={short}>
                <Caps keys={keys} /> {short}
              </span>
            ),
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
          <dl className={styles.all} data-stack>
            {all.map(({ keys, what }) => (
              <div key={what}>
                <dt>
                  <Caps keys={keys} />
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

const Caps = ({ keys }: Pick<PageKey, 'keys'>) =>
  keys.map((key, index) => (
    <span key={key}>
      {index > 0 && ' '}
      <kbd>{key}</kbd>
    </span>
  ));
