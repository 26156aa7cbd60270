/** Plays the past in steps: one a second, as soon as the step before is shown. */
import { useEffect, useEffectEvent, useState } from 'react';
import { prefersStillness } from '../../feeds/rows/stepTimer.ts';

const STEP_MS = 1000;

/** How many times faster than it was; a second is then a minute, or ten. */
export type Speed = 60 | 600;

/** `step` moves on by so many minutes, and says whether there is more. With reduced motion it plays one step. */
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
