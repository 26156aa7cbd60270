/** The sources of an opened feed. They are loaded when it is opened, and again with each answer of the board. */
import { EVENTS_PER_SOURCE } from '#contract/incidents/disruptions.ts';
import { useEffect, useRef, useState } from 'react';
import { listSources, sourceEvents, type SourceEntry } from '../../api/alerts/disruptions.ts';
import type { FeedEntry } from '../../api/alerts/feeds.ts';
import { Refused } from '../../api/http.ts';
import { serverNow } from '../../time/freshness.ts';
import type { SourceDetail } from '../../feeds/alerts/sourceLine.ts';
import { sourcesOf } from '../../feeds/alerts/sourceStatus.ts';

export type Sheet =
  | { state: 'loading' }
  | { state: 'failed' }
  | {
      state: 'ready';
      sources: SourceDetail[];
      /** When the server sent the oldest of these answers; null when there were none. */
      at: Date | null;
      directoryFailed: boolean;
      /** The time of the board's answer that was current when this was loaded. */
      beside: Date;
      /** True: the last load failed, and these are the answers from before it. */
      outdated?: boolean;
    };

interface Directory {
  entries: SourceEntry[];
  failed: boolean;
}

/** `open` loads the sheet of a feed, unless a complete one is as new as the board's answer of `at`, because an
 *  opened sheet must not contradict its row. The old sheet stays until the new one has arrived. `refresh` reloads
 *  the open sheet at once, and the others when they are next opened. */
export function useSources() {
  const [sheets, setSheets] = useState<Readonly<Record<string, Sheet>>>({});
  const directory = useRef<{ beside: Date; answer: Promise<Directory> } | null>(null);
  const loads = useRef(new Map<string, AbortController>());

  useEffect(() => {
    const running = loads.current;
    return () => {
      running.forEach((load) => load.abort());
      running.clear();
    };
  }, []);

  async function load(feed: FeedEntry, beside: Date) {
    loads.current.get(feed.slug)?.abort();
    const loading = new AbortController();
    const { signal } = loading;
    loads.current.set(feed.slug, loading);
    const keep = (sheet: (before: Sheet | undefined) => Sheet) => {
      if (!signal.aborted) setSheets((all) => ({ ...all, [feed.slug]: sheet(all[feed.slug]) }));
    };

    keep((before) => (before?.state === 'ready' ? before : { state: 'loading' }));
    const sources = sourcesOf(feed);
    if (sources.length === 0) {
      loads.current.delete(feed.slug);
      keep(() => ({ state: 'ready', sources: [], at: null, directoryFailed: false, beside }));
      return;
    }

    // All sheets share it, so it is not aborted with one of them.
    if (!directory.current || directory.current.beside < beside) {
      directory.current = { beside, answer: loadDirectory() };
    }
    const [{ entries, failed }, answers] = await Promise.all([
      directory.current.answer,
      Promise.all(sources.map((source) => loadSource(source, signal))),
    ]);
    if (failed) directory.current = null;
    if (loads.current.get(feed.slug) === loading) loads.current.delete(feed.slug);

    if (failed && answers.every(({ outcome }) => outcome === 'failed')) {
      keep((before) => (before?.state === 'ready' ? { ...before, outdated: true } : { state: 'failed' }));
      return;
    }
    const directoryDeclares = entries.some(({ state }) => state != null);
    const times = answers.flatMap(({ at }) => (at ? [at.getTime()] : []));
    keep(() => ({
      state: 'ready',
      sources: answers.map(({ source, outcome, answer }) => ({
        source,
        outcome,
        answer,
        entry: entries.find((entry) => entry.source === source) ?? null,
        directoryDeclares,
      })),
      at: times.length > 0 ? new Date(Math.min(...times)) : null,
      directoryFailed: failed,
      beside,
    }));
  }

  return {
    sheets,
    open(feed: FeedEntry, at: Date) {
      if (!loads.current.has(feed.slug) && !isGood(sheets[feed.slug], at)) void load(feed, at);
    },
    refresh(open: FeedEntry | undefined) {
      directory.current = null;
      setSheets((all) => Object.fromEntries(Object.entries(all).filter(([slug]) => slug === open?.slug)));
      if (open) void load(open, serverNow());
    },
  };
}

/** An incomplete sheet is loaded again when it is next opened. */
function isGood(sheet: Sheet | undefined, at: Date): boolean {
  return (
    sheet?.state === 'ready' &&
    sheet.beside >= at &&
    !sheet.directoryFailed &&
    !sheet.outdated &&
    sheet.sources.every(({ outcome }) => outcome !== 'failed')
  );
}

async function loadDirectory(): Promise<Directory> {
  try {
    return { entries: await listSources(), failed: false };
  } catch {
    return { entries: [], failed: true }; // the sheet shows the failure; the sources themselves can still answer
  }
}

type Answer = Pick<SourceDetail, 'source' | 'outcome' | 'answer'> & { at: Date | null };

async function loadSource(source: string, signal: AbortSignal): Promise<Answer> {
  try {
    const { data, fetchedAt } = await sourceEvents(source, { limit: EVENTS_PER_SOURCE }, signal);
    return { source, outcome: 'answered', answer: data, at: fetchedAt };
  } catch (error) {
    return { source, outcome: meansEmpty(error) ? 'empty' : 'failed', answer: null, at: null };
  }
}

function meansEmpty(error: unknown): boolean {
  return (
    error instanceof Refused && (error.status === 404 || /not found or has no events/i.test(error.detail))
  );
}
