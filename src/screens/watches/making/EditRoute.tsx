import { tooLong, type WatchKind } from '#contract/watches/watches.ts';
import { useState } from 'react';
import { Refused } from '../../../api/http.ts';
import { useRuntimeConfig } from '../../../api/runtimeConfig.ts';
import { useAction } from '../../../api/useAction.ts';
import { useAnswer } from '../../../api/useAnswer.ts';
import {
  changeWatch,
  createWatch,
  previewWay,
  type Resolved,
  type Watch,
  watchRecord,
} from '../../../api/watches/oneWatch.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { bound, Field } from '../../../ui/controls/Field.tsx';
import { Notice } from '../../../ui/signs/Notice.tsx';
import { counted } from '#contract/numbers.ts';
import { Tabs } from '../../../ui/page/Tabs.tsx';
import { type Deleted, DeleteWatch } from '../DeleteWatch.tsx';
import { AreaForm } from './AreaForm.tsx';
import { ByJunctions } from './ByJunctions.tsx';
import { Draw } from './Draw.tsx';
import {
  allDepartures,
  boundsOf,
  type Draft,
  draftOf,
  EMPTY_DRAFT,
  endsOf,
  firstTelling,
  named,
  reversedLegs,
  reversedName,
  textOf,
  USUAL_REACH_M,
} from './watchDraft.ts';
import { drawnOf, legsOf } from './drawnLine.ts';
import { FromFile } from './FromFile.tsx';
import { type Making, useMaking } from './makingKept.ts';
import { ManyRoutes } from './ManyRoutes.tsx';
import { Review } from './Review.tsx';
import { isSeveralRoutes } from './routeTable.ts';
import { HoursFields } from '../HoursFields.tsx';
import { LetsThrough } from './LetsThrough.tsx';
import { useTable } from './useRouteTable.ts';
import { WhichFields } from '../WhichFields.tsx';
import { ToolDialog } from '../../../ui/dialogs/Dialog.tsx';

const WAYS = [
  { value: 'junctions', label: 'By junctions' },
  { value: 'file', label: 'From a file' },
  { value: 'draw', label: 'Draw' },
  { value: 'table', label: 'Table' },
] as const;
/** Offered only if the operator has a router. */
const BY_ROUTER = { value: 'router', label: 'Let the router draw it' } as const;
const MADE_BY = {
  junctions: 'junctions',
  file: 'file',
  draw: 'drawn',
  router: 'router',
  table: 'junctions',
} as const;

const ROWS_LEFT = 'These rows were not saved. Each says why; all others are saved.';
const UNFINISHED =
  'A departure is not complete. It needs a time and a day; a period needs a first and a last day. Or cancel it.';

const NAMES: Readonly<Record<WatchKind, { noun: string; heading: string }>> = {
  route: { noun: 'route', heading: 'New route' },
  area: { noun: 'area', heading: 'New area' },
  feeds: { noun: 'filter', heading: 'New filter' },
};

/** The request for the server, without fields that only a route has. If nobody typed a name, the server makes it. */
const askedOf = (draft: Draft, kind: WatchKind) => ({
  kind,
  name: kind !== 'route' && (draft.name === draft.offered || draft.name.trim() === '') ? null : draft.name,
  geometry: kind === 'area' ? boundsOf(draft) : null,
  reach_m:
    kind === 'route'
      ? draft.reach_m
      : kind === 'area' && draft.shape === 'circle'
        ? (draft.reach_m ?? USUAL_REACH_M)
        : null,
  ...(kind === 'area' && { place: draft.place }),
  which: draft.which,
  when: draft.when,
});

/** The values of the saved watch that is changed. */
function madeOf(watch: Watch): Partial<Making> {
  const before = drawnOf(watch.legs);
  return {
    known: watch,
    text: textOf(watch),
    resolved: { ...watch, name: watch.made_name ?? null, problems: [] },
    draft: draftOf(watch),
    ...(before && { drawn: before, way: 'draw' }),
    step: 2,
  };
}

