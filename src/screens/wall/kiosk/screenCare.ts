import { MINUTE_MS } from '#contract/durations.ts';
import { useEffect, useLayoutEffect } from 'react';
import { obeyRemoteControl } from './remoteControl.ts';
import { keepAwake } from './wakeLock.ts';
import { type BoardNews, alarmIsNew, useBoardNews } from '../../../feeds/refresh/boardNews.ts';
import { serverNow } from '../../../time/freshness.ts';
import { formatClock } from '../../../time/london.ts';

/** Keeps a wall's screen awake, full, without a cursor and without burn-in, and dims it at night. */
export function useScreenCare(): void {
  useEffect(keepAwake, []);
  useLayoutEffect(careForPanel, []); // before the first paint, because otherwise the picture would jump
  useEffect(followPointer, []);
  useEffect(obeyRemoteControl, []);
}

/** Hides the cursor on a wall, and shows the way out to anyone who moves it. */

const CURSOR_MS = 3000;
const EXIT_MS = 5000;

/** Sets `data-cursor="hidden"` on the root 3 s after the last movement, and `data-exit="shown"` for 5 s after
 *  each. */
function followPointer(): () => void {
  const { dataset } = document.documentElement;
  let cursorTimer: ReturnType<typeof setTimeout> | undefined;
  let exitTimer: ReturnType<typeof setTimeout> | undefined;
  let last = '';

  const hideCursorSoon = () => {
    clearTimeout(cursorTimer);
    delete dataset['cursor'];
    cursorTimer = setTimeout(() => (dataset['cursor'] = 'hidden'), CURSOR_MS);
  };
  const whenMoved = ({ type, screenX, screenY }: PointerEvent) => {
    // Browsers also report a move when the page changes under a cursor that does not move.
    const place = `${screenX} ${screenY}`;
    if (type === 'pointermove' && place === last) return;
    const isFirst = last === '' && type === 'pointermove';
    last = place;
    if (isFirst) return;
    hideCursorSoon();
    clearTimeout(exitTimer);
    dataset['exit'] = 'shown';
    exitTimer = setTimeout(() => delete dataset['exit'], EXIT_MS);
  };

  hideCursorSoon();
  addEventListener('pointermove', whenMoved);
  addEventListener('pointerdown', whenMoved);
  return () => {
    removeEventListener('pointermove', whenMoved);
    removeEventListener('pointerdown', whenMoved);
    clearTimeout(cursorTimer);
    clearTimeout(exitTimer);
    delete dataset['cursor'];
    delete dataset['exit'];
  };
}

/** Prevents burn-in on a screen that shows the same picture for months, and dims the wall at night. */
const LOOK_MS = 1000;

const DRIFT_POINTS = 12;
const DRIFT_RADIUS_UNITS = 6;
const DRIFT_STEP_MS = 3 * MINUTE_MS;

const PLATES_TURN_MS = 60 * MINUTE_MS;

/** Times of day in London, as `HH:MM:SS`. */
const NIGHT_FROM = '22:00';
const NIGHT_TO = '06:00';
const EXERCISE_FROM = '04:00:00';
const FLAPS_REST_FROM = '04:00:05';
const EXERCISE_TO = '04:01:00';

/** The position and look of the picture at one moment. */
interface Panel {
  /** How far the whole board is shifted, in units (`--u`). */
  ox: number;
  oy: number;
  plates: 'filled' | 'outlined';
  night: boolean;
  inverted: boolean;
  flapsTurn: boolean;
}

/** The shift depends only on the time, so a screen that slept or was restarted has the same shift as without. */
export function panelAt(now: Date, news: BoardNews): Panel {
  const time = formatClock(now, { seconds: true });
  const point = Math.floor(now.getTime() / DRIFT_STEP_MS) % DRIFT_POINTS;
  const angle = (point / DRIFT_POINTS) * 2 * Math.PI;
  const calm = news.criticals.size === 0;
  const inverted = calm && time >= EXERCISE_FROM && time < EXERCISE_TO;
  return {
    ox: units(Math.cos(angle)),
    oy: units(Math.sin(angle)),
    plates: Math.floor(now.getTime() / PLATES_TURN_MS) % 2 === 0 ? 'filled' : 'outlined',
    night: (time >= NIGHT_FROM || time < NIGHT_TO) && !inverted && !alarmIsNew(news, now.getTime()),
    inverted,
    flapsTurn: inverted && time < FLAPS_REST_FROM,
  };
}

const units = (part: number) => Math.round(part * DRIFT_RADIUS_UNITS * 100) / 100;

/** Sets the panel's state on the root element, only for style sheets, so that no component renders again: `--ox` and
 *  `--oy` (numbers, times `--u`), `data-plates="outlined"`, `data-night`, `data-inverted`, `data-flaps="turning"`. */
function careForPanel(): () => void {
  const root = document.documentElement;
  let shown = '';

  const look = () => {
    const panel = panelAt(serverNow(), useBoardNews.getState());
    const next = JSON.stringify(panel);
    if (next === shown) return;
    shown = next;
    root.style.setProperty('--ox', String(panel.ox));
    root.style.setProperty('--oy', String(panel.oy));
    root.dataset['plates'] = panel.plates;
    root.toggleAttribute('data-night', panel.night);
    root.toggleAttribute('data-inverted', panel.inverted);
    if (panel.flapsTurn) root.dataset['flaps'] = 'turning';
    else delete root.dataset['flaps'];
  };

  look();
  const timer = setInterval(look, LOOK_MS);
  return () => {
    clearInterval(timer);
    root.style.removeProperty('--ox');
    root.style.removeProperty('--oy');
    for (const name of ['plates', 'night', 'inverted', 'flaps']) delete root.dataset[name];
  };
}
