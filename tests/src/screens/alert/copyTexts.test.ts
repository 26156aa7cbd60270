import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CUSTOMER_MAX,
  customerText,
  DRIVER_MAX,
  driverText,
} from '../../../../src/screens/alert/copyTexts.ts';
import type { AlertRecord } from '../../../../src/api/alerts/alerts.ts';

const NOW = new Date('2026-11-21T08:14:00.000Z');
const M62: AlertRecord = {
  event_id: 'national-highways:m62',
  source: 'national-highways',
  severity: 'critical',
  title: 'M62 eastbound closed between J26 and J27 due to an overturned lorry',
  start_time: '2026-11-21T05:31:00.000Z',
  updated_at: '2026-11-21T08:10:00.000Z',
  collected_at: '2026-11-21T08:11:00.000Z',
  metadata: { phase: 'active' },
  facts: {
    place: 'M62 eastbound, J26 to J27',
    effect: 'closed',
    cause: 'overturned lorry',
    advice: ['At J26 take the A58 to Leeds.', 'See https://nationalhighways.co.uk for more.'],
    expected_clear: '2026-11-21T11:00:00.000Z',
    delay_minutes: 25,
  },
};

describe('the text for a driver', () => {
  it('gives the place, the effect, the diversion, the end and the source', () => {
    expect(driverText(M62, NOW)).toBe(
      'M62 eastbound, J26 to J27: closed, overturned lorry. At J26 take the A58 to Leeds. Until 11:00. ' +
        'National Highways, 08:10.',
    );
  });

  it('leaves out a sentence that does not fit, never a part of one', () => {
    const long = `Coaches for Hull: leave at J25 for the A644, ${'and wait '.repeat(12)}there.`;
    const text = driverText({ ...M62, facts: { ...M62.facts, advice: [long, 'Leave at J25.'] } }, NOW);
    expect(text).not.toContain('Coaches');
    expect(text).toContain(' Leave at J25. ');
  });

  it('keeps the diversion rather than its source', () => {
    const advice = ['Traffic is diverted by the M621 and the A65; the A65 is flooded at Kirkstall.'];
    const now = new Date('2026-11-20T23:16:00.000Z'); // "Until 11:00 tomorrow" is longer
    expect(driverText({ ...M62, facts: { ...M62.facts, advice } }, now)).toBe(
      `M62 eastbound, J26 to J27: closed, overturned lorry. ${advice[0]} Until 11:00 tomorrow.`,
    );
  });

  it('says that it is over, and gives no advice then', () => {
    const ended = { ...M62, ended_at: '2026-11-21T08:00:00.000Z' };
    const text = driverText({ ...ended, ended_reason: 'publisher' }, NOW);
    expect(text).toContain('Over since 08:00.');
    expect(text).not.toContain('A58');
  });

  it.each([
    ['publisher', 'Over since 08:00.'],
    ['end_time', 'Over since 08:00.'],
    ['absent', 'No longer listed since 08:00.'],
    ['expired', 'No longer known since 08:00.'],
    [null, 'No longer listed since 08:00.'],
  ] as const)('and the customer read of an end by %s: %s', (ended_reason, words) => {
    const ended = { ...M62, ended_at: '2026-11-21T08:00:00.000Z', ended_reason };
    expect(driverText(ended, NOW)).toContain(words);
    expect(customerText(ended, NOW)).toContain(words);
  });

  it('keeps the diversion, and shortens what happened for it', () => {
    const place = 'M62 eastbound, J26 Chain Bar Roundabout to J27 Gildersome Interchange';
    const effect = 'closed, long queues back to Brighouse';
    const advice = ['Follow the solid square signs by the A58 and the A653.'];
    const text = driverText({ ...M62, facts: { ...M62.facts, place, effect, advice } }, NOW);
    expect(text).toMatch(/^M62 eastbound, J26 to J27: closed/);
    expect(text).toContain(advice[0]);
    expect(text).toContain('Until 11:00. National Highways, 08:10.');
  });

  it('says that an incident is past its end and still listed, or has not begun', () => {
    expect(driverText(M62, new Date('2026-11-21T11:20:00.000Z'))).toContain(
      'Expected clear at 11:00, still listed.',
    );
    const planned = {
      ...M62,
      metadata: { phase: 'planned' as const },
      start_time: '2026-11-21T21:00:00.000Z',
    };
    expect(driverText(planned, NOW)).toContain('From 21:00 today.');
  });

  it('uses the publisher’s title if no facts could be read', () => {
    const text = driverText({ ...M62, facts: null, end_time: null }, NOW);
    expect(text).toMatch(/^M62 eastbound.*closed/);
    expect(text).toContain('Since 05:31.');
  });
});

it('is in whole sentences for a customer, without words of the road', () => {
  expect(customerText(M62, NOW)).toBe(
    'M62 eastbound, junction 26 to junction 27: closed, overturned lorry. At junction 26 take the A58 to Leeds. ' +
      'Expect about 25 minutes more. It should be clear by about 11:00. Source: National Highways, 08:10.',
  );
});

