import { type ComponentProps, lazy, Suspense } from 'react';
import { routesOfDisplay } from '../../api/displays/displays.ts';
import { useLoad } from '../../api/useLoad.ts';
import type WallPreview from './WallPreview.tsx';

/** The whole wall, loaded after the page. */
const Wall = lazy(() => import('./WallPreview.tsx'));

export type Shown = ComponentProps<typeof WallPreview>['shown'];

/** A preview of a display. */
export function Preview(props: ComponentProps<typeof WallPreview>) {
  return (
    <Suspense fallback={null}>
      <Wall {...props} />
    </Suspense>
  );
}

/** The preview for this display: of the team's routes and jobs it shows only the ones that it was given. */
export function PreviewOn({
  display,
  shown,
  ...rest
}: ComponentProps<typeof WallPreview> & { display: string }) {
  const given = useLoad((signal) => routesOfDisplay(display, signal), 'Unable to load its routes');
  return <Preview {...rest} shown={given.data ? givenOf(shown, given.data) : shown} />;
}

function givenOf({ board, routes, jobs }: Shown, ids: readonly string[]): Shown {
  const isGiven = (id: string | null | undefined) => id != null && ids.includes(id);
  return {
    board,
    routes: routes && {
      ...routes,
      data: { ...routes.data, watches: routes.data.watches.filter(({ id }) => isGiven(id)) },
    },
    jobs: jobs && {
      ...jobs,
      data: { ...jobs.data, jobs: jobs.data.jobs.filter(({ watch_id }) => !watch_id || isGiven(watch_id)) },
    },
  };
}
