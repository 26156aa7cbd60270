import { describe, expect, it } from 'vitest';
import { PUBLICATIONS_URL, trafficScotland } from '../../../server/sources/traffic-scotland.ts';
import { fixture, upstream, type Answer } from '../../support/upstream.ts';

const NOW = '2026-11-20T08:05:00Z';
const SETTINGS = { TRAFFIC_SCOTLAND_CLIENT_ID: 'clearway', TRAFFIC_SCOTLAND_CLIENT_KEY: 'k3y' };

const EMPTY = fixture('traffic-scotland/empty.synthetic.xml');
const UNPLANNED = fixture('traffic-scotland/unplanned-events.synthetic.xml');
const CURRENT = fixture('traffic-scotland/current-roadworks.synthetic.xml');
const FUTURE = fixture('traffic-scotland/future-roadworks.synthetic.xml');
const BROKEN = fixture('traffic-scotland/broken.synthetic.xml');
const RSS = fixture('traffic-scotland/rss-incidents.synthetic.xml');
const RSS_ROADWORKS = fixture('traffic-scotland/rss-roadworks.synthetic.xml');

const collect = (unplanned: Answer, current: Answer = EMPTY, future: Answer = EMPTY, now = NOW) =>
  trafficScotland.collect(upstream([unplanned, current, future], { now, settings: SETTINGS }));

interface Fields {
  type?: string;
  severity?: string;
  status?: string;
  window?: string;
  comment?: string;
  more?: string;
}

const situation = ({
  type = 'Oddity',
  severity = '',
  status = 'active',
  window = '',
  comment = 'A9',
  more = '',
}: Fields) =>
  EMPTY.replace(
    '</payloadPublication>',
    `<situation id="S"><situationRecord xsi:type="${type}">${severity && `<severity>${severity}</severity>`}` +
      `<validity>${status && `<validityStatus>${status}</validityStatus>`}<validityTimeSpecification>${window}` +
      `</validityTimeSpecification></validity><generalPublicComment><comment><values><value>${comment}</value>` +
      `</values></comment></generalPublicComment>${more}</situationRecord></situation></payloadPublication>`,
  );

