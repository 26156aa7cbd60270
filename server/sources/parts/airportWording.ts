/** Words on an airport: its name, why its weather is a risk, and how late its flights are. */
import { countIn } from '../../incidents/facts/lanesAndMinutes.ts';
import type { Read, Reported } from '../../incidents/facts/reported.ts';
import { lower } from '../../incidents/facts/publisherWords.ts';
import { plainText } from '../../http/documents/plainText.ts';
import type { Graded } from './airportGrading.ts';
import type { Weather } from './airportReading.ts';

/** The names travellers use; the publisher writes "London/Heathrow Intl, EN, GB". */
export const AIRPORTS: Readonly<Record<string, string>> = {
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

/** For an airport that we do not know: the publisher's text before the first comma. */
export function nameOf(icao: string, said?: string | null): string {
  const own = plainText(said ?? '').split(',')[0];
  return Object.hasOwn(AIRPORTS, icao) ? AIRPORTS[icao]! : own || icao;
}

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

/** Why it is a risk, worst first; at least one reason. */
export function reasonsOf({ category, visibilityM, ceilingFt, windKt, codes, said }: Weather): string[] {
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

export function conditionsOf({ codes, visibilityM, ceilingFt, said }: Weather): string {
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

/** '' where nothing is known about this direction. */
export function figuresOf({ name, medianMinutes, flights, cancelled }: Graded): string {
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
export function readAirport({ title, metadata }: Reported): Read | null {
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
