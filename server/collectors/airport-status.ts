/**
 * UK airports. No operator, agency or regulator publishes their delays openly, so this source has two halves:
 *
 * - Weather risk, without a key, the default: METAR observations by the Aviation Weather Center of the US government
 *   (no licence fee, fewer than 100 calls a minute). It reports what could disrupt an airport, never a delay.
 *   https://aviationweather.gov/data/api/
 * - Delays, with AERODATABOX_API_KEY: how late departures and arrivals are now. Commercial; its terms may forbid
 *   passing the data on. One call a poll covers all airports in the world, worst first.
 *   https://aerodatabox.com/airport-delays-api/
 *
 * Rhythm: airports observe twice an hour. A calm airport has no record, because nothing is wrong there.
 * End: the next observation is below every threshold, or there was none for two hours. Then the state is unknown,
 * which is noted but is not an alert. Records also end after two hours, for polls that can read only one half.
 */
import { z } from 'zod';
import { toPoint, type Point } from '../reading/geometry.ts';
import { fields, readJson } from '../reading/json.ts';
import { toUtc } from '../reading/londonTime.ts';
import { plainText, summaryLine } from '../reading/plainText.ts';
import { problems, readRecords, type Problems } from '../reading/records.ts';
import type { Severity } from '#contract/disruptions.ts';
import type { Collected, Collector, DisruptionRecord, Tools } from '../incidents/collector.ts';

export const METAR_URL = 'https://aviationweather.gov/api/data/metar';
export const DELAYS_URL = 'https://aerodatabox.p.rapidapi.com/airports/delays';

/** The names travellers use; the publisher writes "London/Heathrow Intl, EN, GB". */
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

/** The service returns at most 400 observations, and an airport can make six in two hours. */
const AIRPORTS_MAX = 60;

/** Older observations say nothing about now. */
const VALID_HOURS = 2;

/** `fltCat`, worst first: by the lower of cloud base (feet) and visibility (statute miles). Older answers lack it. */
const CATEGORIES: readonly { name: string; ceilingBelow: number; visibilityBelow: number }[] = [
  { name: 'LIFR', ceilingBelow: 500, visibilityBelow: 1 },
  { name: 'IFR', ceilingBelow: 1000, visibilityBelow: 3 },
  { name: 'MVFR', ceilingBelow: 3001, visibilityBelow: 5.001 },
  { name: 'VFR', ceilingBelow: Infinity, visibilityBelow: Infinity },
];

/** First match wins; no match means calm. Weather is a risk and not a closure, so none of it is critical. */
const RISKS: readonly { severity: Severity; isMet: (weather: Weather) => boolean }[] = [
  { severity: 'high', isMet: ({ windKt }) => windKt >= 60 },
  { severity: 'high', isMet: ({ category, codes }) => category === 'LIFR' && /FZ|\+\w*SN/.test(codes) },
  // "Low instrument flight rules": landing needs the best equipment and is slow.
  { severity: 'medium', isMet: ({ category }) => category === 'LIFR' },
  { severity: 'medium', isMet: ({ windKt }) => windKt >= 50 },
  { severity: 'medium', isMet: ({ codes }) => /TS|SN|FZ(?:RA|DZ|UP)/.test(codes) },
  // "Instrument flight rules".
  { severity: 'low', isMet: ({ category }) => category === 'IFR' },
  { severity: 'low', isMet: ({ windKt }) => windKt >= 40 },
];

/** From this speed, wind is given as a reason. */
const WINDY_KT = 40;

/** Present-weather codes that disrupt an airport, with our words for them; worst first. */
const WEATHER_WORDS: readonly (readonly [RegExp, string])[] = [
  [/TS/, 'thunderstorm'],
  [/FZ(?:RA|DZ|UP)/, 'freezing rain'],
  [/\+\w*SN/, 'heavy snow'],
  [/SN/, 'snow'],
  [/FZFG/, 'freezing fog'],
  [/FG/, 'fog'],
  [/\+\w*RA/, 'heavy rain'],
];

/** Larger `delayIndex` of both directions, 0 to 5, for delays and cancellations. Below these, nothing is wrong. */
const DELAYS: readonly { from: number; severity: Severity }[] = [
  { from: 4, severity: 'critical' },
  { from: 3, severity: 'high' },
  { from: 2, severity: 'medium' },
];
const DELAY_INDEX_MAX = 5;

/** With fewer flights, one late flight would decide the figure. */
export const FLIGHTS_MIN = 5;

