/** A small picture for a page: "Roads: 2 high". It says when a source is silent. */
import { XMLBuilder } from 'fast-xml-parser';
import { Severity, type ListedDisruption } from '#contract/disruptions.ts';
import type { Found } from './found.ts';
import { clock, gradeOf, line } from './words.ts';

const COLOURS = {
  critical: '#b3122a',
  high: '#a84300',
  medium: '#6b5500',
  low: '#3d5566',
  calm: '#2b5d3a',
  unknown: '#4d4d4d',
} as const;

/** The worst grade of the active ones, "2 high"; "none" only where no source is silent. */
function said({ rows, state }: Found, now: Date): { text: string; colour: string } {
  const { silent } = state;
  const active = rows.filter(
    ({ metadata, source, ended_at }) =>
      metadata.phase === 'active' && !ended_at && !silent.some((one) => one.source === source),
  );
  const since = silent.flatMap(({ since: last }) => last ?? []).toSorted()[0];
  const unknown =
    silent.length === 0
      ? ''
      : `no information from ${silent.length === 1 ? line(silent[0]!.name, 60) : `${silent.length} sources`}` +
        (since ? ` since ${clock(since, now)}` : '');
  const isRated = ({ metadata }: ListedDisruption) => !metadata.severity_unrated;
  const worst = Severity.options.find((level) =>
    active.some((one) => one.severity === level && isRated(one)),
  );
  const some = worst ? active.filter((one) => one.severity === worst && isRated(one)) : active;
  const counted =
    some.length > 0 ? `${some.length} ${gradeOf(some[0]!).toLowerCase()}` : unknown ? '' : 'none';
  return {
    text: [counted, unknown].filter(Boolean).join(', '),
    colour: some.length > 0 ? COLOURS[worst ?? 'medium'] : unknown ? COLOURS.unknown : COLOURS.calm,
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

export function badgeOf(found: Found, title: string, now: Date): string {
  const { text, colour } = said(found, now);
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
      desc: found.state.attribution.map((one) => one.text).join(' ') || 'No source is contained.',
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
