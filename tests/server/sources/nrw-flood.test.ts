import { describe, expect, it } from 'vitest';
import { nrwFlood, NRW_FLOODS_URL } from '../../../server/sources/nrw-flood.ts';
import { fixture, upstream } from '../../support/upstream.ts';

const NOW = '2026-11-20T10:00:00Z';
const SETTINGS = { NRW_API_KEY: 'secret' };

const collect = (body: string) => nrwFlood.collect(upstream([body], { now: NOW, settings: SETTINGS }));
const collectFile = (name: string) => collect(fixture(`nrw-flood/${name}.synthetic.json`));

describe('nrw-flood', () => {
  it('keeps warnings and alerts in force and drops those that are over', async () => {
    const { records, ...rest } = await collectFile('all-v3');

    expect(rest).toEqual({ skipped: 0, problems: [], complete: true, ended: ['nrw-flood:101WAF109'] });
    expect(
      records.map(({ event_id, severity, event_type }) => `${event_id} ${severity} ${event_type}`),
    ).toEqual(['nrw-flood:102WAF212 medium flood.alert', 'nrw-flood:103FWF0114 high flood.warning']);
  });

  it('says what a warning says', async () => {
    const { records } = await collectFile('all-v3');

    expect(records[1]).toEqual({
      event_id: 'nrw-flood:103FWF0114',
      severity: 'high',
      event_type: 'flood.warning',
      title: 'Flood warning: River Towy at Carmarthen Quay',
      summary_line: 'River levels are rising. Flooding is possible. Be prepared.',
      updated_at: '2026-11-20T08:31:00.000Z',
      start_time: '2026-11-20T08:31:00.000Z',
      end_time: null,
      phase: 'active',
      kind: 'alert',
      latitude: 51.85,
      longitude: -4.31,
      metadata: {
        upstream_severity: 'Flood Warning',
        severity_level: 2,
        flood_area: '103FWF0114',
        region: 'South West',
        is_tidal: false,
        summary_welsh: 'Mae lefelau afonydd yn codi.',
        location_method: 'area',
      },
    });
  });

  it('reads times in milliseconds since 1970 as well', async () => {
    const { records, problems } = await collectFile('all-v3-epoch-times');

    expect(problems).toEqual([]);
    expect(records).toMatchObject([
      {
        event_id: 'nrw-flood:104WAC002',
        start_time: '2026-11-20T07:10:00.000Z',
        updated_at: '2026-11-20T07:10:00.000Z',
        metadata: { is_tidal: true },
      },
    ]);
  });

  it('reads names in any case and numbers as text; a newer end also ends an older entry', async () => {
    const { records, problems } = await collectFile('all-v3-levels');

    expect(records.map(({ event_id, severity, title }) => [event_id, severity, title])).toEqual([
      ['nrw-flood:103FWF0501', 'critical', 'Severe flood warning: River Teifi at Llandysul'],
      ['nrw-flood:101FWFC12', 'high', 'Flood warning: Conwy Valley from Dolgarrog to Llanrwst'],
    ]);
    expect(problems).toEqual(['Flood area 101WAF109 appears more than once; the newest is kept']);
    expect(records[1]).toMatchObject({
      summary_line: 'Disgwylir llifogydd.',
      metadata: { severity_level: null, is_tidal: true },
    });
  });

  it('reads a time without a zone as local time', async () => {
    const { records } = await collectFile('all-v3-levels');

    expect(records.map(({ start_time, updated_at }) => [start_time, updated_at])).toEqual([
      // It is summer; the latest change counts.
      ['2026-07-10T07:00:00.000Z', '2026-07-10T08:15:30.000Z'],
      // The clock shows 01:30 twice that night; the first counts.
      ['2026-07-10T00:00:00.000Z', '2026-10-25T00:30:00.000Z'],
    ]);
  });

  it('reads a document without features as a dry day', async () => {
    expect(await collectFile('all-v3-empty')).toEqual({
      records: [],
      skipped: 0,
      problems: [],
      complete: true,
    });
    expect(nrwFlood).toMatchObject({ absentPolls: 1 });
    expect(nrwFlood.neverEmpty ?? false).toBe(false);
  });

  it('asks with the subscription’s key, at the public address or the one that is set', async () => {
    const body = fixture('nrw-flood/all-v3-empty.synthetic.json');
    const headers = { accept: 'application/json', 'ocp-apim-subscription-key': 'secret' };
    const far = upstream([body], { now: NOW, settings: SETTINGS });
    const mirror = upstream([body], {
      now: NOW,
      settings: { ...SETTINGS, NRW_FLOOD_URL: 'https://mirror.example/all' },
    });
    await nrwFlood.collect(far);
    await nrwFlood.collect(mirror);

    expect(far.asked).toEqual([{ url: NRW_FLOODS_URL, headers }]);
    expect(mirror.asked).toEqual([{ url: 'https://mirror.example/all', headers }]);
    expect(nrwFlood.settings.filter(({ required }) => required)).toEqual([
      expect.objectContaining({ name: 'NRW_API_KEY', secret: true }),
    ]);
  });

  describe('with a document that has faults', () => {
    it('leaves out what cannot be read, says so, and keeps the others', async () => {
      const { records, ...rest } = await collectFile('all-v3-broken');

      expect(records.map(({ event_id, severity }) => `${event_id} ${severity}`)).toEqual([
        'nrw-flood:102WAF301 medium',
        'nrw-flood:103WAF402 medium',
        'nrw-flood:103FWF9 high',
        'nrw-flood:101FWF7 high',
      ]);
      expect(rest).toEqual({
        skipped: 3,
        complete: true,
        problems: [
          'Warning 2 left out: fwacode: FWACODE is missing',
          'Warning 3 left out: fwacode: FWACODE is missing',
          'Warning 6 left out: fwacode: FWACODE is missing',
          'Flood area 103WAF402: unknown severity level "9"',
          'Flood area 103WAF402: unreadable TIMERAISED "yesterday"',
          'Flood area 103FWF9: unreadable TIMERAISED "99999999999999"',
        ],
      });
    });

    it('turns hostile text into plain text', async () => {
      const { records } = await collectFile('all-v3-broken');

      expect(records[0]).toMatchObject({
        title: 'Flood alert: River Wye & tributaries',
        summary_line: 'Levels are < 3 m. Be prepared.',
        metadata: { is_tidal: null },
      });
      expect(records[0]?.metadata).not.toHaveProperty('summary_welsh');
    });

    it('gives a position only if the publisher gives a valid one', async () => {
      const { records } = await collectFile('all-v3-broken');

      expect(records.map(({ latitude, longitude }) => [latitude, longitude])).toEqual([
        [null, null],
        [null, null],
        [null, null],
        [52.98, -3.37],
      ]);
      expect(records[0]?.metadata).not.toHaveProperty('location_method');
    });

    it('marks a level outside the scale as unrated', async () => {
      const { records } = await collectFile('all-v3-broken');

      expect(records[1]).toMatchObject({
        title: 'Flood Watch: River Tawe',
        summary_line: 'South West',
        severity: 'medium',
        start_time: null,
        updated_at: null,
        metadata: { severity_unrated: true, upstream_severity: 'Flood Watch', severity_level: 9 },
      });
      expect(records[2]).toMatchObject({ title: 'Flood warning: flood area 103FWF9' });
      expect(records[2]?.metadata).not.toHaveProperty('severity_unrated');
    });

    it('ends nothing when most of it cannot be read', async () => {
      const readable = { properties: { FWACODE: '1', SEVERITYVALUE: 3, TIMERAISED: '2026-11-20T07:10:00Z' } };
      const body = JSON.stringify({ features: [readable, { properties: {} }, 'three'] });
      const { records, complete, skipped } = await collect(body);

      expect({ found: records.length, complete, skipped }).toEqual({ found: 1, complete: false, skipped: 2 });
    });
  });

  it.each([
    ['an empty document', '', 'The document is empty.'],
    ['half a document', fixture('nrw-flood/all-v3.synthetic.json').slice(0, 900), 'cut off'],
    ['a page', '<!DOCTYPE html><html><body>Sign in to the Wi-Fi</body></html>', 'HTML page'],
    [
      'another JSON',
      '{"statusCode":429,"message":"Rate limit is exceeded."}',
      'instead of a list of records',
    ],
    ['null', 'null', 'instead of a list of records'],
    ['features in another form', '{"features":[{"id":1},{"id":2}]}', 'None of the 2 warnings can be read'],
  ])('fails on %s', async (_, body, message) => {
    await expect(collect(body)).rejects.toThrow(message);
  });

  it('fails when the source cannot be reached', async () => {
    await expect(
      nrwFlood.collect(upstream([new Error('401 Unauthorized')], { now: NOW, settings: SETTINGS })),
    ).rejects.toThrow('401');
  });
});