describe('traffic-scotland', () => {
  it('keeps incidents in force or planned in all three publications, and drops past ones and exercises', async () => {
    const { records, ...rest } = await collect(UNPLANNED, CURRENT, FUTURE);

    expect(
      records.map(
        ({ event_id, severity, phase, event_type }) => `${event_id} ${severity} ${phase} ${event_type}`,
      ),
    ).toEqual([
      'traffic-scotland:TS-1 high active road.accident',
      'traffic-scotland:TS-3 critical active road.congestion',
      'traffic-scotland:TS-4 medium planned road.incident',
      'traffic-scotland:TS-8 critical active road.weather',
      'traffic-scotland:TS-RW-1 low active road.roadworks',
      'traffic-scotland:TS-RW-3 medium active road.roadworks',
      'traffic-scotland:TS-RW-4 low planned road.roadworks',
    ]);
    expect(rest).toEqual({
      skipped: 0,
      problems: ['traffic-scotland:TS-RW-1 appears more than once; the newest or worst is kept'],
      complete: true,
      ended: ['traffic-scotland:TS-2', 'traffic-scotland:TS-6'],
    });
  });

  it('gives all that the publisher says about an event', async () => {
    const { records } = await collect(UNPLANNED);

    expect(records[0]).toEqual({
      event_id: 'traffic-scotland:TS-1',
      severity: 'high',
      event_type: 'road.accident',
      title: 'A92 Southbound at Halbeath - lane 1 closed due to an accident',
      summary_line: 'Approach with caution.',
      updated_at: '2026-11-20T08:02:00.000Z',
      start_time: '2026-11-20T07:31:00.000Z',
      end_time: null,
      phase: 'active',
      kind: 'alert',
      latitude: 56.0772,
      longitude: -3.4,
      shape: {
        geometry: '{"type":"Point","coordinates":[-3.4,56.0772]}',
        north: 56.0772,
        south: 56.0772,
        east: -3.4,
        west: -3.4,
      },
      metadata: {
        upstream_severity: 'high',
        validity_status: 'active',
        trust_status: true,
        record_type: 'Accident',
        publication: 'UnplannedEvents',
      },
    });
  });

  it('describes a situation of several records by the worst one in force', async () => {
    const { records } = await collect(UNPLANNED);

    expect(records.find(({ event_id }) => event_id === 'traffic-scotland:TS-3')).toMatchObject({
      title: 'M8 Eastbound Jct 18 to Jct 15 - queue',
      summary_line: 'Abnormal traffic',
      // The time of the ended record, which is later, does not count.
      updated_at: '2026-11-20T08:01:00.000Z',
      start_time: '2026-11-20T07:45:00.000Z',
      latitude: 55.8692,
      metadata: { location_method: 'stretch' },
    });
  });

  it.each([
    ['highest', 'critical'],
    ['high', 'high'],
    ['medium', 'medium'],
    ['low', 'low'],
    ['lowest', 'low'],
    ['none', 'low'],
  ])('reads the severity %s as %s, whatever the words', async (severity, expected) => {
    const { records } = await collect(situation({ severity, comment: 'Road closed, accident' }));

    expect(records).toMatchObject([{ severity: expected, metadata: { upstream_severity: severity } }]);
    expect(records[0]?.metadata).not.toHaveProperty('severity_unrated');
  });

  it.each([
    ['Oddity', 'A83 - road closed', 'critical'],
    ['Oddity', 'A83 - all lanes are closed', 'critical'],
    ['Accident', 'A83 at Arrochar', 'high'],
    ['Oddity', 'Vehicle fire', 'high'],
    ['Oddity', 'Flooding at Luss', 'high'],
    ['Oddity', 'Slip road to Luss is closed', 'high'],
    ['Oddity', 'Breakdown, lane 1 closed', 'medium'],
    ['VehicleObstruction', 'A83', 'medium'],
    ['AbnormalTraffic', 'A83', 'medium'],
    ['Oddity', 'High winds', 'medium'],
    ['Accident', 'A83 - now clear', 'low'],
    ['MaintenanceWorks', 'Accident black spot works, delays', 'low'],
    ['ConstructionWorks', 'Road closed for works', 'medium'],
  ])('grades %s, %j without a severity as %s', async (type, comment, expected) => {
    for (const severity of ['', 'unknown']) {
      const { records, problems } = await collect(situation({ type, comment, severity }));

      expect(records).toMatchObject([{ severity: expected }]);
      expect(problems).toEqual([]);
    }
  });

  it('keeps an unknown severity as unrated', async () => {
    const { records, problems } = await collect(situation({ severity: 'enormous' }));

    expect(records).toMatchObject([
      { severity: 'medium', metadata: { severity_unrated: true, upstream_severity: 'enormous' } },
    ]);
    expect(problems).toEqual(['Situation S: unknown severity "enormous", counted as medium, unrated']);
  });

  const PAST = '<overallEndTime>2026-11-20T08:05:00Z</overallEndTime>';
  const AHEAD = '<overallStartTime>2026-11-20T08:05:01Z</overallStartTime>';
  it.each([
    [{ status: 'active', window: PAST }, 'active'],
    [{ status: 'active', window: PAST, type: 'MaintenanceWorks' }, undefined],
    [{ status: 'suspended' }, undefined],
    [{ status: 'planned', window: AHEAD }, 'planned'],
    [{ status: 'planned', window: PAST }, undefined],
    [{ status: 'definedByValidityTimeSpec', window: AHEAD }, 'planned'],
    [{ status: 'definedByValidityTimeSpec', window: PAST }, undefined],
    [{ status: '', window: PAST }, undefined],
    [{ status: '', window: '' }, 'active'],
    [
      { more: '<management><lifeCycleManagement><end>true</end></lifeCycleManagement></management>' },
      undefined,
    ],
    [
      { more: '<management><lifeCycleManagement><cancel>true</cancel></lifeCycleManagement></management>' },
      undefined,
    ],
    [
      { more: '<management><lifeCycleManagement><end>false</end></lifeCycleManagement></management>' },
      'active',
    ],
  ] as [Fields, string | undefined][])('says whether it is in force: %j is %s', async (fields, phase) => {
    expect((await collect(situation(fields))).records[0]?.phase).toBe(phase);
  });

  it('keeps a record that it can read only in part, as plain text, and says what it could not read', async () => {
    const { records, ...rest } = await collect(BROKEN);

    expect(records).toMatchObject([
      {
        event_id: 'traffic-scotland:TS-11',
        severity: 'medium',
        title: 'A swan & cygnets near Perth',
        updated_at: null,
        start_time: null,
        latitude: null,
        longitude: null,
      },
      { event_id: 'traffic-scotland:TS-12', severity: 'high', title: 'Accident', latitude: null },
      { event_id: 'traffic-scotland:TS-13', severity: 'low', metadata: { upstream_severity: 'low' } },
    ]);
    expect(rest).toEqual({
      skipped: 2,
      problems: [
        'Situation 1 left out: id: its id is missing',
        'Situation TS-10 left out: records: it has no record',
        'Situation TS-11: unknown validityStatus "pending", judged by its times',
        'Situation TS-11: unreadable time "2026-13-45"',
        'Situation TS-11: unreadable time "never"',
        'Situation TS-11: unknown severity "enormous", counted as medium, unrated',
        'Situation TS-11: its position lies outside Scotland and is not used',
        'Situation TS-12: its position lies outside Scotland and is not used',
      ],
      complete: true,
      unreadable: ['traffic-scotland:TS-10'],
    });
  });

  it('reads publications without situations as a quiet night', async () => {
    expect(await collect(EMPTY)).toEqual({ records: [], skipped: 0, problems: [], complete: true });
  });

  it.each([
    ['refused', new Error('503 Service Unavailable'), '503 Service Unavailable'],
    ['a page', '<!DOCTYPE html><html/>', 'The document is an HTML page, not the XML that was expected.'],
    ['another document', '<Fault/>', 'The document is not a DATEX II publication, but "Fault".'],
  ])('shows the other publications when one is %s, and ends nothing', async (_, answer, words) => {
    const { records, complete, problems } = await collect(UNPLANNED, answer);

    expect(records).toHaveLength(4);
    expect(complete).toBe(false);
    expect(problems).toEqual([`The current roadworks could not be read: ${words}`]);
  });

  it('ends nothing when most of it cannot be read', async () => {
    const odd = situation({}).replace(
      '</payloadPublication>',
      '<situation/><situation/></payloadPublication>',
    );

    expect(await collect(odd)).toMatchObject({ complete: false, skipped: 2, records: [{}] });
  });

  it.each([
    ['', 'The document is empty.'],
    [UNPLANNED.slice(0, 3000), 'not well-formed XML, or cut off'],
    [
      '<rss><channel><title>Weather</title></channel></rss>',
      'The document is RSS, but not by Traffic Scotland.',
    ],
  ])('fails when no publication can be read (%#)', async (body, message) => {
    await expect(collect(body, body, body)).rejects.toThrow(message);
  });

  it('asks for each publication with the account, below the configured address', async () => {
    const settings = { ...SETTINGS, TRAFFIC_SCOTLAND_URL: 'https://mirror.example/datex/' };
    const far = upstream([EMPTY, EMPTY, EMPTY], { now: NOW, settings });
    await trafficScotland.collect(far);
    const usual = upstream([EMPTY, EMPTY, EMPTY], { now: NOW, settings: SETTINGS });
    await trafficScotland.collect(usual);

    const headers = { authorization: `Basic ${btoa('clearway:k3y')}` };
    expect(far.asked).toEqual([
      { url: 'https://mirror.example/datex/UnplannedEvents/Content.xml', headers },
      { url: 'https://mirror.example/datex/CurrentRoadworks/Content.xml', headers },
      { url: 'https://mirror.example/datex/FutureRoadworks/Content.xml', headers },
    ]);
    expect(usual.asked[0]?.url).toBe(`${PUBLICATIONS_URL}/UnplannedEvents/Content.xml`);
  });

  describe('in the form of the retired RSS', () => {
    it('grades by kind and words, and ends what two polls lack', async () => {
      const { records, ...rest } = await collect(RSS);

      expect(
        records.map(({ event_id, severity, event_type }) => `${event_id} ${severity} ${event_type}`),
      ).toEqual([
        'traffic-scotland:01a100 low road.roadworks',
        'traffic-scotland:01c101 medium road.breakdown',
        'traffic-scotland:01c102 critical road.accident',
        'traffic-scotland:01c103 medium road.incident',
      ]);
      expect(rest).toEqual({
        skipped: 1,
        problems: [
          'Item 5 "A2 - Queue" left out: id: its link names no event',
          '"A9 Bankfoot - Accident": its position lies outside Scotland and is not used',
          '"A1 Haggerston - Something New": no words to grade it by; medium, unrated',
        ],
        complete: true,
        absentPolls: 2,
      });
    });

    it('says what an item says', async () => {
      const { records } = await collect(RSS);

      expect(records[1]).toEqual({
        event_id: 'traffic-scotland:01c101',
        severity: 'medium',
        event_type: 'road.breakdown',
        title: 'A737 Johnstone - Breakdown',
        summary_line: 'All lanes restricted Northbound',
        updated_at: '2026-11-20T07:34:15.000Z',
        start_time: '2026-11-20T07:34:15.000Z',
        end_time: null,
        phase: 'active',
        kind: 'alert',
        latitude: 55.8440105144569,
        longitude: -4.48990610367594,
        metadata: {
          upstream_severity: 'Breakdown',
          publication: 'UnplannedEvents',
          links: [{ url: 'http://tscot.org/01c101', label: 'Traffic Scotland' }],
        },
      });
      expect(records[3]?.metadata).toMatchObject({
        severity_unrated: true,
        upstream_severity: 'Something New',
      });
    });

    it('reads the days of roadworks in London time, the last one to its end', async () => {
      const { records } = await collect(RSS_ROADWORKS);

      expect(records).toMatchObject([
        {
          event_id: 'traffic-scotland:03c200',
          phase: 'active',
          severity: 'low',
          start_time: '2026-11-16T00:00:00.000Z',
          end_time: '2026-11-21T00:00:00.000Z',
        },
        {
          event_id: 'traffic-scotland:03c202',
          phase: 'planned',
          start_time: '2027-03-29T19:00:00.000Z',
          end_time: '2027-04-03T05:00:00.000Z',
        },
      ]);
    });
  });
});
