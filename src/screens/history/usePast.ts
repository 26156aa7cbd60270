/** The board at a past time, and the marks of that day. */
import { useEffect, useRef, useState, useEffectEvent } from 'react';
import { failureText } from '../../api/http.ts';
import {
  type PastBoard,
  pastBoard,
  type PastPlace,
  type Timeline,
  timelineOf,
} from '../../api/alerts/history.ts';
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
  const [past, setPast] = useState<Past>({ board: null, failure: null, loading: true });
  const first = useRef(true);
  const time = at?.getTime() ?? null;

  useEffect(() => {
    if (time === null) return;
    const control = new AbortController();
    const asked = new Date(time);
    const load = async () => {
      setPast((before) => ({ ...before, loading: true }));
      try {
        const known = await pastBoard(asked, near ? { near, radius } : null, control.signal);
        setPast({ board: { ...known, at: asked }, failure: null, loading: false });
      } catch (error) {
        if (control.signal.aborted) return;
        const failure = failureText(error, 'Unable to load the board of that time');
        setPast((before) => ({ ...before, failure, loading: false }));
      }
    };
    const timer = setTimeout(() => void load(), first.current ? 0 : SETTLED_MS);
    first.current = false;
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [time, near, radius]);

  return past;
}

/** The marks of a day in London; null until they are known. */
export function useTimeline(day: string): { timeline: Timeline | null; failed: boolean } {
  const [found, setFound] = useState<{ day: string; timeline: Timeline | null }>({ day: '', timeline: null });

  useEffect(() => {
    const control = new AbortController();
    const load = async () => {
      try {
        setFound({ day, timeline: await timelineOf(day, control.signal) });
      } catch {
        // Without its marks the slider still moves; the board says what is wrong.
        if (!control.signal.aborted) setFound({ day, timeline: null });
      }
    };
    void load();
    return () => control.abort();
  }, [day]);

  const isOurs = found.day === day;
  return { timeline: isOurs ? found.timeline : null, failed: isOurs && found.timeline === null };
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
