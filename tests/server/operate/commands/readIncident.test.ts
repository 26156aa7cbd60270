/** Floors for how well words are read, against sets that were labelled by hand. `npm run bench -- reading` lists
 *  misses. */
import { describe, expect, it } from 'vitest';
import { isOverByWords } from '../../../../server/incidents/facts/overInWords.ts';
import { compareReports, readIncident } from '../../../../server/operate/commands/readIncident.ts';
import { fixture } from '../../../support/upstream.ts';
import { measuredPairs, measuredPlaces, measuredTimes } from '../../../support/reportLabels.ts';

describe('the labelled sets', () => {
  it.each([
    ['labels-places.json', 1],
    ['places.md', 0.98],
    ['places-second.md', 0.97],
    ['places-third.md', 0.975],
    ['places-fourth.md', 0.98],
    ['places-fifth.md', 0.955],
  ] as const)('%s: places are right, none is far off, and none is where there is none', (file, floor) => {
    const { right, of, missed, wrong } = measuredPlaces(file);
    expect(wrong).toEqual([]);
    expect(right / of, missed.join('\n')).toBeGreaterThanOrEqual(floor);
  });

  it.each([
    ['labels-merges.json', 1],
    ['pairs.md', 1],
    ['pairs-second.md', 1],
    ['pairs-third.md', 0.98],
    ['pairs-fourth.md', 0.95],
    ['pairs-fifth.md', 1],
    ['pairs-sixth.md', 1],
    ['pairs-seventh.md', 0.95],
    ['pairs-eighth.md', 0.95],
    ['pairs-ninth.md', 1],
    ['pairs-tenth.md', 1],
    ['pairs-eleventh.md', 0.96],
    ['pairs-twelfth.md', 1],
    ['pairs-thirteenth.md', 1],
    ['pairs-fourteenth.md', 0.93],
    ['pairs-fifteenth.md', 0.93],
    ['pairs-sixteenth.json', 1],
    ['pairs-seventeenth.json', 0.9],
    ['pairs-eighteenth.json', 0.85],
    ['pairs-nineteenth.json', 0.88],
    ['pairs-twentieth.json', 1],
    ['pairs-apart.md', 1],
  ] as const)('%s: pairs that are one incident are joined, and no other', (file, floor) => {
    const { right, of, missed, wrong } = measuredPairs(file);
    expect(wrong).toEqual([]);
    expect(right / of, missed.join('\n')).toBeGreaterThanOrEqual(floor);
  });

  it.each([
    ['times.md', 0.97],
    ['times-second.md', 0.99],
    ['times-third.md', 0.97],
    ['times-fourth.md', 0.97],
    ['times-fifth.md', 0.97],
    ['times-sixth.md', 0.97],
    ['times-seventh.md', 0.97],
    ['times-eighth.md', 0.97],
    ['times-ninth.md', 0.97],
    ['times-tenth.md', 0.96],
    ['times-eleventh.md', 0.97],
    ['times-twelfth.md', 0.96],
    ['times-thirteenth.md', 1],
    ['times-fourteenth.md', 0.98],
    ['times-fifteenth.md', 1],
    ['times-sixteenth.md', 1],
    ['times-seventeenth.md', 1],
    ['times-eighteenth.md', 1],
    ['times-nineteenth.md', 0.97],
    ['times-twentieth.md', 0.98],
    ['times-twentyfirst.md', 1],
    ['times-twentysecond.md', 0.96],
    ['times-twentythird.md', 0.98],
    ['times-twentyfourth.md', 0.98],
    ['times-twentyfifth.md', 1],
    ['times-twentysixth.md', 1],
  ] as const)('%s: starts, ends, windows and phases are right', (file, floor) => {
    const { right, of, missed } = measuredTimes(file);
    expect(right / of, missed.join('\n')).toBeGreaterThanOrEqual(floor);
  });
});

it.each(fixture('reading/over.txt').trim().split('\n'))('knows whether it is over: %s', (line) => {
  const [said, ...words] = line.split(': ');
  expect(isOverByWords(words.join(': '))).toBe(said === 'over');
});

