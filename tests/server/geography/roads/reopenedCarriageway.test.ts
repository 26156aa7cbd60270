/** A closure of one carriageway stands whatever is said of the other one. */
import { describe, expect, it } from 'vitest';
import { readRoadWords } from '../../../../server/geography/roads/roadWords.ts';
import { roadsOfReport } from '../../../../server/geography/roads/roadsOfReport.ts';
import { readIncident } from '../../../../server/operate/commands/readIncident.ts';
import { expectedClear } from '../../../../server/incidents/facts/expectedClear.ts';
import { isOverByWords } from '../../../../server/incidents/facts/overInWords.ts';

const NOW = '2026-11-23T10:00:00.000Z';
function read(text: string): unknown[] {
  const [use] = readRoadWords(text);
  const times = { end_time: null, updated_at: NOW, start_time: NOW };
  return [
    use?.direction,
    use?.closed,
    isOverByWords(text),
    expectedClear('news-rss', times, [text])?.at ?? null,
  ];
}

describe('a closure of one carriageway', () => {
  it.each([
    ['northbound', 'full', 'active'],
    ['southbound', 'none', 'ended'],
  ])('may have its direction from the publisher’s field alone: %s', (direction, closed, phase) => {
    const report = {
      source: 'national-highways',
      title: 'M6 J10 closed',
      text: 'The southbound carriageway has reopened.',
      metadata: { roads: ['M6'], direction },
      published_at: NOW,
      now: NOW,
    };
    const [use] = roadsOfReport({ ...report, summary_line: report.text });

    expect([use?.closed, readIncident(report).phase]).toEqual([closed, phase]);
  });

  it.each([
    ['M6 closed northbound at J10 after crash. The southbound carriageway has since reopened.', 'N'],
    ['A14 remains closed eastbound J31 to J32. Westbound has reopened.', 'E'],
    ['The M25 is closed clockwise between J9 and J10. The anti-clockwise carriageway has reopened.', 'CW'],
    ['The M25 has reopened anti-clockwise but is closed clockwise between J9 and J10.', 'CW'],
    ['M6 northbound closed J10-J11. M6 southbound reopened at 09:10.', 'N'],
    ['A14 westbound reopened, eastbound remains closed between J31 and J32', 'E'],
    ['M6 northbound closed at J10. The opposite carriageway has reopened.', 'N'],
    ['M6 southbound closed at J10. M6 southbound has reopened, northbound is closed.', 'N'],
    ['M6 closed in both directions at J10. The southbound carriageway has reopened.', 'both'],
    ['M6 closed at J10 after a crash. The southbound carriageway has reopened.', null],
    ['M6 J10: southbound has reopened but northbound has not reopened.', 'N'],
    ['M6 J10: northbound has not yet reopened. Southbound is open.', 'N'],
    ['M6 northbound is closed and southbound has reopened.', 'N'],
    ['M1 closed southbound J29-J28. The northbound, closed for an air ambulance, reopened at 08:40.', 'S'],
    ['The M25 clockwise reopened at J9 at 07:15. Anti-clockwise traffic remains held.', 'AC'],
    [
      'M1 northbound J28. All lanes have reopened northbound. The southbound carriageway remains closed.',
      'S',
    ],
    ['M40 southbound has reopened at J9 but the northbound will remain closed for several hours.', 'N'],
    ['The A46 northbound is closed at Widmerpool. Southbound was closed earlier but has now reopened.', 'N'],
    ['A1 shut southbound after crash as northbound lanes reopen', 'S'],
    ['Crash shuts M1 northbound; southbound clear', 'N'],
    ['A2 coastbound closed at Bean. A2 London-bound closed at Bean reopened 09:20.', 'E'],
    ['M180 J4 westbound is not closed. Eastbound is closed.', 'E'],
    ['M11 southbound J9 to J8 was closed but has reopened. The northbound carriageway is now closed.', 'N'],
    ['M6 J12 northbound, closed since 05:00, reopened at 08:45. Southbound is closed.', 'S'],
    ['A14 eastbound exit slip at J31 is closed. The main carriageway has reopened.', 'E'],
    ['M23 closed southbound at J9, J10 has reopened.', 'S'],
    ['M40 J3 northbound reopened at 09:00, closed again at 09:40.', 'N'],
    ['M60 J7 clockwise. All lanes closed. All lanes open anticlockwise.', 'CW'],
    ['A494 Queensferry: Westbound closed. Reopened eastbound at 09:40.', 'W'],
    ['M2 countrybound has reopened. The citybound carriageway remains closed at Greencastle.', 'S'],
    ['Crash shut the M4 eastbound; westbound never closed', 'E'],
    ['Crash shuts M1 northbound; southbound unaffected', 'N'],
    ['M5 was closed in both directions at J8. Northbound reopened. Southbound is likely to stay shut.', 'S'],
    ['M27 closed eastbound. Drivers told to use the A27, which has reopened after a crash.', 'E'],
    ['Following a crash the M6 is closed northbound at J10. The southbound carriageway has reopened.', 'N'],
    ['Following earlier closures, the A1 remains closed northbound. Southbound has reopened.', 'N'],
    ['Earlier collision: M5 closed northbound J20, southbound now open.', 'N'],
    ['M5 northbound was closed by police at J20 this morning. Southbound has now reopened.', 'N'],
    ['M6 was closed in both directions at J10. The southbound carriageway reopened at 08:00.', 'both'],
    ['Northbound and southbound A19 at Easington closed earlier. Northbound now reopened.', 'both'],
  ])('stands though the other one has reopened: %s', (text, direction) => {
    expect(read(text)).toEqual([direction, 'full', false, null]);
  });

  it('keeps its own expected end', () => {
    const text = 'A1 closed northbound at Alnwick, due to reopen at 15:00. Southbound reopened at 09:10.';

    expect(read(text)).toEqual(['N', 'full', false, '2026-11-23T15:00:00.000Z']);
  });

  it.each([
    ['M20 coastbound will reopen at 12:00. London-bound is open.', 'E', '12:00'],
    ['A63 westbound closed at Melton. Estimated reopening 10:45. Eastbound clear since 09:20.', 'W', '10:45'],
    ['A66 now open westbound at Bowes. Eastbound closure is expected to be lifted by 13:00.', 'E', '13:00'],
    ['M5 closed both ways at J11. Northbound to reopen by 11:30, southbound by 14:00.', 'both', '14:00'],
    ['M5 closed both ways at J11. Southbound to reopen by 14:00, northbound by 11:30.', 'both', '14:00'],
  ])('is over when the last side will reopen: %s', (text, direction, end) => {
    expect(read(text)).toEqual([direction, 'full', false, `2026-11-23T${end}:00.000Z`]);
  });

  it.each([
    ['A36 Bath: the footway will reopen on 4 December. Temporary lights until then.', 'none'],
    ['M25 J10 delays. The theme park is to reopen this weekend.', 'none'],
    ['A61 Sheffield: delays. The car park on the A61 will reopen on Monday.', 'none'],
    ['Expect queues on the A5 near Towcester while a charity race is held.', 'none'],
    ['M4 eastbound J14. Lane 3 will reopen at 12:00.', 'lanes'],
    ['M6 J10 lanes 2 and 3 are expected to reopen at 13:00.', 'lanes'],
    ['M5 northbound between J11 and J12 is to be reopened at noon.', 'full'],
    ['M6 J10: both lanes are held.', 'full'],
  ])('is of the part that will reopen, or where traffic is held: %s', (text, closed) => {
    expect(readRoadWords(text)[0]?.closed).toBe(closed);
  });

  it.each([
    ['M6 southbound J17-J16: lane 1 has reopened, lanes 2 and 3 remain closed.', 'S', 'J17-J16'],
    ['A465: Westbound J3 to J2 reopened. Eastbound still one lane.', 'E', 'J3-J2'],
    ['M69 J1-J2 northbound: one lane of three open.', 'N', 'J1-J2'],
  ])('keeps the stretch of the lanes that are closed: %s', (text, direction, stretch) => {
    const [use] = readRoadWords(text);

    expect([use?.direction, use?.closed, use?.stretch.map(({ from, to }) => `${from}-${to}`)]).toEqual([
      direction,
      'lanes',
      [stretch],
    ]);
  });

  it.each([
    ['M6 northbound reopened at J10. Delays remain.'],
    ['M6 has reopened in both directions.'],
    ['M6 northbound and southbound have both reopened.'],
    ['M6 closed northbound at J10. Northbound and southbound have both reopened.'],
    ['M6 closed northbound at J10. Southbound has reopened. Northbound has now reopened.'],
    ['M6 closed northbound at J10. Southbound reopened first. The road has now fully reopened.'],
    ['The A21 was closed at 06:00; it reopened northbound at 07:30 and southbound at 08:15.'],
    ['Following an earlier closure, the M6 has reopened northbound.'],
    ['M6 was closed at J10 for three hours. It has reopened southbound.'],
    ['M6 southbound has reopened at J10. Both carriageways were closed at 06:00 after a crash.'],
    ['M6 closed in both directions at J10. Southbound reopened at 09:00, northbound reopened at 09:30.'],
    ['A13 reopened eastbound after being closed again earlier.'],
  ])('ends with its own reopening: %s', (text) => {
    expect(readRoadWords(text)[0]?.closed).toBe('none');
  });
});
