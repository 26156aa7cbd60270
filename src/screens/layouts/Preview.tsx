import { type ComponentProps, lazy, Suspense } from 'react';
import type WallPreview from './WallPreview.tsx';

/** All of the wall: loaded when the page is there. */
const Wall = lazy(() => import('./WallPreview.tsx'));

export type Shown = ComponentProps<typeof WallPreview>['shown'];

/** Preview of what a display would show. */
export function Preview(props: ComponentProps<typeof WallPreview>) {
  return (
    <Suspense fallback={null}>
      <Wall {...props} />
    </Suspense>
  );
}