/** Makes or changes a route or an area. Until `onSaved` or `onDeleted` is done, nothing else can be done. Typed text
 *  is kept when the dialog is closed. */
export default function EditRoute({
  what,
  id,
  begun,
  refused,
  onClose,
  onSaved,
  onDeleted,
}: {
  what: WatchKind | 'change';
  id?: string;
  /** The first values of a new one. */
  begun?: Draft;
  /** Why nothing can be saved now; null: it can be saved. */
  refused: string | null;
  onClose: () => void;
  onSaved: (id: string, isNew: boolean) => Promise<void>;
  onDeleted: (watch: Deleted) => Promise<void>;
}) {
  const { router } = useRuntimeConfig();
  const [{ making, isKept, loads }, act] = useMaking(
    id ?? what,
    what === 'change' ? EMPTY_DRAFT : named(EMPTY_DRAFT, what),
    begun,
  );
  const { way, text, asOne, table, drawn, resolved, draft, step, known, asked, made } = making;
  const change = (to: Partial<Making> | ((now: Making) => Partial<Making>)) => act({ do: 'change', to });
  const { run, isBusy: saving, failure: unsaved, isConflict, fail, clear } = useAction();
  const [deleting, setDeleting] = useState(false);
  const close = () => {
    if (!saving) onClose();
  };
  const { failure: unread } = useAnswer(
    id && (!known || loads > 0) ? `${id} ${loads}` : null,
    async (signal) => (await watchRecord(id!, signal)).data.watch, // it asks only with an id
    'Unable to load routes',
    { take: (watch) => act({ do: 'begin', with: madeOf(watch) }) },
  );

  const failure = unsaved ?? unread;
  const many = useTable(way === 'table' ? table : '');
  const kind: WatchKind = known?.kind ?? (what === 'change' ? 'route' : what);
  const isArea = kind === 'area';
  const isRoute = kind === 'route';
  const { noun } = NAMES[kind];
  const heading = known ? `Edit ${known.name}` : id ? 'Edit' : NAMES[kind].heading;
  /** The name follows the other fields, unless one was typed. */
  const setDraft = (draft: Draft) => change({ draft: named(draft, kind) });
  const stops = resolved?.problems.some(({ level }) => level === 'stop') ?? true;
  const long = resolved && tooLong(resolved.legs);
  const isRead = resolved !== null && resolved.legs.length > 0 && !stops && !long;
  /** The pasted lines may each be a route of their own, so the user is asked whether they are one route. */
  const isSeveral = way === 'junctions' && known === null && !asOne && isSeveralRoutes(text);
  const canGoOn = (isRead && !isSeveral) || (way === 'draw' && drawn.points.length > 1);

  const next = () => {
    if (!canGoOn || saving) return;
    clear();
    if (way === 'draw' && !isRead) void readDrawn();
    else if (resolved) goOn(resolved);
  };

  /** The server makes a way from the drawn line, or reports its problems. */
  const readDrawn = () =>
    run(async () => {
      const found = await previewWay({
        kind: 'route',
        name: 'Drawn',
        made_by: 'drawn',
        legs: legsOf(drawn),
        geometry: null,
        reach_m: null,
        departures: [],
      });
      change({ resolved: found });
      goOn(found);
    }, 'Unable to read this route');

  const goOn = (resolved: Resolved) =>
    change(({ draft }) => {
      const offered = draft.offered || (resolved.name ?? '') || endsOf(resolved.places);
      return { draft: { ...draft, offered, name: draft.name || offered }, step: 2 };
    });

  const take = (found: Resolved | null, name: string) =>
    change(({ draft }) => ({
      resolved: found,
      draft: {
        ...draft,
        remade: true,
        offered: name,
        name: draft.name === draft.offered ? name : draft.name,
      },
    }));

  const save = () => {
    const departures = allDepartures(draft);
    if (!departures) return fail(UNFINISHED);
    const { wayBack } = draft;
    const legs = isRoute ? (resolved?.legs ?? []) : [];
    const made_by = !isRoute
      ? isArea
        ? draft.shape
        : 'feeds'
      : known && !draft.remade
        ? (known.made_by ?? 'junctions')
        : MADE_BY[way];
    const watch = { ...askedOf(draft, kind), made_by, legs, departures };
    // If the user keeps the offered name, the server makes it, so that it can follow later changes.
    if (isRoute && resolved && draft.name === (resolved.name ?? endsOf(resolved.places))) watch.name = null;
    const { name, reach_m, which, when, geometry, place } = watch;
    const where = isRoute ? { legs, made_by } : isArea ? { geometry, place, made_by } : {};
    const changed = { name, reach_m, departures, which, when, ...((!known || draft.remade) && where) };
    void run(async () => {
      if (known && id) {
        await changeWatch(id, known.rev ?? 0, changed);
        act({ do: 'forget' });
        return onSaved(id, false);
      }
      const isFirst = asked === null;
      const first = asked ?? { ...watch, notify: firstTelling(draft) };
      change({ asked: first });
      const saved = made ?? (await createWatch(first).catch(forgetRefused));
      change({ made: saved });
      if (!isFirst) await changeWatch(saved, (await watchRecord(saved)).data.watch.rev ?? 0, changed);
      if (wayBack) {
        await createWatch({
          ...watch,
          name: watch.name && reversedName(watch.name),
          legs: reversedLegs(legs),
          departures: [],
        });
      }
      act({ do: 'forget' });
      await onSaved(saved, true);
    }, 'Unable to save this route');
  };

  /** A refusal shows that nothing was made. */
  const forgetRefused = (error: unknown): never => {
    if (error instanceof Refused) change({ asked: null });
    throw error;
  };

  const saveMany = () =>
    run(async () => {
      const { last, left } = await many.save();
      if (last !== null && left !== '') change({ table: left });
      if (last === null || left !== '') throw new Error(ROWS_LEFT);
      act({ do: 'forget' });
      await onSaved(last, false);
    }, ROWS_LEFT);

  const review = !isRoute || step === 2;
  const isPlaced = isRoute
    ? isRead
    : !isArea ||
      ((draft.shape === 'polygon' || draft.search === null) &&
        (boundsOf(draft) !== null || (known !== null && !draft.remade)));
  /** Why it cannot be saved in its present form. */
  const lacks = !isPlaced
    ? LACKS[isRoute ? 'route' : draft.shape]
    : isRoute && draft.name.trim() === ''
      ? 'Give it a name.'
      : null;
  const canSave = refused === null && lacks === null;

  return (
    <ToolDialog
      heading={heading}
      step={!isRoute || id || (!review && way === 'table') ? null : `Step ${step} of 2`}
      onClose={close}
      footer={
        <>
          <p>{(review && lacks) || ABOUT[kind]}</p>
          {review ? (
            <>
              <Button busy={saving} onClick={() => (isRoute ? change({ step: 1 }) : close())}>
                {isRoute ? 'Back' : 'Cancel'}
              </Button>
              <Button kind="primary" busy={saving} disabled={!canSave} onClick={save}>
                {`Save ${noun}`}
              </Button>
            </>
          ) : (
            <>
              <Button onClick={close}>Cancel</Button>
              {way === 'table' ? (
                <Button
                  kind="primary"
                  busy={saving}
                  disabled={refused !== null || many.checking || many.ready.length === 0}
                  onClick={() => void saveMany()}
                >
                  {many.ready.length > 0 ? `Add ${counted(many.ready.length, 'route')}` : 'Add routes'}
                </Button>
              ) : (
                <Button kind="primary" busy={saving} disabled={!canGoOn} onClick={next}>
                  Next
                </Button>
              )}
            </>
          )}
        </>
      }
    >
      {refused && <Notice>{refused}</Notice>}
      {isKept && !saving && (
        <p data-row="3" data-pad="3" role="status">
          This is what you had typed.{' '}
          <Button
            small
            onClick={() => {
              act({ do: 'begin' });
              act({ do: 'load' });
            }}
          >
            {id ? 'Load it again' : 'Begin again'}
          </Button>
        </p>
      )}
      {failure && !deleting && (
        <div data-stack data-pad="3">
          <Notice>{failure}</Notice>
          {((isConflict && known) || unread) && (
            <p data-row>
              <Button
                small
                onClick={() => {
                  clear();
                  act({ do: 'load' });
                }}
              >
                Load it again
              </Button>
              {isConflict && (
                <Button small onClick={() => void navigator.clipboard?.writeText(`${draft.name}\n${text}`)}>
                  Copy my text
                </Button>
              )}
            </p>
          )}
        </div>
      )}
      {!isRoute ? (
        <div data-stack="4">
          {isArea && <AreaForm draft={draft} onChange={setDraft} />}
          <WhichFields kind={kind} which={draft.which} onChange={(which) => setDraft({ ...draft, which })} />
          <HoursFields when={draft.when} onChange={(when) => setDraft({ ...draft, when })} />
          <Field
            label="Name"
            hint="It follows what you choose, until you type one."
            {...bound(draft.name, (name) => setDraft({ ...draft, name }))}
            maxLength={80}
          />
          {!known && (
            <LetsThrough
              asked={
                isPlaced
                  ? {
                      ...askedOf(draft, kind),
                      name: null,
                      when: null,
                      made_by: isArea ? draft.shape : 'feeds',
                    }
                  : null
              }
            />
          )}
        </div>
      ) : step === 2 && resolved ? (
        <Review
          draft={draft}
          resolved={resolved}
          isNew={known === null}
          onChange={setDraft}
          onEdit={() => change({ step: 1 })}
          onSave={() => canSave && !saving && save()}
        />
      ) : id && !known ? (
        <p>{failure ? '' : 'Loading...'}</p>
      ) : (
        <Tabs
          label="How to make it"
          tabs={(router ? [...WAYS, BY_ROUTER] : WAYS).filter(({ value }) => !known || value !== 'table')}
          value={way}
          onChange={(value) => {
            change({ way: value });
            take(null, '');
          }}
        >
          {way === 'junctions' || way === 'router' ? (
            <ByJunctions
              key={way}
              byRouter={way === 'router'}
              text={text}
              resolved={resolved}
              onText={(text) => change({ text })}
              onNext={next}
              onResolved={(found) => take(found, '')}
            />
          ) : way === 'table' ? (
            <ManyRoutes text={table} table={many} onText={(table) => change({ table })} />
          ) : way === 'file' ? (
            <FromFile resolved={resolved} onResolved={take} />
          ) : (
            <Draw
              drawn={drawn}
              onDrawn={(changed) => {
                change({ drawn: changed });
                take(null, '');
              }}
            />
          )}
          {isSeveral && (
            <div data-row="3" data-pad="3" role="status">
              <p>Each of these lines is a way of its own. Are they several routes, or the stages of one?</p>
              <Button small onClick={() => change({ way: 'table', table: text, text: '', resolved: null })}>
                Several routes
              </Button>
              <Button small onClick={() => change({ asOne: true })}>
                One route
              </Button>
            </div>
          )}
          {long && <Notice>{long}</Notice>}
        </Tabs>
      )}
      {known && review && (
        <p data-top="4">
          <Button
            kind="danger"
            small
            busy={saving}
            disabled={refused !== null}
            onClick={() => {
              clear();
              setDeleting(true);
            }}
          >
            {`Delete this ${noun}`}
          </Button>
        </p>
      )}
      {known && deleting && (
        <DeleteWatch
          watch={known}
          onCancel={() => setDeleting(false)}
          onDeleted={(watch) => {
            act({ do: 'forget' });
            return onDeleted(watch);
          }}
        />
      )}
    </ToolDialog>
  );
}

const ABOUT: Readonly<Record<WatchKind, string>> = {
  route: 'This is the line to watch, not directions to drive.',
  area: 'This is the area to watch.',
  feeds: 'Without a place: of all the country.',
};

const LACKS = {
  route: 'The way is not understood. Go back and mend it.',
  circle: 'Find a place and choose it.',
  polygon: 'Set at least three corners on the map.',
} as const;
