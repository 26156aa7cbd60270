import { Button } from '../ui/Button.tsx';
import { Check } from '../ui/Check.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './KeyHelp.module.css';

const KEYS = [
  ['↑ ↓', 'the row before or after'],
  ['Enter', 'open the route'],
  ['w', 'why it is touched'],
  ['a', 'acknowledge'],
  ['s', 'snooze'],
  ['n', 'new route'],
  ['/', 'search'],
  ['?', 'these keys'],
  ['Esc', 'close, and go back'],
] as const;

/** All keys of the page, and whether single letters work. */
export function KeyHelp({
  letters,
  onLetters,
  onClose,
}: {
  letters: boolean;
  onLetters: (on: boolean) => void;
  onClose: () => void;
}) {
  return (
    <Dialog heading="Keys" onClose={onClose}>
      <dl className={styles.keys}>
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Check label="Single letters work" checked={letters} onChange={onLetters} />
      <p>
        <Button onClick={onClose}>Close</Button>
      </p>
    </Dialog>
  );
}
