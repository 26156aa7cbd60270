import { describe, expect, it } from 'vitest';
import { kbIncidents } from '../../../server/sources/kb-incidents.ts';
import { nsiService } from '../../../server/sources/nsi-service.ts';
import { fixture, upstream } from '../../support/upstream.ts';

const SETTINGS = { RDM_KB_INCIDENTS_URL: 'https://rdm.example/kb/v5', RDM_KB_INCIDENTS_KEY: 'secret' };
const NOON = '2026-11-20T12:00:00Z';

const collect = (body: string, now = NOON) =>
  kbIncidents.collect(upstream([body], { now, settings: SETTINGS }));

const KINDS = fixture('kb-incidents/incidents-kinds.synthetic.xml');
const number = (last: string) => `C1EA0000000000000000000000000${last}`;

interface Fields {
  planned?: string;
  summary?: string;
  description?: string;
  periods?: [string, string?][];
  more?: string;
}

function incident({
  planned = 'false',
  summary = 'At Crewe',
  description = '',
  periods = [],
  more = '',
}: Fields) {
  const times = periods.map(
    ([start, end]) =>
      `<ValidityPeriod><StartTime>${start}</StartTime>${end ? `<EndTime>${end}</EndTime>` : ''}</ValidityPeriod>`,
  );
  return (
    `<PtIncident><IncidentNumber>A1</IncidentNumber>${times.join('')}<Planned>${planned}</Planned>` +
    `<Summary>${summary}</Summary><Description>${description}</Description>${more}</PtIncident>`
  );
}
const listOf = (...incidents: Fields[]) => `<Incidents>${incidents.map(incident).join('')}</Incidents>`;

