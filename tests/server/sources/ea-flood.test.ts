import { describe, expect, it } from 'vitest';
import { eaFlood, FLOODS_URL, LOOKUPS_PER_POLL } from '../../../server/sources/ea-flood.ts';
import { fixture, memoryFacts, upstream, type Answer } from '../../support/upstream.ts';

const NOW = '2025-10-24T21:30:00Z';
const AREA = /\/floodAreas\/([^/]+)$/;

/** The floods, and for each requested area the answer of `area`. */
const floods =
  (body: string, area: (id: string) => Answer | undefined = () => undefined) =>
  (url: string) => {
    const id = AREA.exec(url)?.[1];
    return id === undefined ? body : area(id);
  };

const someFloods = (count: number) =>
  JSON.stringify({
    items: Array.from({ length: count }, (_, at) => ({
      floodAreaID: `AREA${at}`,
      severityLevel: 3,
      description: `River ${at}`,
      timeRaised: '2025-10-24T09:00:00',
    })),
  });

const position = (lat: number, long: number) => JSON.stringify({ items: { lat, long } });

const collectRecorded = () =>
  eaFlood.collect(upstream([fixture('ea-flood/floods-2025-10-24.json')], { now: NOW }));

const collectFaulty = () =>
  eaFlood.collect(
    upstream([fixture('ea-flood/floods-broken.synthetic.json')], { now: '2026-01-05T12:00:00Z' }),
  );

