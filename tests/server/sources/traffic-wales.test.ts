import { describe, expect, it } from 'vitest';
import { trafficWales } from '../../../server/sources/traffic-wales.ts';
import { fixture, upstream, type Answer } from '../../support/upstream.ts';

/** 18:00 in Wales. */
const NOW = '2026-09-08T17:00:00Z';

const INCIDENTS = fixture('traffic-wales/incidents-events.synthetic.xml');
const NO_INCIDENTS = fixture('traffic-wales/incidents-events-empty.synthetic.xml');
const ROADWORKS = fixture('traffic-wales/roadworks.synthetic.xml');
const NO_ROADWORKS = fixture('traffic-wales/roadworks-empty.synthetic.xml');
const BROKEN = fixture('traffic-wales/incidents-events-broken.synthetic.xml');

const collect = (incidents: Answer, roadworks: Answer = NO_ROADWORKS, now = NOW) =>
  trafficWales.collect(upstream([incidents, roadworks], { now }));

interface Fields {
  severity?: string;
  start?: string;
  end?: string;
  updated?: string;
  pubDate?: string;
  title?: string;
  description?: string;
}

function item({
  severity = 'Moderate',
  start = '08/09/2026 9:00',
  end = '',
  updated = '08/09/2026 9:05',
  pubDate = '',
  title = 'A5 : Northbound : Bethesda : Collision :',
  description = `Description: ${title}, Start time: ${start} , End Date:  ${end}, Severity: ${severity}, Source: x,  Last updated: ${updated}`,
}: Fields) {
  return (
    `<item><title>${title}</title><description>${description}</description><pubDate>${pubDate}</pubDate>` +
    '<guid>G</guid></item>'
  );
}
const incident = (fields: Fields) => NO_INCIDENTS.replace('</channel>', `${item(fields)}</channel>`);
const works = (fields: Fields) => NO_ROADWORKS.replace('</channel>', `${item(fields)}</channel>`);