describe('an own report', () => {
  /** Twelve minutes after it was made, with two hours until we ask. */
  const SOON = new Date('2026-11-21T15:20:00.000Z');
  const TREE: AlertRecord = {
    event_id: 'own:team:1',
    source: 'own:team',
    severity: 'critical',
    title: 'A64 at Tadcaster bar: tree down, both lanes blocked',
    start_time: '2026-11-21T15:08:00.000Z',
    end_time: null,
    updated_at: '2026-11-21T15:08:00.000Z',
    metadata: { phase: 'active', ask_again_at: '2026-11-21T17:08:00.000Z' },
    facts: { place: 'A64 at Tadcaster bar', effect: 'tree down, both lanes blocked', advice: [] },
  };
  /** The report, with the typed place in its title, if nothing could be read from its words. */
  const UNREAD: AlertRecord = { ...TREE, facts: null };

  it.each([
    ['with facts', TREE],
    ['without', UNREAD],
  ])('%s tells a driver the typed place, and when we ask again', (_, report) => {
    expect(driverText(report, SOON)).toBe(
      'A64 at Tadcaster bar: tree down, both lanes blocked. Since 15:08. Our report, we ask again at 17:08.',
    );
  });

  it.each([
    ['driver', driverText],
    ['customer', customerText],
  ] as const)('never promises its lapse as an end to a %s, before it or after', (_, make) => {
    for (const time of ['15:20', '17:07', '17:09', '19:00']) {
      const text = make(TREE, new Date(`2026-11-21T${time}:00.000Z`));
      expect(text).toContain('A64 at Tadcaster bar');
      expect(text).toContain('Since 15:08.');
      expect(text).not.toMatch(/until|should be clear|expected clear|still listed|over since/i);
    }
  });

  it('keeps the place and the time of asking if the words are long', () => {
    const effect = `tree down, ${'both lanes blocked and the verge too, '.repeat(6)}no way past`;
    const text = driverText({ ...TREE, facts: { ...TREE.facts, effect } }, SOON);
    expect(text.length).toBeLessThanOrEqual(DRIVER_MAX);
    expect(text).toMatch(/^A64 at Tadcaster bar/);
    expect(text).toContain('Our report, we ask again at 17:08.');
  });

  it('is over for both once we have ended it; unconfirmed, it is only no longer known', () => {
    const OVER = new Date('2026-11-21T16:05:00.000Z');
    const ended = { ...TREE, ended_at: '2026-11-21T16:00:00.000Z', ended_reason: 'publisher' as const };
    expect(driverText(ended, OVER)).toBe(
      'A64 at Tadcaster bar: tree down, both lanes blocked. Over since 16:00. Our own report, 15:08.',
    );
    expect(customerText(ended, OVER)).toContain('Over since 16:00.');
    expect(driverText({ ...ended, ended_reason: 'expired' }, OVER)).toContain('No longer known since 16:00.');
  });
});

describe.each([
  ['driver', driverText, DRIVER_MAX],
  ['customer', customerText, CUSTOMER_MAX],
] as const)('of any alert, the text for a %s', (_, make, max) => {
  const words = fc.array(
    fc.oneof(
      fc.constantFrom('Leeds', 'Bradford', 'M62', 'J26', '20', 'minutes', 'closed', 'not', 'at', 'to', '£30'),
      fc.string({ maxLength: 12, unit: 'binary' }).filter((word) => !/\s/.test(word)),
    ),
    { maxLength: 60 },
  );
  const text = words.map((all) => all.join(' '));

  it('is one line of whole words and fits', () => {
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 4 }), fc.boolean(), (title, advice, known) => {
        const made = make(
          {
            ...M62,
            title,
            facts: { ...M62.facts, ...(known ? {} : { place: null, effect: null }), advice },
            published: { name: title },
          },
          NOW,
        );
        expect(made.length).toBeLessThanOrEqual(max);
        expect(made).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        expect(made).toMatch(/[.!?]$/);
      }),
    );
  });

  it('never ends between a number and its unit, or inside a name or word', () => {
    const title = `${'Traffic is slow and '.repeat(30)}delays of 20 minutes near Leeds Bradford Airport`;
    for (let length = 60; length <= title.length; length++) {
      const made = make(
        { ...M62, title: title.slice(-length).replace(/^\S* ?/, ''), facts: null, end_time: null },
        NOW,
      );
      const head = made.slice(0, made.indexOf('.'));
      expect(`${title} `.toLowerCase()).toContain(`${head.toLowerCase()} `);
      expect(head).not.toMatch(/(?: \d+| Leeds| Bradford)$/);
    }
  });

  it('says something of a title without a gap', () => {
    const made = make({ ...M62, title: 'x'.repeat(1000), facts: null }, NOW);
    expect(made.length).toBeLessThanOrEqual(max);
    expect(made).toContain('National Highways');
  });
});