export const airportStatus: Collector = {
  source: 'airport-status',
  everyMinutes: 15,
  maxAgeMinutes: 60,
  settings: [
    {
      name: 'AIRPORT_CODES',
      required: false,
      about: `ICAO codes of the airports, separated by commas (default ${Object.keys(AIRPORTS).join(',')})`,
    },
    {
      name: 'AIRPORT_METAR_URL',
      required: false,
      about: `address of the weather observations (default ${METAR_URL})`,
    },
    {
      name: 'AERODATABOX_API_KEY',
      required: false,
      secret: true,
      about: 'RapidAPI key of AeroDataBox; when it is set, delays are reported beside the weather',
    },
    {
      name: 'AERODATABOX_URL',
      required: false,
      about: `address of the delays of all airports (default ${DELAYS_URL})`,
    },
  ],
  absentPolls: 1,
  neverEmpty: false,

  async collect(tools): Promise<Collected> {
    const found = problems();
    const airports = airportsOf(tools.settings);
    const weather = await attempt(() => readWeather(airports, tools, found));
    const delays = tools.settings.AERODATABOX_API_KEY
      ? await attempt(() => readDelays(airports, tools, found))
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

/** What one of the two services reports. */
interface Half {
  records: DisruptionRecord[];
  complete: boolean;
  /** The ids of all events it gave a verdict on, including those that do not exist now. */
  assessed: readonly string[];
}

/** If one half fails, the other is still read. */
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

function addressIn(setting: string, text: string): URL {
  const url = URL.parse(text);
  if (!url) throw new Error(`${setting} is not an address.`);
  return url;
}

function codeOf(field: unknown): string | null {
  const code = typeof field === 'string' ? field.trim().toUpperCase() : '';
  return /^[A-Z]{4}$/.test(code) ? code : null;
}

/** The items for the airports we asked about, and the items that name no airport. */
function ofAirports(items: unknown, field: string, airports: readonly string[]): unknown {
  if (!Array.isArray(items)) return items;
  return items.filter((item: unknown) => {
    const code = codeOf(fields(item)[field]);
    return code === null || airports.includes(code);
  });
}

const VALID_MS = VALID_HOURS * 60 * 60_000;

/** The latest report on each airport, leaving out reports too old to describe now. */
function current<T extends { icao: string; time: string }>(items: readonly T[], now: Date): Map<string, T> {
  const newest = new Map<string, T>();
  for (const item of items) {
    const isCurrent = Math.abs(Date.parse(item.time) - now.getTime()) < VALID_MS;
    const kept = newest.get(item.icao);
    if (isCurrent && (!kept || item.time > kept.time)) newest.set(item.icao, item);
  }
  return newest;
}

const validUntil = ({ time }: { time: string }) => new Date(Date.parse(time) + VALID_MS).toISOString();

const Text = z.string().nullish().catch(null);
const Code = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{4}$/, 'no ICAO code');

// Weather

/** Types vary with the service's versions; a value that is not a number is treated as absent. */
const Quantity = z
  .unknown()
  .optional()
  .transform((value) => {
    // "6+" and "10+": that far or further.
    const number = typeof value === 'string' ? Number(value.replace(/\+$/, '') || Number.NaN) : value;
    return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
  });

const Observation = z.object({
  icaoId: Code,
  name: Text,
  lat: z.unknown().optional(),
  lon: z.unknown().optional(),
  /** Seconds since 1970. */
  obsTime: Quantity,
  /** UTC, with or without a zone. */
  reportTime: Text,
  /** Statute miles. */
  visib: Quantity,
  wspd: Quantity,
  wgst: Quantity,
  wxString: Text,
  clouds: z
    .array(z.object({ cover: Text, base: Quantity }))
    .nullish()
    .catch(null),
  fltCat: Text,
  rawOb: Text,
});
type Observation = z.infer<typeof Observation>;

interface Weather {
  icao: string;
  time: string;
  said: Observation;
  /** One of ours, or a publisher's word that we do not know; null where nothing gives it. */
  category: string | null;
  visibilityM: number | null;
  ceilingFt: number | null;
  /** The strongest, including gusts; 0 where none is given. */
  windKt: number;
  /** Present weather at the airport itself, not in its vicinity. */
  codes: string;
}

const weatherId = (icao: string) => `airport-status:${icao}:wx`;

async function readWeather(
  airports: readonly string[],
  { get, settings, now }: Tools,
  found: Problems,
): Promise<Half & { stations: Map<string, Point> }> {
  const url = addressIn('AIRPORT_METAR_URL', settings.AIRPORT_METAR_URL || METAR_URL);
  url.searchParams.set('ids', airports.join(','));
  url.searchParams.set('format', 'json');
  // If an airport's last observation cannot be read, the one before still counts.
  url.searchParams.set('hours', String(VALID_HOURS));
  const { body } = await get(url.href, { accept: 'application/json' });

  const observations = readRecords(
    Observation,
    ofAirports(readJson(body), 'icaoId', airports),
    found,
    (item, index) => `Observation ${codeOf(fields(item).icaoId) ?? index + 1}`,
    (item) => {
      const code = codeOf(fields(item).icaoId);
      return code && weatherId(code);
    },
  );
  const readable = observations.flatMap((said) => toWeather(said, found) ?? []);
  const newest = current(readable, now);
  if (newest.size === 0)
    throw new Error(`No readable weather observation is less than ${VALID_HOURS} hours old.`);

  const silent = airports.filter((icao) => !newest.has(icao));
  if (silent.length > 0)
    found.note(`Weather unknown, no readable observation within ${VALID_HOURS} hours: ${silent.join(', ')}`);
  return {
    records: [...newest.values()].flatMap((weather) => weatherRecord(weather, found)),
    complete: found.skipped <= readable.length,
    assessed: [...newest.keys()].map(weatherId),
    stations: new Map(
      [...newest].flatMap(([icao, { said }]) => {
        const point = toPoint(said.lat, said.lon);
        return point ? [[icao, point]] : [];
      }),
    ),
  };
}

/** Null when the time or the weather is missing: such an observation must not pass for calm. */
function toWeather(said: Observation, found: Problems): Weather | null {
  const icao = said.icaoId;
  const time = observedAt(said);
  if (!time) {
    found.skip(`Observation ${icao} left out: it has no time`, weatherId(icao));
    return null;
  }

  const bases = (said.clouds ?? [])
    .filter(({ cover }) => /^(?:BKN|OVC|OVX|VV)/i.test(cover ?? ''))
    .flatMap(({ base }) => base ?? []);
  const ceilingFt = bases.length > 0 ? Math.min(...bases) : null;
  const codes = (said.wxString ?? '')
    .toUpperCase()
    .split(/\s+/)
    .filter((code) => !/^(?:VC|RE)/.test(code))
    .join(' ');
  const weather = {
    icao,
    time,
    said,
    category: plainText(said.fltCat ?? '').toUpperCase() || categoryOf(said.visib, ceilingFt),
    visibilityM: said.visib === null ? null : metres(said.visib),
    ceilingFt,
    windKt: Math.max(said.wspd ?? 0, said.wgst ?? 0),
    codes,
  };
  if (weather.category === null && !riskOf(weather)) {
    found.skip(`Observation ${icao} left out: neither category nor visibility`, weatherId(icao));
    return null;
  }
  return weather;
}

/** A larger number is not a valid date. */
const SECONDS_MAX = 8.64e12;

function observedAt({ obsTime, reportTime }: Observation): string | null {
  if (obsTime && obsTime < SECONDS_MAX) return toUtc(new Date(obsTime * 1000).toISOString());
  const time = reportTime?.trim() ?? '';
  return toUtc(/Z$/i.test(time) ? time : `${time}Z`);
}

/** If visibility is missing, the airport is at least as bad as its cloud base, and cannot be called better. */
function categoryOf(visibility: number | null, ceilingFt: number | null): string | null {
  const category = CATEGORIES.find(
    ({ ceilingBelow, visibilityBelow }) =>
      (ceilingFt ?? Infinity) < ceilingBelow || (visibility ?? Infinity) < visibilityBelow,
  );
  return category?.name ?? (visibility === null ? null : 'VFR');
}

/** To the nearest 100 metres, as airports report it. */
const metres = (miles: number) => Math.round((miles * 1609.344) / 100) * 100;

/** Undefined: calm. */
function riskOf(weather: Weather): { severity: Severity; isUnrated: boolean } | undefined {
  const risk = RISKS.find(({ isMet }) => isMet(weather));
  if (risk) return { severity: risk.severity, isUnrated: false };

  const { category } = weather;
  const isKnown = category === null || category === 'VFR' || CATEGORIES.some(({ name }) => name === category);
  return isKnown ? undefined : { severity: 'medium', isUnrated: true };
}

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
      // An observation gives the present state, not when it began.
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

/** Why it is a risk, worst first; at least one reason. */
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

/** "Heavy snow" is not listed as "snow" too. */
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
  return `${conditions.charAt(0).toUpperCase()}${conditions.slice(1)}${conditions && '. '}A risk, not a report of delays.`;
}

