import type { WatchKind } from '#contract/watches/watches.ts';
import type { ComponentProps } from 'react';
import { ToolDialog } from '../../../ui/dialogs/ToolDialog.tsx';

const ABOUT: Readonly<Record<WatchKind, string>> = {
  route: 'This is the line to watch, not directions to drive.',
  area: 'This is the area to watch.',
  feeds: 'Without a place: of all the country.',
};

/** The dialog in which a route, an area or a filter is made. */
export function RouteDialog({
  about,
  footer,
  ...dialog
}: { about: WatchKind } & ComponentProps<typeof ToolDialog>) {
  return (
    <ToolDialog
      {...dialog}
      footer={
        <>
          <p>{ABOUT[about]}</p>
          {footer}
        </>
      }
    />
  );
}
