/** The measures of the wall that both the style sheets and the calculations need, in units (`--u`). A board is 1920
 *  wide and 1080 high on every screen, or 2560 wide on a screen wider than 2.2 to 1. The sheets get them from here,
 *  as custom properties. */
import { createContext, type CSSProperties, use } from 'react';
import { useMedia } from '../../../ui/useMedia.ts';

const SCREEN = { width: 1920, height: 1080 };

const MEASURES = {
  'edge-top': 24,
  'edge-bottom': 20,
  'edge-side': 40,
  'header-height': 86,
  'sweep-height': 4,

  'side-gap': 30,
  'side-width': 322,
  /* The height of the part below the rows on an upright screen. */
  'side-height': 0,
  'detail-height': 206,
  'map-width': 322,
  'wide-width': 2560,
  'wide-list-indent': 26,
  'wide-list-rule': 2,

  'band-gap': 12,
  'band-height': 196,
  'band-indent': 24,
  'live-end': 24,
  'list-band': 150,
  'list-symbol': 112,
  'band-symbol': 148,
  'band-symbol-gap': 28,
  'band-time-gap': 30,
  'rows-gap': 6,
  'routes-height': 54,
  'routes-heading': 152,
  'routes-symbol': 28,
  'routes-symbol-gap': 11,
  'routes-gap': 24,

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
  'next-time': 84,
  'next-gap': 27,
} as const;

/** Measures that differ on a wide screen, whose side has two columns. */
const WIDE = { 'side-width': 902, 'map-width': 500, 'next-size': 27 } as const;

/** Measures that differ on an upright screen, 1080 wide and 1920 high. */
const UPRIGHT: Readonly<Partial<Record<keyof typeof MEASURES, number>>> = {
  'header-height': 150,
  'band-height': 254,
  'band-symbol': 124,
  'side-height': 474,
  'list-band': 254,
  'list-symbol': 124,
  'plate-width': 44,
  'symbol-width': 102,
  'calm-row': 132,
  'map-width': 268,
  'next-size': 31,
  'next-time': 103,
  'next-gap': 38,
};

/** The same in large type: without the side, and with the state of the connection on a line of its own. */
const TALL = {
  ...UPRIGHT,
  'side-height': 0,
  'header-height': 194,
  'band-height': 264,
  'band-symbol': 56,
  'symbol-width': 90,
};

/** The units of a board, and of the screen that it fills. A large board is as wide as a usual one without its side,
 *  with two lines in each row; a tall one is narrower by a sixth, because its times have lines of their own. */
const BOARDS: Readonly<Record<Sheet, { width: number; height: number }>> = {
  usual: SCREEN,
  wide: SCREEN,
  upright: { width: SCREEN.height, height: SCREEN.width },
  large: { width: 1574, height: 885 },
  tall: { width: 900, height: 1600 },
};

/** One custom property stands for the screen, so that a picture of a screen can be smaller. */
function sheet(form: Sheet, measures: Readonly<Record<string, number>>): CSSProperties {
  const { width, height } = BOARDS[form];
  const units = { ...measures, 'board-width': width, 'board-height': height };
  return {
    '--u': `min(var(--screen-width, 100vw) / ${width}, var(--screen-height, 100vh) / ${height})`,
    ...Object.fromEntries(
      Object.entries(units).map(([name, count]) => [`--${name}`, `calc(${count} * var(--u))`]),
    ),
  } as CSSProperties;
}

const SHEETS: Readonly<Record<Sheet, CSSProperties>> = {
  usual: sheet('usual', MEASURES),
  wide: sheet('wide', { ...MEASURES, ...WIDE }),
  upright: sheet('upright', { ...MEASURES, ...UPRIGHT }),
  large: sheet('large', MEASURES),
  tall: sheet('tall', { ...MEASURES, ...TALL }),
};

/** Returns the same object for the same form. */
export const measureSheet = (form: Sheet): CSSProperties => SHEETS[form];

const m = MEASURES;

export const META_WIDTH = m['meta-width'];
/** The height of the line of My routes, below the feeds. */
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

const UPRIGHT_MAIN = SCREEN.height - 2 * m['edge-side'];

/** The height of the screen below the header. */
const bodyHeight = (form: Sheet): number =>
  BOARDS[form].height -
  m['edge-top'] -
  m['edge-bottom'] -
  measured(form, 'header-height') -
  m['sweep-height'];
/** The part of it that is left for the rows. */
export const rowsHeight = (form: Sheet): number =>
  bodyHeight(form) -
  m['band-gap'] -
  measured(form, 'band-height') -
  m['rows-gap'] -
  measured(form, 'side-height');

function measured(form: Sheet, name: keyof typeof MEASURES): number {
  const others = form === 'upright' ? UPRIGHT : form === 'tall' ? TALL : {};
  return (others as typeof UPRIGHT)[name] ?? m[name];
}

/** On an upright screen the name of a row has a line of its own, and the live part as a whole is drawn smaller. */
export const UPRIGHT_META = 52;
export const UPRIGHT_ZOOM = 0.906;

