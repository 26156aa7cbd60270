import outline from 'virtual:outline';
import { useState, type CSSProperties } from 'react';
import { useRuntimeConfig } from '../api/runtimeConfig.ts';
import { type Grade, Severity } from '../ui/Severity.tsx';
import styles from './SmallMap.module.css';

const TILE_PX = 256;
/** How far the tiles reach from the middle: as far as the widest figure. */
const ACROSS_PX = 480;
const DOWN_PX = 180;

/** A still map around one place: street tiles; without them the outline of the UK with the place in it. */
export default function SmallMap({
  latitude,
  longitude,
  zoom,
  grade,
  label,
}: {
  latitude: number;
  longitude: number;
  /** As street maps count. */
  zoom: number;
  grade: Grade;
  label: string;
}) {
  const { tile_url, tile_attribution } = useRuntimeConfig();
  const [failed, setFailed] = useState<string | null>(null);
  const key = `${tile_url} ${zoom} ${latitude} ${longitude}`;
  const hasTiles = failed !== key;

  return (
    <>
      <div className={styles.map} role="img" aria-label={label}>
        {hasTiles ? (
          tilesAround(latitude, longitude, zoom, tile_url).map(({ url, left, top }) => (
            <img
              key={url}
              className={styles.tile}
              src={url}
              alt=""
              crossOrigin="anonymous"
              width={TILE_PX}
              height={TILE_PX}
              style={{ '--left': `${left}px`, '--top': `${top}px` } as CSSProperties}
              onError={() => setFailed(key)}
            />
          ))
        ) : (
          <svg className={styles.outline} viewBox={`0 0 ${WIDE} ${HIGH}`} aria-hidden="true">
            <path d={COAST} />
            <circle cx={x(longitude)} cy={y(latitude)} r="3" />
          </svg>
        )}
        {hasTiles && (
          <span className={styles.mark}>
            <Severity grade={grade} wordless />
          </span>
        )}
      </div>
      <p className={styles.credit}>{hasTiles ? tile_attribution : 'Street map unavailable'}</p>
    </>
  );
}

function tilesAround(latitude: number, longitude: number, zoom: number, template: string) {
  const tiles = 2 ** zoom;
  const column = ((longitude + 180) / 360) * tiles;
  const radians = (latitude * Math.PI) / 180;
  const row = ((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * tiles;
  const found = [];
  for (
    let across = Math.floor(column - ACROSS_PX / TILE_PX);
    across <= column + ACROSS_PX / TILE_PX;
    across++
  ) {
    for (let down = Math.floor(row - DOWN_PX / TILE_PX); down <= row + DOWN_PX / TILE_PX; down++) {
      if (down < 0 || down >= tiles || across < 0 || across >= tiles) continue;
      const url = template
        .replace('{s}', 'a')
        .replace('{z}', String(zoom))
        .replace('{x}', String(across))
        .replace('{y}', String(down));
      found.push({
        url,
        left: Math.round((across - column) * TILE_PX),
        top: Math.round((down - row) * TILE_PX),
      });
    }
  }
  return found;
}

/** Equirectangular, true in the middle of the UK. */
const WEST = -11;
const NORTH = 61;
const SCALE = 12;
const SQUEEZE = Math.cos((55 * Math.PI) / 180);
const x = (longitude: number) => Math.round((longitude - WEST) * SQUEEZE * SCALE * 10) / 10;
const y = (latitude: number) => Math.round((NORTH - latitude) * SCALE * 10) / 10;
const WIDE = x(3);
const HIGH = y(49.5);

const COAST = outline.features
  .flatMap(({ geometry }) => (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates))
  .flat()
  .map((ring) => `M${ring.map(([east = 0, north = 0]) => `${x(east)} ${y(north)}`).join('L')}Z`)
  .join('');
