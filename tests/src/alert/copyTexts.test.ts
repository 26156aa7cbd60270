import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CUSTOMER_MAX, customerText, DRIVER_MAX, driverText } from '../../../src/alert/copyTexts.ts';
import type { AlertRecord } from '../../../src/api/alerts.ts';

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
  it('says where, what, which way round, until when and who says so', () => {
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

  it('says that it is over, and gives no advice then', () => {
    const text = driverText({ ...M62, ended_at: '2026-11-21T08:00:00.000Z' }, NOW);
    expect(text).toContain('Over since 08:00.');
    expect(text).not.toContain('A58');
  });

  it('says what is past its end and still listed, and what has not begun', () => {
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

  it('uses the publisher’s title where nothing is read out of it', () => {
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
