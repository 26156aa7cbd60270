import { describe, expect, it } from 'vitest';
import { METEOALARM_URL, metOffice, NSWWS_URL } from '../../../server/sources/met-office.ts';
import { fixture, upstream, type Answer } from '../../support/upstream.ts';
import type { DisruptionRecord, Tools } from '../../../server/incidents/collector.ts';

const METEOALARM = fixture('met-office/meteoalarm-uk.synthetic.xml');
const METEOALARM_QUIET = fixture('met-office/meteoalarm-quiet.synthetic.xml');
const INDEX = fixture('met-office/nswws-index.synthetic.xml');
const INDEX_QUIET = fixture('met-office/nswws-index-quiet.synthetic.xml');
const ISSUED = fixture('met-office/nswws-issued.synthetic.geojson');
const RSS = fixture('met-office/warnings-rss-uk.synthetic.xml');
const NOTHING_ISSUED = '{"type":"FeatureCollection","features":[]}';

const NOW = '2026-11-20T09:00:00Z';
const ISSUED_URL =
  'https://prd.nswws.api.metoffice.gov.uk/v1.0/objects/issued/00000000-0000-4000-8000-000000000001/';

const collect = (answers: Answer[], now = NOW, settings: Tools['settings'] = {}) =>
  metOffice.collect(upstream(answers, { now, settings }));

const brief = ({ event_id, severity, event_type, phase }: DisruptionRecord) =>
  `${event_id.replace('-0000-4000-8000-000000000000', '')} ${severity} ${event_type} ${phase}`;

const byId = (a: DisruptionRecord, b: DisruptionRecord) => a.event_id.localeCompare(b.event_id);

const rssWith = (validity: string, pubDate: string) =>
  `<rss><channel><title>Met Office warnings for UK</title><item>
    <title>Yellow warning of ice affecting Wales</title>
    <description>Yellow warning of ice affecting Wales: Powys valid from ${validity}</description>
    <pubDate>${pubDate}</pubDate></item></channel></rss>`;

