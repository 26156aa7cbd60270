import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merge } from '../../../../server/incidents/merging/merge.ts';
import type { Incident, Report } from '../../../../server/incidents/merging/comparedReport.ts';
import { reportOf } from '../../../../server/incidents/merging/comparedReport.ts';
import * as rule from '../../../../server/incidents/merging/sameIncident.ts';
import { asReports, PAIRS } from './pairs.ts';
import { factsOf } from '../../../support/facts.ts';
import { amount } from '../../../support/long.ts';

/** All reports of the labelled pairs as one busy morning, each once. */
const MORNING: readonly Report[] = [
  ...new Map(
    PAIRS.flatMap(({ records }) => asReports(records)).map((report) => [
      JSON.stringify({ ...report, names: [...report.names], causes: [...report.causes] }),
      report,
    ]),
  ).values(),
].map((report, at) => ({ ...report, event_id: `${report.source}:${at}`, related: [] }));

const some = fc.shuffledSubarray([...MORNING], { minLength: 2 });
const RUNS = { numRuns: amount('MORNINGS', { whole: 100, part: 10 }) };

describe('merging', () => {
  it('gives the same groups in whatever order the reports come', () => {
    fc.assert(
      fc.property(some, fc.infiniteStream(fc.nat()), (reports, random) => {
        const shuffled = reports
          .map((report) => ({ report, at: random.next().value }))
          .sort((one, other) => one.at - other.at)
          .map(({ report }) => report);
        expect(merge(shuffled)).toEqual(merge(reports));
      }),
      RUNS,
    );
  });

  it('has no group with two reports of one operator, or with two that contradict each other', () => {
    fc.assert(
      fc.property(some, (reports) => {
        const byId = new Map(reports.map((report) => [report.event_id, report]));
        const seen = new Set<string>();
        for (const { home, others } of merge(reports)) {
          const group = [home, ...others.map(({ event_id }) => event_id)].map((id) => byId.get(id)!);
          const ofOperators = group.filter(({ isOperator }) => isOperator).map(({ source }) => source);
          expect(new Set(ofOperators).size).toBe(ofOperators.length);
          for (const one of group) {
            expect(seen.has(one.event_id)).toBe(false);
            seen.add(one.event_id);
            for (const other of group) if (one !== other) expect(rule.contradict(one, other)).toBe(false);
          }
        }
      }),
      RUNS,
    );
  });

  it('keeps apart two carriageways that a third report, without direction, resembles', () => {
    const on = (source: string, direction: string) =>
      report({
        event_id: `${source}:1`,
        source,
        title: `M62 ${direction} closed at J26, collision`,
        facts: {
          ...FACTS,
          direction: direction === 'eastbound' ? 'E' : direction === 'westbound' ? 'W' : null,
        },
      });
    const reports = [
      on('national-highways', 'eastbound'),
      on('news-rss', ''),
      on('twitter.metpoliceuk', 'westbound'),
    ];
    const [group, ...more] = merge(reports);

    expect(more).toEqual([]);
    expect(group!.others).toHaveLength(1);
  });

  it('keeps apart what an administrator has split, also through a third report', () => {
    const of = (source: string) => report({ event_id: `${source}:1`, source });
    const reports = [of('national-highways'), of('news-rss'), of('traffic-wales')];
    expect(merge(reports)[0]!.others).toHaveLength(2);

    const split = new Set(['national-highways:1', 'traffic-wales:1']);
    const [group] = merge(reports, (one, other) => split.has(one) && split.has(other));
    expect(group!.others).toHaveLength(1);
  });

  it('follows reports that arrive, change, end and come back, in whatever order that happens', () => {
    const said = {
      'national-highways:1': 'M62 eastbound closed at J26, collision',
      'news-rss:1': 'M62 closed at J26 after collision',
      'twitter.metpoliceuk:1': 'M62 eastbound at J26: collision',
    };
    const ids = Object.keys(said) as (keyof typeof said)[];
    const written = (id: keyof typeof said, isChanged: boolean) =>
      report({
        event_id: id,
        source: id.split(':')[0]!, // each has one
        event_type: id.startsWith('news') ? 'news.road' : 'road.closure',
        title: isChanged ? 'M62 westbound closed at J26, collision' : said[id],
        facts: { ...FACTS, direction: isChanged ? 'W' : id.startsWith('news') ? null : 'E' },
      });
    const step = fc.tuple(fc.constantFrom(...ids), fc.constantFrom('arrives', 'changes', 'ends'));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const now = new Map<keyof typeof said, Report>();
        for (const [id, what] of steps) {
          if (what === 'ends') now.delete(id);
          else now.set(id, written(id, what === 'changes'));
        }
        const grouped = merge([...now.values()]).map(({ home, others }) =>
          [home, ...others.map(({ event_id }) => event_id)].toSorted(),
        );
        const inOrder = ids.flatMap((id) => now.get(id) ?? []);
        expect(grouped).toEqual(
          merge(inOrder).map(({ home, others }) =>
            [home, ...others.map(({ event_id }) => event_id)].toSorted(),
          ),
        );
        // One collision on each carriageway, never both as one.
        for (const group of grouped)
          expect(new Set(group.flatMap((id) => now.get(id as keyof typeof said)!.direction ?? [])).size).toBe(
            1,
          );
        if (now.size === ids.length && [...now.values()].every(({ direction }) => direction !== 'W'))
          expect(grouped).toEqual([ids.toSorted()]);
      }),
    );
  });

  it('knows the two names of one carriageway, and tells two carriageways apart', () => {
    const on = (source: string, direction: 'E' | 'W' | 'S' | 'N') =>
      report({
        event_id: `${source}:1`,
        source,
        title: 'M20 at J8, collision',
        facts: { ...FACTS, roads: ['M20'], stretch: [{ road: 'M20', from: 'J8', to: 'J8' }], direction },
      });
    expect(merge([on('national-highways', 'E'), on('news-rss', 'S')])).toHaveLength(1);
    expect(merge([on('national-highways', 'E'), on('news-rss', 'W')])).toEqual([]);
  });

  it('compares reports that began together on a road that is reported all the time', () => {
    const HOUR = 60 * 60_000;
    const last = Date.parse('2026-11-20T09:00:00.000Z');
    const at = (id: string, source: string, began: number) =>
      report({ event_id: `${source}:${id}`, source, start_time: new Date(began).toISOString() });
    const before = Array.from({ length: 250 }, (_, n) =>
      at(`${n}`, 'national-highways', last - (n + 1) * 7 * HOUR),
    );
    const both = [at('last', 'national-highways', last), at('last', 'met-police', last + 600_000)];
    expect(merge([...before, ...both]).map(({ home }) => home)).toEqual(['national-highways:last']);
  });

  it('leaves the order of its input as it is', () => {
    const reports = Object.freeze(MORNING.toReversed());
    expect(() => merge(reports)).not.toThrow();
  });
});

