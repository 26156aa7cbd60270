/** With what a new area or filter begins, by conditions that were set on All alerts: as a query string. */
import { queryPairs } from '#contract/addresses.ts';
import { Phase, Severity, severityRank } from '#contract/incidents/disruptions.ts';
import { knownFeed } from '#contract/feeds/feeds.ts';
import { WHICH } from '#contract/watches/which.ts';
import { type Draft, EMPTY_DRAFT, named } from './watchDraft.ts';

export function begunWith(conditions: string, kind: 'area' | 'feeds'): Draft {
  const said = new Map(queryPairs(conditions));
  const feed = said.get('feed') ?? '';
  const phase = Phase.safeParse(said.get('phase'));
  const grades = (said.get('severity') ?? said.get('min_severity') ?? '')
    .split(',')
    .flatMap((grade) => Severity.options.find((one) => one === grade) ?? []);
  const mildest = grades.toSorted((one, other) => severityRank(other) - severityRank(one))[0];
  const km = Number(said.get('radius_km'));
  return named(
    {
      ...EMPTY_DRAFT,
      which: {
        ...WHICH,
        ...(mildest && { min_severity: mildest }),
        ...(phase.success && { phase: phase.data }),
        ...(knownFeed(feed) && { feeds: [feed] }),
        // A road is found by its number.
        words: [said.get('road'), said.get('q')].filter(Boolean).join(' '),
      },
      ...(kind === 'area' && {
        place: said.get('near') ?? null,
        ...(km >= 1 && km <= 50 && { reach_m: km * 1000 }),
      }),
    },
    kind,
  );
}
