import outline from 'virtual:outline';
import { type CSSProperties, type ReactNode, useMemo, useState } from 'react';
import { useRuntimeConfig } from '../api/runtimeConfig.ts';
import { type Frame, frameAround, type LonLat, pathOf, placed, TILE_PX, toPixels } from './frame.ts';
import { type Position, ROADS, TOWNS, TOWNS_ATTRIBUTION } from './land/ownDrawing.ts';
import styles from './StillMap.module.css';

/** The width until the map is measured. */
const FIRST_WIDTH_PX = 640;
/** The room between the points and the edges. */
const MARGIN_PX = 36;
/** The closest zoom of our own drawing, which has no smaller details, unless the map must be closer. */
const LAND_ZOOM = 9;

/** A map that cannot be moved, around these points: street tiles and, behind them in case they do not load, our own
 *  drawing of coast, motorways and towns. Zooms are as street maps count them. */
export function StillMap({
  points,
  high,
  nearest,
  farthest,
  drawn,
  marks,
  aside,
  className = '',
  ...named
}: {
  points: readonly LonLat[];
  /** Its height in pixels; its width is that of its place. */
  high: number;
  nearest: number;
  farthest: number;
  /** SVG on the map; its origin is the middle. */
  drawn: (frame: Frame) => ReactNode;
  /** Elements on the map, each `placed`. */
  marks: (frame: Frame) => ReactNode;
  /** Shown beside the names of the publishers. */
  aside?: ReactNode;
  className?: string | undefined;
  role: 'img' | 'group';
  'aria-label': string;
}) {
  const { tile_url, tile_attribution } = useRuntimeConfig();
  const [failed, setFailed] = useState<string | null>(null);
  const [wide, setWide] = useState(FIRST_WIDTH_PX);
  const [measured] = useState(() => (shown: HTMLDivElement) => {
    const measure = new ResizeObserver(() => setWide(Math.max(200, shown.clientWidth)));
    measure.observe(shown);
    return () => measure.disconnect();
  });
  const key = `${tile_url} ${points[0]?.join()}`;
  const hasTiles = failed !== key;
  const frame = useMemo(
    () =>
      frameAround(points, {
        wide: wide - 2 * MARGIN_PX,
        high: high - 2 * MARGIN_PX,
        nearest: hasTiles ? nearest : Math.max(farthest, Math.min(nearest, LAND_ZOOM)),
        farthest,
      }),
    [points, wide, high, nearest, farthest, hasTiles],
  );
  const half = { wide: wide / 2, high: high / 2 };

  return (
    <>
      <div
        {...named}
        ref={measured}
        className={`${styles.map} ${className}`}
        style={{ '--high': `${high}px` } as CSSProperties}
      >
        <Land frame={frame} half={half} />
        {hasTiles && <Tiles frame={frame} half={half} template={tile_url} onFailed={() => setFailed(key)} />}
        <svg className={styles.layer} aria-hidden="true">
          {drawn(frame)}
        </svg>
        {marks(frame)}
      </div>
      <p className={styles.credit} data-justify="between" data-line="4" data-text="small" data-tone="2">
        {aside}
        <span>{hasTiles ? tile_attribution : `Street map unavailable. ${TOWNS_ATTRIBUTION}`}</span>
      </p>
    </>
  );
}

/** Half of the size of a map, in pixels. */
interface Half {
  wide: number;
  high: number;
}

/** The street tiles that cover the map. */
function Tiles({
  frame: { zoom, left, top },
  half,
  template,
  onFailed,
}: {
  frame: Frame;
  half: Half;
  template: string;
  onFailed: () => void;
}) {
  const count = 2 ** zoom;
  const range = (from: number, to: number) => {
    const first = Math.floor(from / TILE_PX);
    return Array.from({ length: Math.max(0, Math.ceil(to / TILE_PX) - first) }, (_, step) => first + step);
  };
  const isThere = (at: number) => at >= 0 && at < count;
  const columns = range(left - half.wide, left + half.wide).filter(isThere);
  const rows = range(top - half.high, top + half.high).filter(isThere);
  return columns.flatMap((column) =>
    rows.map((row) => {
      const url = template
        .replace('{s}', 'a')
        .replace('{z}', String(zoom))
        .replace('{x}', String(column))
        .replace('{y}', String(row));
      return (
        <img
          key={url}
          src={url}
          alt=""
          crossOrigin="anonymous"
          width={TILE_PX}
          height={TILE_PX}
          {...placed([Math.round(column * TILE_PX - left), Math.round(row * TILE_PX - top)])}
          onError={onFailed}
        />
      );
    }),
  );
}

function Land({ frame, half: { wide, high } }: { frame: Frame; half: Half }) {
  const coast = useMemo(() => pathOf(RINGS, frame, true), [frame]);
  const { roads, names } = useMemo(() => namesIn(frame, { wide, high }), [frame, wide, high]);
  return (
    <svg className={styles.layer} aria-hidden="true">
      <path fill="var(--map-land)" stroke="var(--map-coast)" strokeWidth="1.5" d={coast} />
      <g fill="none" stroke="var(--map-coast)" strokeWidth="3" strokeLinejoin="round">
        {roads.map(({ name, line }, index) => (
          <path key={`${name} ${index}`} d={pathOf([line], frame)} />
        ))}
      </g>
      {names.map(({ text, x, y, kind }) => (
        <g key={text} className={styles[kind]}>
          {kind === 'town' && <circle cx={x} cy={y} r="4" />}
          <text x={x} y={y} dx={kind === 'town' ? 8 : 0} dy="0.35em">
            {text}
          </text>
        </g>
      ))}
    </svg>
  );
}

const RINGS: Position[][] = outline.features
  .flatMap(({ geometry }) => (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates))
  .flat() as Position[][]; // our own data: pairs of degrees

interface Name {
  text: string;
  x: number;
  y: number;
  kind: 'town' | 'roadName';
}

const LETTER_PX = 8.5;
const LINE_PX = 20;

/** The names that lie within the map and do not cover each other or the mark, the largest towns first. */
function namesIn(frame: Frame, half: Half): { roads: typeof ROADS; names: Name[] } {
  const isIn = ([x, y]: readonly [number, number]) => Math.abs(x) < half.wide && Math.abs(y) < half.high;
  const names: Name[] = [];
  const taken: [left: number, top: number, right: number, bottom: number][] = [[-24, -24, 24, 24]];
  const add = (name: Name) => {
    const left = name.kind === 'town' ? name.x - 6 : name.x - (name.text.length * LETTER_PX) / 2;
    const right = left + name.text.length * LETTER_PX + (name.kind === 'town' ? 16 : 0);
    const box: (typeof taken)[number] = [left, name.y - LINE_PX / 2, right, name.y + LINE_PX / 2];
    const isFree = taken.every(
      ([west, north, east, south]) => box[2] < west || box[0] > east || box[3] < north || box[1] > south,
    );
    if (!isFree || !isIn([right, box[3]]) || !isIn([left, box[1]])) return;
    taken.push(box);
    names.push(name);
  };
  for (const { name, at, from } of TOWNS) {
    const [x, y] = toPixels(at, frame);
    if (from <= frame.zoom && isIn([x, y])) add({ text: name, x, y, kind: 'town' });
  }
  const roads = ROADS.filter(({ line }) => line.some((position) => isIn(toPixels(position, frame))));
  for (const { name, line } of roads) {
    const places = line.map((position) => toPixels(position, frame)).filter(isIn);
    const [x, y] = places[Math.floor(places.length / 2)]!; // at least one is within the map
    add({ text: name, x, y, kind: 'roadName' });
  }
  return { roads, names };
}
