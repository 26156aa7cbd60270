import { describe, expect, it } from 'vitest';
import { airportStatus } from '../../../server/sources/airport-status.ts';
import { FLIGHTS_MIN } from '../../../server/sources/parts/airportGrading.ts';
import { DELAYS_URL, METAR_URL } from '../../../server/sources/parts/airportReading.ts';
import { fixture, upstream, type Answer } from '../../support/upstream.ts';

const NOVEMBER = '2026-11-20T07:30:00Z';
const JUNE = '2026-06-20T11:00:00Z';
const KEY = { AERODATABOX_API_KEY: 'secret' };

const collect = (answers: readonly Answer[], now: string, settings: Record<string, string> = {}) =>
  airportStatus.collect(upstream(answers, { now, settings }));

/** One observation of Heathrow at `time`, calm except for the changes. */
const observation = (changes: object = {}, time = '2026-11-20T07:20:00Z') => ({
  icaoId: 'EGLL',
  obsTime: Date.parse(time) / 1000,
  visib: '6+',
  wspd: 5,
  clouds: [],
  fltCat: 'VFR',
  ...changes,
});

/** Result of one airport's weather. */
async function weather(observations: object[], codes = 'EGLL') {
  return collect([JSON.stringify(observations)], NOVEMBER, { AIRPORT_CODES: codes });
}

const flights = (delayIndex: unknown, changes: object = {}) => ({
  numTotal: 40,
  numQualifiedTotal: 40,
  numCancelled: 0,
  delayIndex,
  ...changes,
});

const airport = (departures: unknown, arrivals: unknown = flights(0), changes: object = {}) => ({
  airportIcao: 'EGLL',
  from: { utc: '2026-11-20 06:00Z' },
  to: { utc: '2026-11-20 08:00Z' },
  departuresDelayInformation: departures,
  arrivalsDelayInformation: arrivals,
  ...changes,
});

/** Result of one airport's delays, in calm weather. */
async function delays(airports: object[]) {
  return collect([JSON.stringify([observation()]), JSON.stringify(airports)], NOVEMBER, {
    AIRPORT_CODES: 'EGLL',
    ...KEY,
  });
}

