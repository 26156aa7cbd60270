/**
 * The measures of the wall that the style sheets and the calculation of what fits both need, in units (`--u`): a board
 * is 1920 wide and 1080 high on every screen, or 2560 wide on one of more than 2.2 to 1. The sheets get them from here,
 * as custom properties.
 */
import type { CSSProperties } from 'react';

const SCREEN = { width: 1920, height: 1080 };

const MEASURES = {
  'edge-top': 24,
  'edge-bottom': 20,
  'edge-side': 40,
  'header-height': 86,
  'sweep-height': 4,

  'side-gap': 30,
  'side-width': 322,
  'detail-height': 206,
  /* On a wide screen the side has two columns. */
  'wide-width': 2560,
  'wide-side-width': 902,
  'wide-map-width': 500,
  'wide-list-indent': 26,
  'wide-list-rule': 2,

  'band-gap': 12,
  'band-height': 196,
  'band-indent': 24,
  'live-end': 24,
  'band-symbol': 148,
  'band-symbol-gap': 28,
  'band-time-gap': 30,
  'rows-gap': 6,
  'routes-height': 54,
  'routes-heading': 152,
  'routes-symbol': 28,
  'routes-symbol-gap': 11,
  'routes-gap': 36,

  /* A row: the name, then the live part of three lines. */
  'row-rule': 2,
  'row-gap': 1,
  'lead-line': 53,
  'text-line': 31,
  'meta-width': 366,
  'plate-width': 46,
  'plate-gap': 12,
  'flap-width': 80,
  'column-gap': 26,
  'live-indent': 22,
  'symbol-width': 106,
  'symbol-gap-width': 12,
  'lead-gap': 20,
  'summary-gap': 18,
  'queue-gap': 16,
  'mark-gap': 26,
  'calm-row': 86,

  'held-heading': 30,
  'held-alert': 96,

  'next-size': 24,
  'wide-next-size': 27,
  'next-time': 80,
  'next-gap': 27,
} as const;

export const measureSheet = Object.fromEntries(
  Object.entries(MEASURES).map(([name, units]) => [`--${name}`, `calc(${units} * var(--u))`]),
) as CSSProperties;

const m = MEASURES;

export const META_WIDTH = m['meta-width'];
/** The line of My routes, below the feeds. */
export const ROUTES_HEIGHT = m['routes-height'];
export const CALM_ROW = m['calm-row'];
export const HELD_HEADING = m['held-heading'];
export const HELD_ALERT = m['held-alert'];
export const LEAD_GAP = m['lead-gap'];
export const SUMMARY_GAP = m['summary-gap'];
export const QUEUE_GAP = m['queue-gap'];
export const MARK_GAP = m['mark-gap'];
export const TIME_GAP = m['band-time-gap'];

const MAIN = SCREEN.width - 2 * m['edge-side'] - m['side-gap'] - m['side-width'];

/** What is left of the screen under the header. */
const BODY_HEIGHT = SCREEN.height - m['edge-top'] - m['edge-bottom'] - m['header-height'] - m['sweep-height'];
/** What is left of that for the rows. */
export const ROWS_HEIGHT = BODY_HEIGHT - m['band-gap'] - m['band-height'] - m['rows-gap'];

/** What is left of a row's height for its contents is smaller by this. */
export const ROW_PADDING = m['row-rule'];

/** The line of My routes: what its heading, at its shortest, leaves, and the parts of an entry. */
export const ROUTES_HEADING = m['routes-heading'];
export const ROUTES_LINE = MAIN - m['live-end'];
export const ROUTES_SYMBOL = m['routes-symbol'] + m['routes-symbol-gap'];
export const ROUTES_GAP = m['routes-gap'];

/** The width of a row's lines beside the symbol. */
export const LIVE_TEXT =
  MAIN -
  m['meta-width'] -
  m['column-gap'] -
  m['live-indent'] -
  m['symbol-width'] -
  m['symbol-gap-width'] -
  m['live-end'];

/** The width of the band's lines, beside the symbol and without it. */
export const BAND_BARE = MAIN - m['band-indent'] - m['live-end'];
export const BAND_TEXT = BAND_BARE - m['band-symbol'] - m['band-symbol-gap'];

const BESIDE_TIME = m['next-time'] + m['next-gap'];
/** The list beside the map of a wide screen. */
export const WIDE_LIST =
  m['wide-side-width'] - m['wide-map-width'] - m['side-gap'] - m['wide-list-indent'] - m['wide-list-rule'];
/** The width of what happens next, beside its time; on a wide screen its type is larger. */
export const NEXT_TEXT = Math.min(
  m['side-width'] - BESIDE_TIME,
  ((WIDE_LIST - BESIDE_TIME) * m['next-size']) / m['wide-next-size'],
);

export const DETAIL_HEIGHT = m['detail-height'];
/** Where the line from the band leaves it, from the top of the side, and the map's width. */
export const TIE_TOP = 90;
export const MAP_WIDTH = m['side-width'];
export const WIDE_MAP_WIDTH = m['wide-map-width'];
