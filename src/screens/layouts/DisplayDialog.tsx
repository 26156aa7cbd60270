import { ALL_FEEDS, differentTags, TAG_MAX, TAGS_MAX } from '#contract/displays/layouts.ts';
import { useActionState, useState } from 'react';
import { failureText } from '../../api/failureText.ts';
import { giveLayout, type ListedLayout, tagDisplay } from '../../api/displays/layouts.ts';
import { DisplayRoutesDialog, nameOf } from '../admin/DisplayRoutesDialog.tsx';
import { useTyped } from '../../session/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { Field, SelectField } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { layoutOf } from './FleetTable.tsx';
import styles from './LayoutsPage.module.css';
import type { ListedDisplay } from './proof.ts';

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
  const [failure, save, saving] = useActionState(async () => {
    const written = tags.split(',').map((tag) => tag.trim());
    const given = differentTags(written.filter(Boolean));
    if (given.length > TAGS_MAX) return `A display has at most ${TAGS_MAX} tags.`;
    const long = given.find((tag) => [...tag].length > TAG_MAX);
    if (long) return `A tag has at most ${TAG_MAX} characters: ${long}`;
    try {
      if (given.join() !== (display.tags ?? []).join()) await tagDisplay(display.id, given);
      if (layout !== before.layout)
        await giveLayout({ displays: [display.id] }, layout === ALL_FEEDS.id ? null : layout);
      forget();
      await onDone();
      return null;
    } catch (error) {
      return failureText(error, 'Unable to change the display');
    }
  }, null);

  if (routes)
    return (
      <DisplayRoutesDialog
        display={{ id: display.id, name: display.name ?? '' }}
        onClose={() => setRoutes(false)}
      />
    );
  return (
    <Dialog heading={<bdi>{name}</bdi>} onClose={() => !saving && onClose()}>
      <form action={save} className={styles.form} data-stack="4">
        <SelectField
          label="Layout"
          value={layout}
          onChange={({ target }) => setTyped({ ...typed, layout: target.value })}
        >
          {layouts.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <Field
          label="Tags"
          hint="With commas between them, such as Gate, Yard. Layouts and messages can be given by tag."
          autoComplete="off"
          value={tags}
          onChange={({ target }) => setTyped({ ...typed, tags: target.value })}
        />
        {failure && !saving && <Notice>{failure}</Notice>}
        <div className={styles.acts} data-row="3">
          <Button type="submit" kind="primary" busy={saving}>
            Save
          </Button>
          <Button
            busy={saving}
            onClick={() => {
              forget();
              onClose();
            }}
          >
            Cancel
          </Button>
          <Button busy={saving} onClick={() => setRoutes(true)}>
            Routes
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