describe('airport-status: weather', () => {
  it('reports risks, never delays, and nothing of a calm airport', async () => {
    const { records, ...rest } = await collect(
      [fixture('airport-status/metar-uk-fog.synthetic.json')],
      NOVEMBER,
      { AIRPORT_CODES: 'EGLL, egph EGCC' },
    );

    expect(rest).toEqual({ skipped: 0, problems: [], complete: true });
    expect(records).toEqual([
      {
        event_id: 'airport-status:EGLL:wx',
        severity: 'medium',
        event_type: 'aviation.weather',
        title: 'Weather risk at London Heathrow: fog, visibility 200 m',
        summary_line: 'Fog; visibility 200 m; cloud at 100 ft; no wind. A risk, not a report of delays.',
        updated_at: '2026-11-20T07:20:00.000Z',
        start_time: null,
        end_time: '2026-11-20T09:20:00.000Z',
        phase: 'active',
        kind: 'alert',
        latitude: 51.477,
        longitude: -0.461,
        metadata: {
          upstream_severity: 'LIFR',
          airport: 'EGLL',
          visibility_miles: 0.12,
          ceiling_ft: 100,
          wind_kt: 0,
          gust_kt: null,
          weather: 'FG',
          observation: 'METAR EGLL 200720Z AUTO 00000KT 0200 R27L/0350 FG VV001 02/02 Q1031',
        },
      },
      {
        event_id: 'airport-status:EGPH:wx',
        severity: 'medium',
        event_type: 'aviation.weather',
        title: 'Weather risk at Edinburgh: gusts of 55 knots',
        summary_line: 'Visibility over 5 km; wind 38 knots, gusts of 55. A risk, not a report of delays.',
        updated_at: '2026-11-20T07:20:00.000Z',
        start_time: null,
        end_time: '2026-11-20T09:20:00.000Z',
        phase: 'active',
        kind: 'alert',
        latitude: 55.95,
        longitude: -3.35,
        metadata: {
          upstream_severity: 'VFR',
          airport: 'EGPH',
          visibility_miles: 6,
          ceiling_ft: null,
          wind_kt: 38,
          gust_kt: 55,
          weather: null,
          observation: 'METAR EGPH 200720Z AUTO 25038G55KT 9999 SCT024 07/03 Q0984',
        },
      },
    ]);
  });

  it('asks for all airports in one call, without a key, and asks no other service', async () => {
    const tools = upstream([JSON.stringify([observation()])], { now: NOVEMBER });
    await airportStatus.collect(tools);
    const url = tools.asked[0]?.url ?? '';
    const ids = new URL(url).searchParams.get('ids')?.split(',');

    expect(tools.asked).toHaveLength(1);
    expect(url).toMatch(`${METAR_URL}?ids=EGLL%2CEGKK%2C`);
    expect(url).toMatch(/&format=json&hours=2$/);
    expect(ids).toHaveLength(28);
  });

  it.each([
    ['high', { wgst: 60 }, 'gusts of 60 knots'],
    ['high', { wspd: 60 }, 'wind of 60 knots'],
    ['high', { fltCat: 'LIFR', wxString: 'FZFG', visib: 0.1 }, 'freezing fog, visibility 200 m'],
    ['high', { fltCat: 'LIFR', wxString: '+SHSN', visib: 0.5 }, 'heavy snow, visibility 800 m'],
    ['medium', { fltCat: 'LIFR', clouds: [{ cover: 'OVC', base: 400 }] }, 'cloud at 400 ft'],
    ['medium', { fltCat: 'IFR', wxString: '+SN', visib: 2 }, 'heavy snow, visibility 3200 m'],
    ['medium', { wgst: 59 }, 'gusts of 59 knots'],
    ['medium', { wgst: 50 }, 'gusts of 50 knots'],
    ['medium', { wxString: '-TSRA' }, 'thunderstorm'],
    ['medium', { wxString: '-SN BR' }, 'snow'],
    ['medium', { wxString: '-FZDZ' }, 'freezing rain'],
    ['low', { wgst: 49 }, 'gusts of 49 knots'],
    ['low', { fltCat: 'IFR', visib: 1.5, wxString: '+RA' }, 'heavy rain, visibility 2400 m'],
    ['low', { fltCat: 'IFR' }, 'flight category IFR'],
    ['low', { wgst: 40 }, 'gusts of 40 knots'],
  ])('grades as %s: %j', async (severity, changes, reasons) => {
    const { records } = await weather([observation(changes)]);

    expect(records).toMatchObject([{ severity, title: `Weather risk at London Heathrow: ${reasons}` }]);
    expect(records[0]?.metadata).not.toHaveProperty('severity_unrated');
  });

  it.each([
    [{}],
    [{ fltCat: 'MVFR', visib: 4, clouds: [{ cover: 'OVC', base: 1200 }] }],
    [{ wgst: 39, wspd: 30 }],
    [{ wxString: 'VCTS RESN -RA' }],
  ])('sees nothing wrong in %j', async (changes) => {
    expect(await weather([observation(changes)])).toEqual({
      records: [],
      skipped: 0,
      problems: [],
      complete: true,
    });
  });

  it.each([
    ['LIFR', 'medium', { visib: 0.9 }],
    ['LIFR', 'medium', { clouds: [{ cover: 'BKN', base: 400 }] }],
    ['LIFR', 'medium', { clouds: [{ cover: 'OVX', base: 100 }], visib: null }],
    ['IFR', 'low', { visib: '2.5' }],
    [
      'IFR',
      'low',
      {
        clouds: [
          { cover: 'FEW', base: 200 },
          { cover: 'OVC', base: 900 },
        ],
      },
    ],
  ])(
    'computes the category %s where the answer has none, as older ones do',
    async (category, severity, changes) => {
      const { records } = await weather([observation({ fltCat: undefined, ...changes })]);

      expect(records).toMatchObject([{ severity, metadata: { upstream_severity: category } }]);
    },
  );

  it('reads the older form, in which the newest observation counts', async () => {
    const { records } = await collect(
      [fixture('airport-status/metar-older-form.synthetic.json')],
      '2026-03-29T01:10:00Z',
      { AIRPORT_CODES: 'EGNT' },
    );

    expect(records).toMatchObject([
      {
        event_id: 'airport-status:EGNT:wx',
        severity: 'high',
        title: 'Weather risk at Newcastle: heavy snow, visibility 1200 m',
        updated_at: '2026-03-29T00:50:00.000Z',
      },
    ]);
  });

  it('ends a risk with the next calm observation', async () => {
    const fog = observation({ fltCat: 'LIFR', visib: 0.1 }, '2026-11-20T06:50:00Z');

    expect((await weather([fog])).records).toHaveLength(1);
    expect(await weather([fog, observation()])).toMatchObject({ records: [], complete: true });
  });

  it('says that the weather of an airport silent for two hours is unknown, and ends its risk', async () => {
    const fog = { fltCat: 'LIFR', visib: 0.1, icaoId: 'EGCC' };
    const at = (time: string) => weather([observation(), observation(fog, time)], 'EGLL,EGCC');

    expect((await at('2026-11-20T05:31:00Z')).records).toMatchObject([
      { event_id: 'airport-status:EGCC:wx', end_time: '2026-11-20T07:31:00.000Z' },
    ]);
    expect(await at('2026-11-20T05:30:00Z')).toEqual({
      records: [],
      skipped: 0,
      problems: ['Weather unknown, no readable observation within 2 hours: EGCC'],
      complete: true,
    });
  });

  it('reads a report time without a zone as UTC, also in summer', async () => {
    const { records } = await collect(
      [JSON.stringify([observation({ obsTime: null, reportTime: '2026-07-01 10:50:00', wgst: 45 })])],
      '2026-07-01T11:00:00Z',
    );

    expect(records).toMatchObject([{ updated_at: '2026-07-01T10:50:00.000Z' }]);
  });

  it('uses the publisher’s name for an airport that it does not know', async () => {
    const { records } = await weather(
      [observation({ icaoId: 'EGNS', name: 'Isle Of Man/Ronaldsway &amp; <b>Arpt</b>, IM', wgst: 45 })],
      'EGNS',
    );

    expect(records[0]?.title).toBe('Weather risk at Isle Of Man/Ronaldsway & Arpt: gusts of 45 knots');
  });

  describe('in a document that has faults', () => {
    const collectBroken = () =>
      collect([fixture('airport-status/metar-broken.synthetic.json')], NOVEMBER, {
        AIRPORT_CODES: 'EGLL,EGKK,EGCC,EGPH,EGNX,EGFF,EGBB,EGGD',
      });

    it('keeps what it can read, and names what it cannot', async () => {
      const { records, ...rest } = await collectBroken();

      expect(records.map(({ event_id, severity }) => `${event_id} ${severity}`)).toEqual([
        'airport-status:EGLL:wx medium',
        'airport-status:EGKK:wx low',
        'airport-status:EGPH:wx low',
      ]);
      expect(rest).toEqual({
        skipped: 5,
        problems: [
          'Observation 6 left out: icaoId: Invalid input: expected string, received number',
          'Observation 7 left out: Invalid input: expected object, received null',
          'Observation 8 left out: Invalid input: expected object, received string',
          'Observation EGCC left out: it has no time',
          'Observation EGPH left out: neither category nor visibility',
          'Weather unknown, no readable observation within 2 hours: EGCC, EGFF, EGBB',
          'EGLL: unknown flight category "XIFR", counted as medium, unrated',
        ],
        complete: true,
        // Edinburgh is left out, because its last observation but one could be read.
        unreadable: ['airport-status:EGCC:wx'],
      });
    });

    it('marks an unknown category as unrated, and turns hostile text into plain text', async () => {
      const { records } = await collectBroken();

      expect(records[0]).toMatchObject({
        title: 'Weather risk at London Heathrow: flight category XIFR',
        latitude: null,
        metadata: {
          severity_unrated: true,
          upstream_severity: 'XIFR',
          observation: 'METAR EGLL 200720Z VRB02KT & CAVOK',
        },
      });
    });
  });

  it('ends nothing when most of a document cannot be read', async () => {
    expect(await weather([observation(), {}, {}])).toMatchObject({ complete: false, skipped: 2 });
  });

  it.each([
    ['no observation', fixture('airport-status/metar-empty.synthetic.json'), 'less than 2 hours old'],
    [
      'observations that stand still',
      JSON.stringify([observation({}, '2026-11-19T07:20:00Z')]),
      'less than 2 hours old',
    ],
    ['an empty answer', '', 'The document is empty.'],
    ['half a document', '[{"icaoId":"EGLL"', 'cut off'],
    ['a page', '<!DOCTYPE html><html></html>', 'HTML page'],
    ['another JSON', '{"status":"error"}', 'instead of a list of records'],
    ['no answer', new Error('503 Service Unavailable'), '503'],
  ])('fails on %s, which is not calm', async (_, answer, message) => {
    await expect(collect([answer], NOVEMBER)).rejects.toThrow(message);
  });

  it.each([
    [{ AIRPORT_CODES: 'EGLL,LHR' }, 'AIRPORT_CODES: "LHR" is not an ICAO code'],
    [{ AIRPORT_CODES: ',' }, 'must name 1 to 60 airports, not 0'],
    [{ AIRPORT_METAR_URL: 'nowhere' }, 'AIRPORT_METAR_URL is not an address'],
  ])('refuses the setting %j in words', async (settings, message) => {
    await expect(collect([], NOVEMBER, settings)).rejects.toThrow(message);
  });
});

