import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  londonNames,
  namedLine,
  railNames,
  tflLine,
} from '../../../../server/geography/names/stationNames.ts';
import { words } from '../../../../server/geography/names/abbreviations.ts';

const dataFile = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../../server/geography/names/${name}`, import.meta.url), 'utf8'),
  ) as {
    stations: [string, number, number][];
    tfl: Record<string, string[]>;
    lines: Record<string, string[]>;
  };
const { tfl, lines } = dataFile('rail-lines.json');

const found = (names: ReturnType<typeof londonNames>, name: string) => {
  const namesakes = names.find(words(name).join(' '));
  return names.choose(namesakes, [])?.name ?? null;
};

it('knows every station of London by its name', () => {
  const { stations } = dataFile('stations-london.json');
  expect(stations.length).toBeGreaterThan(270);
  expect(stations.map(([name]) => name).filter((name) => !found(londonNames(), name))).toEqual([]);
});

it.each([
  ["King's Cross", 'London Kings Cross'],
  ['Liverpool Street', 'London Liverpool Street'],
  ["St Pancras Int'l", 'London St Pancras International'],
  ['Harrow-on-the-Hill', 'Harrow-on-the-Hill'],
  ['Kensington (Olympia)', 'Kensington Olympia'],
  ['Elephant and Castle', 'Elephant & Castle'],
  ['Heathrow Terminals 2 & 3', 'Heathrow Terminals 2 & 3'],
  ["Shepherd's Bush", 'Shepherds Bush'],
  ['Totteridge & Whetstone', 'Totteridge & Whetstone'],
])('finds %s', (asked, name) => {
  expect(found(londonNames(), asked)).toBe(name);
});

describe('a name that two stations have', () => {
  it.each([
    ['Ashford', ['SE'], 'Ashford International'],
    ['Ashford', ['SW'], 'Ashford Surrey'],
    ['Newport', ['AW'], 'Newport (South Wales)'],
    ['Newport', ['XC'], null],
    ['Newport', [], null],
    ['Waterloo', ['ME'], 'Waterloo (Merseyside)'],
    ['Waterloo', [], null],
    ['Manchester', ['NT'], 'Manchester Piccadilly'],
  ])('%s of %s is %s', (name, operators, station) => {
    expect(found(railNames(operators), name)).toBe(station);
  });
});

it('places every line of TfL and every named line, and all of it lies within the line’s reach', () => {
  for (const id of Object.keys(tfl)) expect(tflLine(id)?.reachKm, id).toBeLessThanOrEqual(50);
  for (const name of Object.keys(lines)) {
    // The line is too long for a point.
    if (['Heart of Wessex line', 'Kyle line'].includes(name)) continue;
    expect(namedLine(`Delays on the ${name}`)?.names, name).toEqual([name]);
  }
});

it('takes no line by which trains are diverted for a place', () => {
  expect(namedLine('Trains are diverted by the Styal line')).toBeNull();
});
