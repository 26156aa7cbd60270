import { useState } from 'react';
import { giveLayout, type ListedLayout } from '../../api/displays/layouts.ts';
import { useSubmit } from '../../api/useAction.ts';
import { nameOf } from '../admin/DisplayRoutesDialog.tsx';
import { Check } from '../../ui/controls/Choice.tsx';
import { FormDialog } from '../../ui/dialogs/Dialog.tsx';
import { counted } from '#contract/numbers.ts';
import { layoutOf } from './FleetTable.tsx';
import { type ListedDisplay, tagsOf } from './shownLayout.ts';

/** The displays that show a layout: chosen one by one, or all with a tag. */
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
  const form = useSubmit(async () => {
    if (added.length === 0) return 'Choose a display that does not show it yet.';
    await giveLayout({ displays: added.map(({ id }) => id) }, layout.id);
    return onDone();
  }, 'Unable to assign the layout');

  return (
    <FormDialog
      heading={
        <>
          Show <bdi>{layout.name}</bdi> on
        </>
      }
      form={form}
      act={`Show on ${counted(added.length, 'more display')}`}
      onClose={onClose}
    >
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
        To change a display that shows it already, assign another layout or press the display’s name.
      </p>
    </FormDialog>
  );
}
