import { expect, it } from 'vitest';
import type { ListedWatch } from '../../../src/api/watches.ts';
import { clearWords, routeLines } from '../../../src/watches/myRoutes.ts';
import type { RouteState, Standing } from '../../../src/watches/state.ts';
import type { Touch } from '../../../src/watches/window.ts';

const touch = (id: string, severity: 'critical' | 'high'): Touch => ({
  match: { subject_id: id, level: 'certain', why: '', from_km: 0, to_km: 0 },
  alert: { event_id: id, severity },
  event: null,
});
const route = (name: string, standing: Standing, certain: Touch[] = []) => ({
  watch: { id: name, name } as ListedWatch, // all that a line needs
  state: {
    standing,
    certain,
    possible: standing === 'possible' ? [touch('p', 'high')] : [],
  } as unknown as RouteState,
});

it('says of each route how it stands, with each grade once', () => {
  const lines = routeLines([
    route('Leeds to Heathrow', 'certain', [touch('a', 'critical'), touch('b', 'high'), touch('c', 'high')]),
    route('Leeds to Hull', 'certain', [touch('a', 'high')]),
    route('Cardiff', 'silent'),
    route('Newcastle', 'possible'),
    route('Dublin', 'unseen'),
    route('York to Bristol', 'clear'),
  ]);

  expect(lines.map(({ name, grades, words }) => [name, grades.join(), words])).toEqual([
    ['Leeds to Heathrow', 'critical,high', '3 disruptions'],
    ['Leeds to Hull', 'high', '1 disruption'],
    ['Cardiff', '', 'do not rely on this'],
    ['Newcastle', '', 'possible trouble'],
    ['Dublin', '', 'no trouble reported'],
    ['York to Bristol', '', 'clear'],
  ]);
});

it('counts only those together that are known to be clear', () => {
  const words = (...standings: Standing[]) =>
    clearWords(routeLines(standings.map((standing, index) => route(`Route ${index + 1}`, standing))));

  expect(words('clear', 'late', 'clear', 'silent', 'clear', 'unseen')).toBe('Route 1 and 2 more clear');
  expect(words('clear', 'possible')).toBe('Route 1 clear');
  expect(words('silent', 'unseen')).toBe('');
});
