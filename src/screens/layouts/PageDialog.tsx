import { FEEDS } from '#contract/feeds/feeds.ts';
import { MESSAGE_MAX } from '#contract/displays/layouts.ts';
import { useState } from 'react';
import type { ShownPage } from '../../api/displays/displaySelf.ts';
import type { ListedWatch } from '../../api/watches/watches.ts';
import { useTyped } from '../../session/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Check, Choices } from '../../ui/controls/Choice.tsx';
import { FormDialog } from '../../ui/dialogs/Dialog.tsx';
import { bound, SelectField, TextField, optionsOf } from '../../ui/controls/Field.tsx';
import { NEW_PAGE, PAGE_CHOICES, pageName, showsRoutes } from './pages.ts';

const SLUGS = FEEDS.map(({ slug }): string => slug);

/** The content of one page of a layout. `onDone` with null removes the page. */
export function PageDialog({
  layoutId,
  page,
  place,
  routes,
  onClose,
  onDone,
}: {
  layoutId: string;
  /** Null: a new one. */
  page: ShownPage | null;
  place: number;
  routes: readonly ListedWatch[];
  onClose: () => void;
  onDone: (page: ShownPage | null) => void;
}) {
  const [draft, setDraft, forget] = useTyped(
    `page ${layoutId} ${place} ${JSON.stringify(page)}`,
    () => page ?? NEW_PAGE,
  );
  const change = (to: Partial<ShownPage>) => setDraft({ ...draft, ...to });
  const { type, feeds, watch_ids, without_routes, large, text } = draft;
  const types: readonly string[] = PAGE_CHOICES.some((one) => one === type)
    ? PAGE_CHOICES
    : [...PAGE_CHOICES, type];

  const leaveWith = (changed: ShownPage | null) => {
    forget();
    onDone(changed);
  };
  const [fault, setFault] = useState<string | null>(null);
  const done = () => {
    if (type === 'board' && feeds?.length === 0) return setFault('Choose at least one feed.');
    if (showsRoutes(type) && watch_ids?.length === 0)
      return setFault('Choose at least one route, or all of the display’s routes.');
    if (type === 'message' && !text?.trim()) return setFault('Write what the page says.');
    return leaveWith(draft);
  };

  return (
    <FormDialog
      heading={page ? `Page ${place + 1}` : 'Add a page'}
      // Nothing is sent here: the layout is saved as a whole.
      form={{ action: done, isBusy: false, failure: fault }}
      act={page ? 'Done' : 'Add'}
      onClose={onClose}
      forget={forget}
      more={page && <Button onClick={() => leaveWith(null)}>Remove this page</Button>}
    >
      <SelectField label="Shows" {...bound(type, (type) => change({ type }))}>
        {optionsOf(types.map((one) => [one, pageName(one)]))}
      </SelectField>
      {type === 'board' && (
        <>
          <Choices
            legend="Feeds"
            options={FEEDS.map(({ slug, title }) => ({ value: slug as string, label: title }))}
            values={feeds ?? SLUGS}
            onChange={(chosen) => change({ feeds: chosen.length === SLUGS.length ? undefined : chosen })}
          />
          <Check
            label="Without the line of routes"
            checked={without_routes ?? false}
            onChange={(without) => change({ without_routes: without })}
          />
          <Check
            label="Large type, without the map, for people who pass by"
            checked={large ?? false}
            onChange={(on) => change({ large: on })}
          />
        </>
      )}
      {showsRoutes(type) && (
        <fieldset data-choices>
          <legend>Routes</legend>
          <Check
            label={type === 'route' ? 'The worst of the display’s routes' : 'All of the display’s routes'}
            checked={!watch_ids}
            onChange={(all) => change({ watch_ids: all ? undefined : [] })}
          />
          {watch_ids &&
            [...routes, ...deletedOf(watch_ids, routes)].map(({ id, name }) => (
              <Check
                key={id}
                label={<bdi>{name}</bdi>}
                checked={watch_ids.includes(id)}
                onChange={(on) =>
                  change({
                    watch_ids: on
                      ? type === 'route'
                        ? [id]
                        : [...watch_ids, id]
                      : watch_ids.filter((one) => one !== id),
                  })
                }
              />
            ))}
        </fieldset>
      )}
      {type === 'message' && (
        <TextField
          label="Text"
          rows={3}
          maxLength={MESSAGE_MAX}
          hint={`${text?.length ?? 0} of ${MESSAGE_MAX}`}
          {...bound(text ?? '', (value) => change({ text: value.replaceAll('\n', ' ') }))}
        />
      )}
    </FormDialog>
  );
}

/** Chosen routes that no longer exist. They are listed so that they can be taken off the page, which cannot be saved
 *  with them. */
const deletedOf = (chosen: readonly string[], routes: readonly ListedWatch[]) =>
  chosen
    .filter((id) => !routes.some((route) => route.id === id))
    .map((id) => ({ id, name: 'A deleted route' }));
