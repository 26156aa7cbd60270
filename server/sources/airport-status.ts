/**
 * UK airports. No operator, agency or regulator publishes their delays openly, so this source has two halves:
 *
 * - Weather risk, without a key, the default: METAR observations by the Aviation Weather Center of the US government
 *   (no licence fee, fewer than 100 calls a minute). It reports weather that could disrupt an airport, never a delay.
 *   https://aviationweather.gov/data/api/
 * - Delays, with AERODATABOX_API_KEY: how late departures and arrivals are now. Commercial; its terms may forbid
 *   passing the data on. One call a poll covers all airports in the world, worst first.
 *   https://aerodatabox.com/airport-delays-api/
 *
 * Rhythm: airports observe twice an hour. A calm airport has no record, because nothing is wrong there. End: the next
 * observation is below every threshold, or there was none for two hours. Then the state is unknown, which is noted
 * but is not an alert. Records also end after two hours, for polls that can read only one half.
 */
import { capital } from '#contract/incidents/titleForms.ts';
import { toPoint, type Point } from '../geography/shapes/geometry.ts';
import { toUtc } from '../http/documents/londonTime.ts';
import { plainText, summaryLine } from '../http/documents/plainText.ts';
import { problems, type Problems } from '../http/documents/records.ts';
import type { Collected, Collector, DisruptionRecord, Tools } from '../incidents/collector.ts';
import { DELAY_INDEX_MAX, type Graded, rank, riskOf, WINDY_KT } from './parts/airportGrading.ts';
import {
  codeOf,
  type Delay,
  delayId,
  DELAYS_URL,
  graded,
  type Latest,
  METAR_URL,
  readDelays,
  readWeather,
  validUntil,
  type Weather,
  weatherId,
} from './parts/airportReading.ts';
import { countIn } from '../incidents/facts/lanesAndMinutes.ts';
import type { Read, Reported } from '../incidents/facts/reported.ts';
import { lower } from '../incidents/facts/publisherWords.ts';

/** The names that travellers use; the publisher writes "London/Heathrow Intl, EN, GB". */
const AIRPORTS: Readonly<Record<string, string>> = {
  EGLL: 'London Heathrow',
  EGKK: 'London Gatwick',
  EGSS: 'London Stansted',
  EGGW: 'London Luton',
  EGLC: 'London City',
  EGMC: 'London Southend',
  EGCC: 'Manchester',
  EGGP: 'Liverpool',
  EGNM: 'Leeds Bradford',
  EGNT: 'Newcastle',
  EGNV: 'Teesside',
  EGNJ: 'Humberside',
  EGNX: 'East Midlands',
  EGBB: 'Birmingham',
  EGSH: 'Norwich',
  EGGD: 'Bristol',
  EGTE: 'Exeter',
  EGHQ: 'Newquay',
  EGHH: 'Bournemouth',
  EGHI: 'Southampton',
  EGFF: 'Cardiff',
  EGPH: 'Edinburgh',
  EGPF: 'Glasgow',
  EGPK: 'Glasgow Prestwick',
  EGPD: 'Aberdeen',
  EGPE: 'Inverness',
  EGAA: 'Belfast International',
  EGAC: 'Belfast City',
};

/** The most airports of one request: the service returns at most 400 observations, and an airport can make six in
 *  two hours. */
const AIRPORTS_MAX = 60;

