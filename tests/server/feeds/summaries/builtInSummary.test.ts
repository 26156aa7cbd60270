import { describe, expect, it } from 'vitest';
import type { Disruption } from '#contract/incidents/disruptions.ts';
import { Severity } from '#contract/incidents/severity.ts';
import { extractSummary } from '../../../../server/feeds/summaries/builtInSummary.ts';
import type { SourceInput, SummaryInput } from '../../../../server/feeds/readFeeds.ts';
import { alert } from '../../feedsWorld.ts';

const current = (displayName: string): SourceInput => ({
  source: displayName.toLowerCase(),
  displayName,
  standing: 'current',
  last_collected: null,
  since: null,
});
const absent = (displayName: string): SourceInput => ({ ...current(displayName), standing: 'not_connected' });
const waiting = (displayName: string): SourceInput => ({ ...current(displayName), standing: 'waiting' });
const stale = (displayName: string, since: string | null): SourceInput => ({
  ...current(displayName),
  standing: 'stale',
  since,
  last_collected: since && `2026-11-21T${since.slice(0, 5)}:00.000Z`,
});

const alerts = (severity: Severity, count: number, title = (n: number) => `${severity} ${n}`): Disruption[] =>
  Array.from({ length: count }, (_, n) =>
    alert(`national-highways:${severity}-${n}`, { severity, title: title(n + 1) }),
  );
const planned = (title: string, severity: Severity = 'medium') =>
  alert(`national-highways:${title}`, { severity, title, metadata: { phase: 'planned' } });

/** All of these alerts, of which at most 20 are listed; planned ones do not count. */
function roads(events: Disruption[], sources: SourceInput[] = [current('National Highways')]): SummaryInput {
  const active = events.filter(({ metadata }) => metadata.phase === 'active');
  const count = (level: Severity) => active.filter(({ severity }) => severity === level).length;
  return {
    slug: 'roads-uk',
    title: 'UK Roads',
    sources,
    alert_count: active.length,
    by_severity: {
      critical: count('critical'),
      high: count('high'),
      medium: count('medium'),
      low: count('low'),
    },
    events: events.slice(0, 20),
  };
}

const M6 = alert('national-highways:1', { severity: 'critical', title: 'M6 southbound closed, J20 to J19' });
const A9 = alert('traffic-scotland:1', { severity: 'critical', title: 'A9 Drumochter: one lane' });

