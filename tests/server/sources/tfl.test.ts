import { describe, expect, it } from 'vitest';
import { tfl } from '../../../server/sources/tfl.ts';
import { fixture, upstream } from '../../support/upstream.ts';

const NOW = '2026-03-14T18:00:00Z';

const collect = (body: string, now = NOW, settings = {}) => tfl.collect(upstream([body], { now, settings }));

interface StatusSketch {
  code: number;
  reason?: string;
  periods?: { fromDate: string; toDate: string; isNow?: boolean }[];
}

/** A line in the publisher's form. */
const line = (id: string, ...statuses: StatusSketch[]) => ({
  id,
  name: id,
  modeName: 'tube',
  lineStatuses: statuses.map(({ code, reason, periods = [] }) => ({
    id: 0,
    statusSeverity: code,
    statusSeverityDescription: `Status ${code}`,
    reason,
    created: '0001-01-01T00:00:00',
    validityPeriods: periods,
  })),
});

const collectLines = async (...lines: unknown[]) => (await collect(JSON.stringify(lines))).records;

const AHEAD = { fromDate: '2026-03-21T04:30:00Z', toDate: '2026-03-23T01:29:00Z', isNow: false };
const OVER = { fromDate: '2026-03-07T04:30:00Z', toDate: '2026-03-09T01:29:00Z', isNow: false };

