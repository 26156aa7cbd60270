import { useEffect, useLayoutEffect } from 'react';
import { careForPanel } from './burnIn.ts';
import { followPointer } from './pointer.ts';
import { obeyRemoteControl } from './remoteControl.ts';
import { keepAwake } from './wakeLock.ts';

/** Keeps a wall's screen awake, full, without a cursor and without burn-in. */
export function useScreenCare(): void {
  useEffect(keepAwake, []);
  useLayoutEffect(careForPanel, []); // before the first paint, or the picture would jump
  useEffect(followPointer, []);
  useEffect(obeyRemoteControl, []);
}
