import { tooLong, type WatchRequest } from '#contract/watches.ts';
import { useEffect, useState } from 'react';
import { failureText } from '../api/failureText.ts';
import { Refused } from '../api/http.ts';
import { useRuntimeConfig } from '../api/runtimeConfig.ts';
import {
  changeWatch,
  createWatch,
  deleteWatch,
  previewWatch,
  type Resolved,
  type Watch,
  watchRecord,
} from '../api/watches.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { AreaForm } from './AreaForm.tsx';
import { ByJunctions } from './ByJunctions.tsx';
import { Draw } from './Draw.tsx';
import {
  boundsOf,
  type Draft,
  draftOf,
  EMPTY_DRAFT,
  endsOf,
  reversedLegs,
  reversedName,
  textOf,
} from './draft.ts';
import { type Drawn, drawnOf, legsOf, NOTHING_DRAWN } from './drawn.ts';
import { FromFile } from './FromFile.tsx';
import { Review } from './Review.tsx';
import { RouteDialog } from './RouteDialog.tsx';
import { TellMeFields } from './TellMeFields.tsx';
import styles from './EditRoute.module.css';

const WAYS = [
  { value: 'junctions', label: 'By junctions' },
  { value: 'file', label: 'From a file' },
  { value: 'draw', label: 'Draw' },
] as const;
/** Where the operator has one. */
const BY_ROUTER = { value: 'router', label: 'Let the router draw it' } as const;
type Way = (typeof WAYS)[number]['value'] | 'router';
const MADE_BY = { junctions: 'junctions', file: 'file', draw: 'drawn', router: 'router' } as const;

/** Makes a route or an area, or changes one. `onSaved` gets the id, null when it was deleted; until it is done, nothing
 *  else can be. */