describe('kb-incidents', () => {
  it('keeps incidents in force or planned, and drops those that are cleared, called off or over', async () => {
    const { records, ...rest } = await collect(KINDS);

    expect(records.map(({ event_id, severity, phase }) => `${event_id} ${severity} ${phase}`)).toEqual([
      `kb-incidents:${number('001')} critical active`,
      `kb-incidents:${number('002')} high active`,
      `kb-incidents:${number('005')} low planned`,
      `kb-incidents:${number('006')} medium active`,
    ]);
    expect(rest).toEqual({
      skipped: 0,
      problems: [`Incident ${number('009')} appears more than once; the newest version is kept`],
      complete: true,
      ended: ['003', '007', '009'].map((id) => `kb-incidents:${number(id)}`),
    });
  });

  it('gives all that the publisher says about an incident', async () => {
    const { records } = await collect(KINDS);

    expect(records[0]).toEqual({
      event_id: `kb-incidents:${number('001')}`,
      severity: 'critical',
      event_type: 'rail.incident',
      title: 'Disruption between Woking and Basingstoke expected until 16:00',
      summary_line:
        'A fallen tree near Farnborough means that all lines are blocked between Woking and Basingstoke. Trains may be cancelled or diverted.',
      updated_at: '2026-11-20T11:40:13.743Z',
      start_time: '2026-11-20T10:05:00.000Z',
      end_time: null,
      phase: 'active',
      kind: 'alert',
      latitude: null,
      longitude: null,
      metadata: {
        upstream_severity: 'all lines are blocked',
        version: '20261120114013',
        priority: '2',
        operators: [
          { code: 'SW', name: 'South Western Railway' },
          { code: 'XC', name: 'CrossCountry' },
        ],
        routes: 'between London Waterloo and Basingstoke',
        links: [
          {
            url: 'https://www.nationalrail.co.uk/service-disruptions/farnborough-20261120/',
            label: 'Incident detail page',
          },
        ],
      },
    });
  });

  it('uses the ids that the service indicator refers to', async () => {
    const indicator = await nsiService.collect(
      upstream(
        [
          '<NSI><TOC><TocCode>SW</TocCode><Status>Major delays</Status><ServiceGroup>' +
            `<CurrentDisruption>${number('001')}</CurrentDisruption></ServiceGroup></TOC></NSI>`,
        ],
        { now: NOON },
      ),
    );
    const { records } = await collect(KINDS);

    expect(indicator.records[0]?.metadata.related_event_ids).toEqual([records[0]?.event_id]);
  });

  describe('works of several nights', () => {
    const nights = (now: string) =>
      collect(KINDS, now).then(({ records }) =>
        records.find(({ event_id }) => event_id.endsWith(number('005'))),
      );

    it('are one event from the first night to the last', async () => {
      expect(await nights('2026-11-20T12:00:00Z')).toMatchObject({
        event_type: 'rail.engineering_works',
        phase: 'planned',
        start_time: '2026-11-21T23:50:00.000Z',
        end_time: '2026-11-29T05:10:00.000Z',
        metadata: {
          validity_periods: [
            { start: '2026-11-14T23:50:00.000Z', end: '2026-11-15T05:10:00.000Z' },
            { start: '2026-11-21T23:50:00.000Z', end: '2026-11-22T05:10:00.000Z' },
            { start: '2026-11-28T23:50:00.000Z', end: '2026-11-29T05:10:00.000Z' },
          ],
        },
      });
    });

    it.each([
      ['2026-11-22T00:30:00Z', 'active', '2026-11-21T23:50:00.000Z'],
      ['2026-11-22T05:10:00Z', 'planned', '2026-11-28T23:50:00.000Z'],
      ['2026-11-29T05:09:59Z', 'active', '2026-11-28T23:50:00.000Z'],
    ])('at %s %s', async (now, phase, start_time) => {
      expect(await nights(now)).toMatchObject({ phase, start_time });
    });

    it('are over after the last', async () => {
      expect(await nights('2026-11-29T05:10:00Z')).toBeUndefined();
    });
  });

  it('reads offsets, and a time without one as London time', async () => {
    const times: [string, string][] = [['2026-10-25T00:30:00.000+01:00', '2026-10-25T03:30:00']];
    const { records } = await collect(listOf({ planned: 'true', periods: times }), '2026-10-24T23:45:00Z');

    expect(records).toMatchObject([
      { start_time: '2026-10-24T23:30:00.000Z', end_time: '2026-10-25T03:30:00.000Z', phase: 'active' },
    ]);
  });

  it.each<[string, string, string, string | undefined]>([
    ['Trains suspended between Ryde and Shanklin', '', 'critical', 'suspended'],
    ['No trains between Par and Newquay', '', 'critical', 'no trains'],
    ['Do not travel on GWR', '', 'critical', 'do not travel'],
    [
      'Disruption at Ely',
      'Both lines towards Norwich are closed',
      'critical',
      'both lines towards norwich are closed',
    ],
    ['Disruption at Ely', 'All lines are open. One platform is blocked', 'high', 'blocked'],
    ['Cancellations between Hull and Leeds', '', 'high', 'cancellations'],
    ['Major disruption at Reading', '', 'high', 'major'],
    ['Severe delays', '', 'high', 'severe'],
    ['Disruption', 'A tree is blocking the line', 'high', 'blocking'],
    ['Blaenau Ffestiniog line closed', '', 'high', 'closed'],
    ['Minor delays at Truro', '', 'low', 'minor'],
    ['Delays at Truro', '', 'medium', 'delays'],
    ['Amended timetable', '', 'medium', 'amended'],
    ['Alterations to trains', '', 'medium', 'alterations'],
    ['Delays at Leeds', 'Trains were suspended. All lines have now reopened', 'medium', 'now reopened'],
    ['Delays at Leeds', 'Trains are no longer suspended', 'medium', 'no longer suspended'],
    ['No trains at Leeds', 'Disruption caused by a fire has now ended', 'low', 'has now ended'],
    ['Residual delays', 'All lines were blocked', 'low', 'residual'],
    ['Short platforms', '', 'medium', undefined],
  ])('grades %j, %j as %s', async (summary, description, severity, words) => {
    const { records, problems } = await collect(listOf({ summary, description }));

    expect(records).toMatchObject([{ severity, event_type: 'rail.incident' }]);
    expect(records[0]?.metadata.upstream_severity).toBe(words);
    // An incident that no word grades is kept, and said to be unrated.
    expect(records[0]?.metadata.severity_unrated).toBe(words ? undefined : true);
    expect(problems).toEqual(words ? [] : ['Incident A1: no words to grade it by; medium, unrated']);
  });

  it.each([
    ['Engineering work at Crewe', 'Trains may be cancelled', 'low'],
    ['Buses replace trains', 'No trains between Par and Newquay', 'medium'],
    ['Line closed between Par and Newquay', '', 'medium'],
  ])('grades the works %j, %j as %s, and never as unrated', async (summary, description, severity) => {
    const { records, problems } = await collect(listOf({ planned: 'true', summary, description }));

    expect(records).toMatchObject([{ severity, event_type: 'rail.engineering_works' }]);
    expect(records[0]?.metadata).not.toHaveProperty('severity_unrated');
    expect(problems).toEqual([]);
  });

  it('grades by the beginning of a long description, not by what it says about single trains', async () => {
    const description = `Delays of 20 minutes. ${'Tickets are accepted on buses. '.repeat(20)}The 10:20 is cancelled.`;

    expect((await collect(listOf({ description }))).records).toMatchObject([{ severity: 'medium' }]);
  });

  it.each([
    ['cleared', { more: '<ClearedIncident>true</ClearedIncident>' }, false],
    ['not cleared', { more: '<ClearedIncident>false</ClearedIncident>' }, true],
    ['works called off', { planned: 'true', summary: 'CANCELLED: work at Crewe' }, false],
    ['an incident that reports cancelled trains', { summary: 'Cancelled: the 10:20 to Hull' }, true],
    ['past its end', { periods: [['2026-11-20T08:00:00Z', '2026-11-20T12:00:00Z']] }, false],
    ['open-ended', { periods: [['2026-11-20T08:00:00Z']] }, true],
    [
      'over once and open-ended again',
      { periods: [['2026-11-19T08:00:00Z', '2026-11-19T09:00:00Z'], ['2026-11-20T08:00:00Z']] },
      true,
    ],
    ['without any time', {}, true],
  ] as [string, Fields, boolean][])('says whether it is in force: %s', async (_, fields, isInForce) => {
    expect((await collect(listOf(fields))).records).toHaveLength(isInForce ? 1 : 0);
  });

  it('keeps a record that it can read only in part, as plain text, and says what it could not read', async () => {
    const { records, ...rest } = await collect(fixture('kb-incidents/incidents-broken.synthetic.xml'));

    expect(records.map(({ metadata, ...record }) => ({ ...record, links: metadata.links }))).toEqual([
      {
        event_id: `kb-incidents:${number('00B')}`,
        severity: 'medium',
        event_type: 'rail.incident',
        title: 'A swan & her cygnets at Reading — mind the bird',
        summary_line: 'Staff are in attendance.',
        updated_at: null,
        start_time: '2026-11-20T11:00:00.000Z',
        end_time: null,
        phase: 'active',
        kind: 'alert',
        latitude: null,
        longitude: null,
        links: undefined,
      },
      expect.objectContaining({
        title: 'Engineering works: HX',
        summary_line: 'HX',
        severity: 'low',
        start_time: null,
        phase: 'active',
      }),
      expect.objectContaining({
        title: 'Zero-length and sound periods',
        start_time: '2026-11-24T22:00:00.000Z',
        end_time: '2026-11-25T05:00:00.000Z',
        phase: 'planned',
      }),
    ]);
    expect(rest).toEqual({
      skipped: 2,
      problems: [
        'Incident Which incident is this? left out: number: IncidentNumber is missing',
        `Incident ${'9'.repeat(70)} left out: number: IncidentNumber is too long`,
        `Incident ${number('00B')}: Planned is "perhaps", counted as unplanned`,
        `Incident ${number('00B')}: unreadable time "soon"`,
        `Incident ${number('00B')}: a validity period that ends before it begins`,
        `Incident ${number('00B')}: no words to grade it by; medium, unrated`,
        `Incident ${number('00D')}: a validity period that ends before it begins`,
      ],
      complete: true,
      unreadable: [`kb-incidents:${'9'.repeat(70)}`],
    });
  });

  it('ends nothing when most of the list cannot be read', async () => {
    const list = `<Incidents>${incident({})}<PtIncident/><PtIncident/></Incidents>`;

    expect(await collect(list)).toMatchObject({
      complete: false,
      skipped: 2,
      records: [{ title: 'At Crewe' }],
    });
  });

  it('reads one pushed incident, and does not take it for the whole list', async () => {
    const { records, complete, problems } = await collect(fixture('kb-incidents/message.synthetic.xml'));

    expect(records).toMatchObject([
      {
        event_id: `kb-incidents:${number('014')}`,
        severity: 'medium',
        summary_line:
          'All lines have now reopened between Diss and Ipswich following damage to the overhead electric wires, which blocked all lines.',
        updated_at: '2026-08-01T11:03:00.000Z',
        start_time: '2026-07-31T22:34:00.000Z',
        metadata: {
          routes: 'Greater Anglia between Norwich and London',
          links: [
            { url: 'https://www.nationalrail.co.uk/service_disruptions/1.aspx', label: 'nationalrail.co.uk' },
          ],
        },
      },
    ]);
    expect(complete).toBe(false);
    expect(problems).toEqual([
      'The document is the message of one incident, not the list of all; nothing ends by it',
    ]);
  });

  it.each([
    ['', 'The document is empty.'],
    ['<Incidents/>', 'The list has no incidents; it always has planned works, so this is a fault.'],
    ['<rss/>', 'The document is not a list of Knowledgebase incidents, but "rss".'],
    ['<!DOCTYPE html><html/>', 'The document is an HTML page, not the XML that was expected.'],
    [KINDS.slice(0, 3000), 'not well-formed XML, or cut off'],
    [
      '<Incidents><PtIncident/></Incidents>',
      'None of the 1 incidents can be read: Incident 1 left out: number: IncidentNumber is missing',
    ],
  ])('refuses a document that is not a list of incidents (%#)', async (body, message) => {
    await expect(collect(body)).rejects.toThrow(message);
  });

  it('asks with the key of the subscription', async () => {
    const far = upstream([KINDS], { now: NOON, settings: SETTINGS });
    await kbIncidents.collect(far);

    expect(far.asked).toEqual([{ url: 'https://rdm.example/kb/v5', headers: { 'x-apikey': 'secret' } }]);
  });
});