it.each([
  ['Mersey Gateway closed after crash', null],
  ['Two hurt as bus hits tree in Histon', null],
  ['Fans stranded as concert cancelled in Cardiff', 'No disruption of transport here.'],
  ['Bomb squad called to Ullapool, road sealed off', null],
  ['Road rage attack in Slough: man held', 'No disruption of transport here.'],
  ['Washington: crash closes Biddick Lane, Tyne and Wear', null],
  ['Crash at St Leonards closes the seafront, Sussex Police', null],
  ['Stock market crash fears grow in London', 'No disruption of transport here.'],
  ['Lorry overturns on a lane', 'No disruption of transport here.'],
  ['Chelsea crash out of the cup', 'No disruption of transport here.'],
])('decides last whether a story is about travel in the UK: %s', (title, leftOut) => {
  expect(readIncident({ source: 'news-rss', title, published_at: at }).left_out).toBe(leftOut);
});

const at = '2026-11-24T10:00:00.000Z';
const SATURDAY = '2026-11-28T10:00:00.000Z';

it.each([
  ['One lane closed since 09:20, all lanes have been closed since 09:45', '2026-11-24T09:45:00.000Z'],
  ['Closed since 06:30, one lane is open since 09:10', '2026-11-24T06:30:00.000Z'],
  ['The road reopened at 09:20', '2026-11-24T09:20:00.000Z'],
  ['A track fault at 08:10 stopped all trains', '2026-11-24T08:10:00.000Z'],
  ['Power failure: engineers due at 14:00', '2026-11-24T10:00:00.000Z'],
  ['Closed since 22:15', '2026-11-23T22:15:00.000Z'],
  [
    'We were called to a collision at 08.50. The road has been closed since 09.15',
    '2026-11-24T09:15:00.000Z',
  ],
  ['A flood warning was issued at 07:10; it was raised to severe at 09:31', '2026-11-24T09:31:00.000Z'],
  ['Trains began to run again at 08:50. The line had been closed since 06:10', '2026-11-24T08:50:00.000Z'],
  ['One lane closed since 06:45 and a second since 08:20', '2026-11-24T08:20:00.000Z'],
  ['Flood warning first issued at 07:10, raised to severe at 09:31', '2026-11-24T09:31:00.000Z'],
  ['Crash at Birchwood about 20 minutes ago', '2026-11-24T09:40:00.000Z'],
])('reads since when a state holds: %s', (text, since) => {
  expect(readIncident({ source: 'council', title: 'A15, Lincoln', text, published_at: at }).since).toBe(
    since,
  );
});

it('reads since when the present state exists, although the title has the first state', () => {
  const read = readIncident({
    source: 'news',
    title: 'M5 J4 northbound: one lane closed since 09:20',
    text: 'M5 J4 northbound: one lane closed since 09:20, all lanes closed since 09:45.',
    published_at: at,
  });

  expect([read.start, read.since]).toEqual(['2026-11-24T09:20:00.000Z', '2026-11-24T09:45:00.000Z']);
});

it.each([
  'A102 northbound crash, near Sun in the Sands. Road closed.',
  'A1101 closed in both directions at Friday Bridge due to a crash.',
  'A12 northbound blocked near Friday Street roundabout, crash.',
  'B6227 blocked at Noon Hill.',
  'A4042 closed at Mon Bank, Newport.',
  'A1079 closed at Saturday Market Place, Beverley.',
  'A1101 northbound Friday Bridge closed after a crash.',
  'Friday Bridge, Cambridgeshire: A1101 closed after a crash.',
  'Road shut south of Friday Bridge after a lorry overturned.',
])('reads no day in the name of a place: %s', (text) => {
  const { start, end, phase } = readIncident({ source: 'news', text, published_at: at });

  expect([start, end, phase]).toEqual([at, null, 'active']);
});

it.each([
  ['A61 closed on Friday. Bridge Street is the diversion.', '2026-11-27'],
  ['A61 closed Sunday Street party', '2026-11-29'],
  ['A61: Sunday Road works', '2026-11-29'],
  ['On Friday Bridge Street will be closed from 9am to 4pm.', '2026-11-27'],
  ['From Friday Bridge Street will be closed until Sunday.', '2026-11-27'],
  ['Saturday Green Park no service until 11:00.', '2026-11-28'],
  ['Closures: Saturday Park Royal station closed until 10:00.', '2026-11-28'],
  ['M6 overnight closures. Friday Junction 10 southbound entry slip closed 21:00 to 06:00.', '2026-11-27'],
  ['M5 southbound. 22:00 Friday Bridge deck works until 05:00 Monday.', '2026-11-27'],
  ['A61 Sunday Park Lane to High Street closed 08:00 to 12:00.', '2026-11-29'],
  ['A61 closures: Friday Lane 1 closed 09:30 to 15:30.', '2026-11-27'],
  ['Saturday Bridge of Earn closed 10:00 to 14:00.', '2026-11-28'],
])('reads the day before a word of a name: %s', (text, day) => {
  expect(readIncident({ source: 'news', text, published_at: at }).start?.slice(0, 10)).toBe(day);
});