describe('airport-status: delays', () => {
  const CALM = JSON.stringify([
    observation({ icaoId: 'EGKK', lat: 51.148, lon: -0.19 }, '2026-06-20T10:50:00Z'),
  ]);
  const collectDelays = (document: string, codes = 'EGKK,EGCC,EGPH,EGLL,EGNT') =>
    collect([CALM, fixture(`airport-status/${document}`)], JUNE, { AIRPORT_CODES: codes, ...KEY });

  it('are reported with a key, beside the weather', async () => {
    const { records, ...rest } = await collectDelays('delays.synthetic.json');

    expect(rest).toMatchObject({ skipped: 0, complete: true });
    expect(records.map(({ event_id, severity, title }) => `${event_id} ${severity} ${title}`)).toEqual([
      'airport-status:EGKK:delay critical Delays at London Gatwick: departures and arrivals',
      'airport-status:EGCC:delay high Delays at Manchester: departures',
      'airport-status:EGPH:delay medium Delays at Edinburgh: arrivals',
    ]);
    expect(records[0]).toEqual({
      event_id: 'airport-status:EGKK:delay',
      severity: 'critical',
      event_type: 'aviation.delay',
      title: 'Delays at London Gatwick: departures and arrivals',
      summary_line:
        'Departures: median 72 min late, 6 of 48 cancelled. Arrivals: median 38 min late, 3 of 44 cancelled.',
      updated_at: null,
      start_time: null,
      end_time: '2026-06-20T14:00:00.000Z',
      phase: 'active',
      kind: 'alert',
      latitude: 51.148,
      longitude: -0.19,
      metadata: {
        upstream_severity: 'delay index 4.1',
        airport: 'EGKK',
        from: '2026-06-20T10:00:00.000Z',
        to: '2026-06-20T12:00:00.000Z',
        departures: { delay_index: 4.1, median_minutes: 72, flights: 48, cancelled: 6 },
        arrivals: { delay_index: 2.6, median_minutes: 38, flights: 44, cancelled: 3 },
        location_method: 'airport',
      },
    });
    expect(records[1]).toMatchObject({
      latitude: null,
      summary_line: 'Departures: median 41 min late. Arrivals: median 6 min early.',
    });
  });

  it('are requested with the key, which goes nowhere else', async () => {
    const tools = upstream([CALM, fixture('airport-status/delays.synthetic.json')], {
      now: JUNE,
      settings: KEY,
    });
    await airportStatus.collect(tools);

    expect(tools.asked[0]?.headers).toEqual({ accept: 'application/json' });
    expect(tools.asked[1]).toEqual({
      url: DELAYS_URL,
      headers: {
        accept: 'application/json',
        'x-rapidapi-key': 'secret',
        'x-rapidapi-host': 'aerodatabox.p.rapidapi.com',
      },
    });
  });

  it.each([
    [5, 'critical'],
    [4, 'critical'],
    [3.99, 'high'],
    [3, 'high'],
    [2.99, 'medium'],
    [2, 'medium'],
  ])('with an index of %s are %s, in either direction', async (index, severity) => {
    expect((await delays([airport(flights(index))])).records).toMatchObject([{ severity }]);
    expect((await delays([airport(null, flights(index))])).records).toMatchObject([{ severity }]);
  });

  it.each([
    ['a low index', flights(1.99)],
    ['no index', flights(undefined)],
    ['too few flights', flights(5, { numQualifiedTotal: FLIGHTS_MIN - 1 })],
    ['an unknown number of flights', flights(5, { numQualifiedTotal: 'many' })],
    ['no figures', null],
  ])('are not reported with %s', async (_, departures) => {
    expect(await delays([airport(departures)])).toEqual({
      records: [],
      skipped: 0,
      problems: [],
      complete: true,
    });
  });

  it('leave out what cannot be read, and mark what cannot be rated', async () => {
    const { records, problems, ...rest } = await collectDelays(
      'delays-broken.synthetic.json',
      'EGKK,EGLL,EGCC,EGGD,EGPF,EGFF',
    );

    expect(records.map(({ event_id, severity, summary_line }) => [event_id, severity, summary_line])).toEqual(
      [
        [
          'airport-status:EGLL:delay',
          'medium',
          'Departures: 2 of 80 cancelled. Arrivals: median delay none.',
        ],
        [
          'airport-status:EGGD:delay',
          'medium',
          'Departures: median 50 min late. Arrivals: median 40 min late.',
        ],
        // The critical figures belong to the window before, which is over.
        ['airport-status:EGPF:delay', 'high', 'Departures: median 50 min late.'],
        ['airport-status:EGFF:delay', 'high', 'Delay index 3.1 of 5.'],
      ],
    );
    expect(records.map(({ metadata }) => metadata.severity_unrated)).toEqual([
      true,
      true,
      undefined,
      undefined,
    ]);
    expect(problems.slice(1)).toEqual([
      'Delays EGCC left out: to: Invalid input: expected object, received undefined',
      'Delays 4 left out: airportIcao: Invalid input: expected string, received null',
      'Delays 5 left out: Invalid input: expected object, received number',
      'Delays EGKK left out: unreadable time "noon"',
      'EGLL: unknown delay index "severe", counted as medium, unrated',
      'EGGD: unknown delay index "7", counted as medium, unrated',
    ]);
    expect(rest).toEqual({
      skipped: 4,
      complete: true,
      unreadable: ['airport-status:EGCC:delay', 'airport-status:EGKK:delay'],
    });
  });

  it.each([
    ['no answer', new Error('429 Too Many Requests'), '429'],
    ['an empty list', '[]', 'lists no airports'],
    ['figures that stand still', fixture('airport-status/delays.synthetic.json'), 'less than 2 hours old'],
    ['nothing that can be read', JSON.stringify([{}]), 'None of the 1 airports'],
  ])('leave the weather alone when they fail with %s, and end nothing', async (_, answer, message) => {
    const result = await collect([JSON.stringify([observation({ wgst: 45 })]), answer], NOVEMBER, {
      AIRPORT_CODES: 'EGLL,EGKK',
      ...KEY,
    });

    expect(result.records.map(({ event_id }) => event_id)).toEqual(['airport-status:EGLL:wx']);
    expect(result.complete).toBe(false);
    expect(result.problems.at(-1)).toMatch(/^Delays could not be read: /);
    expect(result.problems.at(-1)).toContain(message);
  });

  it('are reported even when the weather fails, and then nothing ends', async () => {
    const result = await collect(
      [new Error('503 Service Unavailable'), JSON.stringify([airport(flights(3))])],
      NOVEMBER,
      KEY,
    );

    expect(result).toMatchObject({
      records: [{ event_id: 'airport-status:EGLL:delay', latitude: null }],
      complete: false,
      problems: ['Weather could not be read: 503 Service Unavailable'],
    });
  });

  it('fail together with the weather when neither can be read', async () => {
    await expect(collect([new Error('503'), new Error('429')], NOVEMBER, KEY)).rejects.toThrow('503');
  });
});
