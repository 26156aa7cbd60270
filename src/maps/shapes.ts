/** The lines and areas of disruptions, drawn below the marks. */
import type { Feature, FeatureCollection } from 'geojson';
import type { Alert } from '../api/alerts/disruptions.ts';
import { geometryOf } from '../api/alerts/geometry.ts';
import { gradeOf } from '../feeds/alerts/alerts.ts';

export const NO_SHAPES: FeatureCollection = { type: 'FeatureCollection', features: [] };

/** The worst are drawn last, and the selected one after all others. `stale`: its source is silent. */
export function shapesOf(
  incidents: readonly { alert: Alert; staleSince: Date | null | 'unknown' }[],
  selected: string | null,
): FeatureCollection {
  const features = incidents.flatMap(({ alert, staleSince }): Feature[] => {
    const geometry = geometryOf(alert);
    if (!geometry) return [];
    const isSelected = alert.event_id === selected;
    const properties = { grade: gradeOf(alert), stale: staleSince !== null, selected: isSelected };
    return [{ type: 'Feature', properties, geometry }];
  });
  if (features.length === 0) return NO_SHAPES;
  const last = (one: Feature) => Number(one.properties!['selected']); // each has properties, made above
  return { type: 'FeatureCollection', features: features.toReversed().sort((a, b) => last(a) - last(b)) };
}

export interface ShapeColours {
  critical: string;
  high: string;
  medium: string;
  low: string;
  unrated: string;
  ink: string;
  ground: string;
  chosen: string;
}

/** A closed stretch is a bar with a dark edge; an area is tinted, with a line around it. Shapes that are not
 *  confirmed are hollow, as their marks are. */
export function shapeLayers(source: string, { ink, ground, chosen, ...grades }: ShapeColours) {
  const graded = ['match', ['get', 'grade'], ...Object.entries(grades).flat(), grades.unrated];
  const colour = ['case', ['get', 'stale'], ground, graded];
  const isChosen = ['get', 'selected'];
  const width = ['match', ['get', 'grade'], 'critical', 6, 'high', 5, 4];
  const line = (wider: number) => ['+', width, wider];
  const isArea = ['==', ['geometry-type'], 'Polygon'];
  const isLine = ['==', ['geometry-type'], 'LineString'];
  const layout = { 'line-join': 'round', 'line-cap': 'butt' };
  return [
    {
      id: 'areas',
      type: 'fill',
      source,
      filter: isArea,
      paint: { 'fill-color': graded, 'fill-opacity': ['case', ['get', 'stale'], 0, 0.22] },
    },
    {
      id: 'area edges',
      type: 'line',
      source,
      filter: isArea,
      layout,
      paint: {
        'line-color': ['case', isChosen, ink, ['get', 'stale'], ink, graded],
        'line-width': ['case', isChosen, 3, 1.5],
      },
    },
    {
      id: 'chosen lines',
      type: 'line',
      source,
      filter: ['all', isLine, isChosen],
      layout,
      paint: { 'line-color': chosen, 'line-width': line(11) },
    },
    {
      id: 'line edges',
      type: 'line',
      source,
      filter: isLine,
      layout,
      paint: { 'line-color': ink, 'line-width': line(3) },
    },
    {
      id: 'lines',
      type: 'line',
      source,
      filter: isLine,
      layout,
      paint: { 'line-color': colour, 'line-width': width },
    },
  ];
}
