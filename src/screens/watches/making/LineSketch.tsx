import type { Geometry } from '#contract/incidents/disruptions.ts';
import styles from './LineSketch.module.css';

const WIDE = 300;
const HIGH = 216;
const MARGIN = 18;

/** The form of a line, without a map: enough to see that it is the right one. */
export function LineSketch({ geometry, name }: { geometry: Geometry | null; name: string }) {
  const lines = linesOf(geometry);
  const points = lines.flat();
  if (points.length < 2) return null;

  // A degree of longitude is shorter than one of latitude.
  const squeeze = Math.cos(((points[0]?.[1] ?? 54) * Math.PI) / 180);
  const xs = points.map(([longitude]) => longitude * squeeze);
  const ys = points.map(([, latitude]) => -latitude);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [across, down] = [Math.max(...xs) - left || 1e-6, Math.max(...ys) - top || 1e-6];
  const scale = Math.min((WIDE - 2 * MARGIN) / across, (HIGH - 2 * MARGIN) / down);
  const at = ([longitude, latitude]: readonly [number, number]) =>
    [
      MARGIN + (WIDE - 2 * MARGIN - across * scale) / 2 + (longitude * squeeze - left) * scale,
      MARGIN + (HIGH - 2 * MARGIN - down * scale) / 2 + (-latitude - top) * scale,
    ].map((value) => Math.round(value * 10) / 10);
  const ends = [points[0]!, points.at(-1)!]; // there are at least two

  return (
    <svg
      className={styles.sketch}
      viewBox={`0 0 ${WIDE} ${HIGH}`}
      role="img"
      aria-label={`The line of ${name || 'the route'}`}
    >
      {lines.map((line) => (
        <path key={String(line[0])} d={`M${line.map((point) => at(point).join(' ')).join('L')}`} />
      ))}
      {ends.map((end) => {
        const [x, y] = at(end);
        return <circle key={String(end)} cx={x} cy={y} r="6" />;
      })}
    </svg>
  );
}

type Point = readonly [longitude: number, latitude: number];

function linesOf(geometry: Geometry | null): Point[][] {
  if (geometry?.type === 'LineString') return [geometry.coordinates as unknown as Point[]];
  return geometry?.type === 'MultiLineString' ? (geometry.coordinates as unknown as Point[][]) : [];
}