describe('met-office', () => {
  describe('MeteoAlarm', () => {
    it('keeps the highest version of actual warnings that are not over', async () => {
      const { records, ...rest } = await collect([METEOALARM]);

      expect(rest).toEqual({
        skipped: 0,
        problems: [],
        complete: true,
        ended: ['met-office:aaaa0004', 'met-office:aaaa0005'],
      });
      expect(records.map(brief)).toEqual([
        'met-office:aaaa0001 critical weather.wind active',
        'met-office:aaaa0002 high weather.wind active',
        // Amber in its first version.
        'met-office:aaaa0003 medium weather.rain active',
        'met-office:aaaa0007 medium weather.snow planned',
      ]);
    });

    it('makes one warning of several parts', async () => {
      const { records } = await collect([METEOALARM]);

      expect(records[1]).toEqual({
        event_id: 'met-office:aaaa0002',
        severity: 'high',
        event_type: 'weather.wind',
        title: 'Amber wind warning: Central, Tayside & Fife; Grampian and 1 more',
        summary_line:
          'Valid from 05:00 Fri 20 Nov to 23:59 Fri 20 Nov: Central, Tayside & Fife; Grampian; Strathclyde',
        updated_at: '2026-11-19T10:00:00.000Z',
        start_time: '2026-11-20T05:00:00.000Z',
        end_time: '2026-11-20T23:59:59.000Z',
        phase: 'active',
        kind: 'alert',
        // The position is within the larger of the two areas.
        latitude: 56.9237,
        longitude: -3.2373,
        shape: {
          geometry:
            '{"type":"MultiPolygon","coordinates":[[[[-4.5,56.1],[-3.9,57.6],[-1.8,57.6],[-2.7,56.3],[-4.5,56.1]]],[[[-6.3,55.5],[-6,56.5],[-4.4,56.2],[-4.6,55.5],[-6.3,55.5]]]]}',
          north: 57.6,
          south: 55.5,
          east: -1.8,
          west: -6.3,
        },
        metadata: {
          upstream_severity: 'Severe',
          colour: 'amber',
          regions: ['Central, Tayside & Fife', 'Grampian', 'Strathclyde'],
          weather_types: ['wind'],
          version: '1.0',
          form: 'meteoalarm',
          urgency: 'Future',
          certainty: 'Likely',
          location_method: 'area',
          bounding_box: { north: 57.6, south: 55.5, east: -1.8, west: -6.3 },
          links: [
            { url: expect.stringMatching(/^https:\/\/www\.metoffice\.gov\.uk\//), label: expect.any(String) },
          ],
        },
      });
    });

    it('gives a warning no end time when one of its parts has none', async () => {
      const parts = [...METEOALARM.matchAll(/ {2}<entry>[\s\S]*?<\/entry>\n/g)]
        .map(([entry]) => entry)
        .filter((entry) => entry.includes('_aaaa0002.')) as [string, string];
      const endless = parts[1].replace(/<cap:expires>.*<\/cap:expires>/, '');
      for (const entries of [
        [parts[0], endless],
        [endless, parts[0]],
      ]) {
        const { records } = await collect([
          METEOALARM_QUIET.replace('</feed>', `${entries.join('')}</feed>`),
        ]);
        expect(records.map(({ end_time }) => end_time)).toEqual([null]);
      }
    });

    describe('a cancelled part of a warning with several parts', () => {
      const [strathclyde, others] = [...METEOALARM.matchAll(/ {2}<entry>[\s\S]*?<\/entry>\n/g)]
        .map(([entry]) => entry)
        .filter((entry) => entry.includes('_aaaa0002.')) as [string, string];
      const SENT = '2026-11-19T10:00:00+00:00';
      const cancelled = (entry: string, sent = SENT) =>
        entry.replace('>Alert<', '>Cancel<').replace(`<cap:sent>${SENT}`, `<cap:sent>${sent}`);
      const regionsOf = async (...entries: string[]) => {
        const feed = METEOALARM_QUIET.replace('</feed>', `${entries.join('')}</feed>`);
        const { records, ended } = await collect([feed]);
        return { regions: records.map(({ metadata }) => metadata['regions']), ended };
      };

      it.each([
        ['of the same time', SENT],
        ['sent before the others', '2026-11-19T09:00:00+00:00'],
        ['sent after the others', '2026-11-20T08:00:00+00:00'],
      ])('%s', async (_, sent) => {
        const left = { regions: [['Central, Tayside & Fife', 'Grampian']], ended: undefined };
        expect(await regionsOf(cancelled(strathclyde, sent), others)).toEqual(left);
        expect(await regionsOf(others, cancelled(strathclyde, sent))).toEqual(left);
        expect(await regionsOf(strathclyde, cancelled(others, sent))).toEqual({
          regions: [['Strathclyde']],
          ended: undefined,
        });
      });

      it('and comes back when it is sent again', async () => {
        expect(await regionsOf(cancelled(strathclyde, '2026-11-19T09:00:00+00:00'), strathclyde)).toEqual({
          regions: [['Strathclyde']],
          ended: undefined,
        });
      });

      it('and one that names no area is the whole', async () => {
        const whole = cancelled(strathclyde, '2026-11-20T08:00:00+00:00').replace('>Strathclyde<', '><');
        expect(await regionsOf(strathclyde, others, whole)).toEqual({
          regions: [],
          ended: ['met-office:aaaa0002'],
        });
      });

      it('which ends when the last part is cancelled, even while the parts are still listed', async () => {
        const over = { regions: [], ended: ['met-office:aaaa0002'] };
        const later = '2026-11-20T08:00:00+00:00';
        expect(await regionsOf(cancelled(strathclyde), cancelled(others, later))).toEqual(over);
        expect(
          await regionsOf(strathclyde, others, cancelled(strathclyde, later), cancelled(others, later)),
        ).toEqual(over);
      });
    });

    it('does not mind the order of the parts', async () => {
      const [head, ...entries] = METEOALARM.replace('</feed>\n', '').split(/(?=  <entry>)/);
      const backwards = [head, ...entries.toReversed(), '</feed>\n'].join('');
      const found = await collect([backwards]);
      expect(found.records.toSorted(byId)).toEqual((await collect([METEOALARM])).records);
    });

    it.each([
      ['Amber wind warning', 'Severe', 'high', 'amber'],
      ['Orange wind warning', 'Severe', 'high', 'amber'],
      // The words of the event count before CAP's severity.
      ['Yellow wind warning', 'Extreme', 'medium', 'yellow'],
      ['Wind warning', 'Extreme', 'critical', 'red'],
      ['Wind warning', 'Severe', 'high', 'amber'],
      ['Wind warning', 'Moderate', 'medium', 'yellow'],
      ['Wind warning', 'Unknown', 'medium', null],
    ])('%s, %s is %s', async (event, capSeverity, severity, colour) => {
      const entry = /<entry>[\s\S]*?<\/entry>/.exec(METEOALARM)![0];
      const feed = METEOALARM_QUIET.replace(
        '</feed>',
        `${entry.replace('Red wind warning', event).replace('Extreme', capSeverity)}</feed>`,
      );
      const { records } = await collect([feed]);

      expect(records).toMatchObject([{ severity, metadata: { colour } }]);
      expect(records[0]?.metadata.severity_unrated).toBe(colour ? undefined : true);
    });

    it.each([
      // Valid from 03:00 to 11:00.
      ['2026-11-21T02:59:59Z', 'planned'],
      ['2026-11-21T03:00:00Z', 'active'],
      ['2026-11-21T10:59:59Z', 'active'],
      ['2026-11-21T11:00:00Z', undefined],
    ])('at %s a warning is %s', async (now, phase) => {
      const { records } = await collect([METEOALARM], now);

      expect(records.find(({ event_id }) => event_id === 'met-office:aaaa0007')?.phase).toBe(phase);
    });

    it('reads a feed without entries as quiet', async () => {
      expect(await collect([METEOALARM_QUIET])).toEqual({
        records: [],
        skipped: 0,
        problems: [],
        complete: true,
      });
    });

    it('leaves out what cannot be read, says so, and keeps the others as plain text', async () => {
      const { records, skipped, problems, complete } = await collect([
        fixture('met-office/meteoalarm-broken.synthetic.xml'),
      ]);

      expect(records.map(brief)).toEqual([
        'met-office:bbbb0001 medium weather.wind active',
        'met-office:urn:other:42 medium weather.warning active',
        'met-office:bbbb0003 high weather.wind active',
      ]);
      expect(records[0]).toMatchObject({
        title: 'Yellow wind warning: Wales & the Marches',
        start_time: null,
        latitude: null,
        longitude: null,
      });
      expect({ skipped, complete }).toEqual({ skipped: 1, complete: true });
      expect(problems).toEqual([
        expect.stringMatching(/^Warning Yellow wind warning left out: identifier/),
        expect.stringMatching(/bbbb0001\.v1\.0\.W: unreadable polygon$/),
        expect.stringMatching(/bbbb0001\.v1\.0\.W: unreadable time "soon"$/),
        'met-office:bbbb0003 appears more than once; its parts are merged',
      ]);
    });
  });

  describe('NSWWS', () => {
    it('reads all warnings that are issued, by colour, impact and likelihood', async () => {
      const { records, ...rest } = await collect([ISSUED]);

      expect(rest).toEqual({
        skipped: 0,
        problems: [],
        complete: true,
        ended: [
          'met-office:cccc0006-0000-4000-8000-000000000000',
          'met-office:cccc0007-0000-4000-8000-000000000000',
          'met-office:cccc0008-0000-4000-8000-000000000000',
        ],
      });
      expect(records.map(brief)).toEqual([
        'met-office:cccc0001 critical weather.wind active',
        'met-office:cccc0002 high weather.rain active',
        // Impact 2 and likelihood 2.
        'met-office:cccc0003 low weather.thunderstorm active',
        'met-office:cccc0004 medium weather.extreme_heat active',
        'met-office:cccc0005 medium weather.fog planned',
      ]);
    });

    it('knows that version 10.0 is newer than 9.0, and uses all that it says', async () => {
      const { records } = await collect([ISSUED]);

      expect(records[1]).toMatchObject({
        event_id: 'met-office:cccc0002-0000-4000-8000-000000000000',
        title: 'Amber rain and wind warning: East of England; London & South East England',
        summary_line: 'Heavy rain and strong winds will bring flooding.',
        updated_at: '2026-11-20T07:00:00.000Z',
        start_time: '2026-11-20T08:00:00.000Z',
        end_time: '2026-11-20T22:59:59.000Z',
        metadata: {
          upstream_severity: 'AMBER',
          version: '10.0',
          impact: 2,
          likelihood: 3,
          weather_types: ['rain', 'wind'],
          areas: ['Kent', 'Surrey', 'Essex'],
          bounding_box: { north: 54, south: 50.6, east: -1, west: -3 },
        },
      });
      // The point is inside the horseshoe, the larger of its two areas, and outside the bay within it.
      const { latitude, longitude } = records[1]!;
      expect(latitude! < 53.2 || latitude! > 53.8 || longitude! < -2.8).toBe(true);
      expect(latitude).toBeGreaterThan(53);
    });

    it.each([
      ['YELLOW', 2, 2, 'low'],
      ['YELLOW', 1, 1, 'low'],
      ['YELLOW', 3, 1, 'medium'],
      ['YELLOW', 1, 3, 'medium'],
      ['YELLOW', null, 1, 'medium'],
      ['AMBER', 2, 2, 'high'],
      ['RED', 1, 1, 'critical'],
      ['PURPLE', 1, 1, 'medium'],
    ])('%s with impact %s and likelihood %s is %s', async (level, impact, likelihood, severity) => {
      const document = JSON.parse(ISSUED);
      Object.assign(document.features[0].properties, {
        warningLevel: level,
        warningImpact: impact,
        warningLikelihood: likelihood,
      });
      const { records } = await collect([JSON.stringify({ ...document, features: [document.features[0]] })]);

      expect(records.map((record) => record.severity)).toEqual([severity]);
    });

    it('reads lists that a program rewrote as text, or lost', async () => {
      const document = JSON.parse(ISSUED);
      const [first] = document.features;
      Object.assign(first.properties, { weatherType: 'SNOW', affectedAreas: null });
      delete first.properties.whatToExpect;
      const { records } = await collect([JSON.stringify({ ...document, features: [first] })]);

      expect(records).toMatchObject([{ title: 'Red snow warning', event_type: 'weather.snow' }]);
    });

    it('reads a document without features as quiet', async () => {
      expect((await collect([NOTHING_ISSUED])).records).toEqual([]);
    });

    it('leaves out what cannot be read, says so, and keeps the others as plain text', async () => {
      const { records, skipped, problems } = await collect([
        fixture('met-office/nswws-broken.synthetic.geojson'),
      ]);

      expect(records.map(brief)).toEqual([
        'met-office:cccc0001 medium weather.wind active',
        'met-office:cccc0002 medium weather.warning active',
        'met-office:cccc0003 high weather.wind active',
      ]);
      expect(records[0]).toMatchObject({
        title: 'Yellow wind warning: Wales & Borders',
        summary_line: 'Strong winds expected.',
      });
      expect(records[1]).toMatchObject({ latitude: null, metadata: { severity_unrated: true } });
      expect(skipped).toBe(2);
      expect(problems).toEqual([
        expect.stringMatching(/^Warning 2 left out: properties/),
        expect.stringMatching(/^Warning 3 left out/),
        'Warning cccc0002-0000-4000-8000-000000000000: unknown status "DRAFT"',
        'Warning cccc0002-0000-4000-8000-000000000000: unreadable geometry',
        'Warning cccc0002-0000-4000-8000-000000000000: unreadable time "never"',
        'met-office:cccc0003-0000-4000-8000-000000000000 appears more than once; its parts are merged',
      ]);
    });
  });

  describe('the NSWWS index', () => {
    const settings = { MET_OFFICE_NSWWS_KEY: 'secret-key' };

    it('leads to the issued warnings, with the key', async () => {
      const tools = upstream([INDEX, ISSUED], { now: NOW, settings });
      const { records, complete } = await metOffice.collect(tools);

      expect(tools.asked.map(({ url }) => url)).toEqual([NSWWS_URL, ISSUED_URL]);
      expect(tools.asked.map(({ headers }) => headers['x-api-key'])).toEqual(['secret-key', 'secret-key']);
      expect(records).toHaveLength(5);
      expect(complete).toBe(true);
    });

    it('may have another address and take its key in another header', async () => {
      const index = INDEX.replaceAll('https://prd.nswws.api.metoffice.gov.uk/', 'http://127.0.0.1:9/');
      const tools = upstream([index, ISSUED], {
        now: NOW,
        settings: {
          ...settings,
          MET_OFFICE_NSWWS_URL: 'http://127.0.0.1:9/v1.1/objects/feed',
          MET_OFFICE_NSWWS_HEADER: 'apikey',
        },
      });
      const { records } = await metOffice.collect(tools);

      expect(tools.asked.map(({ url }) => new URL(url).host)).toEqual(['127.0.0.1:9', '127.0.0.1:9']);
      expect(tools.asked.map(({ headers }) => headers.apikey)).toEqual(['secret-key', 'secret-key']);
      expect(records).toHaveLength(5);
    });

    it.each([
      ['another host', 'https://evil.example/issued/1/'],
      ['no encryption', 'http://prd.nswws.api.metoffice.gov.uk/issued/1/'],
      ['other credentials', 'https://me@prd.nswws.api.metoffice.gov.uk/issued/1/'],
      ['no address', 'http://'],
    ])('is not followed to %s', async (_, address) => {
      for (const index of [INDEX, INDEX_QUIET]) {
        const tools = upstream([index.replace(ISSUED_URL, address), ISSUED], { now: NOW, settings });

        await expect(metOffice.collect(tools)).rejects.toThrow('is not followed');
        expect(tools.asked).toHaveLength(1);
      }
    });

    it('without changes still leads to the issued warnings: one may be older than a day', async () => {
      expect((await collect([INDEX_QUIET, ISSUED])).records).toHaveLength(5);
      expect(await collect([INDEX_QUIET, NOTHING_ISSUED])).toMatchObject({ records: [], complete: true });
    });

    it.each([
      ['an upstream that does not answer', new Error('504 Gateway Timeout')],
      ['a page', '<html><body>Sorry</body></html>'],
      ['half a document', ISSUED.slice(0, 3000)],
    ])('without changes, with %s behind it, adds nothing and ends nothing', async (_, answer) => {
      const { records, complete, problems } = await collect([INDEX_QUIET, answer]);

      expect({ records, complete }).toEqual({ records: [], complete: false });
      expect(problems).toEqual([expect.stringContaining('could not be read')]);
    });

    it('fails when the changes that it announces cannot be read', async () => {
      await expect(collect([INDEX, new Error('504 Gateway Timeout')])).rejects.toThrow('504');
      await expect(collect([INDEX, '<html></html>'])).rejects.toThrow('HTML page');
    });
  });

  describe('RSS', () => {
    it('reads colour, weather, region and time from the words', async () => {
      const { records, ...rest } = await collect([RSS], '2026-11-20T20:00:00Z');

      expect(rest).toEqual({ skipped: 0, problems: [], complete: true, absentPolls: 2 });
      expect(records.map(brief)).toEqual([
        'met-office:amber-wind-20261121T0600Z-20261121T2100Z high weather.wind planned',
        'met-office:yellow-thunderstorm-rain-20261120T1800Z-20261121T0900Z medium weather.thunderstorm active',
      ]);
      expect(records[0]).toMatchObject({
        title: 'Amber wind warning: London & South East England',
        summary_line:
          'Amber warning of wind affecting London & South East England: Brighton and Hove, East Sussex, Kent, West Sussex valid from 0600 Sat 21 Nov to 2100 Sat 21 Nov',
        updated_at: '2026-11-20T10:41:00.000Z',
        start_time: '2026-11-21T06:00:00.000Z',
        end_time: '2026-11-21T21:00:00.000Z',
        latitude: null,
        longitude: null,
      });
    });

    it('reads a channel of warnings without items as quiet', async () => {
      const quiet = fixture('met-office/warnings-rss-quiet.synthetic.xml');

      // One such silence is too little to end the earlier warnings.
      expect(await collect([quiet])).toEqual({
        records: [],
        skipped: 0,
        problems: [],
        complete: true,
        absentPolls: 2,
      });
    });

    it('makes one warning of several regions, and leaves out what is not a warning', async () => {
      const { records, skipped, problems } = await collect([
        fixture('met-office/warnings-rss-regions.synthetic.xml'),
      ]);

      expect(records.map(({ title }) => title)).toEqual([
        'Amber wind warning: London & South East England; Wales',
        'Yellow wind warning: Wales',
        'Yellow ice warning: Grampian',
      ]);
      expect(records[0]).toMatchObject({
        summary_line: 'Valid from 06:00 Sat 21 Nov to 21:00 Sat 21 Nov: London & South East England; Wales',
        updated_at: '2026-11-20T11:00:00.000Z',
      });
      expect(records[2]).toMatchObject({ start_time: null, end_time: null, phase: 'active' });
      expect(skipped).toBe(1);
      expect(problems).toEqual([
        expect.stringMatching(/^Item 5 "Advice for gardeners" left out/),
        expect.stringContaining('no validity that can be read'),
        expect.stringContaining('appears more than once'),
      ]);
    });

    it.each([
      // In December and January the year is the one that brings the day nearest to the publication.
      [
        '2200 Thu 31 Dec to 1000 Fri 01 Jan',
        'Wed, 30 Dec 2026 10:00:00 GMT',
        '2026-12-31T22:00',
        '2027-01-01T10:00',
      ],
      [
        '0300 Sat 02 Jan to 1000 Sat 02 Jan',
        'Wed, 30 Dec 2026 10:00:00 GMT',
        '2027-01-02T03:00',
        '2027-01-02T10:00',
      ],
      [
        '2200 Thu 31 Dec to 1000 Sat 02 Jan',
        'Fri, 01 Jan 2027 09:00:00 GMT',
        '2026-12-31T22:00',
        '2027-01-02T10:00',
      ],
      [
        '0600 Tue 29 Feb to 1000 Tue 29 Feb',
        'Mon, 28 Feb 2028 09:00:00 GMT',
        '2028-02-29T06:00',
        '2028-02-29T10:00',
      ],
      // Summer: London's clock is an hour ahead.
      [
        '0600 Fri 25 Sep to 2100 Fri 25 Sep',
        'Thu, 24 Sep 2026 10:00:00 BST',
        '2026-09-25T05:00',
        '2026-09-25T20:00',
      ],
      // The nights in which the clocks change.
      [
        '2200 Sat 24 Oct to 0900 Sun 25 Oct',
        'Sat, 24 Oct 2026 10:00:00 GMT',
        '2026-10-24T21:00',
        '2026-10-25T09:00',
      ],
      [
        '2200 Sat 27 Mar to 0900 Sun 28 Mar',
        'Sat, 27 Mar 2027 10:00:00 GMT',
        '2027-03-27T22:00',
        '2027-03-28T08:00',
      ],
      // Other ways to write it.
      [
        '06:00 Friday 20 November to 21:00 Friday 20 November',
        'Fri, 20 Nov 2026 05:00:00 +0000',
        '2026-11-20T06:00',
        '2026-11-20T21:00',
      ],
    ])('valid from %s, published %s', async (validity, pubDate, start, end) => {
      const now = new Date(Date.parse(pubDate.replace('BST', '+0100'))).toISOString();
      const { records } = await collect([rssWith(validity, pubDate)], now);

      expect(records).toMatchObject([{ start_time: `${start}:00.000Z`, end_time: `${end}:00.000Z` }]);
    });

    it('uses the current time if no time of publication is given', async () => {
      const { records } = await collect(
        [rssWith('0300 Sat 02 Jan to 1000 Sat 02 Jan', 'recently')],
        '2026-12-30T10:00:00Z',
      );

      expect(records).toMatchObject([{ start_time: '2027-01-02T03:00:00.000Z', updated_at: null }]);
    });

    it.each([
      '25 o’clock on Someday',
      '0600 Sat 31 Nov to 2100 Sat 31 Nov',
      '2760 Sat 21 Nov to 2100 Sat 21 Nov',
    ])('invents no time for "valid from %s"', async (validity) => {
      const { records, problems } = await collect([rssWith(validity, 'Fri, 20 Nov 2026 09:00:00 GMT')]);

      expect(records).toMatchObject([{ start_time: null, end_time: null }]);
      expect(problems).toHaveLength(1);
    });
  });

  it('asks MeteoAlarm by default, for any form of answer', async () => {
    const tools = upstream([METEOALARM], { now: NOW });
    await metOffice.collect(tools);

    expect(tools.asked).toEqual([{ url: METEOALARM_URL, headers: { accept: '*/*' } }]);
  });

  it('asks the address that is set', async () => {
    const tools = upstream([RSS], { now: NOW, settings: { MET_OFFICE_URL: 'http://127.0.0.1:9/rss' } });
    await metOffice.collect(tools);

    expect(tools.asked.map(({ url }) => url)).toEqual(['http://127.0.0.1:9/rss']);
  });

  it.each([
    ['MeteoAlarm', [METEOALARM]],
    ['NSWWS', [INDEX, ISSUED]],
    ['RSS', [RSS]],
  ])('finds the same records in the same document: %s', async (_, answers) => {
    expect(await collect(answers)).toEqual(await collect(answers));
  });

  it.each([
    ['an empty document', '', 'The document is empty.'],
    ['a page', '<!DOCTYPE html><html><body>Sign in to the Wi-Fi</body></html>', 'HTML page'],
    ['half of an Atom feed', METEOALARM.slice(0, 4000), 'cut off'],
    ['half of a GeoJSON', ISSUED.slice(0, 4000), 'cut off'],
    ['half of an RSS channel', RSS.slice(0, 900), 'cut off'],
    ['a refusal as JSON', '{"message":"Forbidden"}', 'not GeoJSON'],
    ['a list', '[]', 'not GeoJSON'],
    ['GeoJSON without features', '{"type":"FeatureCollection"}', 'instead of a list of records'],
    [
      'features of something else',
      '{"type":"FeatureCollection","features":[{"properties":{"name":"x"}}]}',
      'None of the 1',
    ],
    ['another XML', '<?xml version="1.0"?><kml/>', 'neither Atom nor RSS'],
    ['another RSS', '<rss><channel><title>News</title></channel></rss>', 'not of weather warnings'],
    ['RSS without a channel', '<rss/>', 'not of weather warnings'],
    [
      'another Atom feed',
      '<feed><title>Releases</title><entry><id>1</id></entry></feed>',
      'not one of weather warnings',
    ],
    ['entities of its own', '<!DOCTYPE r [<!ENTITY a "b">]><rss>&a;</rss>', 'refused'],
    ['plain text', 'Service Unavailable', 'not XML'],
  ])('fails on %s', async (_, body, message) => {
    await expect(collect([body])).rejects.toThrow(message);
  });

  it('fails when the source cannot be reached', async () => {
    await expect(collect([new Error('406 Not Acceptable')])).rejects.toThrow('406');
  });
});
