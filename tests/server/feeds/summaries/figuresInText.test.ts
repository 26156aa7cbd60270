/** A figure is true only with its unit or noun, and of every alert that its sentence is about; planned incidents
 *  must be called planned. */
import { describe, expect, it } from 'vitest';
import type { Disruption } from '#contract/incidents/disruptions.ts';
import { ground } from '../../../../server/feeds/summaries/grounding.ts';
import { makePrompt } from '../../../../server/feeds/summaries/modelPrompt.ts';
import { alert } from '../../feedsWorld.ts';

/** Alerts as [title, details]; each test cites them in this order. */
type Given = [title: string, details?: string, changes?: Partial<Disruption>];

const PLANNED: Partial<Disruption> = {
  metadata: { phase: 'planned' },
  start_time: '2026-11-22T23:00:00.000Z',
};

function isKept(sentence: string, ...given: Given[]): boolean {
  const events = new Map(
    given.map(([title, summary_line = '', changes], index) => {
      const one = alert(`national-highways:${index}`, { title, summary_line, ...changes });
      return [`a${index + 1}`, one] as const;
    }),
  );
  return ground([{ text: sentence, event_ids: [...events.keys()] }], events).kept.length === 1;
}

const M6: Given = ['M6 delays for 10 miles, 45 minutes'];
const A1: Given = [
  'A1(M) northbound: lane 2 of 3 lanes blocked at J47',
  'Expected to end between 15:00 and 16:30',
];
const VICTORIA: Given = ['Victoria line: delays of 10 minutes'];
const CENTRAL: Given = ['Central line: delays of 20 minutes'];
const JUBILEE: Given = ['Jubilee line: delays of 10 minutes'];
const BAKERLOO: Given = ['Bakerloo line: delays'];
const M60: Given = ['M60 lane closures at J12', '', PLANNED];
const M62: Given = ['M62 lane closures at J26'];