describe('alerts', () => {
  it('are counted worst first, named in their own words, and the rest are counted too', () => {
    const events = [M6, A9, ...alerts('high', 4), ...alerts('medium', 5), ...alerts('low', 3)];
    expect(extractSummary(roads(events))).toBe(
      '2 critical and 4 high alerts on UK roads. M6 southbound closed, J20 to J19. A9 Drumochter: one lane. ' +
        '8 others are medium or low.',
    );
  });

  it.each([
    [[...alerts('critical', 1)], '1 critical alert on UK roads. critical 1.'],
    [[...alerts('critical', 2)], '2 critical alerts on UK roads. critical 1. critical 2.'],
    [
      [...alerts('critical', 2), ...alerts('high', 1)],
      '2 critical and 1 high alert on UK roads. critical 1. critical 2.',
    ],
    [[...alerts('high', 3)], '3 high alerts on UK roads. high 1. high 2.'],
    [[...alerts('high', 1), ...alerts('medium', 1)], '1 high alert on UK roads. high 1. 1 other is medium.'],
    [[...alerts('high', 1), ...alerts('low', 2)], '1 high alert on UK roads. high 1. 2 others are low.'],
    [[...alerts('medium', 1)], '1 medium alert on UK roads. medium 1.'],
    [
      [...alerts('medium', 2), ...alerts('low', 1)],
      '2 medium and 1 low alert on UK roads. medium 1. medium 2.',
    ],
    [[...alerts('low', 2)], '2 low alerts on UK roads. low 1. low 2.'],
  ])('agree in number: %#', (events, text) => {
    expect(extractSummary(roads(events))).toBe(text);
  });

  it('are counted beyond those that are listed, with commas', () => {
    const input = roads(alerts('high', 20));
    const text = extractSummary({
      ...input,
      alert_count: 13_334,
      by_severity: { critical: 0, high: 1234, medium: 12_000, low: 100 },
    });
    expect(text).toBe('1,234 high alerts on UK roads. high 1. high 2. 12,100 others are medium or low.');
  });

  it('say the same only once, and end with one mark', () => {
    const events = alerts('high', 4, (n) => ['M1 closed.', 'm1 CLOSED', 'Is the M2 closed?', 'M3'][n - 1]!);
    expect(extractSummary(roads(events))).toBe('4 high alerts on UK roads. M1 closed. Is the M2 closed?');
  });

  it('have no hashtags: those at the end go, others are words', () => {
    const tree = alert('twitter.metpoliceuk:1', {
      severity: 'medium',
      title: 'Tree down across the A205 at #Dulwich, road blocked both ways. #London #A205',
    });
    const tags = alert('twitter.metpoliceuk:2', { severity: 'medium', title: '#London #traffic' });
    expect(extractSummary(roads([tree, tags]))).toBe(
      '2 medium alerts on UK roads. Tree down across the A205 at Dulwich, road blocked both ways.',
    );
  });

  it('give a rail operator’s status, because its title is only a name', () => {
    const nsi = { toc_code: 'VT', toc_name: 'Avanti', status: 'Custom', service_groups: [] };
    const event = alert('nsi-service:VT', {
      severity: 'high',
      title: 'Avanti West Coast',
      metadata: { phase: 'active', nsi },
    });
    expect(extractSummary({ ...roads([event]), slug: 'rail-network' })).toBe(
      '1 high alert on the rail network. Avanti West Coast: Disruption.',
    );
  });

  it.each([
    ['45 minutes on both sides', /\b45…$/],
    ['1 hour 30 minutes northbound', /\b(?:1|1 hour|30)…$/],
    ['10 to 20 minutes at Lymm', /\b(?:10|10 to|10 to 20)…$/],
    ['10 miles of queues', /\b10…$/],
  ])('that are shortened never lose the unit or noun of a figure: %s', (figure, torn) => {
    const start = 'M6 southbound closed';
    for (let length = 80; length < 140; length++) {
      const title = `${start}${' near Lymm'.repeat(20).slice(0, length - start.length)}, and delays of ${figure} until 3pm`;
      const text = extractSummary(roads([alert('national-highways:1', { severity: 'high', title })]));
      const said = text.replace('1 high alert on UK roads. ', '');
      expect(said).toMatch(/^M6 southbound closed near .*[….]$/);
      expect(said).not.toMatch(torn);
    }
  });

  it('leave room for the sources that are silent', () => {
    const events = [M6, A9, ...alerts('low', 2)];
    expect(extractSummary(roads(events, [current('National Highways'), absent('Traffic Wales')]))).toBe(
      '2 critical alerts on UK roads. M6 southbound closed, J20 to J19. 2 others are low. Traffic Wales is not connected.',
    );
  });

  it('mention planned ones if there is room, with their number only if the list is complete', () => {
    expect(extractSummary(roads([M6, planned('M4 J3 night works')]))).toBe(
      '1 critical alert on UK roads. M6 southbound closed, J20 to J19. 1 incident is planned: M4 J3 night works.',
    );
    expect(extractSummary(roads([...alerts('high', 19), planned('a'), planned('b')]))).not.toContain(
      'planned',
    );
  });
});

const nothing = (...sources: SourceInput[]) => extractSummary(roads([], sources));

