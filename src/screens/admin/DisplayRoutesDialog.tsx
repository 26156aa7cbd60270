import { pageAddress } from '#contract/addresses.ts';
import { DISPLAY_ROUTES_MAX } from '#contract/displays/displays.ts';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { type Display, giveRoutes, routesOfDisplay } from '../../api/displays/displays.ts';
import { useSubmit } from '../../api/useAction.ts';
import { useLoad } from '../../api/useLoad.ts';
import { type ListedWatch, listWatches } from '../../api/watches/watches.ts';
import { useTyped } from '../../session/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Check } from '../../ui/controls/Choice.tsx';
import { Dialog, FormDialog } from '../../ui/dialogs/Dialog.tsx';
import { bound, Field } from '../../ui/controls/Field.tsx';
import { counted } from '#contract/numbers.ts';
import { placesOf } from '../../watches/myRoutes.ts';
import { LoadState } from '../../ui/page/Page.tsx';

export const nameOf = ({ name }: Pick<Display, 'name'>) => name || 'Unnamed display';

/** From this many routes on, there is a search by name. */
const SEARCHED_FROM = 12;

/** The dialog that sets which of the team's routes and areas a display shows. */
export function DisplayRoutesDialog({
  display,
  onClose,
}: {
  display: Pick<Display, 'id' | 'name'>;
  onClose: () => void;
}) {
  const load = useLoad(async (signal) => {
    const [{ data }, given] = await Promise.all([listWatches(signal), routesOfDisplay(display.id, signal)]);
    const routes = placesOf(data.watches).toSorted((a, b) =>
      a.name.localeCompare(b.name, 'en-GB', { numeric: true }),
    );
    return { routes, given };
  }, 'Unable to load the routes');

  const heading = (
    <>
      Routes on <bdi>{nameOf(display)}</bdi>
    </>
  );
  if (load.state === 'ready' && load.data.routes.length > 0)
    return <Choice heading={heading} display={display} {...load.data} onClose={onClose} />;
  return (
    <Dialog heading={heading} onClose={onClose}>
      <div data-stack="4">
        <LoadState load={load} />
        {load.state === 'ready' && (
          <p>
            Your team has no routes yet. <Link href={pageAddress('routes')}>My routes</Link>
          </p>
        )}
        <div data-row>
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </Dialog>
  );
}

function Choice({
  heading,
  display,
  routes,
  given,
  onClose,
}: {
  heading: ReactNode;
  display: Pick<Display, 'id' | 'name'>;
  routes: readonly ListedWatch[];
  given: readonly string[];
  onClose: () => void;
}) {
  const [chosen, setChosen, forget] = useTyped<ReadonlySet<string>>(
    `routes of display ${display.id} ${given.join()}`,
    () => new Set(given),
  );
  const [search, setSearch] = useState('');
  const form = useSubmit(async () => {
    if (chosen.size > DISPLAY_ROUTES_MAX) return TOO_MANY;
    await giveRoutes(display.id, [...chosen]);
    forget();
    return onClose();
  }, 'Unable to save the routes');
  const choose = (id: string, isChosen: boolean) =>
    setChosen(isChosen ? new Set(chosen).add(id) : new Set([...chosen].filter((of) => of !== id)));
  const wanted = search.trim().toLowerCase();
  const found = routes.filter(({ name }) => name.toLowerCase().includes(wanted));

  return (
    <FormDialog heading={heading} form={form} act="Save" onClose={onClose} forget={forget}>
      <p>The routes are at the foot of its board. Anybody who sees the screen sees their names.</p>
      {routes.length > SEARCHED_FROM && (
        <Field label="Find a route" type="search" autoComplete="off" {...bound(search, setSearch)} />
      )}
      <fieldset data-choices>
        <legend>Your team’s routes and areas</legend>
        {found.map(({ id, name }) => (
          <Check
            key={id}
            label={<bdi>{name}</bdi>}
            checked={chosen.has(id)}
            onChange={(isChosen) => choose(id, isChosen)}
          />
        ))}
        {found.length === 0 && <p>No route has this in its name.</p>}
      </fieldset>
      <p role="status" data-tone="2">
        {chosen.size === 0
          ? 'None chosen: the display shows no routes.'
          : `${counted(chosen.size, 'route')} chosen`}
      </p>
    </FormDialog>
  );
}

const TOO_MANY = `A display shows at most ${DISPLAY_ROUTES_MAX} routes. Choose fewer.`;
