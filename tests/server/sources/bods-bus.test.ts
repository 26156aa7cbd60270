import { describe, expect, it } from 'vitest';
import { bodsBus, SIRI_URL } from '../../../server/sources/bods-bus.ts';
import { fixture, upstream, type Answer } from '../../support/upstream.ts';

const NOW = '2026-11-21T09:00:00Z';
const SETTINGS = { BODS_API_KEY: 'secret' };

const collect = (answer: Answer, now = NOW) =>
  bodsBus.collect(upstream([answer], { now, settings: SETTINGS }));

const period = (start: string, end = '', name = 'ValidityPeriod') =>
  `<${name}><StartTime>${start}</StartTime>${end && `<EndTime>${end}</EndTime>`}</${name}>`;

const BEGUN = period('2026-11-20T08:00:00Z');

/** A situation that differs from an ordinary one only in the given parts. */
const situation = (
  parts: { id?: string; head?: string; periods?: string; severities?: string[]; affects?: string } = {},
) => `<PtSituationElement><CreationTime>2026-11-20T07:00:00Z</CreationTime>
  <ParticipantRef>LeedsCityCouncil</ParticipantRef><SituationNumber>${parts.id ?? '1'}</SituationNumber>
  ${parts.head ?? ''}${parts.periods ?? BEGUN}<MiscellaneousReason>roadworks</MiscellaneousReason>
  <Summary>Kirkstall Road closed</Summary><Description>Buses are diverted.</Description>
  <Consequences>${(parts.severities ?? ['normal'])
    .map(
      (word) =>
        `<Consequence><Severity>${word}</Severity><Affects>${parts.affects ?? ''}</Affects></Consequence>`,
    )
    .join('')}</Consequences></PtSituationElement>`;

const journey = (number: string, line: string, departure: string, operator = 'AKSS') =>
  `<PtSituationElement><CreationTime>2026-11-21T08:30:00</CreationTime><ParticipantRef>TKT</ParticipantRef>
  <SituationNumber>${number}</SituationNumber><Progress>open</Progress>
  ${period(departure, '2026-11-21T10:00:00Z')}<Affects><VehicleJourneys><AffectedVehicleJourney>
  <Operator><OperatorRef>${operator}</OperatorRef></Operator><PublishedLineName>${line}</PublishedLineName>
  <DirectionRef>Outbound</DirectionRef><OriginAimedDepartureTime>${departure}</OriginAimedDepartureTime>
  </AffectedVehicleJourney></VehicleJourneys></Affects>
  <Consequences><Consequence><Condition>cancelled</Condition></Consequence></Consequences></PtSituationElement>`;

const delivery = (situations: string, head = '') =>
  `<Siri><ServiceDelivery>${head}<SituationExchangeDelivery><Situations>${situations}</Situations></SituationExchangeDelivery></ServiceDelivery></Siri>`;

const recordOf = async (parts: Parameters<typeof situation>[0], now = NOW) =>
  (await collect(delivery(situation(parts)), now)).records[0];