describe('a feed without alerts', () => {
  it.each([
    [[current('A')], 'No active alerts on UK roads. 1 source is reporting.'],
    [[current('A'), current('B')], 'No active alerts on UK roads. 2 sources are reporting.'],
    [[current('A'), absent('B')], 'No active alerts on UK roads. B is not connected.'],
    [
      [current('A'), absent('B'), absent('C'), absent('D')],
      'No active alerts on UK roads. B, C and D are not connected.',
    ],
    [
      [current('A'), absent('Met Office warnings')],
      'No active alerts on UK roads. Met Office warnings are not connected.',
    ],
  ])('is calm when every connected source may be believed: %#', (sources, text) => {
    expect(nothing(...sources)).toBe(text);
  });

  it.each([
    [
      [current('A'), stale('B', '11:48')],
      'No recent information from B since 11:48. The state of UK roads is only partly known.',
    ],
    [
      [current('A'), stale('B', '11:48'), stale('C', '11:48')],
      'No recent information from B and C since 11:48. The state of UK roads is only partly known.',
    ],
    [
      [current('A'), stale('B', '11:48'), stale('C', '23:10 on 20 Nov'), absent('D')],
      'No recent information from B since 11:48 and C since 23:10 on 20 Nov; D is not connected. ' +
        'The state of UK roads is only partly known.',
    ],
    [[current('A'), waiting('B')], 'No information from B yet. The state of UK roads is only partly known.'],
  ])('is not calm while any connected source may not be believed: %#', (sources, text) => {
    expect(nothing(...sources)).toBe(text);
    expect(nothing(...sources)).not.toMatch(/no active alerts/i);
  });

  it.each([
    [[stale('A', '11:48')], 'No recent information since 11:48. The state of UK roads is not known.'],
    [
      [stale('A', '10:10'), stale('B', '11:48')],
      'No recent information since 11:48. The state of UK roads is not known.',
    ],
    [[stale('A', null)], 'No recent information. The state of UK roads is not known.'],
    [
      [stale('A', '11:48'), absent('TfL')],
      'No recent information since 11:48. TfL is not connected. The state of UK roads is not known.',
    ],
    [[waiting('A')], 'No information from A yet. The state of UK roads is not known.'],
    [[absent('TfL')], 'TfL is not connected. The state of UK roads is not known.'],
    [[], 'The state of UK roads is not known.'],
  ])('says that nothing is known if that is so: %#', (sources, text) => {
    expect(nothing(...sources)).toBe(text);
  });

  it('names planned incidents', () => {
    expect(extractSummary(roads([planned('M4 J3 night works')]))).toBe(
      'No active alerts on UK roads. 1 incident is planned: M4 J3 night works.',
    );
    expect(extractSummary(roads([planned('M4 J3'), planned('M5')], [current('A'), absent('B')]))).toBe(
      'No active alerts on UK roads. 2 incidents are planned, among them: M4 J3. B is not connected.',
    );
    expect(extractSummary(roads(Array.from({ length: 25 }, (_, n) => planned(`M${n}`))))).toBe(
      'No active alerts on UK roads. At least 20 incidents are planned, among them: M0.',
    );
  });
});

it('reports the alerts of a stale feed as of its last collection, never as calm', () => {
  const old = [stale('National Highways', '11:48')];
  expect(extractSummary(roads([M6], old))).toBe(
    'No recent information since 11:48. 1 critical alert was in force at the last report. M6 southbound closed, J20 to J19.',
  );
  expect(extractSummary(roads([M6, ...alerts('high', 3)], [...old, absent('Traffic Wales')]))).toBe(
    'No recent information since 11:48. 1 critical and 3 high alerts were in force at the last report. ' +
      'M6 southbound closed, J20 to J19. Traffic Wales is not connected.',
  );
});