/** On an upright screen the part below the rows can be lower by this. */
export const SIDE_YIELDS = 174;
/** The measures of that part when it is lower by this: the map, which is as high as the part, is narrower. */
export function lowerSide(by: number): CSSProperties {
  const height = UPRIGHT['side-height']! - by;
  const width = (UPRIGHT['map-width']! * height) / UPRIGHT['side-height']!;
  return {
    '--side-height': `calc(${height} * var(--u))`,
    '--map-width': `calc(${width} * var(--u))`,
  } as CSSProperties;
}

/** The height that is left for the rows of a list, below its band and its heads. */
export const LIST_HEIGHT = bodyHeight('usual') - m['band-gap'] - m['list-band'] - 38;
export const UPRIGHT_LIST_HEIGHT = bodyHeight('upright') - m['band-gap'] - UPRIGHT['list-band']! - 12;

/** The difference between the height of a row and the room in it. */
export const ROW_PADDING = m['row-rule'];

/** The line of My routes: the room beside its shortest heading, and the parts of an entry. */
export const ROUTES_HEADING = m['routes-heading'];
export const routesLine = (form: Form): number => (form === 'upright' ? UPRIGHT_MAIN : MAIN) - m['live-end'];
export const ROUTES_SYMBOL = m['routes-symbol'] + m['routes-symbol-gap'];
export const ROUTES_GAP = m['routes-gap'];

const liveEdges = (form: Sheet): number =>
  m['live-indent'] + (form === 'tall' ? TALL : m)['symbol-width'] + m['symbol-gap-width'] + m['live-end'];
const TALL_MAIN = BOARDS.tall.width - 2 * m['edge-side'];
/** The width of a row's lines beside the symbol. */
export const liveText = (form: Sheet): number =>
  (form === 'tall' ? TALL_MAIN / UPRIGHT_ZOOM : MAIN - m['meta-width'] - m['column-gap']) - liveEdges(form);

export type BandForm = 'board' | 'list' | 'upright' | 'tall';

/** The size of place and effect on each board, as a share of the measured size, and the width of their lines. */
const BANDS = {
  board: { main: MAIN, symbol: m['band-symbol'], place: 1, effect: 1 },
  list: {
    main: SCREEN.width - 2 * m['edge-side'],
    symbol: m['list-symbol'],
    place: 66 / 82,
    effect: 42 / 57,
  },
  upright: { main: UPRIGHT_MAIN, symbol: UPRIGHT['band-symbol']!, place: 68 / 82, effect: 50 / 57 },
  tall: { main: TALL_MAIN, symbol: TALL['band-symbol'], place: 68 / 82, effect: 50 / 57 },
};

/** The widths of the band's lines, for text that is measured at its size on the board. */
export function bandWidths(form: BandForm) {
  const { main, symbol, place, effect } = BANDS[form];
  const bare = main - m['band-indent'] - m['live-end'];
  const marks = bare - symbol - m['band-symbol-gap'];
  // In large type the symbol is beside the first line only.
  const beside = form === 'tall' ? bare : marks;
  return {
    place: beside / place,
    alone: bare / place,
    effect: beside / effect,
    scale: 1 / effect,
    marks,
    bare,
  };
}

const BESIDE_TIME = m['next-time'] + m['next-gap'];
/** The list beside the map of a wide screen. */
export const WIDE_LIST =
  WIDE['side-width'] - WIDE['map-width'] - m['side-gap'] - m['wide-list-indent'] - m['wide-list-rule'];
/** The width of the text beside its time; on a wide screen its type is larger. */
export const NEXT_TEXT = Math.min(
  m['side-width'] - BESIDE_TIME,
  ((WIDE_LIST - BESIDE_TIME) * m['next-size']) / WIDE['next-size'],
);

export const DETAIL_HEIGHT = m['detail-height'];
/** The height at which the line leaves the band, from the top of the side; below it the width of the map. */
export const TIE_TOP = 90;
export const mapWidth = (form: Form): number => (form === 'wide' ? WIDE : m)['map-width'];

/** The form of a screen: like a television, wider than that, or upright. */
export type Form = 'usual' | 'wide' | 'upright';

/** With its two in large type, for people who pass by. */
export type Sheet = Form | 'large' | 'tall';

/** Around a board in large type. */
export const LargeType = createContext(false);

const Given = createContext<Form | null>(null);

/** Sets the form for a picture of another screen. */
export const DrawnAs = Given.Provider;

export const formOf = (width: number, height: number): Form =>
  width <= height ? 'upright' : width * 10 >= height * 22 ? 'wide' : 'usual';

export function useForm(): Form {
  const given = use(Given);
  const upright = useMedia('(max-aspect-ratio: 1 / 1)');
  const wide = useMedia('(min-aspect-ratio: 22 / 10)');
  return given ?? (upright ? 'upright' : wide ? 'wide' : 'usual');
}

export const sheetOf = (form: Form, isLarge: boolean): Sheet =>
  !isLarge ? form : form === 'upright' ? 'tall' : 'large';

export const useSheet = (): Sheet => sheetOf(useForm(), use(LargeType));
