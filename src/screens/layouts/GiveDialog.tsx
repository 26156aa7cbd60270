import { useActionState, useState } from 'react';
import { failureText } from '../../api/failureText.ts';
import { giveLayout, type ListedLayout } from '../../api/displays/layouts.ts';
import { nameOf } from '../admin/DisplayRoutesDialog.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Check } from '../../ui/controls/Check.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted } from '../../ui/numbers.ts';
import { layoutOf } from './FleetTable.tsx';
import styles from './LayoutsPage.module.css';
import type { ListedDisplay } from './proof.ts';
import { tagsOf } from './target.ts';

/** Which displays show a layout: chosen one by one, or all with a tag. */
export function GiveDialog({
  layout,
  displays,
  onClose,
  onDone,
}: {
  layout: ListedLayout;
  displays: readonly ListedDisplay[];
  onClose: () => void;
  onDone: () => Promise<void>;
}) {
  const having = displays.filter((display) => layoutOf(display) === layout.id);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(having.map(({ id }) => id)));
  const added = displays.filter((display) => chosen.has(display.id) && !having.includes(display));
  const choose = (ids: readonly string[], on: boolean) =>
    setChosen((before) => new Set(on ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))));
  const [failure, give, giving] = useActionState(async () => {
    if (added.length === 0) return 'Choose a display that does not show it yet.';
    try {
      await giveLayout({ displays: added.map(({ id }) => id) }, layout.id);
      await onDone();
      return null;
    } catch (error) {
      return failureText(error, 'Unable to assign the layout');
    }
  }, null);

  return (
    <Dialog
      heading={
        <>
          Show <bdi>{layout.name}</bdi> on
        </>
      }
      onClose={() => !giving && onClose()}
    >
      <form action={give} className={styles.form} data-stack="4">
        {displays.length === 0 && <p>No display is paired by your team.</p>}
        {tagsOf(displays).map(([tag, ids]) => (
          <Check
            key={tag}
            label={
              <>
                All with the tag <b>{tag}</b> ({ids.length})
              </>
            }
            checked={ids.every((id) => chosen.has(id))}
            onChange={(on) => choose(ids, on)}
          />
        ))}
        <fieldset data-choices>
          <legend>Displays</legend>
          {displays.map((display) => (
            <Check
              key={display.id}
              label={<bdi>{nameOf({ name: display.name ?? '' })}</bdi>}
              checked={chosen.has(display.id)}
              disabled={having.includes(display)}
              onChange={(on) => choose([display.id], on)}
            />
          ))}
        </fieldset>
        <p data-tone="2">
          A display that shows it already gets another layout by assigning that one, or where its name is
          pressed.
        </p>
        {failure && !giving && <Notice>{failure}</Notice>}
        <div className={styles.acts} data-row="3">
          <Button type="submit" kind="primary" busy={giving}>
            Show on {counted(added.length, 'more display')}
          </Button>
          <Button busy={giving} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