describe('hostile text of a feed', () => {
  it.each([
    ['<script>alert(1)</script>M6 closed', 'M6 closed.'],
    ['<b>M6</b> closed <img src=x onerror="alert(1)">', 'M6 closed.'],
    ['&lt;script&gt;steal()&lt;/script&gt;M6 closed', 'M6 closed.'],
    ['M6 closed\r\n\r\nAll lines good service', 'M6 closed All lines good service.'],
    ['M6 \u202edesolc\u202c \u0007closed\u200b', 'M6 desolc closed.'],
    ['M6 closed, see https://evil.example/x?y=z or www.evil.example', 'M6 closed, see or.'],
    ['M6 << closed', 'M6 closed.'],
    ['M6 closed...', 'M6 closed.'],
  ])('%j is plain: %j', (title, sentence) => {
    const text = extractSummary(roads([alert('national-highways:1', { severity: 'high', title })]));
    expect(text).toBe(`1 high alert on UK roads. ${sentence}`);
  });

  it('never fills the panel', () => {
    const text = extractSummary(roads([alert('national-highways:1', { title: 'M6 closed '.repeat(500) })]));
    expect(text.length).toBeLessThan(250);
    expect(text.endsWith('…')).toBe(true);
  });

  it('is left out when nothing in it is readable', () => {
    const events = [
      alert('national-highways:1', { title: '<br/>\u202e' }),
      alert('national-highways:2', { title: 'M6' }),
    ];
    expect(extractSummary(roads(events))).toBe('2 medium alerts on UK roads. M6.');
  });
});

it('always makes one to four sentences in which every number can be counted', () => {
  const titles = ['M6 closed', 'A1 one lane', 'M25 queues', 'A55 flooded'];
  const kinds = [current('A'), stale('B', '11:48'), absent('C'), waiting('D')];
  for (let mask = 0; mask < 16; mask++) {
    const sources = kinds.filter((_, index) => mask & (1 << index));
    for (let counts = 0; counts < 16; counts++) {
      const events = Severity.options.flatMap((severity, index) =>
        counts & (1 << index) ? [alert(`x:${index}`, { severity, title: titles[index]! })] : [],
      );
      const text = extractSummary(roads(events, sources));
      const isKnown = sources.some(({ standing }) => standing === 'current');
      const isCertain =
        isKnown && sources.every(({ standing }) => standing !== 'stale' && standing !== 'waiting');

      expect(text.match(/[.!?](?= |$)/g)?.length, text).toBeLessThanOrEqual(4);
      expect(/no active alerts/i.test(text), text).toBe(isCertain && events.length === 0);
      expect(text).not.toMatch(/undefined|null|NaN|\s\s|\.\./);
    }
  }
});

describe('in every condition of three sources', () => {
  const CONDITIONS = {
    current: current('National Highways'),
    stale: stale('Traffic Scotland', '11:48'),
    'of unknown age': stale('Traffic Wales', null),
    waiting: waiting('Bus Open Data Service'),
    'not connected': absent('SEPA floods'),
  };
  type Name = keyof typeof CONDITIONS;
  const names = Object.keys(CONDITIONS) as Name[];
  const triples = names.flatMap((a) => names.flatMap((b) => names.map((c) => [a, b, c] as const)));

  it.each(triples)('%s, %s, %s', (...these) => {
    const sources = these.map((name) => CONDITIONS[name]);
    const connected = these.filter((name) => name !== 'not connected');
    const mayBeCalm = connected.length > 0 && connected.every((name) => name === 'current');

    const quiet = extractSummary(roads([], sources));
    expect(/no active alerts|good service|is reporting|are reporting/i.test(quiet)).toBe(mayBeCalm);
    if (!mayBeCalm) expect(quiet).toMatch(/The state of UK roads is (not|only partly) known\./);

    for (const text of [quiet, extractSummary(roads([M6, ...alerts('low', 3)], sources))]) {
      if (these.includes('stale')) expect(text).toMatch(/no recent information[^.]* since 11:48/i);
      if (these.includes('of unknown age')) expect(text).toMatch(/no recent information/i);
      if (these.includes('waiting')) expect(text).toContain('Bus Open Data Service');
      if (these.includes('not connected')) expect(text).toContain('SEPA floods');
    }
  });
});