const SUPPORTED: [sentence: string, ...given: Given[]][] = [
  // The same figure with the same unit, however either is written.
  ['Delays of 45 minutes on the M6.', M6],
  ['Delays for 10 miles on the M6.', M6],
  ['45-minute delays on the M6.', M6],
  ['Delays of 45 mins on the M6.', M6],
  ['Delays of 45min on the M6.', M6],
  ['Delays of forty-five minutes on the M6.', M6],
  ['Delays of 45 minutes on the M6.', ['M6: 45-min delays']],
  ['Delays of an hour on the M6.', ['M6 delays of 60 mins']],
  ['Delays of 2 hours on the M6.', ['M6 delays of two hrs']],
  ['Delays of 90 minutes on the M6.', ['M6 delays: 1 hr 30 mins']],
  ['Delays of half an hour on the M6.', ['M6 delays of 30 minutes']],
  ['Delays of up to 45 minutes on the M6.', ['M6 delays: a maximum of 45 minutes']],
  ['Delays of at least 2 hours on the M6.', ['M6 delays of 2 hours or more']],
  ['Delays of 10 to 20 minutes on the M6.', ['M6 delays of 10-20 mins']],
  ['Delays of between 10 and 20 minutes on the M6.', ['M6 delays of 10 to 20 minutes']],
  ['10 miles of queues on the M6.', ['M6: queues', 'Queues of 10 miles. Delays of 45 minutes.']],
  ['Queues of 5 km on the M6.', ['M6 queues of 5 kilometres']],
  ['Rain of 40mm at Leeds.', ['Leeds: 40 millimetres of rain']],
  ['Gusts of 70 miles per hour at Leeds.', ['Leeds: gusts of 70mph']],
  ['Temperatures of -5°C at Leeds.', ['Leeds: temperatures of minus 5 degrees']],
  ['Reduced by 50 per cent at Leeds.', ['Leeds: reduced by 50%']],
  ['A charge of £12.50 at Heathrow.', ['Heathrow: charge of £12.50']],
  ['1,500 passengers stranded at Heathrow.', ['Heathrow: 1500 passengers stranded']],
  // Nouns and labels.
  ['Two lanes are closed on the M6.', ['M6: 2 lanes closed']],
  ['2 southbound lanes closed on the M6.', ['M6: two lanes closed southbound']],
  ['Lane 2 is blocked on the A1(M).', A1],
  ['Lanes 1 and 2 are closed on the M6.', ['M6 lane 1 and lane 2 closed']],
  ['Three operators affected at Leeds.', ['Leeds: 3 operators affected']],
  ['2 of 3 lanes closed on the M6.', ['M6: two of three lanes closed']],
  ['Terminal 5 is closed at Heathrow.', ['Heathrow Terminal Five closed']],
  ['4 trains an hour at Leeds.', ['Leeds: reduced, 4 trains an hour']],
  ['The M6 is closed between junction 20 and J19.', ['M6 closed J20 to J19']],
  ['The M6 is closed between junctions 20 and 19.', ['M6 closed J20 to J19']],
  ['The M6 is closed from J20 to J19.', ['M6 closed', 'Between junctions 20 and 19']],
  // Times and dates.
  ['Expected to end between 15:00 and 16:30 on the A1(M).', A1],
  ['Delays until 3.30pm on the M6.', ['M6 delays until 15:30']],
  ['Closed from 22 November at 11pm on the M6.', ['M6 closed from 23:00 on Sunday 22 Nov']],
  ['Closed on 22nd November on the M6.', ['M6 closed from 22 Nov']],
  ['Closed from 22 Nov to 24 Nov on the M6.', ['M6 closed 22-24 November 2026']],
  ['Closed until 05:00 on the M6.', ['M6 closed 23:00 to 05:00']],
  ['Lane closures at J12 on the M60 planned from 22 Nov at 23:00.', M60],
  // A figure of several alerts must be true of each, or be said of each by its name.
  ['Delays of 10 minutes on the Victoria and Jubilee lines.', VICTORIA, JUBILEE],
  ['Delays of 10 minutes.', VICTORIA, JUBILEE],
  ['Delays of 10 minutes on the Victoria line and 20 minutes on the Central line.', VICTORIA, CENTRAL],
  ['Delays of 10 minutes on the Victoria line; delays on the Bakerloo line.', VICTORIA, BAKERLOO],
  ['Delays on the Central line, while the Victoria line has delays of 10 minutes.', CENTRAL, VICTORIA],
  [
    'Delays of 10 minutes on the Victoria line, 20 minutes on the Central line and 10 minutes on the Jubilee line.',
    VICTORIA,
    CENTRAL,
    JUBILEE,
  ],
  // Planned incidents.
  ['Lane closures are planned on the M60 and M61.', M60, ['M61 lane closures', '', PLANNED]],
  ['Lane closures remain on the M62, with planned lane closures on the M60.', M62, M60],
  ['Lane closures on the M62, and planned lane closures on the M60.', M62, M60],
  ['Lane closures at J26 on the M62; at J12 on the M60 lane closures are planned.', M62, M60],
];

