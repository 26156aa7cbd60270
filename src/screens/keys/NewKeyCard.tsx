import { Button } from '../../ui/controls/Button.tsx';
import { Reveal } from '../../ui/dialogs/Reveal.tsx';

/** A new key's full value, until it is dismissed. */
export function NewKeyCard({
  name,
  value,
  onDismiss,
}: {
  name: string;
  value: string;
  onDismiss: () => void;
}) {
  return (
    <Reveal
      heading={
        <>
          <bdi>{name}</bdi> is ready
        </>
      }
      value={value}
      actions={
        <Button kind="quiet" onClick={onDismiss}>
          Dismiss
        </Button>
      }
    >
      Make sure to copy your API key now. You won't be able to see it again!
    </Reveal>
  );
}