it('reads the hours of a text that begins with its title once', () => {
  const title = 'Roads are closed on Sunday 13 December from 08:30 to 12:45';
  const { start, end, windows } = readIncident({ source: 'council', title, text: title, published_at: at });

  expect([start, end, windows]).toEqual(['2026-12-13T08:30:00.000Z', '2026-12-13T12:45:00.000Z', []]);
});

it.each([
  ['Closed from half eight to half three tomorrow', '2026-11-25T15:30:00.000Z'],
  ['The road should be clear in about 40 minutes', '2026-11-24T10:40:00.000Z'],
  ['The road was cleared within 40 minutes', null],
  ['Trains may take another 20 minutes to reach Leeds', null],
  ['Delays of five to ten minutes', null],
  ['Next update 4pm, closed until 3pm', '2026-11-24T15:00:00.000Z'],
])('takes for the end only what ends it: %s', (text, end) => {
  expect(readIncident({ source: 'council', title: 'A15, Lincoln', text, published_at: at }).end).toBe(end);
});

it.each([
  ['until 5', '23:00', '2026-11-25T05:00:00.000Z'],
  ['until about 2', '23:00', '2026-11-25T02:00:00.000Z'],
  ['until 9', '13:00', '2026-11-24T21:00:00.000Z'],
  ["until eight o'clock", '09:00', '2026-11-24T20:00:00.000Z'],
  ['tomorrow from 9am until 5', '23:00', '2026-11-25T17:00:00.000Z'],
  ["until 8 o'clock tomorrow", '09:00', '2026-11-25T08:00:00.000Z'],
  ['since 5', '07:30', '2026-11-24T05:00:00.000Z'],
  ['since just after 11', '23:40', '2026-11-24T23:00:00.000Z'],
  ["since 9 o'clock", '08:00', '2026-11-23T21:00:00.000Z'],
  ["all evening for repairs, since 7 o'clock", '12:00', '2026-11-24T07:00:00.000Z'],
])(
  'reads an hour without its half of the day as the nearest in that direction: %s at %s',
  (words, clock, at) => {
    const { end, since } = readIncident({
      source: 'council',
      title: 'A15, Lincoln',
      text: `The road is closed ${words}.`,
      published_at: `2026-11-24T${clock}:00.000Z`,
    });
    expect(words.includes('since') ? since : end).toBe(at);
  },
);

it.each([
  ["Closed tonight between 9 o'clock and 11 o'clock", '21:00', '23:00'],
  ["The road will be closed tonight for roadworks from 9 o'clock", '21:00', null],
  ["The road will be closed tonight, starting at 9 o'clock", '21:00', null],
  ["Closed this evening, expected to clear by 8 o'clock", null, '20:00'],
  ["Closed tonight from approximately 10 o'clock until 11 o'clock", '22:00', '23:00'],
])('takes the evening from the words of the same clause: %s', (text, start, end) => {
  const read = readIncident({
    source: 'council',
    title: 'A15, Lincoln',
    text,
    published_at: '2026-11-24T06:00:00.000Z',
  });
  expect(read.end).toBe(end && `2026-11-24T${end}:00.000Z`);
  if (start) expect(read.start).toBe(`2026-11-24T${start}:00.000Z`);
});

it.each([
  ["Delays all evening on the M6, crash at 7 o'clock", '2026-11-24T07:00:00.000Z', null],
  ["Closed tonight from 10 o'clock to 7 o'clock", '2026-11-24T22:00:00.000Z', '2026-11-25T07:00:00.000Z'],
  ["Closed tonight for works until 8 o'clock tomorrow", null, '2026-11-25T08:00:00.000Z'],
])('takes no evening from another clause or day: %s', (text, start, end) => {
  const read = readIncident({
    source: 'council',
    title: 'A15, Lincoln',
    text,
    published_at: '2026-11-24T12:00:00.000Z',
  });
  expect(read.end).toBe(end);
  if (start) expect(read.since ?? read.start).toBe(start);
});

