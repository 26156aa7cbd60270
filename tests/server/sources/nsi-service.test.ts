import { describe, expect, it } from 'vitest';
import { RailOperatorStatus } from '../../../contract/incidents/disruptions.ts';
import { nsiService } from '../../../server/sources/nsi-service.ts';
import { fixture, upstream } from '../../support/upstream.ts';

const SETTINGS = { RDM_NSI_URL: 'https://rdm.example/nsi/v4', RDM_NSI_KEY: 'secret' };

const collect = (body: string) =>
  nsiService.collect(upstream([body], { now: '2026-03-14T18:00:00Z', settings: SETTINGS }));

const operator = (status: string, image: string, description = '') =>
  `<NSI><TOC><TocCode>ZZ</TocCode><TocName>Any</TocName><Status>${status}</Status><StatusImage>${image}</StatusImage>` +
  `<StatusDescription>${description}</StatusDescription></TOC></NSI>`;

const TICK = 'icon-tick2.png';
const NOTE = 'icon-note-noshadow.png';
const DISRUPTION = 'icon-disruption.png';

describe('nsi-service', () => {
  it('grades every operator, and reports those that run normally as such', async () => {
    const { records, skipped, complete } = await collect(
      fixture('nsi-service/nsi-all-statuses.synthetic.xml'),
    );

    expect({ skipped, complete }).toEqual({ skipped: 0, complete: true });
    expect(records.map(({ event_id, kind, severity }) => `${event_id} ${kind} ${severity}`)).toEqual([
      'nsi-service:AW status low',
      'nsi-service:WM alert high',
      'nsi-service:XC alert medium',
      'nsi-service:TP alert critical',
      'nsi-service:GW alert medium',
      'nsi-service:CC alert critical',
      'nsi-service:HT alert medium',
    ]);
  });

  it.each([
    ['Good service', TICK, '', 'status', 'low'],
    ['GOOD  SERVICE.', TICK, '', 'status', 'low'],
    ['Good service', DISRUPTION, '', 'status', 'low'],
    ['Good service on most routes', TICK, '', 'alert', 'medium'],
    ['Minor delays on some routes', DISRUPTION, 'Trains are suspended at Ryde', 'alert', 'medium'],
    ['Major delays on some routes', NOTE, '', 'alert', 'high'],
    ['Service suspended', NOTE, '', 'alert', 'critical'],
    ['No train service', DISRUPTION, '', 'alert', 'critical'],
    ['Custom', DISRUPTION, 'Minor changes', 'alert', 'high'],
    ['Custom', DISRUPTION, 'All lines suspended', 'alert', 'critical'],
    ['Custom', NOTE, 'Major disruption at Reading', 'alert', 'high'],
    ['Custom', NOTE, 'A festival is on', 'alert', 'medium'],
    ['Custom', TICK, 'A festival is on', 'alert', 'low'],
    ['Custom', 'icon-unheard-of.png', '', 'alert', 'medium'],
    ['Something new', DISRUPTION, '', 'alert', 'high'],
    ['Something new', TICK, '', 'alert', 'medium'],
  ])('reads %j with %j and %j as %s, %s', async (status, image, description, kind, severity) => {
    const { records } = await collect(operator(status, image, description));

    expect(records).toMatchObject([{ kind, severity }]);
  });

  it('marks an unknown status as unrated', async () => {
    const { records, problems } = await collect(fixture('nsi-service/nsi-all-statuses.synthetic.xml'));
    const unrated = records.filter(({ metadata }) => metadata.severity_unrated);

    expect(unrated.map(({ event_id }) => event_id)).toEqual(['nsi-service:HT']);
    expect(problems).toEqual([
      'Hull Trains: unknown status "Timetable under review", counted as medium, unrated',
    ]);
  });

  it('carries the entry as the board shows it, as plain text', async () => {
    const { records } = await collect(fixture('nsi-service/nsi-all-statuses.synthetic.xml'));
    const midlands = records.find(({ event_id }) => event_id === 'nsi-service:WM');

    expect(midlands).toMatchObject({
      event_type: 'rail.operator_status',
      title: 'West Midlands Railway',
      summary_line: 'An amended service is in operation between Lichfield & Birmingham New Street',
      updated_at: null,
      start_time: null,
      end_time: null,
      metadata: {
        upstream_severity: 'Major delays on some routes',
        links: [{ url: 'http://www.nationalrail.co.uk/', label: 'Read about this disruption' }],
        related_event_ids: ['kb-incidents:00112233445566778899AABBCCDDEEFF'],
      },
    });
    expect(midlands?.metadata.nsi).toEqual({
      toc_code: 'WM',
      toc_name: 'West Midlands Railway',
      status: 'Major delays on some routes',
      status_description: 'An amended service is in operation between Lichfield & Birmingham New Street',
      additional_info: 'Latest travel news',
      service_groups: [
        {
          group_name: 'Cross-City',
          current_disruption: '00112233445566778899AABBCCDDEEFF',
          detail: 'Read about this disruption',
          url: 'http://www.nationalrail.co.uk/',
        },
      ],
    });
    for (const { metadata } of records) RailOperatorStatus.parse(metadata.nsi);
  });

  it('names the groups if a description is missing, and keeps only web links', async () => {
    const { records } = await collect(fixture('nsi-service/nsi-all-statuses.synthetic.xml'));
    const crossCountry = records.find(({ event_id }) => event_id === 'nsi-service:XC');

    expect(crossCountry?.summary_line).toBe('Minor delays on some routes: Birmingham, Derby');
    expect(crossCountry?.metadata.links).toBeUndefined();
    expect(crossCountry?.metadata.nsi?.service_groups.map(({ url }) => url)).toEqual([null, null]);
  });

  it('keeps all groups and incidents of a "Custom" status', async () => {
    const { records } = await collect(fixture('nsi-service/nsi-custom-status.synthetic.xml'));

    expect(records[0]).toMatchObject({
      event_id: 'nsi-service:GW',
      severity: 'high',
      metadata: {
        related_event_ids: [
          'kb-incidents:0123456789ABCDEF0123456789ABCDEF',
          'kb-incidents:FEDCBA9876543210FEDCBA9876543210',
        ],
      },
    });
  });

  it('skips and counts operators that it cannot read, and names them', async () => {
    const { records, ...rest } = await collect(fixture('nsi-service/nsi-broken.synthetic.xml'));

    expect(records.map(({ event_id }) => event_id)).toEqual(['nsi-service:SR']);
    expect(rest).toEqual({
      skipped: 2,
      problems: [
        "Operator Nobody's Railway left out: code: TocCode is missing",
        'Operator ME left out: status: Status is missing',
      ],
      complete: false,
      unreadable: ['nsi-service:ME'],
    });
  });

  it('is complete despite one unreadable operator, which it names', async () => {
    const odd = '<TOC><TocCode>ME</TocCode><TocName>Merseyrail</TocName></TOC>';
    const good = operator('Good service', TICK).replace('</NSI>', `${odd}</NSI>`);

    expect(await collect(good)).toMatchObject({ complete: true, skipped: 1, unreadable: ['nsi-service:ME'] });
  });

  it('shows the worse of two entries for one operator', async () => {
    const [good, bad] = [operator('Good service', TICK), operator('Service suspended', DISRUPTION)];
    const { records } = await collect(good.replace('</NSI>', bad.replace('<NSI>', '')));

    expect(records).toMatchObject([{ event_id: 'nsi-service:ZZ', severity: 'critical' }]);
  });

  it.each([
    ['', 'The document is empty.'],
    ['<NSI/>', 'The indicator lists no operators; it always lists every one, so this is a fault.'],
    ['<rss/>', 'The document is not a National Service Indicator, but "rss".'],
    ['<!DOCTYPE html><html/>', 'The document is an HTML page, not the XML that was expected.'],
    [fixture('nsi-service/nsi-all-statuses.synthetic.xml').slice(0, 1500), 'not well-formed XML, or cut off'],
    [
      '<NSI><TOC/></NSI>',
      'None of the 1 operators can be read: Operator 1 left out: code: TocCode is missing',
    ],
  ])('refuses a document that is not the service indicator (%#)', async (body, message) => {
    await expect(collect(body)).rejects.toThrow(message);
  });

  it('cuts a title that would fill the board', async () => {
    const { records } = await collect(
      operator('Major delays', DISRUPTION).replace('>Any<', `>${'x'.repeat(5000)}<`),
    );

    expect(records[0]?.title).toHaveLength(200);
  });

  it('asks with the subscription’s key', async () => {
    const far = upstream([fixture('nsi-service/nsi-all-statuses.synthetic.xml')], {
      now: '2026-03-14T18:00:00Z',
      settings: SETTINGS,
    });
    await nsiService.collect(far);

    expect(far.asked).toEqual([{ url: 'https://rdm.example/nsi/v4', headers: { 'x-apikey': 'secret' } }]);
  });
});
