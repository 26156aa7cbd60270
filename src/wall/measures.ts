/**
 * The measures of the wall that the style sheets and the calculation of what fits both need, in units (`--u`): a board
 * is 1920 wide and 1080 high on every screen. The sheets get them from here, as custom properties.
 */
import type { CSSProperties } from 'react';

const SCREEN = { width: 1920, height: 1080 };

const MEASURES = {
  'edge-top': 26,
  'edge-bottom': 24,
  'edge-side': 40,
  'header-height': 88,
  'sweep-height': 4,

  /* A row: the name, the summary, the alerts. */
  'row-top': 9,
  'row-bottom': 8,
  'row-rule': 2,
  'column-gap': 28,
  'meta-width': 548,
  'summary-width': 540,
  'held-summary-width': 490,

  'summary-indent': 24,
  'summary-rule': 2,
  'summary-line': 29,

  'live-indent': 28,
  'symbol-width': 96,
  'symbol-gap-width': 16,
  'detail-gap': 3,
  'detail-line': 31,

  'held-heading': 28,
  'held-alert': 89,
} as const;

export const measureSheet = Object.fromEntries(
  Object.entries(MEASURES).map(([name, units]) => [`--${name}`, `calc(${units} * var(--u))`]),
) as CSSProperties;

const m = MEASURES;

export const META_WIDTH = m['meta-width'];
export const DETAIL_GAP = m['detail-gap'];
export const DETAIL_LINE = m['detail-line'];
export const SUMMARY_LINE = m['summary-line'];
export const HELD_HEADING = m['held-heading'];
export const HELD_ALERT = m['held-alert'];

/** What is left of the screen for the rows. */
export const ROWS_HEIGHT =
  SCREEN.height - m['edge-top'] - m['edge-bottom'] - m['header-height'] - m['sweep-height'];

/** What is left of a row's height for its contents is smaller by this. */
export const ROW_PADDING = m['row-top'] + m['row-bottom'] + m['row-rule'];

/** The width of a summary's text. */
export const SUMMARY_TEXT = m['summary-width'] - m['summary-indent'] - m['summary-rule'];
export const HELD_SUMMARY_TEXT = m['held-summary-width'] - m['summary-indent'] - m['summary-rule'];

/** The width of an alert's text beside its symbol. */
export const ALERT_TEXT =
  SCREEN.width -
  2 * m['edge-side'] -
  m['meta-width'] -
  m['summary-width'] -
  2 * m['column-gap'] -
  m['live-indent'] -
  m['symbol-width'] -
  m['symbol-gap-width'];