it.each([
  ['The road has now reopened after this afternoon’s incident', 'ended'],
  ['The road is now fully open following the earlier fire. Delays remain', 'ended'],
  ['The earlier crash is now clear and all lanes are running', 'ended'],
  [
    'A driver died at about 6.40am on Monday (23 November). The road was closed for around six hours',
    'ended',
  ],
  ['The incident has been cleared. One lane was blocked', 'ended'],
  ['Incident cleared. Lane 2 has reopened. Residual delays easing.', 'ended'],
  ['Services have now returned to normal after the points failure', 'ended'],
  ['The A66 is now open again between Brough and Bowes. It had been shut since 2am', 'ended'],
  ['The signal failure at Neasden has been fixed', 'ended'],
  ['There is now a good service on the whole line', 'ended'],
  ['Services 27 and 28 are now back on their normal route after the earlier closure', 'ended'],
  ['One lane is now open again', 'active'],
  ['Incident cleared. One lane remains closed', 'active'],
  ['Allow more time until services have returned to normal', 'active'],
  ['One lane has now reopened', 'active'],
  ['The northbound side has now reopened, the southbound side remains closed', 'active'],
  ['Closed at Bourne. It should have reopened by now', 'active'],
  ['Expect queues once the road has reopened', 'active'],
  ['It is now clear that the road is damaged', 'active'],
  ['Closed until further notice. Sat navs may still send you this way', 'active'],
  ['Closed after a slip. We will look at the road again in daylight on Thursday', 'active'],
])('tells what is over from what is in force: %s', (text, phase) => {
  const read = readIncident({ source: 'council', title: 'A15, Lincoln', text, published_at: at });
  expect([read.phase, read.end]).toEqual([phase, null]);
});

it.each([
  'Traffic is down to about 30 this morning',
  'Traffic was heavy after 20 this morning',
  "Closed since 14 o'clock",
])('reads no number above 12 as an hour: %s', (text) => {
  const { start, end } = readIncident({ source: 'council', title: 'A15, Lincoln', text, published_at: at });
  expect([start, end]).toEqual([at, null]);
});

it.each([
  // A verb of closing without a subject, or after "is"
  ['The A19 is closed both ways from 8pm on Monday until 6am on Tuesday.', '30T20:00', '01T06:00'],
  ['Mill Lane will be fully closed both ways from Monday 9am to Friday 5pm.', '30T09:00', '04T17:00'],
  ['Service is suspended the whole day on Sunday until 22:00.', '29T00:00', '29T22:00'],
  ['Bridge closed the weekend from 8pm Friday to 5am Monday.', '04T20:00', '07T05:00'],
  ['The team shut the bridge from 9pm on Monday to 6am on Tuesday.', '30T21:00', '01T06:00'],
  ['Crews shut the bridge at 9pm on Monday until 6am on Tuesday.', '30T21:00', '01T06:00'],
  // "Were" with another verb
  ['Drivers were warned that the A59 shuts from 9pm on Monday to 5am on Tuesday.', '30T21:00', '01T05:00'],
  ['Plans were approved to close it from 9pm on Monday to 5am on Tuesday.', '30T21:00', '01T05:00'],
  ['Strikes were announced from 6am on Monday to 6am on Wednesday.', '30T06:00', '02T06:00'],
  ['Times were changed at 10am: closed from 9pm on Monday to 5am on Tuesday.', '30T21:00', '01T05:00'],
  // Another sentence that says what is over
  ['The M62 has reopened. A planned closure is on Sunday 8pm to 5am.', '29T20:00', '30T05:00'],
  [
    'The bridge reopened today. It closes again from 9pm on Monday until 5am on Wednesday.',
    '30T21:00',
    '02T05:00',
  ],
  ['The M27 closes from 9pm on Monday until 5am on Tuesday. Trains run normally.', '30T21:00', '01T05:00'],
  ['The road is clear. Next closure: Tuesday 8pm to 6am.', '01T20:00', '02T06:00'],
  ['Works are not going ahead by day. The closure is from 9pm to 5am on Monday.', '30T21:00', '01T05:00'],
  [
    'Works will not go ahead on Monday; the road will be closed on Tuesday from 9pm to 5am.',
    '01T21:00',
    '02T05:00',
  ],
  ["Strike action on Tuesday 6am to 6pm. Monday's strike has been called off.", '01T06:00', '01T18:00'],
  ["Monday's strike called off but Tuesday's will go ahead from 6am to 6pm.", '01T06:00', '01T18:00'],
  ['Strike on 1 December called off. Strikes on 3 December and 5 December go ahead.', '03T00:00', '06T00:00'],
  // A past day before the one that is ahead
  ['The road was closed on Thursday and closes again on Monday from 8pm to 6am.', '30T20:00', '01T06:00'],
  ['The bridge reopened on Friday and closes on Monday from 9pm to 5am.', '30T21:00', '01T05:00'],
  // The day of an event
  ["Because of Sunday's storm works the A4 is closed from 8am until 2pm.", '29T08:00', '29T14:00'],
  ["Due to Sunday's half marathon the A4 is closed from 8am until 2pm.", '29T08:00', '29T14:00'],
  ["Because of Sunday's football match the A40 is closed from 10am to 6pm.", '29T10:00', '29T18:00'],
  // A plan that was moved, without new days
  [
    'The closure between 8pm on 3 December and 6am on 4 December has been rescheduled. Call 0800 123 456.',
    '03T20:00',
    '04T06:00',
  ],
  [
    'Roads close from 9am to 4pm on Sunday as the parade has been moved. Buses start again at 5pm.',
    '29T09:00',
    '29T16:00',
  ],
  [
    'A61 closed 30 November to 4 December as works have been moved. Call 01743 123456.',
    '30T00:00',
    '05T00:00',
  ],
])('keeps a plan ahead: %s', (text, start, end) => {
  const read = readIncident({ source: 'council', title: 'A15, Lincoln', text, published_at: SATURDAY });
  const [starts, ends] = [read.start, read.end].map((time) => time?.slice(8, 16));

  expect([starts, ends, read.phase]).toEqual([start, end, 'planned']);
});