/** For an airport that we do not know: the publisher's text before the first comma. */
function nameOf(icao: string, said?: string | null): string {
  const own = plainText(said ?? '').split(',')[0];
  return Object.hasOwn(AIRPORTS, icao) ? AIRPORTS[icao]! : own || icao;
}

// Delays

const Direction = z
  .object({
    numTotal: Quantity,
    numQualifiedTotal: Quantity,
    numCancelled: Quantity,
    /** `[-]hh:mm:ss`; negative is early. */
    medianDelay: Text,
    delayIndex: z.unknown().optional(),
  })
  .nullish();
type Direction = z.infer<typeof Direction>;

const AirportDelay = z.object({
  airportIcao: Code,
  from: z.object({ utc: Text }).nullish().catch(null),
  to: z.object({ utc: z.string() }),
  departuresDelayInformation: Direction,
  arrivalsDelayInformation: Direction,
});
type AirportDelay = z.infer<typeof AirportDelay>;

const delayId = (icao: string) => `airport-status:${icao}:delay`;

async function readDelays(
  airports: readonly string[],
  { get, settings, now }: Tools,
  found: Problems,
): Promise<Half> {
  const url = addressIn('AERODATABOX_URL', settings.AERODATABOX_URL || DELAYS_URL);
  const { body } = await get(url.href, {
    accept: 'application/json',
    'x-rapidapi-key': settings.AERODATABOX_API_KEY ?? '',
    'x-rapidapi-host': url.host,
  });
  const items = readJson(body);
  if (Array.isArray(items) && items.length === 0)
    throw new Error('AeroDataBox lists no airports; some in the world are always late, so this is a fault.');

  const before = found.skipped;
  const delays = readRecords(
    AirportDelay,
    ofAirports(items, 'airportIcao', airports),
    found,
    (item, index) => `Delays ${codeOf(fields(item).airportIcao) ?? index + 1}`,
    (item) => {
      const code = codeOf(fields(item).airportIcao);
      return code && delayId(code);
    },
  );
  const dated = delays.flatMap((said) => {
    const [icao, time] = [said.airportIcao, toUtc(said.to.utc)];
    if (!time) found.skip(`Delays ${icao} left out: unreadable time "${said.to.utc}"`, delayId(icao));
    return time ? [{ icao, time, said }] : [];
  });
  const newest = current(dated, now);
  if (dated.length > 0 && newest.size === 0)
    throw new Error(`AeroDataBox says nothing that is less than ${VALID_HOURS} hours old.`);

  const skipped = found.skipped - before;
  if (skipped > 0 && dated.length === 0) throw new Error(`None of the ${skipped} airports can be read.`);
  return {
    records: [...newest.values()].flatMap((delay) => delayRecord(delay, found)),
    complete: skipped <= dated.length,
    assessed: [...newest.keys()].map(delayId),
  };
}

