/** The layout that this display was last asked to show, and took. It is written whole in one step, before it is
 *  reported as shown. So a power cut leaves either the old layout or the new one, and the display shows it from the
 *  start, also without a server. */
import { create } from 'zustand';
import { offlineScope, whenDisplayAsked } from '../../../api/http.ts';
import { readSelf, Self } from '../../../api/displays/displaySelf.ts';
import { browserStore } from '../../../device/browserStorage.ts';
import { keepOnDisk, putBack } from '../../../offline/powerCut.ts';
import { serverNow } from '../../../time/freshness.ts';

const KEY = 'clearway_taken';

await putBack(KEY);

/** The page on screen and since when, as proof that the display shows the layout that it was asked for. */
export interface Showing {
  page: string;
  since: string;
  problem: string | null;
}

export const useTaken = create<{ self: Self | null }>(() => ({ self: null }));
export const useShowing = create<{ showing: Showing | null }>(() => ({ showing: null }));

/** `problem`: why it shows something other than it was asked for. */
export function noteShowing(page: string, problem: string | null): void {
  const { showing } = useShowing.getState();
  if (showing?.page === page && showing.problem === problem) return;
  useShowing.setState({ showing: { page, since: serverNow().toISOString(), problem } });
}

/** Takes the revision that any answer of the server asks for, until the returned function is called. `taken` is
 *  called after each. */
export function takeWhatIsAsked(taken: () => void): () => void {
  useTaken.setState({ self: kept() });
  let stopped = false;
  let asking = false;
  const take = async () => {
    asking = true;
    try {
      const self = await readSelf();
      if (stopped) return;
      await keepOnDisk(KEY, { scope: offlineScope(), build: BUILD, self });
      if (stopped) return;
      useTaken.setState({ self });
      taken();
    } catch {
      /* By design: the next answer asks for it again. */
    } finally {
      asking = false;
    }
  };
  whenDisplayAsked((rev) => {
    if (!stopped && !asking && rev !== useTaken.getState().self?.rev) void take();
  });
  return () => {
    stopped = true;
    whenDisplayAsked(() => {});
  };
}

/** Whether the last layout has a page for passers-by, who must not see a pairing code. It also counts after the
 *  display's pairing has ended. */
export function wasPublic(): boolean {
  try {
    const found = JSON.parse(browserStore.get(KEY) ?? 'null') as { self?: unknown } | null;
    return Self.parse(found?.self).layout?.pages.some(({ large }) => large) ?? false;
  } catch {
    return false;
  }
}

/** Null when nothing was taken, or when the stored layout is damaged or another display's. */
function kept(): Self | null {
  try {
    const found = JSON.parse(browserStore.get(KEY) ?? 'null') as { scope?: unknown; self?: unknown } | null;
    const self = found?.scope === offlineScope() ? Self.safeParse(found?.self) : null;
    return self?.success ? self.data : null;
  } catch {
    return null;
  }
}

/** The build of the app: the hash of its entry script, which changes with any part of the app. */
export const BUILD =
  /\/[^/-]*-([\w-]+)\.js$/.exec(
    document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? '',
  )?.[1] ?? 'dev';