describe('bods-bus', () => {
  it("reads the publisher's own disruption", async () => {
    const { records, ...rest } = await collect(
      fixture('bods-bus/siri-sx-disruption-generator-snapshot.xml'),
      '2023-08-17T10:00:00Z',
    );

    expect(rest).toEqual({ skipped: 0, problems: [], complete: true });
    expect(records).toEqual([
      {
        event_id: 'bods-bus:DepartmentForTransport:acde070d-8c4c-4f0d-9d8a-162843c10333',
        severity: 'high',
        event_type: 'bus.staff_in_wrong_place',
        title: 'Some summary',
        summary_line: 'Test description',
        updated_at: '2023-05-11T14:40:00.000Z',
        // Start of its second period, which is open.
        start_time: '2023-03-18T12:00:00.000Z',
        end_time: null,
        phase: 'active',
        kind: 'alert',
        latitude: null,
        longitude: null,
        shape: null,
        metadata: {
          upstream_severity: 'severe',
          planned: true,
          reason: 'staffInWrongPlace',
          modes: ['bus', 'tram', 'rail'],
          operators: ['Operator Name', 'First South Yorkshire', 'Test'],
          lines: ['Line', '1'],
          places: ['Area 1', 'Area 2'],
          stops: 0,
          delay_minutes: 45,
        },
      },
    ]);
  });

  it("reads the publisher's own cancellation, with its times without a zone as UTC, also in summer", async () => {
    const { records } = await collect(
      fixture('bods-bus/siri-sx-cancellations-fixture-2024-07-05.xml'),
      '2024-07-05T14:59:30Z',
    );

    expect(records).toEqual([
      {
        event_id: 'bods-bus:TKTR01L:cancelled:AKSS:174',
        severity: 'low',
        event_type: 'bus.cancellation',
        title: 'Bus 174 (AKSS): 1 journey cancelled',
        // The time is by London's clock.
        summary_line: 'inbound, 15:39',
        updated_at: '2024-07-05T14:59:19.575Z',
        start_time: '2024-07-05T14:39:00.000Z',
        end_time: '2024-07-05T15:01:00.000Z',
        phase: 'active',
        kind: 'alert',
        latitude: null,
        longitude: null,
        metadata: { operators: ['AKSS'], lines: ['174'], journeys: 1 },
      },
    ]);
  });

  it('asks with the key, at the address that is set', async () => {
    const tools = upstream([delivery(situation())], { now: NOW, settings: SETTINGS });
    await bodsBus.collect(tools);
    const mirror = upstream([delivery(situation())], {
      now: NOW,
      settings: { ...SETTINGS, BODS_URL: 'http://127.0.0.1:9/siri?part=1' },
    });
    await bodsBus.collect(mirror);

    expect(tools.asked[0]?.url).toBe(`${SIRI_URL}?api_key=secret`);
    expect(mirror.asked[0]?.url).toBe('http://127.0.0.1:9/siri?part=1&api_key=secret');
  });

  it.each([
    [['verySevere'], 'critical', undefined],
    [['severe'], 'high', undefined],
    [['normal'], 'medium', undefined],
    [['slight'], 'low', undefined],
    [['verySlight'], 'low', undefined],
    [['noImpact'], 'low', undefined],
    [['slight', 'unknown', 'severe'], 'high', undefined],
    [['unknown'], 'medium', true],
    [['undefined'], 'medium', true],
    [[], 'medium', true],
    [['toString'], 'medium', true],
  ])('grades %j as %s', async (severities, severity, unrated) => {
    const record = await recordOf({ severities });

    expect({ severity: record?.severity, unrated: record?.metadata.severity_unrated }).toEqual({
      severity,
      unrated,
    });
  });

  it('counts planned works without a severity as low, unrated', async () => {
    expect(await recordOf({ head: '<Planned>true</Planned>', severities: ['unknown'] })).toMatchObject({
      severity: 'low',
      event_type: 'bus.roadworks',
      metadata: { severity_unrated: true, planned: true, upstream_severity: 'unknown' },
    });
  });

  it.each([
    ['an open period', BEGUN, 'active', '2026-11-20T08:00:00.000Z', null],
    [
      'a period that ends',
      period('2026-11-20T08:00:00Z', '2026-11-21T18:00:00Z'),
      'active',
      '2026-11-20T08:00:00.000Z',
      '2026-11-21T18:00:00.000Z',
    ],
    [
      'a period ahead',
      period('2026-11-22T08:00:00Z', '2026-11-23T18:00:00Z'),
      'planned',
      '2026-11-22T08:00:00.000Z',
      '2026-11-23T18:00:00.000Z',
    ],
    [
      'nights, between two of them',
      period('2026-11-22T20:00:00Z', '2026-11-23T05:00:00Z') +
        period('2026-11-20T20:00:00Z', '2026-11-21T05:00:00Z') +
        period('2026-11-21T20:00:00Z', '2026-11-22T05:00:00Z'),
      'planned',
      '2026-11-21T20:00:00.000Z',
      '2026-11-23T05:00:00.000Z',
    ],
    ['no period', ' ', 'active', '2026-11-20T07:00:00.000Z', null],
  ])('with %s is placed by its times', async (_, periods, phase, start_time, end_time) => {
    expect(await recordOf({ periods })).toMatchObject({ phase, start_time, end_time });
  });

  it.each([
    ['its last period is over', { periods: period('2026-11-20T08:00:00Z', NOW) }],
    ['it is closed', { head: '<Progress>closed</Progress>' }],
    ['it is a draft', { head: '<Progress>draft</Progress>' }],
    ['its publication is over', { head: period('2026-11-01T08:00:00Z', NOW, 'PublicationWindow') }],
    ['its publication lies ahead', { head: period('2026-11-22T08:00:00Z', '', 'PublicationWindow') }],
  ])('leaves it out when %s', async (_, parts) => {
    expect(await collect(delivery(situation(parts)))).toEqual({
      records: [],
      skipped: 0,
      problems: [],
      complete: true,
      ended: ['bods-bus:LeedsCityCouncil:1'],
    });
  });

  it.each(['open', 'published', 'closing'])('shows what is %s', async (progress) => {
    expect(await recordOf({ head: `<Progress>${progress}</Progress>` })).toMatchObject({ phase: 'active' });
  });

  it('takes the newest of several with one identity, even when that one is closed', async () => {
    const versions = (first: string, second: string) =>
      collect(delivery(situation({ head: first }) + situation({ head: second })));
    const open = (version: number) => `<Version>${version}</Version><Progress>open</Progress>`;

    expect((await versions('<Version>10</Version><Progress>closed</Progress>', open(9))).records).toEqual([]);
    expect((await versions('<Version>1</Version><Progress>closed</Progress>', open(2))).records).toHaveLength(
      1,
    );
  });

  it('names lines, operators and one of the stops, as plain text', async () => {
    const stop = (latitude: number) =>
      `<AffectedStopPoint><Location><Longitude>-1.57</Longitude><Latitude>${latitude}</Latitude></Location></AffectedStopPoint>`;
    const record = await recordOf({
      affects: `<Networks><AffectedNetwork><VehicleMode>bus</VehicleMode>
        <AffectedLine><AffectedOperator><OperatorRef>FLDS</OperatorRef><OperatorName>First Leeds</OperatorName></AffectedOperator><LineRef>X84_Gold</LineRef></AffectedLine>
        <AffectedLine><LineRef>LN33</LineRef><PublishedLineName>33</PublishedLineName></AffectedLine></AffectedNetwork></Networks>
        <StopPoints>${stop(53.81)}${stop(53.82)}${stop(53.83)}</StopPoints>`,
    });

    expect(record).toMatchObject({
      title: 'Kirkstall Road closed',
      summary_line: 'Buses are diverted.',
      latitude: 53.82,
      longitude: -1.57,
      metadata: {
        lines: ['X84 Gold', '33'],
        operators: ['First Leeds'],
        stops: 3,
        location_method: 'stop',
      },
    });
  });

  it('reports cancelled journeys by line, and ends with the last of them', async () => {
    const journeys = [
      journey('1', '174', '2026-11-21T09:15:00Z'),
      journey('2', '174', '2026-11-21T08:45:00Z'),
      journey('3', '9', '2026-11-21T08:50:00Z'),
      journey('4', '174', '2026-11-21T08:55:00Z', 'OTHER'),
    ];
    const { records } = await collect(delivery(journeys.join('')));

    expect(records.map(({ event_id, title, summary_line }) => [event_id, title, summary_line])).toEqual([
      ['bods-bus:TKT:cancelled:AKSS:174', 'Bus 174 (AKSS): 2 journeys cancelled', 'outbound, 08:45, 09:15'],
      ['bods-bus:TKT:cancelled:AKSS:9', 'Bus 9 (AKSS): 1 journey cancelled', 'outbound, 08:50'],
      ['bods-bus:TKT:cancelled:OTHER:174', 'Bus 174 (OTHER): 1 journey cancelled', 'outbound, 08:55'],
    ]);
    expect(records[0]).toMatchObject({
      severity: 'low',
      start_time: '2026-11-21T08:45:00.000Z',
      end_time: '2026-11-21T10:00:00.000Z',
      phase: 'active',
    });
    expect((await collect(delivery(journeys.join('')), '2026-11-21T10:00:00Z')).records).toEqual([]);
  });

  it('keeps what it can read of a document with faults, and names what it cannot', async () => {
    const { records, ...rest } = await collect(fixture('bods-bus/siri-sx-broken.synthetic.xml'));

    expect(records).toMatchObject([
      {
        event_id: 'bods-bus:Nowhereshire:hostile',
        severity: 'medium',
        event_type: 'bus.disruption',
        title: 'High Street & Mill Lane closed',
        summary_line: 'Use the stop at Church Road instead.',
        latitude: null,
        metadata: {
          severity_unrated: true,
          upstream_severity: 'catastrophic',
          links: [{ url: 'https://council.example/works?a=1&b=2' }],
          delay_minutes: null,
        },
      },
      {
        event_id: 'bods-bus:Nowhereshire:bare',
        severity: 'medium',
        title: 'Bus disruption',
        start_time: null,
        metadata: { severity_unrated: true },
      },
    ]);
    expect(rest).toEqual({
      skipped: 2,
      problems: [
        'Situation 2 left out: number: SituationNumber is missing',
        'Situation no-participant left out: participant: ParticipantRef is missing',
        'Situation bare: unknown Progress "simmering", judged by its times',
        'Situation bare: unreadable time "Tuesday"',
        'Situation hostile: unknown severity "catastrophic"',
      ],
      complete: true,
    });
  });

  it('leaves out a situation that is not XML, and then ends nothing: it may have been any of them', async () => {
    const { records, ...rest } = await collect(
      delivery(
        situation({ id: '1' }) + situation({ id: '2', head: '<Version>1</Versio>' }) + situation({ id: '3' }),
      ),
    );

    expect(records.map(({ event_id }) => event_id)).toEqual([
      'bods-bus:LeedsCityCouncil:1',
      'bods-bus:LeedsCityCouncil:3',
    ]);
    expect(rest).toEqual({
      skipped: 1,
      problems: [expect.stringMatching(/^Situation 2 left out: The document is not well-formed XML/)],
      complete: false,
    });
  });

  it('ends nothing on the evidence of half a document', async () => {
    expect(await collect(delivery(situation(), '<MoreData>true</MoreData>'))).toMatchObject({
      complete: false,
      problems: ['The document is incomplete: the service says that there is more'],
    });
  });

  it('finds nothing in a delivery without situations, which does not end everything at once', async () => {
    expect(await collect(fixture('bods-bus/siri-sx-empty.synthetic.xml'))).toMatchObject({
      records: [],
      complete: true,
    });
    expect(bodsBus.neverEmpty).toBe(true);
  });

  it.each([
    ['half a document', delivery(situation()).slice(0, -60), 'cut off'],
    ['a document that ends within a situation', delivery(situation()).slice(0, 300), 'cut off'],
    ['a page', '<!DOCTYPE html><html><body>Sign in</body></html>', 'HTML page'],
    ['entities of its own', `<!DOCTYPE Siri [<!ENTITY a "b">]>${delivery('')}`, 'entities of its own'],
    ['another XML', '<rss><channel/></rss>', 'not a SIRI situation exchange, but <rss>'],
    ['a refusal', delivery('', '<Status>false</Status>'), 'could not deliver'],
    ['situations in another form', delivery('<PtSituationElement/>'), 'None of the 1 situations'],
    ['nothing', '', 'empty'],
    ['no answer', new Error('403 Forbidden'), '403'],
  ])('fails on %s', async (_, answer, message) => {
    await expect(collect(answer)).rejects.toThrow(message);
  });
});