describe('traffic-wales', () => {
  it('keeps incidents in force or planned in both feeds, and drops those that are over', async () => {
    const { records, ...rest } = await collect(INCIDENTS, ROADWORKS);

    expect(
      records.map(
        ({ event_id, severity, phase, event_type }) => `${event_id} ${severity} ${phase} ${event_type}`,
      ),
    ).toEqual([
      'traffic-wales:RNMDA_1 critical active road.accident',
      'traffic-wales:RNMDA_2 medium active road.congestion',
      'traffic-wales:RNMDA_4 low planned road.congestion',
      'traffic-wales:RNMDA_5 high active road.roadworks',
      'traffic-wales:RNMDA_6 low planned road.roadworks',
    ]);
    expect(rest).toEqual({ skipped: 0, problems: [], complete: true });
    expect(trafficWales.absentPolls).toBe(2);
  });

  it('gives all that the publisher says about works, with local times as UTC', async () => {
    const { records } = await collect(NO_INCIDENTS, ROADWORKS);

    expect(records[0]).toEqual({
      event_id: 'traffic-wales:RNMDA_5',
      severity: 'high',
      event_type: 'road.roadworks',
      title:
        'A40 Eastbound: Raglan to Abergavenny Hardwick R/bout, Resurfacing work, Road closed, Diversions in place',
      summary_line:
        'A40, Eastbound, Raglan to Abergavenny Hardwick R/bout, Resurfacing work, Road closed, Diversions in place, 08/09/26-09/09/26 1700-0600',
      updated_at: '2026-07-06T07:28:00.000Z',
      start_time: '2026-09-08T16:00:00.000Z',
      end_time: '2026-09-09T05:00:00.000Z',
      phase: 'active',
      kind: 'alert',
      latitude: 51.78344,
      longitude: -2.939548,
      metadata: {
        upstream_severity: 'Road closure',
        reported_by: 'Welsh Government',
        links: [{ url: 'https://traffic.wales/road-traffic-alerts/593003', label: 'Traffic Wales' }],
      },
    });
  });

  it('works without a road, and without an end', async () => {
    const { records } = await collect(INCIDENTS);

    expect(records[0]).toMatchObject({ start_time: '2026-09-08T15:05:00.000Z', end_time: null });
    expect(records[2]).toMatchObject({
      title: 'Both directions, Builth Wells showground, Event, Delays possible',
    });
  });

  it.each([
    ['Road closure', 'critical', 'high'],
    ['Severe', 'high', 'medium'],
    ['Major', 'high', 'medium'],
    ['Moderate', 'medium', 'low'],
    ['MINOR', 'low', 'low'],
    ['Slight', 'low', 'low'],
  ])(
    'grades an incident that is "%s" as %s, and works as %s, low while they lie ahead',
    async (severity, ofIncident, ofWorks) => {
      const ahead = { severity, start: '08/09/2026 18:01' };
      const { records } = await collect(incident({ severity }));
      const inForce = await collect(NO_INCIDENTS, works({ severity }));
      const planned = await collect(NO_INCIDENTS, works(ahead));

      expect(records).toMatchObject([{ severity: ofIncident, metadata: { upstream_severity: severity } }]);
      expect(inForce.records).toMatchObject([{ severity: ofWorks, phase: 'active' }]);
      expect(planned.records).toMatchObject([{ severity: 'low', phase: 'planned' }]);
      expect((await collect(incident(ahead))).records).toMatchObject([
        { severity: ofIncident, phase: 'planned' },
      ]);
    },
  );

  it.each(['Enormous', ''])('keeps the severity "%s" as unrated', async (severity) => {
    for (const feeds of [[incident({ severity })], [NO_INCIDENTS, works({ severity })]] as [
      string,
      string?,
    ][]) {
      const { records, problems } = await collect(...feeds);

      expect(records).toMatchObject([{ severity: 'medium', metadata: { severity_unrated: true } }]);
      expect(records[0]?.metadata.upstream_severity).toBe(severity || undefined);
      expect(problems).toEqual([`G: unknown severity "${severity}", counted as medium, unrated`]);
    }
  });

  it.each([
    ['08/09/2026 18:00', 0],
    ['08/09/2026 18:01', 1],
    ['', 1],
  ])('is over at its end: %j leaves %i', async (end, count) => {
    expect((await collect(incident({ end }))).records).toHaveLength(count);
  });

  it.each([
    ['1/7/2026 9:05', '2026-07-01T08:05:00.000Z'],
    ['01/12/2026 09:05', '2026-12-01T09:05:00.000Z'],
    // The hour that comes twice: the first one.
    ['25/10/2026 1:30', '2026-10-25T00:30:00.000Z'],
    // The hour that is left out.
    ['29/03/2026 1:30', '2026-03-29T01:30:00.000Z'],
  ])('reads %s as local time', async (start, utc) => {
    expect((await collect(incident({ start }))).records[0]?.start_time).toBe(utc);
  });

  it('uses the time of publication if the description has none, and corrects its wrong zone', async () => {
    const { records } = await collect(
      incident({ start: '', updated: '', pubDate: 'Mon, 06 Jul 2026 08:28:13 +0000' }),
    );

    expect(records).toMatchObject([
      { updated_at: '2026-07-06T07:28:13.000Z', start_time: '2026-07-06T07:28:13.000Z' },
    ]);
  });

  it('tells works from incidents by the document’s title', async () => {
    const { records } = await collect(works({ severity: 'Severe' }), NO_INCIDENTS);

    expect(records).toMatchObject([{ event_type: 'road.roadworks', severity: 'medium' }]);
  });

  it('keeps a record that it can read only in part, as plain text, and says what it could not read', async () => {
    const { records, ...rest } = await collect(BROKEN);

    expect(records).toMatchObject([
      {
        event_id: 'traffic-wales:RNMDA_11',
        title: 'A483 Newtown, & sheep on the road',
        severity: 'medium',
        start_time: '2026-10-25T00:30:00.000Z',
        end_time: null,
        latitude: null,
        longitude: null,
        metadata: { reported_by: 'a farmer' },
      },
      {
        event_id: 'traffic-wales:RNMDA_12',
        title: 'A494 Bala: Flooding',
        // The caller's words do not count as a label.
        summary_line: 'A494, Bala, Flooding, Severity: bad, Source: a caller',
        severity: 'low',
        start_time: '2026-03-29T01:30:00.000Z',
        updated_at: '2026-03-29T08:15:00.000Z',
        metadata: { upstream_severity: 'SLIGHT', reported_by: 'Traffic Wales' },
      },
      { event_id: 'traffic-wales:RNMDA_13', title: 'Road incident', summary_line: '', start_time: null },
    ]);
    expect(records[1]?.metadata).not.toHaveProperty('links');
    expect(rest).toEqual({
      skipped: 1,
      problems: [
        'Item 1 "A5 : Which one is this? :" left out: guid: its guid is missing',
        'RNMDA_11: unreadable Start time "31/02/2026 9:30"',
        'RNMDA_11: unreadable End Date "tomorrow"',
        'RNMDA_11: unknown severity "Enormous", counted as medium, unrated',
        'RNMDA_11: its position lies outside Wales and is not used',
        'RNMDA_13: unknown severity "", counted as medium, unrated',
      ],
      complete: true,
    });
  });

  it('reads feeds without items as a quiet night', async () => {
    expect(await collect(NO_INCIDENTS)).toEqual({ records: [], skipped: 0, problems: [], complete: true });
  });

  it.each([
    ['refused', new Error('503 Service Unavailable'), '503 Service Unavailable'],
    ['a page', '<!DOCTYPE html><html/>', 'The document is an HTML page, not the XML that was expected.'],
    [
      'of another publisher',
      '<rss><channel><title>Weather</title></channel></rss>',
      'The document is RSS, but not by Traffic Wales.',
    ],
  ])('shows the incidents when the roadworks are %s, and ends nothing', async (_, answer, words) => {
    const { records, complete, problems } = await collect(INCIDENTS, answer);

    expect(records).toHaveLength(3);
    expect(complete).toBe(false);
    expect(problems).toEqual([`The roadworks could not be read: ${words}`]);
  });

  it('ends nothing when most of it cannot be read', async () => {
    const odd = incident({}).replace('</channel>', '<item/><item/></channel>');

    expect(await collect(odd)).toMatchObject({ complete: false, skipped: 2, records: [{}] });
  });

  it.each([
    ['', 'The document is empty.'],
    [INCIDENTS.slice(0, 900), 'not well-formed XML, or cut off'],
    [
      '<rss><channel><title>Traffic Wales</title><item/></channel></rss>',
      'None of the 1 items can be read: Item 1 "" left out: guid: its guid is missing',
    ],
  ])('fails when no feed can be read (%#)', async (body, message) => {
    await expect(collect(body, body)).rejects.toThrow(message);
  });

  it('asks both feeds, below the configured address', async () => {
    const asked = async (settings = {}) => {
      const far = upstream([NO_INCIDENTS, NO_ROADWORKS], { now: NOW, settings });
      await trafficWales.collect(far);
      return far.asked.map(({ url }) => url);
    };

    expect(await asked()).toEqual([
      'https://traffic.wales/feeds/incidents-events/rss.xml',
      'https://traffic.wales/feeds/roadworks/rss.xml',
    ]);
    expect(await asked({ TRAFFIC_WALES_URL: 'https://mirror.example/wales/' })).toEqual([
      'https://mirror.example/wales/incidents-events/rss.xml',
      'https://mirror.example/wales/roadworks/rss.xml',
    ]);
  });
});
