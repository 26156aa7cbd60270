/** Prevents burn-in on a screen that shows the same picture for months, and dims the wall at night. */
import { type BoardNews, alarmIsNew, useBoardNews } from '../../../feeds/refresh/boardNews.ts';
import { serverNow } from '../../../time/freshness.ts';
import { formatClock } from '../../../time/london.ts';

const LOOK_MS = 1000;
const MINUTE_MS = 60_000;

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

/** The picture's shift and look at one moment. */
export interface Panel {
  /** How far the whole board is shifted, in units (`--u`). */
  ox: number;
  oy: number;
  plates: 'filled' | 'outlined';
  night: boolean;
  inverted: boolean;
  flapsTurn: boolean;
}

/** The shift depends on the time alone, so a screen that slept or was restarted is where it would have been. */
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

/**
 * Sets the panel on the root element, for style sheets only, so that no component renders again: `--ox` and `--oy`
 * (numbers, times `--u`), `data-plates="outlined"`, `data-night`, `data-inverted`, `data-flaps="turning"`.
 */
export function careForPanel(): () => void {
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