export const airportStatus: Collector = {
  source: 'airport-status',
  publisher: {
    publisher: 'Aviation Weather Center, US National Weather Service',
    licence: { name: 'Weather: US government work. Delays: terms of AeroDataBox', url: null },
    attribution: 'Aviation Weather Center, US National Weather Service. Delays: AeroDataBox.',
  },
  everyMinutes: 15,
  maxAgeMinutes: 60,
  settings: [
    {
      name: 'AIRPORT_CODES',
      about: `ICAO codes of the airports, separated by commas (default ${Object.keys(AIRPORTS).join(',')})`,
    },
    {
      name: 'AIRPORT_METAR_URL',
      about: `address of the weather observations (default ${METAR_URL})`,
    },
    {
      name: 'AERODATABOX_API_KEY',
      secret: true,
      about: 'RapidAPI key of AeroDataBox; when it is set, delays are reported beside the weather',
    },
    {
      name: 'AERODATABOX_URL',
      about: `address of the delays of all airports (default ${DELAYS_URL})`,
    },
  ],
  absentPolls: 1,

  read: readAirport,

  async collect(tools): Promise<Collected> {
    const found = problems();
    const airports = airportsOf(tools.settings);
    const weather = await attempt(async () => weatherHalf(await readWeather(airports, tools, found), found));
    const delays = tools.settings.AERODATABOX_API_KEY
      ? await attempt(async () => delaysHalf(await readDelays(airports, tools, found), found))
      : null;
    if (!weather.read && !delays?.read) throw weather.error;

    if (weather.error) found.note(`Weather could not be read: ${wordsOf(weather.error)}`);
    if (delays?.error) found.note(`Delays could not be read: ${wordsOf(delays.error)}`);
    const stations = weather.read?.stations ?? new Map<string, Point>();
    const late = (delays?.read?.records ?? []).map((record) => atStation(record, stations));
    const assessed = new Set([...(weather.read?.assessed ?? []), ...(delays?.read?.assessed ?? [])]);
    const unreadable = found.unreadable.filter((id) => !assessed.has(id));
    return {
      records: [...(weather.read?.records ?? []), ...late],
      skipped: found.skipped,
      problems: found.list,
      complete: [weather, ...(delays ? [delays] : [])].every(({ read }) => read?.complete),
      ...(unreadable.length > 0 && { unreadable }),
    };
  },
};

/** The result of one of the two services. */
interface Half {
  records: DisruptionRecord[];
  complete: boolean;
  /** The ids of all events that this half has judged, including events that do not exist now. */
  assessed: readonly string[];
}