it.each([
  ['The A59 was closed from 9pm on Monday and will reopen on Friday at 5pm.', '23T21:00', '04T17:00'],
  ['The A59 had been shut from 11pm on Monday.', '23T23:00', undefined],
  ['Police shut the A1 at 10pm on Wednesday. It is expected to reopen at 5pm.', '25T22:00', '28T17:00'],
  ["Following Sunday's landslip the A83 is shut until 6pm.", '28T10:00', '28T18:00'],
  ['The fire was put out at 08:30 and the road is closed for resurfacing.', '28T08:30', undefined],
  ['The lorry was recovered at 09:00. Lanes 1 and 2 are closed for repairs.', '28T10:00', undefined],
  ['Vehicle removed at 09:15. Road closed for diesel cleaning.', '28T10:00', undefined],
  ['The cordon was lifted at 09:00. The A1 is closed.', '28T10:00', undefined],
])('keeps in force what began in the past: %s', (text, start, end) => {
  const read = readIncident({ source: 'council', title: 'A15, Lincoln', text, published_at: SATURDAY });
  const [starts, ends] = [read.start, read.end].map((time) => time?.slice(8, 16));

  expect([starts, ends, read.phase]).toEqual([start, end, 'active']);
});

it.each([
  ['2026-11-24T13:00:00+01:00', 'active'],
  ['2026-11-24T12:00:00-01:00', 'ended'],
])('compares its end with %s as instants', (now, phase) => {
  const end_time = '2026-11-24T12:30:00.000Z';
  expect(
    readIncident({ source: 'council', title: 'A15 closed', published_at: at, end_time, now }).phase,
  ).toBe(phase);
});

it.each([
  ['Flood warning: Cockermouth on the River Cocker', ['Cockermouth']],
  ['Flood alert: Upper River Derwent, Stonethwaite Beck and Derwent Water', ['Stonethwaite']],
  ['Flood alert: Bourne Brook', undefined],
])('finds a flood area beside its water: %s', (title, names) => {
  expect(readIncident({ source: 'ea-flood', title, published_at: at }).place?.names).toEqual(names);
});

it.each([
  ['Crash shuts Swanage’s High Street', 'Swanage'],
  ['Crash closes Bishop’s Castle High Street', "Bishop's Castle"],
  ['Crash on Earl’s Court Road, London closes lanes', "Earl's Court Road"],
])('takes the town whose street is named, and no part of a name: %s', (title, name) => {
  expect(readIncident({ source: 'news-rss', title, published_at: at }).place?.names).toEqual([name]);
});

