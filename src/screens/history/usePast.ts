/** The board at a past time, and the marks of that day. */
import { useEffect, useState, useEffectEvent } from 'react';
import {
  type PastBoard,
  pastBoard,
  type PastPlace,
  type Timeline,
  timelineOf,
} from '../../api/alerts/history.ts';
import { useAnswer } from '../../api/useAnswer.ts';
import { prefersStillness } from '../../feeds/rows/liveLoop.ts';

/** How long the slider must rest before a time is loaded: times that it passes over are not. */
const SETTLED_MS = 120;

export interface Past {
  /** The board on screen, with its time. It stays until the next one has come. */
  board: (PastBoard & { at: Date }) | null;
  /** Why the board of the requested time is not shown. */
  failure: string | null;
  loading: boolean;
}

/** The board at this time, around this place if there is one; null: nothing is requested yet. */
export function usePast(at: Date | null, { near, radius }: PastPlace): Past {
  const key = at && JSON.stringify([at, near, radius]);
  const [first, setFirst] = useState<string | null>(null);
  if (key && !first) setFirst(key);
  const { last, failure, isLoading } = useAnswer(
    key,
    // It asks only with a time.
    async (signal) => ({ ...(await pastBoard(at!, near ? { near, radius } : null, signal)), at: at! }),
    'Unable to load the board of that time',
    { settleMs: key === first ? 0 : SETTLED_MS },
  );
  return { board: last ?? null, failure, loading: !key || isLoading };
}

/** The marks of a day in London; null until they are known. */
export function useTimeline(day: string): { timeline: Timeline | null; failed: boolean } {
  // Without its marks the slider still moves; the board says what is wrong.
  const { data, failure } = useAnswer(day, (signal) => timelineOf(day, signal), '');
  return { timeline: data ?? null, failed: failure !== null };
}

// Plays the past in steps of one second. Each begins when the step before it is shown.

const STEP_MS = 1000;

/** How many times faster than real time: a second is then a minute, or ten minutes. */
export type Speed = 60 | 600;

/** `step` moves on by so many minutes, and returns whether there is more. With reduced motion it plays one step. */
export function usePlay(shown: boolean, step: (minutes: number) => boolean) {
  const [speed, setSpeed] = useState<Speed | null>(null);
  const go = useEffectEvent((of: Speed) => {
    if (!step(of / 60) || prefersStillness()) setSpeed(null);
  });

  useEffect(() => {
    if (speed === null || !shown) return;
    const timer = setTimeout(() => go(speed), STEP_MS);
    return () => clearTimeout(timer);
  }, [speed, shown]);

  return {
    speed,
    toggle: (of: Speed) => setSpeed((now) => (now === of ? null : of)),
    stop: () => setSpeed(null),
  };
}