/** Keeps the error of one half, so that the other half is still read. */
async function attempt<T>(read: () => Promise<T>): Promise<{ read?: T; error?: unknown }> {
  try {
    return { read: await read() };
  } catch (error) {
    return { error };
  }
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function airportsOf({ AIRPORT_CODES }: Tools['settings']): string[] {
  if (!AIRPORT_CODES) return Object.keys(AIRPORTS);

  const codes = [...new Set(AIRPORT_CODES.toUpperCase().split(/[\s,]+/))].filter(Boolean);
  const wrong = codes.find((code) => !codeOf(code));
  if (wrong) throw new Error(`AIRPORT_CODES: "${wrong}" is not an ICAO code; London Heathrow's is EGLL.`);
  if (codes.length === 0 || codes.length > AIRPORTS_MAX)
    throw new Error(`AIRPORT_CODES must name 1 to ${AIRPORTS_MAX} airports, not ${codes.length}.`);
  return codes;
}

function weatherHalf({ newest, complete }: Latest<Weather>, found: Problems) {
  return {
    records: [...newest.values()].flatMap((weather) => weatherRecord(weather, found)),
    complete,
    assessed: [...newest.keys()].map(weatherId),
    stations: new Map(
      [...newest].flatMap(([icao, { said }]): [string, Point][] => {
        const point = toPoint(said.lat, said.lon);
        return point ? [[icao, point]] : [];
      }),
    ),
  };
}

const delaysHalf = ({ newest, complete }: Latest<Delay>, found: Problems): Half => ({
  records: [...newest.values()].flatMap((delay) => delayRecord(delay, found)),
  complete,
  assessed: [...newest.keys()].map(delayId),
});

function weatherRecord(weather: Weather, found: Problems): DisruptionRecord[] {
  const risk = riskOf(weather);
  if (!risk) return [];

  const { icao, said, category, ceilingFt } = weather;
  if (risk.isUnrated)
    found.note(`${icao}: unknown flight category "${category}", counted as medium, unrated`);
  const point = toPoint(said.lat, said.lon);
  const reasons = reasonsOf(weather);
  return [
    {
      event_id: weatherId(icao),
      severity: risk.severity,
      event_type: 'aviation.weather',
      title: summaryLine(`Weather risk at ${nameOf(icao, said.name)}: ${reasons.slice(0, 2).join(', ')}`),
      summary_line: summaryLine(conditionsOf(weather)),
      updated_at: weather.time,
      // An observation gives the present state, but not its beginning.
      start_time: null,
      end_time: validUntil(weather),
      phase: 'active',
      kind: 'alert',
      latitude: point?.latitude ?? null,
      longitude: point?.longitude ?? null,
      metadata: {
        ...(risk.isUnrated && { severity_unrated: true }),
        ...(category && { upstream_severity: category }),
        airport: icao,
        visibility_miles: said.visib,
        ceiling_ft: ceilingFt,
        wind_kt: said.wspd,
        gust_kt: said.wgst,
        weather: weather.codes || null,
        observation: plainText(said.rawOb ?? '') || null,
      },
    },
  ];
}

function delayRecord(delay: Delay, found: Problems): DisruptionRecord[] {
  const { icao, said } = delay;
  const departures = graded('departures', said.departuresDelayInformation);
  const arrivals = graded('arrivals', said.arrivalsDelayInformation);
  const late = [departures, arrivals].filter(({ severity }) => severity !== null);
  const worst = late.toSorted((a, b) => rank(a.severity) - rank(b.severity))[0];
  if (!worst?.severity) return [];

  const figures = [departures, arrivals].map(figuresOf).filter(Boolean).join(' ');
  for (const { index, indexSaid } of late) {
    if (index === null) found.note(`${icao}: unknown delay index "${indexSaid}", counted as medium, unrated`);
  }
  return [
    {
      event_id: delayId(icao),
      severity: worst.severity,
      event_type: 'aviation.delay',
      title: `Delays at ${nameOf(icao)}: ${late.map(({ name }) => name).join(' and ')}`,
      summary_line: summaryLine(figures || `Delay index ${worst.indexSaid} of ${DELAY_INDEX_MAX}.`),
      // The figures are of a span that moves with the clock, and the publisher does not say when they changed.
      updated_at: null,
      start_time: null,
      end_time: validUntil(delay),
      phase: 'active',
      kind: 'alert',
      latitude: null,
      longitude: null,
      metadata: {
        ...(worst.index === null && { severity_unrated: true }),
        upstream_severity: `delay index ${worst.indexSaid}`,
        airport: icao,
        from: toUtc(said.from?.utc),
        to: delay.time,
        departures: metadataOf(departures),
        arrivals: metadataOf(arrivals),
      },
    },
  ];
}

const metadataOf = ({ index, medianMinutes, flights, cancelled }: Graded) => ({
  delay_index: index,
  median_minutes: medianMinutes,
  flights,
  cancelled,
});

/** Adds the position of the airport, because AeroDataBox gives none. */
function atStation(record: DisruptionRecord, stations: ReadonlyMap<string, Point>): DisruptionRecord {
  const point = stations.get(String(record.metadata.airport));
  if (!point) return record;
  return {
    ...record,
    ...point,
    metadata: { ...record.metadata, location_method: 'airport' },
  };
}

/** The name of an airport that we do not know: the publisher's text before the first comma. */
function nameOf(icao: string, said?: string | null): string {
  const own = plainText(said ?? '').split(',')[0];
  return Object.hasOwn(AIRPORTS, icao) ? AIRPORTS[icao]! : own || icao;
}

/** Weather codes that disrupt an airport, with our words for them; worst first. */
const WEATHER_WORDS: readonly (readonly [RegExp, string])[] = [
  [/TS/, 'thunderstorm'],
  [/FZ(?:RA|DZ|UP)/, 'freezing rain'],
  [/\+\w*SN/, 'heavy snow'],
  [/SN/, 'snow'],
  [/FZFG/, 'freezing fog'],
  [/FG/, 'fog'],
  [/\+\w*RA/, 'heavy rain'],
];

/** Why the weather is a risk: at least one reason, worst first. */
function reasonsOf({ category, visibilityM, ceilingFt, windKt, codes, said }: Weather): string[] {
  const reasons = [
    ...(windKt >= WINDY_KT
      ? [said.wgst === windKt ? `gusts of ${windKt} knots` : `wind of ${windKt} knots`]
      : []),
    ...wordsFor(codes),
    ...(visibilityM !== null && visibilityM < 5000 ? [`visibility ${visibilityM} m`] : []),
    ...(ceilingFt !== null && ceilingFt < 1000 ? [`cloud at ${ceilingFt} ft`] : []),
  ];
  return reasons.length > 0 ? reasons : [`flight category ${category}`];
}

/** Our words for the codes. "Heavy snow" is not listed again as "snow". */
function wordsFor(codes: string): string[] {
  let left = codes;
  return WEATHER_WORDS.flatMap(([pattern, words]) => {
    if (!pattern.test(left)) return [];
    left = left.replace(new RegExp(pattern, 'g'), '');
    return [words];
  });
}

function conditionsOf({ codes, visibilityM, ceilingFt, said }: Weather): string {
  const gusts = said.wgst === null ? '' : `, gusts of ${said.wgst}`;
  const parts = [
    wordsFor(codes).join(', '),
    visibilityM === null ? '' : visibilityM < 5000 ? `visibility ${visibilityM} m` : 'visibility over 5 km',
    ceilingFt === null ? '' : `cloud at ${ceilingFt} ft`,
    said.wspd === null ? '' : said.wspd === 0 ? 'no wind' : `wind ${said.wspd} knots${gusts}`,
  ].filter(Boolean);
  const conditions = parts.join('; ');
  return `${capital(conditions)}${conditions && '. '}A risk, not a report of delays.`;
}

/** The figures of one direction; '' when nothing is known about it. */
function figuresOf({ name, medianMinutes, flights, cancelled }: Graded): string {
  const median =
    medianMinutes === null
      ? ''
      : medianMinutes === 0
        ? 'median delay none'
        : `median ${Math.abs(medianMinutes)} min ${medianMinutes > 0 ? 'late' : 'early'}`;
  const calledOff = cancelled && flights ? `${cancelled} of ${flights} cancelled` : '';
  const figures = [median, calledOff].filter(Boolean).join(', ');
  return figures && `${name === 'departures' ? 'Departures' : 'Arrivals'}: ${figures}.`;
}

/** "Weather risk at X: reasons", "Delays at X: departures and arrivals". */
function readAirport({ title, metadata }: Reported): Read | null {
  const found = /^(Weather risk|Delays) at ([^:]{2,80}): (.{1,150})$/.exec(title);
  if (!found) return null;
  const [, kind, name = '', what = ''] = found;
  const place = /airport|airfield/i.test(name)
    ? name
    : `${name.replace(/^London (?=Heathrow|Gatwick|Stansted|Luton)/, '')} Airport`;
  if (kind === 'Weather risk') return { place, effect: 'weather risk', cause: lower(what) };

  const minutes = ['departures', 'arrivals']
    .filter((side) => what.includes(side))
    .map((side) => ({
      side,
      late: countIn((metadata[side] as { median_minutes?: unknown } | undefined)?.median_minutes),
    }));
  const late = minutes.flatMap(({ side, late: by }) => (by ? [`${side} ${by} minutes late`] : []));
  const most = Math.max(0, ...minutes.map(({ late: by }) => by ?? 0));
  return {
    place,
    effect: late.length === minutes.length && late.length > 0 ? late.join(', ') : `${what} delayed`,
    cause: null,
    delay_minutes: most || null,
  };
}
