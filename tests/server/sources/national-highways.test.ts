import { describe, expect, it } from 'vitest';
import { CLOSURES_URL, nationalHighways, PAGES_MAX } from '../../../server/sources/national-highways.ts';
import { fixture, upstream, type Answer } from '../../support/upstream.ts';
import type { Tools } from '../../../server/incidents/collector.ts';

const UNPLANNED = fixture('national-highways/closures-unplanned.synthetic.json');
const PLANNED = fixture('national-highways/closures-planned-2026-07-07.json');
const EMPTY = fixture('national-highways/closures-empty.synthetic.json');
const BROKEN = fixture('national-highways/closures-broken.synthetic.json');
const PORTAL = fixture('national-highways/portal-doc-incident-2025-03-20.json');
const MORNING = '2026-11-20T09:15:00Z';
const JULY = '2026-07-07T19:40:00Z';

const collect = (answers: Answer[], now = MORNING, settings: Tools['settings'] = {}) =>
  nationalHighways.collect(upstream(answers, { now, settings }));

const brief = ({ event_id, severity, phase }: { event_id: string; severity: string; phase: string }) =>
  `${event_id} ${severity} ${phase}`;

/** One situation with one record, whose subject a test changes. */
const publication = (
  closure: object,
  {
    roadName = 'M1',
    kind = 'dualCarriageway',
    lanes,
  }: { roadName?: string; kind?: string; lanes?: [number, number] } = {},
) =>
  JSON.stringify({
    D2Payload: {
      feedType: 'SituationPublication',
      situation: [
        {
          idG: '1',
          situationRecord: [
            {
              sitRoadOrCarriagewayOrLaneManagement: {
                validity: {
                  validityStatus: 'definedByValidityTimeSpec',
                  validityTimeSpecification: { overallStartTime: '2026-11-20T08:00:00Z' },
                },
                locationReference: {
                  supplementaryPositionalDescription: {
                    carriageway: [
                      {
                        carriageway: { value: kind },
                        carriagewayExtensionG: {
                          impactOnCarriageway: lanes && {
                            numberOfLanesRestricted: lanes[0],
                            numberOfOperationalLanes: lanes[1],
                          },
                        },
                      },
                    ],
                  },
                  linearElement: { roadName },
                },
                ...closure,
              },
            },
          ],
        },
      ],
    },
  });

const type = (value: string) => ({ roadOrCarriagewayOrLaneManagementType: { value } });
const source = (sourceIdentification: string) => ({ source: { sourceIdentification } });
const incident = source('Incident Management');
const roadworks = source('roadworks');
const validity = (validityStatus: string, overallStartTime: string, overallEndTime?: string) => ({
  validity: { validityStatus, validityTimeSpecification: { overallStartTime, overallEndTime } },
});
const later = validity('planned', '2026-11-25T20:00:00Z', '2026-11-26T05:00:00Z');

const byId = (a: { event_id: string }, b: { event_id: string }) => a.event_id.localeCompare(b.event_id);

const carriageway = (value: string, restricted: number, operational: number) => ({
  carriageway: { value },
  carriagewayExtensionG: {
    impactOnCarriageway: { numberOfLanesRestricted: restricted, numberOfOperationalLanes: operational },
  },
});

const page = (next: string) => ({ body: UNPLANNED, headers: { 'x-next': next } });