describe('ea-flood', () => {
  it('keeps warnings and alerts in force and drops those that are over', async () => {
    const { records, ...rest } = await collectRecorded();

    expect(rest).toEqual({ skipped: 0, problems: [], complete: true, ended: expect.any(Array) });
    expect(rest.ended).toHaveLength(15);
    expect(rest.ended).toContain('ea-flood:065WAF451');
    expect(records.filter(({ severity }) => severity === 'high').map(({ event_id }) => event_id)).toEqual([
      'ea-flood:122FWC036',
    ]);
    expect(
      records
        .filter(({ severity }) => severity === 'medium')
        .map(({ event_id }) => event_id)
        .sort(),
    ).toEqual(
      [
        '054WATBT1',
        '122WAF982',
        '122WAF980',
        '054WATBT2',
        '054WATBT3',
        '122WAC952',
        '063WAT23West',
        '122WAC955',
        '122WAC956',
        '052WATCSTHUN',
        '064WAC1ShepSwale',
        '064WAC1WhitMar',
        '064WAT1MedEst',
        '064WAT1ThamesEst',
        '122WAC953',
      ]
        .map((id) => `ea-flood:${id}`)
        .sort(),
    );
    expect(records).toHaveLength(16);
  });

  it('says what a warning says, with London times as UTC', async () => {
    const { records } = await collectRecorded();

    expect(records.find(({ event_id }) => event_id === 'ea-flood:054WATBT1')).toEqual({
      event_id: 'ea-flood:054WATBT1',
      severity: 'medium',
      event_type: 'flood.alert',
      title: 'Flood alert: The tidal Rivers Bure, Ant and Thurne',
      summary_line: expect.stringMatching(
        /^Flooding is possible from today, Friday 24th October 2025, .{100,150}…$/,
      ),
      text: expect.stringMatching(/Avoid low lying roads near rivers, .*as the situation changes\.$/),
      // The message changed last at 09:23 by the clock, which is summer time.
      updated_at: '2025-10-24T08:23:00.000Z',
      start_time: '2025-10-24T08:23:42.000Z',
      end_time: null,
      phase: 'active',
      kind: 'alert',
      latitude: null,
      longitude: null,
      metadata: {
        upstream_severity: 'Flood alert',
        severity_level: 3,
        flood_area: '054WATBT1',
        county: 'Norfolk',
        river_or_sea: 'Bure, Ant, Thurne',
        ea_area: 'East Anglia',
        is_tidal: true,
      },
    });
  });

  it('grades level 1 as critical', async () => {
    const { records } = await eaFlood.collect(
      upstream([fixture('ea-flood/floods-severe.synthetic.json')], { now: '2026-07-10T08:00:00Z' }),
    );

    expect(records).toMatchObject([
      {
        event_id: 'ea-flood:053FWCLFELX1',
        severity: 'critical',
        event_type: 'flood.severe_warning',
        title: 'Severe flood warning: The tidal River Deben estuary at Felixstowe Ferry',
        summary_line: 'Danger to life. Act now.',
      },
    ]);
  });

  it('reads an empty list as a dry day', async () => {
    const { records, problems, complete } = await eaFlood.collect(
      upstream([fixture('ea-flood/floods-empty.json')], { now: NOW }),
    );

    expect({ records, problems, complete }).toEqual({ records: [], problems: [], complete: true });
  });

  it('finds the same records in the same document', async () => {
    expect(await collectRecorded()).toEqual(await collectRecorded());
  });

  describe('with a document that has faults', () => {
    it('leaves out what cannot be read, says so, and keeps the others', async () => {
      const { records, skipped, problems, complete } = await collectFaulty();

      expect(records.map(({ event_id, severity }) => `${event_id} ${severity}`)).toEqual([
        'ea-flood:031WAF101 medium',
        'ea-flood:031FWFTE10 medium',
        'ea-flood:031FWFTE20 critical',
        'ea-flood:031WAF213 high',
      ]);
      expect(skipped).toBe(2);
      expect(complete).toBe(true);
      expect(problems).toEqual([
        expect.stringMatching(/^Warning 2 left out: floodAreaID/),
        expect.stringMatching(/^Warning 3 left out/),
        'Flood area 031WAF213 appears more than once; the newest is kept',
        'Flood area 031WAF214 appears more than once; the newest is kept',
        'Flood area 031FWFTE10: unknown severity level "7"',
        'Flood area 031FWFTE10: unreadable timeRaised "yesterday"',
      ]);
    });

    it('turns hostile text into plain text', async () => {
      const { records } = await collectFaulty();

      expect(records[0]).toMatchObject({
        title: 'Flood alert: River Severn in Shropshire & Worcestershire',
        summary_line: 'Flooding is possible. River levels are < 3 m £.',
      });
    });

    it('marks a level outside the scale as unrated', async () => {
      const { records } = await collectFaulty();

      expect(records[1]).toMatchObject({
        title: 'Something new: River Teme at an unknown level',
        start_time: null,
        metadata: { severity_unrated: true, upstream_severity: 'Something new' },
      });
      expect(records[0]?.metadata).not.toHaveProperty('severity_unrated');
    });
  });

  it('does not end what a truncated list may have left out', async () => {
    const body = JSON.stringify({ ...JSON.parse(someFloods(2)), meta: { limit: 2 } });
    const { records, complete, problems } = await eaFlood.collect(upstream([body], { now: NOW }));

    expect(records).toHaveLength(2);
    expect(complete).toBe(false);
    expect(problems).toEqual([expect.stringContaining('limit of 2')]);
  });

  it('ends nothing when most of it cannot be read', async () => {
    const body = JSON.stringify({ items: [...JSON.parse(someFloods(1)).items, {}, {}] });
    const { records, complete, skipped } = await eaFlood.collect(upstream([body], { now: NOW }));

    expect({ found: records.length, complete, skipped }).toEqual({ found: 1, complete: false, skipped: 2 });
  });

  it.each([
    ['an empty document', '', 'The document is empty.'],
    ['half a document', fixture('ea-flood/floods-2025-10-24.json').slice(0, 20_000), 'cut off'],
    ['a page', '<!DOCTYPE html><html><body>Sign in to the Wi-Fi</body></html>', 'HTML page'],
    ['another JSON', '{"error":"unavailable"}', 'instead of a list of records'],
    ['null', 'null', 'instead of a list of records'],
    ['records in another form', '{"items":[{"id":1},{"id":2}]}', 'None of the 2 warnings can be read'],
  ])('fails on %s', async (_, body, message) => {
    await expect(eaFlood.collect(upstream([body], { now: NOW }))).rejects.toThrow(message);
  });

  it('fails when the source cannot be reached', async () => {
    await expect(
      eaFlood.collect(upstream([new Error('503 Service Unavailable')], { now: NOW })),
    ).rejects.toThrow('503');
  });

  describe('positions', () => {
    it('are requested beside the configured address, once for each area', async () => {
      const facts = memoryFacts();
      const settings = { EA_FLOOD_URL: 'http://127.0.0.1:9999/mirror/id/floods/?min-severity=3' };
      const answers = floods(someFloods(1), () => fixture('ea-flood/flood-area.synthetic.json'));
      const first = upstream(answers, { now: NOW, settings, facts });
      const { records } = await eaFlood.collect(first);
      const second = upstream(answers, { now: NOW, settings, facts });
      const again = await eaFlood.collect(second);

      expect(first.asked.map(({ url }) => url)).toEqual([
        settings.EA_FLOOD_URL,
        'http://127.0.0.1:9999/mirror/id/floodAreas/AREA0',
      ]);
      expect(second.asked).toHaveLength(1);
      expect(records).toMatchObject([
        {
          latitude: 54.502,
          longitude: -0.671,
          metadata: { location_method: 'area' },
        },
      ]);
      expect(again.records).toEqual(records);
    });

    it('are requested at the address that the publisher names', async () => {
      const tools = upstream(floods(fixture('ea-flood/floods-severe.synthetic.json')), { now: NOW });
      await eaFlood.collect(tools);

      expect(tools.asked.map(({ url }) => url)).toEqual([
        FLOODS_URL,
        'https://environment.data.gov.uk/flood-monitoring/id/floodAreas/053FWCLFELX1',
      ]);
    });

    it('are fetched a few at a time, until every area has one', async () => {
      const facts = memoryFacts();
      const answers = floods(someFloods(25), (id) => position(52, Number(id.slice(4)) / 100));
      const lookUps: number[] = [];
      let located = 0;
      for (let poll = 0; poll < 3; poll++) {
        const now = new Date(Date.parse(NOW) + poll * 15 * 60_000).toISOString();
        const tools = upstream(answers, { now, facts });
        const { records } = await eaFlood.collect(tools);
        lookUps.push(tools.asked.length - 1);
        located = records.filter(({ latitude }) => latitude !== null).length;
      }

      expect(lookUps).toEqual([LOOKUPS_PER_POLL, LOOKUPS_PER_POLL, 5]);
      expect(located).toBe(25);
    });

    it.each([
      ['are refused', new Error('403 Forbidden')],
      ['are pages', '<html></html>'],
      ['have none', '{"items":{"label":"no position"}}'],
      ['are nowhere on Earth', position(520, 1)],
    ])('may be missing without harm to the poll: areas %s', async (_, answer) => {
      const tools = upstream(
        floods(someFloods(12), () => answer),
        { now: NOW },
      );
      const { records, ...rest } = await eaFlood.collect(tools);

      expect(rest).toEqual({ skipped: 0, problems: [], complete: true });
      expect(records).toHaveLength(12);
      expect(records.every(({ latitude, longitude }) => latitude === null && longitude === null)).toBe(true);
      expect(tools.asked.length - 1).toBeLessThanOrEqual(2);
    });

    it('are found for every area that answers, even when some always fail', async () => {
      const facts = memoryFacts();
      const answers = floods(someFloods(30), (id) =>
        Number(id.slice(4)) < 5 ? new Error('404 Not Found') : position(52, 1),
      );
      let located = 0;
      for (let poll = 0; poll < 60; poll++) {
        const now = new Date(Date.parse(NOW) + poll * 15 * 60_000).toISOString();
        const { records } = await eaFlood.collect(upstream(answers, { now, facts }));
        located = records.filter(({ latitude }) => latitude !== null).length;
      }

      expect(located).toBe(25);
    });

    it('need no memory to work', async () => {
      const broken = {
        get: async () => Promise.reject(new Error('disk I/O error')),
        set: async () => Promise.reject(new Error('disk I/O error')),
      };
      const tools = upstream(
        floods(someFloods(1), () => position(52, 1)),
        { now: NOW, facts: broken },
      );

      expect((await eaFlood.collect(tools)).records).toHaveLength(1);
    });
  });
});
