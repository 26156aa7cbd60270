/** A small picture for a page: "Roads: 2 high". It says when a source is silent. */
import { XMLBuilder } from 'fast-xml-parser';
import type { Phase } from '#contract/incidents/disruptions.ts';
import { Severity } from '#contract/incidents/severity.ts';
import type { DataState } from '#contract/watches/formats.ts';
import type { Tally } from '../../incidents/list/disruptions.ts';
import { clock, line } from './formatWords.ts';

const COLOURS = {
  critical: '#b3122a',
  high: '#a84300',
  medium: '#6b5500',
  low: '#3d5566',
  calm: '#2b5d3a',
  unknown: '#4d4d4d',
} as const;

/** Ended incidents are not counted: nobody reads a list of months. */
export type Counted = Phase | 'ended';

/** The highest grade of the active incidents, "2 high"; "none" only if no source is silent. If only planned ones
 *  stand, no grade: "3 planned". */
function said(
  groups: readonly Tally[],
  counted: Counted,
  { silent }: DataState,
  now: Date,
): { text: string; colour: string } {
  if (counted === 'ended') return { text: 'ended ones are not counted', colour: COLOURS.unknown };
  const chosen = groups.filter(
    ({ phase, source }) => phase === counted && !silent.some((one) => one.source === source),
  );
  const since = silent.flatMap(({ since: last }) => last ?? []).toSorted()[0];
  const unknown =
    silent.length === 0
      ? ''
      : `no information from ${silent.length === 1 ? line(silent[0]!.name, 60) : `${silent.length} sources`}` +
        (since ? ` since ${clock(since, now)}` : '');
  const worst =
    counted === 'planned'
      ? undefined
      : Severity.options.find((level) => chosen.some((one) => one.severity === level && !one.isUnrated));
  const some = worst ? chosen.filter((one) => one.severity === worst && !one.isUnrated) : chosen;
  const count = some.reduce((sum, group) => sum + group.count, 0);
  const grade = worst ?? (counted === 'planned' ? 'planned' : 'unrated');
  const sum = count > 0 ? `${count} ${grade}` : unknown ? '' : 'none';
  return {
    text: [sum, unknown].filter(Boolean).join(', '),
    colour: count > 0 ? COLOURS[worst ?? 'medium'] : unknown ? COLOURS.unknown : COLOURS.calm,
  };
}

const CHARACTER_PX = 7.2;
const PADDING_PX = 8;
const HEIGHT_PX = 22;

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
});

/** `groups`: the incidents that the filter lets through and that have not ended. */
export function badgeOf(
  groups: readonly Tally[],
  counted: Counted,
  state: DataState,
  title: string,
  now: Date,
): string {
  const { text, colour } = said(groups, counted, state, now);
  const label = line(title, 40);
  const [left, right] = [label, text].map((part) =>
    Math.ceil(part.length * CHARACTER_PX + 2 * PADDING_PX),
  ) as [number, number];
  const words = { '@y': 15, '@fill': '#ffffff', '@font-family': 'sans-serif', '@font-size': 12 };
  return builder.build({
    svg: {
      '@xmlns': 'http://www.w3.org/2000/svg',
      '@width': left + right,
      '@height': HEIGHT_PX,
      '@role': 'img',
      '@aria-label': `${label}: ${text}`,
      title: `${label}: ${text}`,
      desc: state.attribution.map((one) => one.text).join(' ') || 'No source is contained.',
      rect: [
        { '@width': left, '@height': HEIGHT_PX, '@fill': '#16181a' },
        { '@x': left, '@width': right, '@height': HEIGHT_PX, '@fill': colour },
      ],
      text: [
        { ...words, '@x': PADDING_PX, '#text': `${label}:` },
        { ...words, '@x': left + PADDING_PX, '#text': text },
      ],
    },
  }) as string;
}
