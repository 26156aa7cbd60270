import { expect, it } from 'vitest';
import { byNeed, proofOf, type ListedDisplay } from '../../../../src/screens/layouts/shownLayout.ts';

const NOW = new Date('2026-11-24T06:05:00Z');
const at = (clock: string, day = '2026-11-24') => `${day}T${clock}:00.000Z`;
const display = (more: Partial<ListedDisplay> = {}): ListedDisplay => ({
  id: 'd',
  name: 'Gate 1',
  rev: 7,
  asked_at: at('05:58'),
  taken_rev: 7,
  taken_at: at('05:58'),
  last_seen_at: at('06:04'),
  ...more,
});

it.each<[string, Partial<ListedDisplay>, string, string, string]>([
  ['what it was asked for', {}, 'taken', 'Shows rev 7 since 05:58', ''],
  [
    'asked a moment ago',
    { asked_at: at('06:04'), taken_rev: 6, taken_at: at('14:20', '2026-11-23') },
    'asked',
    'Asked for rev 7 at 06:04, not taken yet',
    'Shows rev 6 since Mon 14:20',
  ],
  [
    'not taken for five minutes',
    { asked_at: at('05:59'), taken_rev: 6, taken_at: at('05:00') },
    'look',
    'Asked for rev 7 at 05:59, not taken yet',
    'Shows rev 6 since 05:00',
  ],
  [
    'asked again before it took what it was asked for first',
    { asked_at: at('05:58'), taken_rev: 5, taken_at: at('05:00') },
    'look',
    'Asked since 05:58, rev 7 not taken yet',
    'Shows rev 5 since 05:00',
  ],
  [
    'taken, but silent for longer than ten minutes',
    { last_seen_at: at('05:21') },
    'look',
    'Not seen for 44 minutes',
    'Showed rev 7 since 05:58',
  ],
  ['silent for exactly ten minutes', { last_seen_at: at('05:55') }, 'taken', 'Shows rev 7 since 05:58', ''],
  [
    'silent for days',
    { last_seen_at: at('06:05', '2026-11-20') },
    'look',
    'Not seen for 4 days',
    'Showed rev 7 since 05:58',
  ],
  ['never seen', { last_seen_at: null, taken_rev: null }, 'asked', 'Not seen yet', ''],
  [
    'a build that does not say what it shows',
    { rev: 0, taken_rev: null, asked_at: null },
    'asked',
    'Has not said yet what it shows',
    '',
  ],
  [
    'taken, and not drawn as asked',
    { problem: 'This build does not know pages of type hologram' },
    'look',
    'Shows not all of rev 7',
    'This build does not know pages of type hologram',
  ],
])('says about a display: %s', (_, more, sign, words, second) => {
  expect(proofOf(display(more), NOW)).toEqual({ sign, words, more: second });
});

it('lists displays in need first, then those just asked, each by name', () => {
  const list = byNeed(
    [
      display({ name: 'Gate 10' }),
      display({ name: 'Gate 9' }),
      display({ name: 'Lobby', asked_at: at('06:04'), taken_rev: 6 }),
      display({ name: 'Yard', last_seen_at: at('05:00') }),
    ],
    NOW,
  );
  expect(list.map(([{ name }]) => name)).toEqual(['Yard', 'Lobby', 'Gate 9', 'Gate 10']);
});
