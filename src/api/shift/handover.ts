/** The handover sheet of a shift. */
import { apiPath } from '#contract/addresses.ts';
import {
  Handover,
  SheetDisplay,
  SheetEnd,
  SheetIncident,
  SheetJob,
  SheetMatch,
  SheetNote,
  SheetPlan,
  SheetRoute,
  SheetSilence,
  SheetSnooze,
  type TakeOver,
} from '#contract/shift/handover.ts';
import { Disposition, LoggedAction } from '#contract/shift/responses.ts';
import { z } from 'zod/mini';
import { read, type Reply } from '../http.ts';
import { sendOnce } from '../makeOnce.ts';
import { items, tolerant } from '../tolerant.ts';

const Incident = tolerant(SheetIncident, 'event_id');
export type Incident = z.output<typeof Incident>;

const Line = tolerant(LoggedAction, 'id');
/** A note in a sheet. */
export type Line = z.output<typeof Line>;

const withIncident = { incident: Incident };

const Sheet = tolerant(Handover, null, {
  from: z.string(),
  to: z.string(),
  made_at: z.string(),
  on_routes: items(
    tolerant(SheetMatch, null, { ...withIncident, disposition: z.catch(z.nullable(Disposition), null) }),
  ),
  beside: z.catch(items(Incident), []),
  routes_total: z.catch(z.number(), 0),
  checking: z.catch(items(SheetRoute), []),
  unplaced: z.catch(z.number(), 0),
  jobs: z.catch(items(SheetJob), []),
  snoozed: items(tolerant(SheetSnooze, null, withIncident)),
  notes: items(tolerant(SheetNote, null, { note: Line, incident: z.nullable(Incident) })),
  cleared: items(tolerant(SheetEnd, null, withIncident)),
  planned: items(tolerant(SheetPlan)),
  unseen_sources: items(tolerant(SheetSilence, 'source')),
  unseen_displays: items(tolerant(SheetDisplay)),
  next_shift: items(Line),
});
export type Sheet = z.output<typeof Sheet>;

/** Without times it is the shift that is handed over now. */
export const readHandover = (
  span: { from?: string | undefined; to?: string | undefined },
  signal?: AbortSignal,
): Promise<Reply<Sheet>> => read(Sheet, 'handover/', { searchParams: span, offlineCopy: true, signal });

export const addLine = (text: string): Promise<void> => sendOnce('handover/notes', { text });

export const strikeLine = (lineId: string): Promise<void> =>
  sendOnce(apiPath`handover/notes/${lineId}/strike`, {});

export const takeOver = (span: Pick<TakeOver, 'from' | 'to'>): Promise<void> =>
  sendOnce('handover/taken', span);
