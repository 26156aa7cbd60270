import { ALL_FEEDS, differentTags, TAG_MAX, TAGS_MAX } from '#contract/displays/layouts.ts';
import { useState } from 'react';
import { giveLayout, type ListedLayout, tagDisplay } from '../../api/displays/layouts.ts';
import { useSubmit } from '../../api/useAction.ts';
import { DisplayRoutesDialog, nameOf } from '../admin/DisplayRoutesDialog.tsx';
import { useTyped } from '../../session/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { FormDialog } from '../../ui/dialogs/Dialog.tsx';
import { bound, Field, SelectField, optionsOf } from '../../ui/controls/Field.tsx';
import { layoutOf } from './FleetTable.tsx';
import type { ListedDisplay } from './shownLayout.ts';

/** The layout and the tags of one display. */
export function DisplayDialog({
  display,
  layouts,
  onClose,
  onDone,
}: {
  display: ListedDisplay;
  layouts: readonly ListedLayout[];
  onClose: () => void;
  onDone: () => Promise<void>;
}) {
  const name = nameOf({ name: display.name ?? '' });
  const before = { layout: layoutOf(display), tags: (display.tags ?? []).join(', ') };
  const [typed, setTyped, forget] = useTyped(`display ${display.id} ${JSON.stringify(before)}`, () => before);
  const { layout, tags } = typed;
  const [routes, setRoutes] = useState(false);
  const form = useSubmit(async () => {
    const written = tags.split(',').map((tag) => tag.trim());
    const given = differentTags(written.filter(Boolean));
    if (given.length > TAGS_MAX) return `A display has at most ${TAGS_MAX} tags.`;
    const long = given.find((tag) => [...tag].length > TAG_MAX);
    if (long) return `A tag has at most ${TAG_MAX} characters: ${long}`;
    if (given.join() !== (display.tags ?? []).join()) await tagDisplay(display.id, given);
    if (layout !== before.layout)
      await giveLayout({ displays: [display.id] }, layout === ALL_FEEDS.id ? null : layout);
    forget();
    return onDone();
  }, 'Unable to change the display');

  if (routes)
    return (
      <DisplayRoutesDialog
        display={{ id: display.id, name: display.name ?? '' }}
        onClose={() => setRoutes(false)}
      />
    );
  return (
    <FormDialog
      heading={<bdi>{name}</bdi>}
      form={form}
      act="Save"
      onClose={onClose}
      forget={forget}
      more={
        <Button busy={form.isBusy} onClick={() => setRoutes(true)}>
          Routes
        </Button>
      }
    >
      <SelectField label="Layout" {...bound(layout, (layout) => setTyped({ ...typed, layout }))}>
        {optionsOf(layouts.map(({ id, name }) => [id, name]))}
      </SelectField>
      <Field
        label="Tags"
        hint="With commas between them, such as Gate, Yard. Layouts and messages can be given by tag."
        autoComplete="off"
        {...bound(tags, (tags) => setTyped({ ...typed, tags }))}
      />
    </FormDialog>
  );
}
