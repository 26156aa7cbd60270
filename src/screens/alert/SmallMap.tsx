import outline from 'virtual:outline';
import { useMemo, useState } from 'react';
import { type Drawn, positionsOf } from '../../api/alerts/geometry.ts';
import { useRuntimeConfig } from '../../api/runtimeConfig.ts';
import { type Position, ROADS, TOWNS, TOWNS_ATTRIBUTION } from '../../maps/land/ownDrawing.ts';
import { type Grade, Severity } from '../../ui/signs/Severity.tsx';
import { type Frame, frameAround, pathOf, placed, Tiles, toPixels } from '../../maps/StillMap.tsx';
import styles from './SmallMap.module.css';

/** How far the tiles reach from the middle, in pixels: as far as the widest figure. */
const TILED = { left: -480, top: -140, right: 480, bottom: 140 };
/** The room for a stretch in the narrowest figure, without its edges. */
const ROOM_PX = { wide: 270, high: 170 };
/** Half of the narrowest figure. */
const HALF_PX = { wide: 175, high: 135 };

/** Zooms as street maps count them. Only the publisher's own point is exact. */
const EXACT_ZOOM = 12;
const APPROXIMATE_ZOOM = 10;
/** The closest zoom of our own drawing, which has no smaller details. */
const LAND_ZOOM = 9;
const FARTHEST_ZOOM = 4;

/** A still map around one place, with the line or area that is disrupted. It shows street tiles and, behind them in
 *  case they do not load, our own drawing of coast, motorways and towns. */
export default function SmallMap({
  at,
  isExact,
  drawn,
  grade,
  label,
}: {
  at: Position;
  isExact: boolean;
  drawn: Drawn | null;
  grade: Grade;
  label: string;
}) {
  const { tile_url, tile_attribution } = useRuntimeConfig();
  const [failed, setFailed] = useState<string | null>(null);
  const key = `${tile_url} ${at.join()}`;
  const hasTiles = failed !== key;
  const frame = useMemo(() => {
    const nearest = !hasTiles ? LAND_ZOOM : isExact ? EXACT_ZOOM : APPROXIMATE_ZOOM;
    const points = drawn ? [...positionsOf(drawn), at] : [at];
    return frameAround(points, { ...ROOM_PX, nearest, farthest: FARTHEST_ZOOM });
  }, [at, drawn, isExact, hasTiles]);

  return (
    <>
      <div className={styles.map} role="img" aria-label={label}>
        <Land frame={frame} />
        {hasTiles && (
          <Tiles
            className={styles.tile}
            frame={frame}
            box={TILED}
            template={tile_url}
            onFailed={() => setFailed(key)}
          />
        )}
        {drawn && <Stretch drawn={drawn} grade={grade} frame={frame} />}
        <span
          className={styles.mark}
          data-beside={drawn?.type === 'MultiLineString' || undefined}
          style={placed(toPixels(at, frame))}
        >
          <Severity grade={grade} wordless />
        </span>
      </div>
      <p data-text="small" data-tone="2">
        {hasTiles ? tile_attribution : `Street map unavailable. ${TOWNS_ATTRIBUTION}`}
      </p>
    </>
  );
}

/** The closed stretch is a thick bar with an ink edge, an area is tinted. */
function Stretch({ drawn, grade, frame }: { drawn: Drawn; grade: Grade; frame: Frame }) {
  const isArea = drawn.type === 'MultiPolygon';
  const lines: Position[][] = drawn.type === 'MultiPolygon' ? drawn.coordinates.flat() : drawn.coordinates;
  const path = pathOf(lines, frame, isArea);
  return (
    <svg className={styles.layer} aria-hidden="true">
      <g className={styles.disrupted} data-severity={grade}>
        {isArea ? (
          <path
            fill="var(--grade)"
            fillOpacity="0.25"
            stroke="var(--grade)"
            strokeWidth="2.5"
            fillRule="evenodd"
            d={path}
          />
        ) : (
          <g fill="none" strokeLinejoin="round">
            <path stroke="var(--line-ink)" strokeWidth="14" d={path} />
            <path stroke="var(--grade)" strokeWidth="9" d={path} />
          </g>
        )}
      </g>
    </svg>
  );
}

function Land({ frame }: { frame: Frame }) {
  const coast = useMemo(() => pathOf(RINGS, frame, true), [frame]);
  const { roads, names } = useMemo(() => namesIn(frame), [frame]);
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

/** The names that lie within the figure and do not cover each other or the mark, the largest towns first. */
function namesIn(frame: Frame): { roads: typeof ROADS; names: Name[] } {
  const isIn = ([x, y]: readonly [number, number]) =>
    Math.abs(x) < HALF_PX.wide && Math.abs(y) < HALF_PX.high;
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
    const [x, y] = places[Math.floor(places.length / 2)]!; // at least one is within the figure
    add({ text: name, x, y, kind: 'roadName' });
  }
  return { roads, names };
}
