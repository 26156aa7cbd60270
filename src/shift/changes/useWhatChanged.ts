/** The changes since the shift began, since the user looked, or of a day. They are kept current, and kept for
 *  offline use. */
import type { Look, LookedAt } from '#contract/incidents/changes.ts';
import { isOwn } from '#contract/feeds/knownSources.ts';
import { useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type ChangesSummary, changesSince, noteLook, readSummary } from '../../api/alerts/changes.ts';
import { useKept, useRefreshed } from '../../feeds/refresh/useRefreshed.ts';
import { useClock } from '../../time/tickingClock.ts';
import { dataAge, serverNow } from '../../time/freshness.ts';
import { setUnseen } from './changeStore.ts';

export type Span = 'shift' | 'looked' | 'day';

/** How long the page must be visible, with rows younger than YOUNG_MS, before it counts as a look. */
const LOOK_MS = 5000;
const YOUNG_MS = 90_000;

export interface WhatChanged {
  span: Span;
  setSpan: (span: Span) => void;
  /** The user's look before this visit; null: there was none, or it is not known yet. */
  base: Look | null;
  summary: ChangesSummary | null;
  /** When the server gave the summary. */
  at: Date | null;
  /** True: there is no newer answer, so the page says up to when this one holds. */
  isOld: boolean;
  /** True: the server does not have these calls. */
  isRefused: boolean;
  /** How many critical alerts that certainly touch the user's routes they have not seen; null: not known, or the
   *  user has no routes. */
  unseen: number | null;
}

/** `rowsAt`: when the server gave the other data on the screen; `asked`: how often somebody has asked for a refresh
 *  by hand. */
export function useWhatChanged(screen: LookedAt, rowsAt: Date | null, asked: number): WhatChanged {
  const [span, setSpan] = useState<Span>('shift');
  const visible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible');
  /** The look before this visit. During the visit the server's mark moves on, but new alerts stay marked. */
  const [base, setBase] = useState<Look | null | undefined>(undefined);
  const [posted, setPosted] = useState<Look | null>(null);
  const since = span === 'looked' && base ? base : span;
  const key = `${screen} ${typeof since === 'string' ? since : since.at}`;
  const { data, at, problem, refused, refresh } = useRefreshed(key, (signal) =>
    changesSince(since, screen, signal),
  );
  const again = useEffectEvent(refresh);
  useEffect(() => {
    if (asked > 0) again();
  }, [asked]);
  if (base === undefined && data) setBase(data.looked);

  useEffect(() => {
    if (data?.unseen_messages != null) setUnseen(data.unseen_messages);
  }, [data]);

  const hiddenAt = useRef<number | null>(null);
  const comeOrGo = useEffectEvent(() => {
    const now = serverNow().getTime();
    if (document.visibilityState !== 'visible') {
      hiddenAt.current ??= now;
      return;
    }
    // A short look at another window belongs to the same visit.
    if (posted && hiddenAt.current !== null && now - hiddenAt.current > YOUNG_MS) setBase(posted);
    hiddenAt.current = null;
  });
  useEffect(() => onVisibility(() => comeOrGo()), []);

  const isYoung = useClock((now) => rowsAt !== null && at !== null && dataAge(rowsAt, now) < YOUNG_MS);
  const seen = posted ?? data?.looked ?? null;
  // Own reports are in no batch.
  const isNoted = useMemo(
    () =>
      seen !== null &&
      data !== null &&
      data.batch <= seen.batch &&
      !data.changes.some((change) => isOwn(change) && change.at > seen.at),
    [data, seen],
  );
  const [batch, answeredAt] = [data?.batch ?? null, at?.getTime() ?? null];
  useEffect(() => {
    if (!visible || !isYoung || batch === null || answeredAt === null || isNoted) return undefined;
    const timer = setTimeout(() => {
      const note = async () => {
        try {
          const look = { batch, at: new Date(answeredAt).toISOString() };
          await noteLook(screen, look);
          setPosted(look);
        } catch {
          /* By design: there was no connection, and the next answer tries again. */
        }
      };
      void note();
    }, LOOK_MS);
    return () => clearTimeout(timer);
  }, [visible, isYoung, batch, answeredAt, isNoted, screen]);

  const kept = useKept(`changes ${screen} ${span}`, { data, at }, readSummary);
  const isOld = useClock((now) => {
    const known = at ?? kept?.at;
    return known != null && (problem !== null || dataAge(known, now) >= YOUNG_MS);
  });
  const summary = data ?? kept?.data ?? null;
  const isSeen = posted !== null && summary !== null && posted.batch >= summary.batch;
  return {
    span,
    setSpan,
    base: base ?? null,
    summary,
    at: at ?? kept?.at ?? null,
    isOld,
    isRefused: refused !== null && data === null,
    unseen: summary?.unseen == null ? null : isSeen ? 0 : summary.unseen,
  };
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