export default function EditRoute({
  what,
  id,
  refused,
  onClose,
  onSaved,
}: {
  what: 'route' | 'area' | 'change';
  id?: string;
  /** Why nothing can be saved now; null: it can. */
  refused: string | null;
  onClose: () => void;
  onSaved: (id: string | null) => Promise<void>;
}) {
  const { router } = useRuntimeConfig();
  /** Another object asks again. */
  const [asked, setAsked] = useState({ id });
  const [known, setKnown] = useState<Watch | null>(null);
  const [way, setWay] = useState<Way>('junctions');
  const [text, setText] = useState('');
  const [drawn, setDrawn] = useState<Drawn>(NOTHING_DRAWN);
  const [resolved, setResolved] = useState<Resolved | null>(null);
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT);
  const [step, setStep] = useState<1 | 2>(1);
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [conflict, setConflict] = useState(false);
  /** What was saved before its way back was not: it is not made again. */
  const [made, setMade] = useState<string | null>(null);
  const close = () => {
    if (!saving) onClose();
  };

  useEffect(() => {
    const stop = new AbortController();
    const load = async (one: string) => {
      try {
        const { watch } = (await watchRecord(one, stop.signal)).data;
        if (stop.signal.aborted) return;
        setKnown(watch);
        setText(textOf(watch));
        setResolved({ ...watch, problems: [] });
        setDraft(draftOf(watch));
        const before = drawnOf(watch.legs);
        if (before) {
          setDrawn(before);
          setWay('draw');
        }
        setStep(2);
      } catch (error) {
        if (!stop.signal.aborted) setFailure(failureText(error, 'Unable to load routes'));
      }
    };
    if (asked.id) void load(asked.id);
    return () => stop.abort();
  }, [asked]);

  const isArea = what === 'area' || known?.kind === 'area';
  const heading = known ? `Edit ${known.name}` : id ? 'Edit' : isArea ? 'New area' : 'New route';
  const stops = resolved?.problems.some(({ level }) => level === 'stop') ?? true;
  const long = resolved && tooLong(resolved.legs);
  const isRead = resolved !== null && resolved.legs.length > 0 && !stops && !long;
  const canGoOn = isRead || (way === 'draw' && drawn.points.length > 1);

  const next = async () => {
    if (!canGoOn || saving) return;
    setFailure(null);
    if (way === 'draw' && !isRead) return readDrawn();
    if (resolved) goOn(resolved);
  };

  /** The server makes the way of what was drawn, or says what is wrong with it. */
  const readDrawn = async () => {
    setSaving(true);
    try {
      const found = await previewWatch({
        kind: 'route',
        name: 'Drawn',
        made_by: 'drawn',
        legs: legsOf(drawn),
        geometry: null,
        reach_m: null,
        departures: [],
      });
      setResolved(found);
      goOn(found);
    } catch (error) {
      setFailure(failureText(error, 'Unable to read this route'));
    }
    setSaving(false);
  };

  const goOn = (resolved: Resolved) => {
    const offered = draft.offered || (resolved.name ?? '') || endsOf(resolved.places);
    setDraft({ ...draft, offered, name: draft.name || offered });
    setStep(2);
  };

  const take = (found: Resolved | null, name: string) => {
    setResolved(found);
    setDraft((before) => ({
      ...before,
      remade: true,
      offered: name,
      name: before.name === before.offered ? name : before.name,
    }));
  };

  const save = async () => {
    setSaving(true);
    setFailure(null);
    const { name, departures, tellMe, reach_m, wayBack } = draft;
    const legs = isArea ? [] : (resolved?.legs ?? []);
    const made_by = isArea
      ? draft.shape
      : known && !draft.remade
        ? (known.made_by ?? 'junctions')
        : MADE_BY[way];
    const watch: WatchRequest = {
      kind: isArea ? 'area' : 'route',
      name,
      made_by,
      legs,
      geometry: isArea ? boundsOf(draft) : null,
      reach_m: isArea && draft.shape === 'polygon' ? null : reach_m,
      departures,
      notify: tellMe,
    };
    try {
      if (known && id) {
        const { name: newName, reach_m: newReach, departures: newDepartures } = watch;
        const way = draft.remade ? { legs: watch.legs, made_by } : {};
        const place = isArea && draft.remade ? { geometry: watch.geometry, made_by } : {};
        await changeWatch(id, known.rev ?? 0, {
          name: newName,
          reach_m: newReach,
          departures: newDepartures,
          // What could not be read is not overwritten by the standard.
          ...(tellMe !== known.notify && { notify: tellMe }),
          ...(isArea ? place : way),
        });
        await onSaved(id);
        return;
      }
      const saved = made ?? (await createWatch(watch));
      setMade(saved);
      if (wayBack) {
        await createWatch({
          ...watch,
          name: reversedName(name),
          legs: reversedLegs(legs),
          departures: [],
        });
      }
      await onSaved(saved);
    } catch (error) {
      setSaving(false);
      setConflict(error instanceof Refused && error.status === 409 && known !== null);
      setFailure(failureText(error, 'Unable to save this route'));
    }
  };

  const remove = async () => {
    setSaving(true);
    setFailure(null);
    try {
      await deleteWatch(id!, known?.rev ?? 0); // only of a known one
      await onSaved(null);
    } catch (error) {
      setSaving(false);
      setFailure(failureText(error, 'Unable to delete this route'));
    }
  };

  const review = isArea || step === 2;
  const canSave =
    refused === null &&
    draft.name.trim() !== '' &&
    (isArea ? boundsOf(draft) !== null || (known !== null && !draft.remade) : isRead);

  return (
    <RouteDialog
      heading={heading}
      step={isArea || id ? null : `Step ${step} of 2`}
      onClose={close}
      footer={
        review ? (
          <>
            <Button disabled={saving} onClick={() => (isArea ? close() : setStep(1))}>
              {isArea ? 'Cancel' : 'Back'}
            </Button>
            <Button kind="primary" disabled={saving || !canSave} onClick={() => void save()}>
              {isArea ? 'Save area' : 'Save route'}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={close}>Cancel</Button>
            <Button kind="primary" disabled={!canGoOn || saving} onClick={() => void next()}>
              Next
            </Button>
          </>
        )
      }
    >
      {refused && <Notice>{refused}</Notice>}
      {failure && (
        <div className={styles.failure}>
          <Notice>{failure}</Notice>
          {(conflict || (id && !known)) && (
            <p>
              <Button
                small
                onClick={() => {
                  setConflict(false);
                  setFailure(null);
                  setAsked({ id });
                }}
              >
                Load it again
              </Button>
              {conflict && (
                <Button small onClick={() => void navigator.clipboard?.writeText(`${draft.name}\n${text}`)}>
                  Copy my text
                </Button>
              )}
            </p>
          )}
        </div>
      )}
      {isArea ? (
        <div className={styles.area}>
          <AreaForm draft={draft} onChange={setDraft} />
          <TellMeFields draft={draft} disabled={refused !== null} onChange={setDraft} />
        </div>
      ) : step === 2 && resolved ? (
        <Review
          draft={draft}
          resolved={resolved}
          isNew={known === null}
          disabled={refused !== null}
          onChange={setDraft}
          onEdit={() => setStep(1)}
          onSave={() => canSave && !saving && void save()}
        />
      ) : id && !known ? (
        <p>{failure ? '' : 'Loading...'}</p>
      ) : (
        <Tabs
          label="How to make it"
          tabs={router ? [...WAYS, BY_ROUTER] : WAYS}
          value={way}
          onChange={(value) => {
            setWay(value);
            take(null, '');
          }}
        >
          {way === 'junctions' || way === 'router' ? (
            <ByJunctions
              key={way}
              byRouter={way === 'router'}
              text={text}
              resolved={resolved}
              onText={setText}
              onNext={() => void next()}
              onResolved={(found) => take(found, '')}
            />
          ) : way === 'file' ? (
            <FromFile resolved={resolved} onResolved={take} />
          ) : (
            <Draw
              drawn={drawn}
              onDrawn={(changed) => {
                setDrawn(changed);
                take(null, '');
              }}
            />
          )}
          {long && <Notice>{long}</Notice>}
        </Tabs>
      )}
      {known && review && (
        <p className={styles.remove}>
          <Button kind="danger" small disabled={saving || refused !== null} onClick={() => void remove()}>
            {isArea ? 'Delete this area' : 'Delete this route'}
          </Button>
        </p>
      )}
    </RouteDialog>
  );
}