const FACTS = factsOf({
  cause: 'collision',
  roads: ['M62'],
  stretch: [{ road: 'M62', from: 'J26', to: 'J26' }],
});

function report(changes: Partial<Omit<Incident, 'facts'>> & { facts?: object }): Report {
  return reportOf({
    event_id: 'national-highways:1',
    source: 'national-highways',
    event_type: 'road.closure',
    phase: 'active',
    start_time: '2026-11-20T09:00:00.000Z',
    title: 'M62 closed at J26, collision',
    summary_line: '',
    latitude: 53.746,
    longitude: -1.685,
    metadata: {},
    ...changes,
    facts: { ...FACTS, ...changes.facts } as unknown as NonNullable<Incident['facts']>,
  })!;
}

/** Each compared with each would be 45 times the limit in the part, and 500 times in the whole. */
const HOSTILE_REPORTS = amount('HOSTILE_REPORTS', { whole: 10_000, part: 3000 });

describe(`${HOSTILE_REPORTS} hostile reports`, () => {
  const SOURCES = ['national-highways', 'news-rss', 'twitter.metpoliceuk', 'bods-bus'];
  const names = 'Leeds Bradford York Hull Selby Ripon Goole Batley Morley Otley Ilkley Keighley';
  const HOSTILE: Record<string, (at: number) => Partial<Omit<Incident, 'facts'>> & { facts?: object }> = {
    'of one road and minute': () => ({}),
    'of one road and minute, each at its own junction': (at) => ({
      facts: { stretch: [{ road: 'M62', from: `J${at}`, to: `J${at}` }] },
    }),
    'of one place and minute': () => ({ facts: { roads: [], stretch: [] } }),
    'that name the same twelve towns': () => ({
      title: `Crash at ${names}`,
      summary_line: `Lorries at ${names}`,
      facts: { roads: [], stretch: [] },
    }),
    'that name each other': (at) => ({
      metadata: {
        related_event_ids: Array.from(
          { length: 50 },
          (_, by) => `${SOURCES[by % 4]}:${(at + by) % HOSTILE_REPORTS}`,
        ),
      },
    }),
    'of a thousand roads each': (at) => ({
      facts: { roads: Array.from({ length: 1000 }, (_, road) => `A${road + (at % 7)}`), stretch: [] },
    }),
  };

  it.each(Object.entries(HOSTILE))('%s are compared at most 100,000 times', (_, changes) => {
    const reports = Array.from({ length: HOSTILE_REPORTS }, (__, at) => {
      const source = SOURCES[at % SOURCES.length]!;
      return report({
        event_id: `${source}:${at}`,
        source,
        event_type: source.startsWith('n') ? 'news.road' : 'road.closure',
        ...changes(at),
      });
    });
    let compared = 0;
    // Only comparisons read a phase: each reads two.
    for (const one of reports) {
      const { phase } = one;
      Object.defineProperty(one, 'phase', { get: () => (compared++, phase) });
    }
    merge(reports);

    expect(compared).toBeLessThanOrEqual(2 * 100_000);
  });
});
