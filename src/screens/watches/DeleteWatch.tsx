import { WATCH_LIMITS, type WatchKind } from '#contract/watches/watches.ts';
import { useAction } from '../../api/useAction.ts';
import { deleteWatch } from '../../api/watches/oneWatch.ts';
import { Confirm } from '../../ui/dialogs/Dialog.tsx';

const NOUNS: Readonly<Record<WatchKind, string>> = { route: 'route', area: 'area', feeds: 'filter' };

export interface Deleted {
  id: string;
  name: string;
  kind: WatchKind;
}

/** Asks whether to delete a watch, and deletes it for the whole team. */
export function DeleteWatch({
  watch: { id, name, kind, rev },
  onDeleted,
  onCancel,
}: {
  watch: Deleted & { rev?: number | null | undefined };
  /** Promises that the list no longer has it. */
  onDeleted: (watch: Deleted) => Promise<void>;
  onCancel: () => void;
}) {
  const { run, isBusy, failure } = useAction();
  const remove = () =>
    run(async () => {
      await deleteWatch(id, rev ?? 0);
      await onDeleted({ id, name, kind });
    }, `Unable to delete this ${NOUNS[kind]}`);

  return (
    <Confirm
      heading={`Delete “${name}”?`}
      act={`Delete this ${NOUNS[kind]}`}
      busy={isBusy}
      failure={failure}
      onAct={() => void remove()}
      onCancel={onCancel}
    >
      <p>
        It goes for the whole team, with its departures and what it sends. Its secret addresses and public
        pages end. You can undo this for {WATCH_LIMITS.undoMinutes} minutes; the addresses stay ended.
      </p>
    </Confirm>
  );
}
