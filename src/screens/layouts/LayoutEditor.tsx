import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown';
import { CaretUpIcon } from '@phosphor-icons/react/dist/csr/CaretUp';
import { useEffect, useId, useRef, useState } from 'react';
import { useAction } from '../../api/useAction.ts';
import { useTyped } from '../../session/session.ts';
import { flushSync } from 'react-dom';
import { changeLayout, type ListedLayout, makeLayout } from '../../api/displays/layouts.ts';
import type { ListedWatch } from '../../api/watches/watches.ts';
import { nameOf } from '../admin/DisplayRoutesDialog.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Check } from '../../ui/controls/Choice.tsx';
import { bound, Field, optionsOf } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted } from '#contract/numbers.ts';
import styles from './LayoutsPage.module.css';
import { PageDialog } from './PageDialog.tsx';
import { DWELLS, type LayoutDraft, pageAbout, pageName, requestOf, roundWords } from './pages.ts';
import { Preview, PreviewOn, type Shown } from './Preview.tsx';
import type { ListedDisplay } from './shownLayout.ts';

const LYING = { width: 1920, height: 1080 };
const UPRIGHT = { width: 1080, height: 1920 };

/** The pages of one layout, and their preview. A ready-made layout is saved as a new one. */
export function LayoutEditor({
  layout,
  displays,
  routes,
  shown,
  onGive,
  onDelete,
  onLoad,
}: {
  layout: ListedLayout;
  /** The displays that show it. */
  displays: readonly ListedDisplay[];
  routes: readonly ListedWatch[];
  shown: Shown;
  onGive: () => void;
  onDelete: () => void;
  /** Loads the layouts and chooses one, with the focus on its name in the list if asked. */
  onLoad: (id: string, options: { focus: boolean }) => Promise<void>;
}) {
  const isNew = layout.id === '';
  const isOwn = layout.rev > 0;
  // The page loads the layouts every few seconds. A change belongs to the revision at which it began.
  const [typed, setTyped] = useTyped<ListedLayout | null>(`layout ${layout.id}`, () => null);
  const latest = useRef(typed);
  useEffect(() => {
    latest.current = typed;
  });
  const [at, setAt] = useState(0);
  const [asked, setAsked] = useState<number | null>(null);
  // The revision that was saved last, or at which a page's dialog was opened.
  const [held, setHeld] = useState(layout);
  const newest = asked === null && layout.rev >= held.rev ? layout : held;
  const draft = typed ?? newest;
  const form = useId();
  const add = useRef<HTMLButtonElement>(null);
  const { run, isBusy, failure, isConflict, done, fail } = useAction();
  const save = () => {
    const request = requestOf(draft);
    if ('fault' in request) return fail(request.fault);
    void run(async () => {
      if (isOwn) {
        const saved = await changeLayout(draft, request);
        setHeld(saved);
        // A change made meanwhile belongs to the saved revision.
        setTyped(latest.current && latest.current !== typed ? { ...latest.current, rev: saved.rev } : null);
        await onLoad(saved.id, { focus: false });
      } else {
        await onLoad((await makeLayout(request)).id, { focus: true });
        setTyped(null);
      }
      return savedWords(displays.length);
    }, 'Unable to save the layout');
  };
  const loadTheirs = () =>
    run(async () => {
      await onLoad(layout.id, { focus: true });
      setTyped(null);
    }, 'Unable to load the layout');
  const { pages } = draft;
  const change = (to: Partial<LayoutDraft>) => setTyped({ ...draft, ...to });
  const ask = (place: number) => {
    setHeld(newest);
    setAsked(place);
  };
  const move = (from: number, to: number) => {
    change({ pages: pages.with(from, pages[to]!).with(to, pages[from]!) });
    if (at === from) setAt(to);
  };
  const page = pages[Math.min(at, pages.length - 1)];
  const nameOfRoute = (id: string) => routes.find((route) => route.id === id)?.name;
  const title = isNew ? 'New layout' : newest.name;

  return (
    <section className={styles.editor} data-part aria-labelledby="layout-heading" data-columns="80">
      <header data-split="3" data-across>
        <h2 id="layout-heading">
          <bdi>{title}</bdi>
        </h2>
        <span data-row="3">
          {!isNew && <Button onClick={onGive}>Assign</Button>}
          <Button type="submit" form={form} kind="primary" busy={isBusy}>
            {isOwn ? `Save as rev ${draft.rev + 1}` : 'Save as a new layout'}
          </Button>
          {isOwn && <Button onClick={onDelete}>Delete this layout</Button>}
        </span>
      </header>
      <form id={form} data-stack="3" action={save}>
        {failure && <Notice>{failure}</Notice>}
        {isConflict && isOwn && (
          <p>
            <Button small onClick={() => void loadTheirs()}>
              Load theirs
            </Button>
          </p>
        )}
        <p role="status">{done}</p>
        <Field label="Name" autoComplete="off" {...bound(draft.name, (name) => change({ name }))} />
        <ol className={styles.pages} aria-label="Pages">
          {pages.map((one, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- only its place identifies a page
            <li key={place}>
              <button
                type="button"
                className={styles.page}
                aria-pressed={page === one}
                onClick={() => setAt(place)}
              >
                <i>{place + 1}</i>
                <b>{pageName(one.type)}</b>
                <small>{pageAbout(one, nameOfRoute)}</small>
              </button>
              <select
                aria-label={`Seconds of page ${place + 1}`}
                value={one.dwell_s}
                onChange={({ target }) =>
                  change({ pages: pages.with(place, { ...one, dwell_s: Number(target.value) }) })
                }
              >
                {optionsOf(
                  [...new Set([...DWELLS, one.dwell_s])]
                    .toSorted((a, b) => a - b)
                    .map((seconds) => [seconds, `${seconds} s`]),
                )}
              </select>
              <Button small kind="quiet" disabled={place === 0} onClick={() => move(place, place - 1)}>
                <CaretUpIcon weight="bold" aria-hidden />
                <span data-hidden>Page {place + 1} up</span>
              </Button>
              <Button
                small
                kind="quiet"
                disabled={place === pages.length - 1}
                onClick={() => move(place, place + 1)}
              >
                <CaretDownIcon weight="bold" aria-hidden />
                <span data-hidden>Page {place + 1} down</span>
              </Button>
              <Button small onClick={() => ask(place)}>
                Change<span data-hidden> page {place + 1}</span>
              </Button>
            </li>
          ))}
        </ol>
        <p data-tight="2" data-row="3">
          <Button ref={add} small onClick={() => ask(pages.length)}>
            Add a page
          </Button>
          <span data-tone="2">{roundWords(pages)}</span>
        </p>
        <Check
          label="Pin criticals"
          checked={draft.pin_criticals}
          onChange={(pin_criticals) => change({ pin_criticals })}
        />
        <p data-tone="2">
          A critical alert that certainly touches one of our routes interrupts the pages until it is in hand,
          for 30 minutes at most. On a display without routes, a critical alert of its feeds does.
        </p>
      </form>
      {page && (
        <div className={styles.previews}>
          {[LYING, UPRIGHT].map((usual) => {
            const isUpright = usual === UPRIGHT;
            const one = displays.find(
              ({ screen }) => screen?.width && screen.height && screen.height > screen.width === isUpright,
            );
            const size = one ? (one.screen as typeof LYING) : usual;
            return (
              <figure key={usual.width}>
                {one ? (
                  <PreviewOn key={one.id} display={one.id} shown={shown} size={size} page={page} />
                ) : (
                  <Preview shown={shown} size={size} page={page} />
                )}
                <figcaption data-top="1" data-text="small" data-tone="2">
                  {one ? <bdi>{nameOf({ name: one.name ?? '' })}</bdi> : `Page ${pages.indexOf(page) + 1}`},{' '}
                  {size.width} × {size.height}
                </figcaption>
              </figure>
            );
          })}
        </div>
      )}
      {asked !== null && (
        <PageDialog
          layoutId={layout.id}
          page={pages[asked] ?? null}
          place={asked}
          routes={routes}
          onClose={() => setAsked(null)}
          onDone={(changed) => {
            change({
              pages: changed
                ? asked < pages.length
                  ? pages.with(asked, changed)
                  : [...pages, changed]
                : pages.toSpliced(asked, 1),
            });
            setAt(changed ? asked : 0);
            flushSync(() => setAsked(null));
            if (!changed) add.current?.focus(); // the focus was on the button of a page that is gone
          }}
        />
      )}
    </section>
  );
}

const savedWords = (displays: number) =>
  displays === 0
    ? 'Saved. No display shows it yet: assign it.'
    : `Saved. ${counted(displays, 'display')} ${displays === 1 ? 'takes' : 'take'} it within 65 seconds.`;
