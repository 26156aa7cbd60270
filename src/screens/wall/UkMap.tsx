import { land, neighbour, shetland } from 'virtual:silhouette';
import { type CSSProperties, memo, useMemo, useState } from 'react';
import { placeForms } from '#contract/incidents/titleForms.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { titleOf } from '../../feeds/alerts/alerts.ts';
import { type AlertRow, totalCounts } from '../../feeds/alerts/counts.ts';
import { grouped } from '#contract/numbers.ts';
import { SeverityMark } from '../../ui/signs/Severity.tsx';
import { FACES, textWidth } from './words/textFit.ts';
import {
  LABEL_LINE,
  labelSpot,
  type MapMark,
  mapMarks,
  MOST_MARKS,
  nameOnMap,
  RING,
  townsNear,
  underRing,
} from './mapMarks.ts';
import { DETAIL_HEIGHT, mapWidth, TIE_TOP, useForm } from './words/wallMeasures.ts';
import { PICTURE, SHETLAND_BOX } from './projection.ts';
import styles from './UkMap.module.css';

/** The size of names in units of the picture, as in the style sheet. */
const NAME = 44;

/** A map of the UK with the worst alerts. A line leads from the band to its alert. All its content is also said in
 *  words elsewhere. */
export const UkMap = memo(function UkMap({
  rows,
  lead,
  tied,
  most = MOST_MARKS,
  detailed = false,
}: {
  rows: readonly AlertRow[];
  lead: Alert | null;
  /** True: the board is current, so a line joins the band and the alert. */
  tied: boolean;
  most?: number;
  /** True: there is room for the surroundings of the band's alert. */
  detailed?: boolean;
}) {
  const { marks, lines, label } = useMemo(() => drawn(rows, lead, most), [rows, lead, most]);
  const at = marks.lead;
  const count = marks.others.length + (at ? 1 : 0);
  const { active } = totalCounts(rows);

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
        {marks.others.toReversed().map(({ id, ...mark }) => (
          <SeverityMark key={id} {...mark} />
        ))}
        {at && <Ring key={at.id} at={at} pulses={tied} />}
        {active > 0 && (
          <text className={styles.count}>
            <tspan x="0" y="36">
              {grouped(count)} of {grouped(active)}
            </tspan>
            <tspan x="0" dy={LABEL_LINE}>
              on the map
            </tspan>
          </text>
        )}
        {label && (
          <text className={styles.name}>
            {lines.map((line, place) => (
              <tspan
                key={line}
                x={label.x}
                y={label.y + (place + 0.8) * LABEL_LINE}
                data-near={place > 0 || undefined}
              >
                {line}
              </tspan>
            ))}
          </text>
        )}
      </svg>
      {detailed && at && <Detail at={at} others={marks.others} name={lines[0]} />}
    </>
  );
});

function drawn(rows: readonly AlertRow[], lead: Alert | null, most: number) {
  const alerts = rows.flatMap(({ events }) => events);
  const leadId = lead?.event_id ?? null;
  const { lead: at, near } = underRing(alerts, leadId);
  const lines = [lead ? nameOnMap(lead) : '', near > 0 ? `${near} more nearby` : ''].filter(Boolean);
  const width = Math.max(0, ...lines.map((line) => (textWidth(line, 'next') * NAME) / FACES.next.size));
  const label = at && lines.length > 0 ? labelSpot(at, { width, lines: lines.length }) : null;
  return { marks: mapMarks(alerts, leadId, { label, most }), lines, label };
}

/** The ring round the leading mark. It pulses once when the leading alert changes. With reduced motion it never
 *  does, because no animation would end and remove the pulse. */
function Ring({ at, pulses }: { at: MapMark; pulses: boolean }) {
  const [isNew, setIsNew] = useState(pulses && !matchMedia('(prefers-reduced-motion: reduce)').matches);
  const circle = { cx: at.x, cy: at.y, r: RING };
  return (
    <>
      {isNew && <circle className={styles.pulse} {...circle} onAnimationEnd={() => setIsNew(false)} />}
      <circle className={styles.ring} {...circle} />
      <SeverityMark {...at} />
    </>
  );
}

const Country = memo(function Country() {
  const { x, y, width, height } = SHETLAND_BOX;
  return (
    <>
      <svg width={PICTURE.width} height={PICTURE.height}>
        <path
          className={styles.neighbour}
          fill="var(--map-land-2)"
          stroke="var(--map-road)"
          strokeWidth="1.6"
          d={neighbour}
        />
        <path className={styles.land} d={land} />
      </svg>
      <path className={styles.land} d={shetland} />
      <path className={styles.box} d={`M${x} ${y}v${height}h${width}`} />
    </>
  );
});

/** The width of the detail, in units of the picture. */
const DETAIL_WIDTH = 240;
const REFERENCE_TOWNS = 2;
/** The height of a line of its names. */
const DETAIL_LINE = 16;
/** The size of the name, as in the style sheet. */
const DETAIL_NAME = 20;

/** The surroundings of the band's alert, with two towns to recognise them by. */
function Detail({ at, others, name }: { at: MapMark; others: readonly MapMark[]; name: string | undefined }) {
  const height = (DETAIL_WIDTH * DETAIL_HEIGHT) / mapWidth('usual');
  // The name is beside the ring or, if that is too narrow, above it.
  const width = (textWidth(name ?? '', 'next') * DETAIL_NAME) / FACES.next.size;
  const isLong = width > DETAIL_WIDTH / 2 - RING / 2.4 - 6;
  const nameY = isLong ? at.y - RING / 2.4 - 8 : at.y + 6;
  const taken = [at.y, nameY];
  const towns = townsNear(at, height / 2 - 10)
    .filter((town) => {
      const isFree = town.name !== name && taken.every((y) => Math.abs(town.y - y) > DETAIL_LINE);
      if (isFree) taken.push(town.y);
      return isFree;
    })
    .slice(0, REFERENCE_TOWNS);
  return (
    <svg
      className={styles.detail}
      viewBox={`${at.x - DETAIL_WIDTH / 2} ${at.y - height / 2} ${DETAIL_WIDTH} ${height}`}
      aria-hidden="true"
    >
      <path className={styles.land} d={land} />
      {others.map(({ id, ...mark }) => (
        <SeverityMark key={id} {...mark} size={mark.size / 2} />
      ))}
      {towns.map((town) => (
        <g key={town.name}>
          <circle fill="var(--text-2)" cx={town.x} cy={town.y} r="4" />
          <text className={styles.townName} x={town.x + 8} y={town.y + 6}>
            {town.name}
          </text>
        </g>
      ))}
      <circle fill="none" stroke="var(--text)" strokeWidth="3.4" cx={at.x} cy={at.y} r={RING / 2.4} />
      <SeverityMark {...at} size={at.size / 2} />
      {name && (
        <text
          className={styles.detailName}
          {...(isLong ? { x: at.x, textAnchor: 'middle' } : { x: at.x + RING / 2.4 + 6 })}
          y={nameY}
        >
          {name}
        </text>
      )}
    </svg>
  );
}

/** The line from the band down, or up, to the height of the ring. */
function Drop({ y }: { y: number }) {
  const end = (y * mapWidth(useForm())) / PICTURE.width;
  return (
    <i
      className={styles.drop}
      data-drop
      style={
        {
          '--drop-top': Math.min(end, TIE_TOP),
          '--drop-height': Math.abs(end - TIE_TOP) + 4,
        } as CSSProperties
      }
    />
  );
}