const UNSUPPORTED: [why: string, sentence: string, ...given: Given[]][] = [
  ['miles are no minutes', 'Delays of 10 minutes on the M6.', M6],
  ['minutes are no miles', 'Delays for 45 miles on the M6.', M6],
  ['minutes are no hours', 'Delays of 45 hours on the M6.', M6],
  ['in an adjective', '10-minute delays on the M6.', M6],
  ['abbreviated', 'Delays of 10 mins on the M6.', M6],
  ['in words', 'Delays of ten minutes on the M6.', M6],
  ['as an hour', 'Delays of an hour on the M6.', ['M6 delays for a mile']],
  ['without its unit', 'Delays of 45 on the M6.', M6],
  ['without its unit at the end', 'M6 delays of 45.', M6],
  ['another unit of length', 'Queues of 5 miles on the M6.', ['M6 queues of 5 km']],
  ['one letter that may be anything', 'Queues of 5 miles on the M6.', ['M6 queues of 5m']],
  ['millimetres', 'Rain of 40cm at Leeds.', ['Leeds: 40mm of rain']],
  ['a sign', 'Temperatures of 5°C at Leeds.', ['Leeds: temperatures of -5°C']],
  ['a share', 'Reduced by 50 trains at Leeds.', ['Leeds: trains reduced by 50%']],
  ['a currency', 'A charge of 12 miles at Heathrow.', ['Heathrow: charge of £12, queues of miles']],
  ['a factor', 'A charge of £2 at Heathrow.', ['Heathrow: charge of £2m']],
  ['a part of a number', 'Delays of 45 minutes on the M6.', ['M6 delays of 1 hour 45 minutes']],
  [
    'a part of a long number',
    '500 passengers stranded at Heathrow.',
    ['Heathrow: 1,500 passengers stranded'],
  ],
  ['a part of a decimal', 'Queues of 5 miles on the M6.', ['M6 queues of 1.5 miles']],
  ['"up to" left out', 'Delays of 45 minutes on the M6.', ['M6 delays of up to 45 minutes']],
  ['"at least" for "up to"', 'Delays of at least 45 minutes on the M6.', ['M6 delays up to 45 minutes']],
  ['"up to" for "over"', 'Delays of up to 2 hours on the M6.', ['M6 delays of over 2 hours']],
  ['one end of a range', 'Delays of 20 minutes on the M6.', ['M6 delays of 10 to 20 minutes']],
  [
    'a range made of two',
    'Delays of 10 to 20 minutes on the M6.',
    ['M6 delays: 10 minutes J1, 20 minutes J2'],
  ],
  [
    'another measure',
    'Delays of 10 miles on the M6.',
    ['M6: queues', 'Queues of 10 miles. Delays of 45 minutes.'],
  ],
  ['a measure of its own', 'Queues for 45 minutes on the M6.', ['M6 queues', 'Delays of 45 minutes']],
  ['a label as a count', 'Two lanes are blocked on the A1(M).', A1],
  ['a count as a label', 'Lane 2 is closed on the M6.', ['M6: 2 lanes closed']],
  ['a label of something else', 'Lane 5 is closed at Heathrow.', ['Heathrow terminal 5: lane closed']],
  ['another label', 'Lane 3 is blocked on the A1(M).', A1],
  ['one label too many', 'Lanes 1 and 2 are closed on the M6.', ['M6 lane 1 closed, 2 vehicles']],
  ['the whole of a part', '3 lanes are blocked on the A1(M).', A1],
  ['the lanes that there are', '4 lanes closed on the M6.', ['M6: 3 of 4 lanes closed']],
  [
    'a count of something else',
    'Three operators affected at Leeds.',
    ['Leeds: 3 lines and operators affected'],
  ],
  ['a count in another state', '3 delayed trains at Leeds.', ['Leeds: 3 cancelled trains, 5 delayed trains']],
  ['a state of something else', 'Two lanes are closed on the M6.', ['M6 closed', 'Two lanes blocked']],
  [
    'a state of the next statement',
    'Two lanes are closed on the M6.',
    ['M6', 'Two lanes blocked. Slip road closed.'],
  ],
  ['how often as how many', '4 trains at Leeds.', ['Leeds: reduced to 4 coaches, trains an hour']],
  ['a road number as a count', '6 miles of delays on the M6.', ['M6 delays for miles']],
  ['a junction as minutes', 'Delays of 20 minutes on the M6.', ['M6 delays at J20, 45 minutes']],
  ['a junction as miles', 'Delays for 20 miles on the M6.', ['M6 delays at junction 20 for miles']],
  ['a junction that is a number of lanes', 'M6 closed at J2.', ['M6 closed at J20, 2 lanes']],
  ['a junction made of minutes', 'M6 closed between J20 and J45.', ['M6 closed at J20 and 45 minutes']],
  ['a time as minutes', 'Delays of 15 minutes on the M6.', ['M6 delays until 15:30']],
  ['the other end of a time', 'Delays from 15:30 on the M6.', ['M6 delays until 15:30']],
  ['the other end of a range of times', 'Closed until 23:00 on the M6.', ['M6 closed 23:00 to 05:00']],
  ['a time of the other half of the day', 'Delays until 3.30am on the M6.', ['M6 delays until 15:30']],
  [
    'the day of another month',
    'Closed from 22 December on the M6.',
    ['M6 closed from 22 November to 1 December'],
  ],
  ['a day as minutes', 'Delays of 22 minutes on the M6.', ['M6 delays for minutes from 22 November']],
  ['the day on which it ends', 'Closed from 24 November on the M6.', ['M6 closed 22-24 November']],
  [
    'the hour of another day',
    'Closed from 22 Nov at 05:00 on the M6.',
    ['M6 closed 22 Nov 23:00 to 23 Nov 05:00'],
  ],
  ['a year', 'Closed from 22 Nov 2027 on the M6.', ['M6 closed from 22 Nov']],
  ['a planned beginning as an end', 'Lane closures at J12 on the M60 planned until 22 Nov at 23:00.', M60],
  ['an hour of what is planned', 'Lane closures at J12 on the M60 planned from 22 Nov at 22:00.', M60],
  // Several alerts.
  ['true of one of two', 'Delays of 10 minutes.', VICTORIA, CENTRAL],
  ['true of two of three', 'Delays of 10 minutes.', VICTORIA, JUBILEE, BAKERLOO],
  ['said of three, true of none alone', 'Delays of 10 minutes.', M6, A1, CENTRAL],
  ['said of both', 'Delays of 10 minutes on the Victoria and Central lines.', VICTORIA, CENTRAL],
  [
    'said of both, the name first',
    'Victoria and Central lines have delays of 10 minutes.',
    VICTORIA,
    CENTRAL,
  ],
  ['said of the other', 'Delays of 10 minutes on the Central line.', CENTRAL, VICTORIA],
  [
    'changed round',
    'Delays of 20 minutes on the Victoria line and 10 minutes on the Central line.',
    VICTORIA,
    CENTRAL,
  ],
  [
    'said of the last two',
    'Delays of 10 minutes on the Victoria line, 20 minutes on the Central and Jubilee lines.',
    VICTORIA,
    CENTRAL,
    JUBILEE,
  ],
  ['the unit of one, the number of the other', 'Delays of 10 minutes on the M6.', M6, VICTORIA],
  // Planned incidents.
  ['planned as in force', 'Lane closures on the M62 and the M60.', M62, M60],
  ['planned as in force, alone', 'Lane closures at J12 on the M60.', M60],
  ['all as planned', 'Planned lane closures on the M62 and the M60.', M62, M60],
  ['all as planned, the planned one first', 'Planned lane closures on the M60 and the M62.', M62, M60],
  ['all as planned, after a comma', 'Planned lane closures on the M60, M62.', M62, M60],
  ['all as planned, after their names', 'The M62 and M60 have planned lane closures.', M62, M60],
  ['planned as in force now', 'Planned lane closures at J12 on the M60 are now in force.', M60],
  ['planned as in force today', 'The planned lane closures on the M60 currently continue.', M60],
  ['planned, and then as in force', 'Planned lane closures at J12. The M60 lane closures continue.', M60],
  [
    'one of two planned as in force',
    'Lane closures on the M60, and planned lane closures on the M61.',
    M60,
    ['M61 lane closures', '', PLANNED],
  ],
  ['the wrong one as planned', 'Lane closures on the M60, and planned lane closures on the M62.', M62, M60],
  ['planned without a name', 'Lane closures on the M62, others are planned.', M62, M60],
  ['both, of which one has no name', 'Lane closures, and planned lane closures on the M60.', M62, M60],
  [
    'planned by a word of the one in force',
    'Planned lane closures on the M62 and M60.',
    ['M62 planned lane closures'],
    M60,
  ],
  ['not planned', 'Lane closures on the M62, and the M60 lane closures are not planned.', M62, M60],
];

describe('a figure', () => {
  it.each(SUPPORTED)('is kept when the alerts have it: %s', (sentence, ...given) => {
    expect(isKept(sentence, ...given)).toBe(true);
  });

  it.each(UNSUPPORTED)('is dropped: %s: %s', (_, sentence, ...given) => {
    expect(isKept(sentence, ...given)).toBe(false);
  });
});

it('the prompt states these rules', () => {
  const [system] = makePrompt({
    slug: 'roads-uk',
    title: 'UK Roads',
    sources: [],
    alert_count: 0,
    by_severity: { critical: 0, high: 0, medium: 0, low: 0 },
    events: [],
  }).messages;
  expect(system!.content).toContain('with its unit or noun');
  expect(system!.content).toContain('true of every alert that the sentence lists');
  expect(system!.content).toContain('by name which of them is planned');
});