function delayRecord(
  delay: { icao: string; time: string; said: AirportDelay },
  found: Problems,
): DisruptionRecord[] {
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
      // The window of its figures moves with the clock; the publisher does not say when they changed.
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

interface Graded {
  name: 'departures' | 'arrivals';
  /** Null: nothing is wrong, or there are too few flights to judge. */
  severity: Severity | null;
  index: number | null;
  indexSaid: string;
  medianMinutes: number | null;
  flights: number | null;
  cancelled: number | null;
}

function graded(name: Graded['name'], direction: Direction): Graded {
  const { delayIndex } = direction ?? {};
  const index = typeof delayIndex === 'number' && delayIndex >= 0 && delayIndex <= DELAY_INDEX_MAX;
  // With too few flights for an index, the publisher leaves it out.
  const isGiven = delayIndex !== undefined && delayIndex !== null;
  const counts = (direction?.numQualifiedTotal ?? 0) >= FLIGHTS_MIN && isGiven;
  const bySize = index ? (DELAYS.find(({ from }) => delayIndex >= from)?.severity ?? null) : 'medium';
  return {
    name,
    severity: counts ? bySize : null,
    index: index ? delayIndex : null,
    indexSaid: isGiven ? plainText(String(delayIndex)).slice(0, 40) : '',
    medianMinutes: minutesOf(direction?.medianDelay),
    flights: direction?.numTotal ?? null,
    cancelled: direction?.numCancelled ?? null,
  };
}

const rank = (severity: Severity | null) => DELAYS.findIndex((row) => row.severity === severity);

function minutesOf(median: string | null | undefined): number | null {
  const [, sign, hours, minutes] = /^(-?)(\d{1,3}):(\d\d):\d\d$/.exec(median?.trim() ?? '') ?? [];
  if (hours === undefined) return null;
  const size = Number(hours) * 60 + Number(minutes);
  return sign && size > 0 ? -size : size;
}

/** '' where nothing is known about this direction. */
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

const metadataOf = ({ index, medianMinutes, flights, cancelled }: Graded) => ({
  delay_index: index,
  median_minutes: medianMinutes,
  flights,
  cancelled,
});

/** AeroDataBox gives no position. */
function atStation(record: DisruptionRecord, stations: ReadonlyMap<string, Point>): DisruptionRecord {
  const point = stations.get(String(record.metadata.airport));
  if (!point) return record;
  return {
    ...record,
    ...point,
    metadata: { ...record.metadata, location_method: 'airport' },
  };
}