it.each([
  ['Northbound', true],
  ['Southbound', false],
])('tells the sides of a road that is named without its number: %s', (side, same) => {
  const a = { source: 'tfl', title: 'A102 Blackwall Tunnel northbound: closed, overheight vehicle' };
  const b = { source: 'social', title: `${side} Blackwall Tunnel shut, overheight lorry at the entrance` };

  expect(compareReports({ ...a, published_at: at }, { ...b, published_at: at }).same).toBe(same);
});

it.each([
  ['M62 eastbound J26 to J27 closed: overturned lorry', 'Overturned lorry closes M606, M62 busy at J26'],
  ['M8 eastbound J15 to J14 queue: accident', 'Accident on M80 at Provan: M8 delays'],
  ['Burst main closes Albert Road, Middlesbrough', 'Burst main shuts Albert Street, Middlesbrough'],
])('leaves apart reports that only share a busy road or a name: %s', (one, other) => {
  const a = { source: 'council', title: one, published_at: at };
  const b = { source: 'news-rss', title: other, published_at: at };

  expect(compareReports(a, b).same).toBe(false);
});

it.each([
  ['national-highways', 'M62 eastbound between J26 and J27. Lane 1 closed. Reason: Collision', '', false],
  ['national-highways', 'M62 eastbound between J26 and J27. Lane 1 closed. Reason: Breakdown', '', false],
  ['tfl', '[A40] Hanger Lane (Westbound) - lane closed, collision', '', false],
  [
    'national-highways',
    'A303 westbound at Wylye is closed following a collision',
    'It remains closed.',
    true,
  ],
])(
  'joins two records of an operator if the second says that it goes on: %s %s',
  (source, title, text, same) => {
    const a = { source, title, published_at: '2026-11-24T08:00:00.000Z' };
    const b = { ...a, text, published_at: '2026-11-24T13:00:00.000Z' };

    expect(compareReports(a, b).same).toBe(same);
  },
);

it.each([
  ['London Waterloo and Wimbledon', 'Signal failure at Balham causes Southern train delays'],
  ['London Waterloo and Clapham Junction', 'Signal failure at Battersea Park: Southern trains delayed'],
  ['London Waterloo and Woking', 'Signal failure at Battersea Park: Southern trains delayed'],
])('leaves apart two lines that lie side by side in a city: %s', (section, title) => {
  const a = { source: 'kb-incidents', title: `Signalling fault between ${section}`, published_at: at };

  expect(compareReports(a, { source: 'news-rss', title, published_at: at }).same).toBe(false);
});

it.each([
  ['Points failure at Leamington Spa', 'Trains delayed by a points failure at Leamington'],
  [
    'Picc line a mess, signal failure Hounslow Central',
    'Piccadilly Line: signal failure at Hounslow Central',
  ],
])('joins reports that use a shorter name: %s', (one, other) => {
  const a = { source: 'social', title: one, published_at: at };
  const b = { source: 'kb-incidents', title: other, published_at: at };

  expect(compareReports(a, b).same).toBe(true);
});

it.each([
  [
    'All lanes have reopened, long delays remain.',
    '2026-11-24T08:00:00.000Z',
    '2026-11-24T07:15:00.000Z',
    true,
  ],
  ['The vehicles have been recovered, long delays.', undefined, '2026-11-24T07:15:00.000Z', true],
  ['All lanes have reopened.', '2026-11-24T06:30:00.000Z', '2026-11-24T08:15:00.000Z', false],
])('takes for the end when it was said, and never the start: %s, written %s', (text, written, at, same) => {
  const a = {
    source: 'national-highways',
    title: 'M62 westbound J26',
    text: `Collision on M62 westbound J26. ${text}`,
    start_time: '2026-11-24T06:00:00.000Z',
    now: '2026-11-24T08:20:00.000Z',
    ...(written && { published_at: written }),
  };
  const title = 'Crash on M62 at J26 Chain Bar westbound causes long delays';

  expect(compareReports(a, { source: 'news-rss', title, published_at: at, now: at }).same).toBe(same);
});

it('reads 5,000 characters in little more time than the first thousand, whatever they are', () => {
  for (const text of [
    'A '.repeat(2500),
    'Leeds, '.repeat(714),
    '12:00 to '.repeat(555),
    '#'.repeat(5000),
    'from Monday to '.repeat(333),
    'between J1 and '.repeat(333),
  ])
    expect(() => readIncident({ source: 'news-rss', title: text, text })).not.toThrow();
});