describe('tfl', () => {
  it('gives one record for each disrupted line, graded by its worst status', async () => {
    const { records, ...rest } = await collect(
      fixture('tfl/line-status-2023-09-18.json'),
      '2023-09-18T19:30:00Z',
    );

    expect(rest).toEqual({
      skipped: 0,
      problems: [],
      complete: true,
      ended: expect.arrayContaining(['tfl:bakerloo', 'tfl:victoria']),
    });
    expect(records.map(({ event_id, severity, title }) => [event_id, severity, title])).toEqual([
      ['tfl:district', 'high', 'District: Part Suspended'],
      ['tfl:piccadilly', 'high', 'Piccadilly: Part Suspended'],
    ]);
    const [district, piccadilly] = records;
    expect(district).toMatchObject({
      event_type: 'rail.line_status',
      kind: 'alert',
      phase: 'active',
      updated_at: null,
      start_time: '2023-09-18T18:25:36.000Z',
      // The publisher's end of a disruption in real time is the end of its day.
      end_time: null,
      latitude: null,
      longitude: null,
    });
    expect(district?.summary_line).toMatch(/^No service between Turnham Green and Ealing Broadway while we/);
    expect(piccadilly?.metadata.statuses).toMatchObject([
      { code: 3, status: 'Part Suspended' },
      { code: 6, status: 'Severe Delays' },
    ]);
  });

  it('marks works that have not begun as planned, with their end', async () => {
    const { records } = await collect(
      fixture('tfl/line-status-planned.synthetic.json'),
      '2026-11-21T09:00:00Z',
    );

    expect(records).toMatchObject([
      {
        event_id: 'tfl:victoria',
        severity: 'low',
        phase: 'planned',
        start_time: '2026-11-28T04:30:00.000Z',
        end_time: '2026-11-30T01:29:00.000Z',
      },
    ]);
  });

  it('counts incidents in force, merges identical statuses and keeps planned ones beside them', async () => {
    const { records } = await collect(fixture('tfl/line-status-detailed.synthetic.json'));

    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      event_id: 'tfl:central',
      severity: 'low',
      phase: 'active',
      title: 'Central: Minor Delays',
      start_time: '2026-03-14T17:41:02.000Z',
      end_time: null,
      // The stops in the detailed form are not the place of the disruption.
      latitude: null,
      longitude: null,
    });
    expect(records[0]?.metadata.statuses).toMatchObject([
      { code: 4, phase: 'planned', from: '2026-03-22T04:30:00.000Z', to: '2026-03-23T01:29:00.000Z' },
      { code: 9, phase: 'active', from: '2026-03-14T17:41:02.000Z', to: null },
    ]);
  });

  it.each([
    [1, 'critical'],
    [2, 'critical'],
    [16, 'critical'],
    [3, 'high'],
    [6, 'high'],
    [11, 'high'],
    [4, 'medium'],
    [5, 'medium'],
    [7, 'medium'],
    [8, 'medium'],
    [15, 'medium'],
    [17, 'medium'],
    [9, 'low'],
    [0, 'low'],
    [12, 'low'],
    [13, 'low'],
    [14, 'low'],
    [19, 'low'],
  ])('grades status %i as %s', async (code, severity) => {
    const records = await collectLines(line('bakerloo', { code }));

    expect(records.map((record) => record.severity)).toEqual([severity]);
    expect(records[0]?.metadata.severity_unrated).toBeUndefined();
  });

  it.each([10, 18, 20])('has nothing to report for status %i', async (code) => {
    expect(await collectLines(line('bakerloo', { code }))).toEqual([]);
  });

  it.each([4, 5])('grades works of status %i as low before they begin', async (code) => {
    const [record] = await collectLines(line('bakerloo', { code, periods: [AHEAD] }));

    expect(record).toMatchObject({ severity: 'low', phase: 'planned' });
  });

  it('puts suspension before severe delays, whatever the status numbers', async () => {
    const [record] = await collectLines(
      line('bakerloo', { code: 10 }, { code: 6, reason: 'slow' }, { code: 2, reason: 'Bakerloo Line: none' }),
    );

    expect(record).toMatchObject({ severity: 'critical', title: 'bakerloo: Status 2', summary_line: 'none' });
  });

  it('leaves out incidents that are over', async () => {
    expect(await collectLines(line('bakerloo', { code: 5, periods: [OVER] }))).toEqual([]);
  });

  it('gives a live disruption beside planned works no end time, because nobody knows it', async () => {
    const works = {
      ...line('bakerloo', { code: 5, periods: [{ ...AHEAD, fromDate: '2026-03-14T04:30:00Z', isNow: true }] })
        .lineStatuses[0],
      disruption: { category: 'PlannedWork' },
    };
    const live = {
      ...line('bakerloo', {
        code: 6,
        periods: [{ fromDate: '2026-03-14T17:41:02Z', toDate: '2026-03-15T01:29:00Z', isNow: true }],
      }).lineStatuses[0],
      disruption: { category: 'RealTime' },
    };
    const endsOf = async (...lineStatuses: unknown[]) =>
      (await collectLines({ ...line('bakerloo'), lineStatuses })).map(({ end_time }) => end_time);

    expect(await endsOf(works)).toEqual(['2026-03-23T01:29:00.000Z']);
    expect(await endsOf(works, live)).toEqual([null]);
    expect(await endsOf(live, works)).toEqual([null]);
  });

  it('believes a status that says it is in force after its own end', async () => {
    const [record] = await collectLines(line('bakerloo', { code: 5, periods: [{ ...OVER, isNow: true }] }));

    expect(record).toMatchObject({ phase: 'active', end_time: null });
  });

  it('gives such works no end time in the past', async () => {
    const [status] = line('bakerloo', { code: 5, periods: [{ ...OVER, isNow: true }] }).lineStatuses;
    const works = { ...status, disruption: { category: 'PlannedWork' } };
    const [record] = await collectLines({ ...line('bakerloo'), lineStatuses: [works] });

    expect(record).toMatchObject({ phase: 'active', end_time: null });
  });

  it('believes a status that says it is not yet in force during its own time', async () => {
    const period = { fromDate: '2026-03-14T04:30:00Z', toDate: '2026-03-23T01:29:00Z', isNow: false };
    const [record] = await collectLines(line('bakerloo', { code: 5, periods: [period] }));

    expect(record?.phase).toBe('planned');
  });

  it('skips and counts lines that it cannot read, and names them', async () => {
    const { records, skipped, problems, complete, unreadable } = await collect(
      fixture('tfl/line-status-broken.synthetic.json'),
    );

    expect(skipped).toBe(3);
    expect(complete).toBe(false);
    expect(unreadable).toEqual(['tfl:bakerloo']);
    expect(records.map(({ event_id }) => event_id)).toEqual(['tfl:jubilee', 'tfl:victoria']);
    expect(problems.map((problem) => problem.split(' left out')[0])).toEqual([
      'Line bakerloo',
      'Line 2',
      'Line Nameless',
      'Jubilee: unknown status 42 "Leaves on the line", counted as medium, unrated',
    ]);
  });

  it('shows an unknown status as unrated, and hostile text as plain text', async () => {
    const { records } = await collect(fixture('tfl/line-status-broken.synthetic.json'));

    expect(records[0]).toMatchObject({
      severity: 'medium',
      title: 'Jubilee: Leaves on the line',
      summary_line: 'Leaves & mud evil.',
      metadata: { severity_unrated: true, upstream_severity: 'Leaves on the line' },
    });
  });

  it.each([
    ['', 'The document is empty.'],
    ['[]', 'TfL lists no lines; it always lists every line, so this is a fault.'],
    [
      '<!DOCTYPE html><html><body>Sorry</body></html>',
      'The document is an HTML page, not the JSON that was expected.',
    ],
    [fixture('tfl/line-status-2023-09-18.json').slice(0, 9000), 'The document is not JSON, or cut off.'],
    [
      '{"httpStatusCode":429,"message":"Too many"}',
      'The document contains an object instead of a list of records.',
    ],
    ['[{"id":"x"}]', /^TfL: none of the 1 lines can be read: Line x left out: lineStatuses/],
  ])('refuses a document that is not the lines’ status (%#)', async (body, message) => {
    await expect(collect(body)).rejects.toThrow(message);
  });

  it('cuts a title that would fill the board', async () => {
    const [record] = await collectLines({ ...line('tram', { code: 9 }), name: 'Tram '.repeat(1000) });

    expect(record?.title).toHaveLength(200);
  });

  it('asks the documented address, or the one that is set, with the key if there is one', async () => {
    const body = fixture('tfl/line-status-planned.synthetic.json');
    const plain = upstream([body], { now: NOW });
    const set = upstream([body], {
      now: NOW,
      settings: { TFL_URL: 'https://mirror.example/status?detail=false', TFL_APP_KEY: 'k&y' },
    });
    await tfl.collect(plain);
    await tfl.collect(set);

    expect(plain.asked.map(({ url }) => url)).toEqual([
      'https://api.tfl.gov.uk/Line/Mode/tube,overground,dlr,elizabeth-line,tram/Status',
    ]);
    expect(set.asked.map(({ url }) => url)).toEqual([
      'https://mirror.example/status?detail=false&app_key=k%26y',
    ]);
  });
});