describe('national-highways', () => {
  it('reads unplanned closures: one event for each situation, described by its worst record', async () => {
    const { records, ...rest } = await collect([UNPLANNED, EMPTY]);

    expect(rest).toEqual({
      skipped: 0,
      problems: [],
      complete: true,
      ended: ['national-highways:000018-20112026 - 040000', 'national-highways:000019-20112026 - 030000'],
    });
    expect(records.map(brief)).toEqual([
      'national-highways:signs/M6-20-A critical active',
      'national-highways:000011-20112026 - 081500 high active',
      'national-highways:000012-20112026 - 082000 high active',
      'national-highways:000013-20112026 - 082500 medium active',
      'national-highways:000014-20112026 - 083000 high active',
      'national-highways:000015-20112026 - 083500 medium active',
      'national-highways:000016-20112026 - 084000 critical active',
      'national-highways:000017-20112026 - 050000 medium active',
      'national-highways:000020-20112026 - 090000 medium active',
    ]);
  });

  it('reads planned closures, without the suspended one', async () => {
    const { records } = await collect([EMPTY, PLANNED], JULY);

    expect(records.map(brief)).toEqual([
      'national-highways:467118 low active',
      'national-highways:458159 low active',
      'national-highways:409447 low active',
    ]);
    expect(records[0]).toEqual({
      event_id: 'national-highways:467118',
      severity: 'low',
      event_type: 'road.closure',
      title: 'A27 westbound Falmer exit slip road closure',
      summary_line: 'A27 westbound exit for B2123. Slip road closed. Cause: maintenance work.',
      updated_at: '2026-07-07T19:27:58.580Z',
      start_time: '2026-06-17T05:00:00.000Z',
      end_time: '2026-07-26T19:00:00.000Z',
      phase: 'active',
      kind: 'alert',
      // The middle one of its 16 vertices.
      latitude: 50.863015,
      longitude: -0.079162,
      shape: {
        geometry:
          '{"type":"LineString","coordinates":[[-0.07643,50.86369],[-0.07851,50.86335],[-0.07899,50.86314],[-0.07981,50.86246]]}',
        north: 50.86369,
        south: 50.86246,
        east: -0.07643,
        west: -0.07981,
      },
      metadata: {
        upstream_severity: 'carriagewayClosures',
        validity_status: 'planned',
        closure_type: 'planned',
        roads: ['A27'],
        direction: 'westbound',
        slip_road: true,
        lanes_restricted: 2,
        lanes_operational: 0,
        cause: 'maintenance work',
        places: ['A27 westbound exit for B2123'],
        location_method: 'stretch',
        bounding_box: { north: 50.863689, south: 50.86246, east: -0.07643, west: -0.079813 },
      },
    });
  });

  it("reads the portal's example: a breakdown in one of two lanes of a link road", async () => {
    const { records } = await collect([PORTAL, EMPTY], '2025-03-20T11:40:00Z');

    expect(records).toMatchObject([
      {
        event_id: 'national-highways:000007-20032025 - 110312',
        severity: 'medium',
        event_type: 'road.lane_closure',
        title: 'M62 southbound: Breakdown [M62A/M60A, Eccles from 0.72 to 0.72]',
        summary_line:
          'Link road from M62 J10 westbound to M6 J21A northbound. 1 of 2 lanes closed. Cause: broken down vehicle.',
        latitude: 53.489254,
        longitude: -2.3784728,
        metadata: { closure_type: 'unplanned', slip_road: true },
      },
    ]);
    // A point of the publisher's own needs no explanation.
    expect(records[0]?.metadata).not.toHaveProperty('location_method');
  });

  it('tells planned from unplanned by the record itself, so either list may stand in for the other', async () => {
    const asAsked = await collect([UNPLANNED, PLANNED], JULY);
    const exchanged = await collect([PLANNED, UNPLANNED], JULY);

    expect(exchanged.records.toSorted(byId)).toEqual(asAsked.records.toSorted(byId));
  });

  it('finds the same records in the same documents', async () => {
    expect(await collect([UNPLANNED, PLANNED])).toEqual(await collect([UNPLANNED, PLANNED]));
  });

  it('reads a publication without situations as empty', async () => {
    expect(await collect([EMPTY, EMPTY])).toEqual({ records: [], skipped: 0, problems: [], complete: true });
  });

  describe('severity', () => {
    it.each([
      ['full closure of a motorway', { ...incident, ...type('carriagewayClosures') }, {}, 'critical'],
      [
        'full closure of an A(M) road',
        { ...incident, ...type('carriagewayClosures') },
        { roadName: 'A1(M)' },
        'critical',
      ],
      [
        'full closure of an A road',
        { ...incident, ...type('carriagewayClosures') },
        { roadName: 'A46' },
        'high',
      ],
      ['no lane left open', { ...incident, ...type('laneClosures') }, { lanes: [3, 0] }, 'critical'],
      ['half of the lanes', { ...incident, ...type('laneClosures') }, { lanes: [2, 2] }, 'high'],
      ['less than half of the lanes', { ...incident, ...type('laneClosures') }, { lanes: [1, 2] }, 'medium'],
      ['lanes without their number', { ...incident, ...type('laneClosures') }, {}, 'medium'],
      ['another type with lanes', { ...incident, ...type('other') }, { lanes: [2, 1] }, 'high'],
      ['another type', { ...incident, ...type('other') }, {}, 'medium'],
      [
        'full closure of a slip road of a motorway',
        { ...incident, ...type('carriagewayClosures') },
        { kind: 'slipRoads' },
        'high',
      ],
      [
        'full closure of a slip road of an A road',
        { ...incident, ...type('carriagewayClosures') },
        { kind: 'slipRoads', roadName: 'A5' },
        'medium',
      ],
      [
        'half of the lanes of a slip road',
        { ...incident, ...type('laneClosures') },
        { kind: 'slipRoads', lanes: [1, 1] },
        'medium',
      ],
      [
        'a lane of three of a slip road',
        { ...incident, ...type('laneClosures') },
        { kind: 'slipRoads', lanes: [1, 2] },
        'low',
      ],
      ['planned full closure', { ...roadworks, ...type('carriagewayClosures') }, {}, 'medium'],
      [
        'planned full closure of a slip road',
        { ...roadworks, ...type('carriagewayClosures') },
        { kind: 'slipRoads' },
        'low',
      ],
      ['planned lane closure', { ...roadworks, ...type('laneClosures') }, { lanes: [2, 1] }, 'low'],
      [
        'planned full closure, not begun',
        { ...roadworks, ...type('carriagewayClosures'), ...later },
        {},
        'low',
      ],
    ] as const)('%s', async (_, closure, about, severity) => {
      const { records } = await collect([
        publication(closure, about as Parameters<typeof publication>[1]),
        EMPTY,
      ]);

      expect(records.map((record) => record.severity)).toEqual([severity]);
    });

    it('is the worst of the carriageways, not that of a slip road among them', async () => {
      const { records } = await collect([
        publication({
          ...incident,
          locationReference: {
            supplementaryPositionalDescription: {
              carriageway: [carriageway('slipRoads', 1, 0), carriageway('mainCarriageway', 2, 1)],
            },
          },
        }),
        EMPTY,
      ]);

      // Two lanes of three are worse than the slip road's full closure, which is one lower than a road's.
      expect(records.map(({ severity }) => severity)).toEqual(['high']);
    });

    it.each([
      ['other', {}, true],
      ['laneClosures', {}, undefined],
      ['other', { lanes: [1, 2] as [number, number] }, undefined],
    ])('is unrated where nothing says how much is closed: %s %o', async (value, about, unrated) => {
      const { records } = await collect([publication({ ...incident, ...type(value) }, about), EMPTY]);

      expect(records.map(({ metadata }) => metadata.severity_unrated)).toEqual([unrated]);
    });
  });

  describe('the records in force', () => {
    const before = '2026-11-20T06:00:00Z';
    const ended = '2026-11-20T09:00:00Z';
    const tonight = '2026-11-20T20:00:00Z';

    it.each([
      ['active', before, undefined, 'active'],
      ['active', before, ended, 'active'],
      ['active', tonight, undefined, 'active'],
      ['suspended', before, tonight, undefined],
      ['ended', before, tonight, undefined],
      ['planned', before, tonight, 'active'],
      ['planned', tonight, undefined, 'planned'],
      ['planned', before, ended, undefined],
      ['definedByValidityTimeSpec', before, tonight, 'active'],
      ['definedByValidityTimeSpec', tonight, undefined, 'planned'],
      ['definedByValidityTimeSpec', before, ended, undefined],
      ['somethingNew', before, ended, undefined],
      ['somethingNew', before, undefined, 'active'],
    ])('%s from %s to %s is %s', async (status, start, end, phase) => {
      const { records } = await collect([
        publication({ ...incident, ...validity(status, start, end) }),
        EMPTY,
      ]);

      expect(records.map((record) => record.phase)).toEqual(phase ? [phase] : []);
    });

    it.each([
      ['active', true],
      ['planned', undefined],
      ['definedByValidityTimeSpec', undefined],
    ])('%s is believed beyond its end time: %s', async (status, trusted) => {
      const { records } = await collect([publication(validity(status, before, tonight)), EMPTY]);

      expect(records.map(({ metadata }) => metadata.trust_status)).toEqual([trusted]);
      expect(records.map(({ end_time }) => end_time)).toEqual(['2026-11-20T20:00:00.000Z']);
    });
  });

  it.each([
    ['roadworks', roadworks, 'planned'],
    ['Incident Management', incident, 'unplanned'],
    ['a status', { ...validity('planned', '2026-11-20T06:00:00Z') }, 'planned'],
    ['a cause', { cause: { causeType: 'constructionWork' } }, 'planned'],
    // The first question is for the unplanned ones.
    ['nothing', {}, 'unplanned'],
    ['a cause that may be either', { cause: { causeType: 'authorityOperation' } }, 'unplanned'],
  ])('tells planned from unplanned by %s', async (_, closure, nature) => {
    const { records } = await collect([publication(closure), EMPTY]);

    expect(records.map(({ metadata }) => metadata.closure_type)).toEqual([nature]);
  });

  describe('with a document that has faults', () => {
    it('leaves out what cannot be read, says so, and keeps the others', async () => {
      const { records, skipped, problems, complete, unreadable } = await collect([BROKEN, EMPTY]);

      expect(records.map(brief)).toEqual([
        'national-highways:good medium active',
        'national-highways:one-bad-record medium active',
        'national-highways:twice medium active',
        'national-highways:swapped high active',
        'national-highways:51 low planned',
      ]);
      expect(skipped).toBe(4);
      expect(complete).toBe(true);
      expect(unreadable).toEqual(['national-highways:no-records', 'national-highways:one-bad-record']);
      expect(problems).toEqual([
        expect.stringMatching(/^Situation 2 left out: idG/),
        expect.stringMatching(/^Situation 3 left out/),
        'Situation no-records left out: it has no record',
        expect.stringMatching(/^Record 1 of situation one-bad-record left out: validity/),
        'Situation one-bad-record: unknown validityStatus "somethingNew", judged by its times',
        'Situation swapped: unreadable time "no time"',
        'Situation swapped: its position lies outside England and is not used',
        expect.stringMatching(/^national-highways:twice appears more than once/),
      ]);
    });

    it('turns hostile text into plain text', async () => {
      const { records } = await collect([BROKEN, EMPTY]);

      expect(records[0]).toMatchObject({
        title: 'M6 northbound J4 & J5 lane <1> closed',
        summary_line: 'M6 J4. 1 of 4 lanes closed. Cause: accident.',
      });
    });

    it.each([
      [
        'M1 southbound closed J26 to J25, overturned lorry, recovery under way. Traffic is diverted by the A610.',
        'M1 southbound closed J26 to J25, overturned lorry, recovery under way',
        'Traffic is diverted by the A610.',
      ],
      [
        'M1 northbound lane 1 closed between Jct. 23 and St. Helens Road while a carriageway is resurfaced',
        'M1 northbound lane 1 closed between Jct. 23 and St. Helens Road while a carriageway is resurfaced',
        'Restrictions in place.',
      ],
      ['M1 J5 closed. Use the A5.', 'M1 J5 closed. Use the A5.', 'Restrictions in place.'],
    ])('uses the first sentence of a long comment as its title: %s', async (comment, title, further) => {
      const document = publication({ generalPublicComment: [{ comment }] });
      const { records } = await collect([document, EMPTY]);

      expect(records[0]?.title).toBe(title);
      expect(records[0]?.summary_line).toMatch(new RegExp(`^${further}`));
    });

    it('does not guess a position', async () => {
      const { records } = await collect([BROKEN, EMPTY]);
      const swapped = records.find(({ event_id }) => event_id.endsWith(':swapped'));

      expect(swapped).toMatchObject({
        latitude: null,
        longitude: null,
        start_time: '2026-11-20T08:01:00.000Z',
      });
      expect(swapped?.metadata).not.toHaveProperty('location_method');
    });

    it('survives a document that is nested absurdly deep', async () => {
      const depth = 5000;
      const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
      const { records } = await collect([
        publication({ locationReference: 'HERE' }).replace('"HERE"', deep),
        EMPTY,
      ]);

      expect(records).toHaveLength(1);
    });
  });

  describe('when a part cannot be read', () => {
    it.each([
      ['is refused', new Error('429 Too Many Requests')],
      ['is empty', ''],
      ['is a page', '<html><body>Access denied</body></html>'],
      ['is XML', '<?xml version="1.0"?><d2LogicalModel/>'],
      ['is cut off', UNPLANNED.slice(0, 5000)],
      ['is another JSON', '{"message":"internal error"}'],
    ])('the answer is incomplete and says so: one list %s', async (_, answer) => {
      const { records, complete, problems } = await collect([answer, PLANNED], JULY);

      expect(records).toHaveLength(3);
      expect(complete).toBe(false);
      expect(problems).toEqual([expect.stringMatching(/^The unplanned closures could not be read: /)]);
    });

    it.each([
      ['refused', new Error('503 Service Unavailable'), '503 Service Unavailable'],
      ['empty', '', 'The document is empty.'],
      ['pages', '<!doctype html><p>Sign in', 'HTML page'],
      ['cut off', PLANNED.slice(0, 5000), 'cut off'],
      ['another JSON', '{"statusCode":401}', 'not a DATEX II publication'],
      [
        'records in another form',
        '{"D2Payload":{"feedType":"SituationPublication","situation":[{"id":"1"}]}}',
        'None of the 1 situations can be read',
      ],
      ['a publication of nothing', '{"D2Payload":{}}', 'not a DATEX II publication'],
    ])('the poll fails when both are: %s', async (_, answer, message) => {
      await expect(collect([answer, answer])).rejects.toThrow(message);
    });

    it('keeps the kind of a failure that both lists share, and the words of two different ones', async () => {
      const refused = new RangeError('429 Too Many Requests');

      await expect(collect([refused, refused])).rejects.toBe(refused);
      await expect(collect([refused, ''])).rejects.toMatchObject({
        message: 'unplanned closures: 429 Too Many Requests; planned closures: The document is empty.',
        cause: refused,
      });
    });
  });

  describe('asking', () => {
    const key = { NATIONAL_HIGHWAYS_API_KEY: 'secret-key' };

    it('asks for both lists as JSON with the key', async () => {
      const tools = upstream([EMPTY, EMPTY], { now: MORNING, settings: key });
      await nationalHighways.collect(tools);

      expect(tools.asked.map(({ url }) => url)).toEqual([
        `${CLOSURES_URL}?closureType=unplanned`,
        `${CLOSURES_URL}?closureType=planned`,
      ]);
      for (const { headers } of tools.asked) {
        expect(headers).toMatchObject({
          'ocp-apim-subscription-key': 'secret-key',
          'x-response-mediatype': 'application/json',
          'x-data-format': 'DATEXII',
        });
      }
    });

    it.each([
      ['https', undefined, `${CLOSURES_URL}?closureType=unplanned&page=2`],
      ['loopback', 'http://127.0.0.1:9/roads', 'http://127.0.0.1:9/roads?page=2'],
      ['a relative address', undefined, '?closureType=unplanned&page=2'],
    ])('follows the next page on the same service: %s', async (_, base, next) => {
      const settings = { ...key, NATIONAL_HIGHWAYS_URL: base };
      const tools = upstream([page(next), { body: PORTAL }, EMPTY], {
        now: '2025-03-20T11:40:00Z',
        settings,
      });
      const { records, complete } = await nationalHighways.collect(tools);

      expect(tools.asked).toHaveLength(3);
      expect(tools.asked[1]?.url).toMatch(/page=2$/);
      expect(tools.asked[1]?.headers).toHaveProperty('ocp-apim-subscription-key');
      expect(records.map(({ event_id }) => event_id)).toContain('national-highways:000007-20032025 - 110312');
      expect(complete).toBe(true);
    });

    it.each([
      ['another host', undefined, 'https://evil.example/roads/v2.0/closures?page=2'],
      ['another path', undefined, 'https://api.data.nationalhighways.co.uk/other?page=2'],
      ['no encryption', undefined, 'http://api.data.nationalhighways.co.uk/roads/v2.0/closures?page=2'],
      [
        'other credentials',
        undefined,
        'https://me@api.data.nationalhighways.co.uk/roads/v2.0/closures?page=2',
      ],
      ['a service in the open', 'http://roads.example/closures', 'http://roads.example/closures?page=2'],
      ['no address', undefined, 'http://'],
      ['itself', undefined, `${CLOSURES_URL}?closureType=unplanned`],
    ])('stops there and is incomplete: %s', async (_, base, next) => {
      const settings = { ...key, NATIONAL_HIGHWAYS_URL: base };
      const tools = upstream([page(next), EMPTY], { now: MORNING, settings });
      const { records, complete, problems } = await nationalHighways.collect(tools);

      expect(tools.asked).toHaveLength(2);
      expect(records).toHaveLength(9);
      expect(complete).toBe(false);
      expect(problems).toEqual([expect.stringMatching(/^The unplanned closures were read up to page 1: /)]);
    });

    it('keeps the pages that it could read', async () => {
      const next = `${CLOSURES_URL}?closureType=unplanned&page=2`;
      const { records, complete, problems } = await collect([
        page(next),
        new Error('502 Bad Gateway'),
        EMPTY,
      ]);

      expect(records).toHaveLength(9);
      expect(complete).toBe(false);
      expect(problems).toEqual(['Page 2 of the unplanned closures could not be read: 502 Bad Gateway']);
    });

    it('stops at endless pages', async () => {
      let asked = 0;
      const endless = () => ({
        body: EMPTY,
        headers: { 'x-next': `${CLOSURES_URL}?closureType=unplanned&page=${++asked}` },
      });
      const { complete } = await nationalHighways.collect(upstream(endless, { now: MORNING }));

      expect(asked).toBe(2 * PAGES_MAX);
      expect(complete).toBe(false);
    });
  });
});
