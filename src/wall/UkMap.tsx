import { land, neighbour, shetland } from 'virtual:silhouette';
import { type CSSProperties, memo, useMemo } from 'react';
import type { Alert } from '../api/disruptions.ts';
import type { Row } from '../api/feeds.ts';
import { placeForms } from '#contract/titleForms.ts';
import { titleOf } from '../feeds/alerts.ts';
import { SeverityMark } from '../ui/Severity.tsx';
import { FACES, textWidth } from './fit.ts';
import { LABEL_LINE, labelSpot, mapMarks, nameOnMap, RING } from './mapMarks.ts';
import { MAP_WIDTH, TIE_TOP, WIDE_MAP_WIDTH } from './measures.ts';
import { PICTURE, SHETLAND_BOX } from './projection.ts';
import styles from './UkMap.module.css';

/** Sizes of type in units of the picture, as the style sheet has them. */
const NAME = 44;

/** The UK with the worst alerts. A line leads from the band to the alert that it shows. Nothing is said by the map alone. */
export const UkMap = memo(function UkMap({
  rows,
  lead,
  tied,
}: {
  rows: readonly Row[];
  lead: Alert | null;
  /** The board is current: a line joins the band and the alert. */
  tied: boolean;
}) {
  const marks = useMemo(
    () =>
      mapMarks(
        rows.flatMap(({ events }) => events),
        lead?.event_id ?? null,
      ),
    [rows, lead],
  );
  const { others, near } = marks;
  const at = marks.lead;
  const name = lead ? nameOnMap(lead) : '';
  const under = near > 0 ? `+${near} near` : '';
  const lines = [name, under].filter(Boolean);
  const width = Math.max(0, ...lines.map((line) => (textWidth(line, 'next') * NAME) / FACES.next.size));
  const label = at && lines.length > 0 ? labelSpot(at, { width, lines: lines.length, others }) : null;

  return (
    <>
      {at && tied && <Drop y={at.y} />}
      <svg
        className={styles.map}
        viewBox={`0 0 ${PICTURE.width} ${PICTURE.height}`}
        role="img"
        aria-label={
          lead && at
            ? `Map: ${lead.facts?.place ? placeForms(lead.facts.place).at(-1) : titleOf(lead)} is the alert shown`
            : 'Map of the United Kingdom'
        }
      >
        <Country />
        {at && tied && <path className={styles.tie} d={`M0 ${at.y}H${at.x - RING}`} />}
        {others.toReversed().map(({ id, ...mark }) => (
          <SeverityMark key={id} {...mark} />
        ))}
        {at && (
          <>
            <circle
              key={at.id}
              className={styles.ring}
              data-tied={tied || undefined}
              cx={at.x}
              cy={at.y}
              r={RING}
            />
            <SeverityMark {...at} />
          </>
        )}
        {label && (
          <text className={styles.name} x={label.x} y={label.y}>
            {lines.map((line, place) => (
              <tspan
                key={line}
                x={label.x}
                dy={place === 0 ? 0.8 * LABEL_LINE : LABEL_LINE}
                data-near={line === under || undefined}
              >
                {line}
              </tspan>
            ))}
          </text>
        )}
      </svg>
    </>
  );
});

const Country = memo(function Country() {
  const { x, y, width, height } = SHETLAND_BOX;
  return (
    <>
      <svg width={PICTURE.width} height={PICTURE.height}>
        <path className={styles.neighbour} d={neighbour} />
        <path className={styles.land} d={land} />
      </svg>
      <path className={styles.land} d={shetland} />
      <path className={styles.box} d={`M${x} ${y}v${height}h${width}`} />
    </>
  );
});

/** From the band down, or up, to the height of the ring. */
function Drop({ y }: { y: number }) {
  const part = (width: number) => {
    const end = (y * width) / PICTURE.width;
    return { top: Math.min(end, TIE_TOP), height: Math.abs(end - TIE_TOP) + 4 };
  };
  const [usual, wide] = [part(MAP_WIDTH), part(WIDE_MAP_WIDTH)];
  return (
    <i
      className={styles.drop}
      data-drop
      style={
        {
          '--drop-top': usual.top,
          '--drop-height': usual.height,
          '--wide-drop-top': wide.top,
          '--wide-drop-height': wide.height,
        } as CSSProperties
      }
    />
  );
}
