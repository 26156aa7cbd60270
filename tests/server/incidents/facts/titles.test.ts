import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  effectForms,
  isRoadAlone,
  placeForms,
  titleForms,
} from '../../../../contract/incidents/titleForms.ts';
import { Facts } from '../../../../contract/incidents/facts.ts';
import { factsOf } from '../../../support/readAs.ts';
import type { Reported } from '../../../../server/incidents/facts/reported.ts';

const records: (Reported & { from: string })[] = JSON.parse(
  readFileSync(new URL('../../../fixtures/titles/records.json', import.meta.url), 'utf8'),
);

const lines = records.map((record) => {
  const facts = factsOf({
    ...record,
    updated_at: '2026-11-20T09:00:00.000Z',
    start_time: null,
    end_time: null,
  });
  return { record, facts, forms: titleForms(facts, record.title), source: record.event_id.split(':')[0]! };
});
const known = lines.filter(({ facts }) => facts.place !== null);

/** The screens show these as their publishers wrote them. */
const UNKNOWN = [
  'Train delays to last into the evening after Leeds flood',
  'Still listed as it was in the list of future works',
  'A1 Haggerston - Something New',
  'Some summary',
  'Buses replace trains to Alton: the line is closed after a landslip, and it will…',
  'Check your journey before you set off',
  'Road closures for procession on Saturday',
  'Bus crashes into shop in Derby',
  'What we know about the bridge closure',
  'Trains cancelled and roads closed as storm hits Scotland',
  'Strike to halt Manchester trams on Friday',
  'We are aware of reports and will tell you more soon. #London',
  'A30 eastbound Chiverton Cross to Carland Cross, carriageway closure, new road layout',
  'A470 : Both directions : Storey Arms : Snow, Road passable with care',
  'Woman dies after collision with lorry in Hackney',
  'Public asked to avoid Oxford Circus',
  'Tube strike: Which lines are affected?',
  'Motorway reopens after 10-hour closure',
  'Not a drill: Euston station is not closed',
  'Police close Clifton Suspension Bridge',
];

/** The numbers in a text, without numbers in a publisher's own codes: "[M62A/M60A, Eccles from 0.72 to 0.72]". */
const numbersIn = (text: string) => text.replace(/\[[^\]]*\]/g, '').match(/\d+/g) ?? [];

describe('the titles of recorded incidents', () => {
  it('read as the table says, which a person has read', async () => {
    const rows = lines.map(({ source, record, facts, forms }) =>
      [source, record.title, facts.place, facts.effect, facts.cause, forms.at(-1)]
        .map((cell) => cell ?? '')
        .join('\t'),
    );
    const table = ['source\ttitle\tplace\teffect\tcause\tshortest', ...rows, ''].join('\n');

    await expect(table).toMatchFileSnapshot('../../../fixtures/titles/titles.tsv');
  });

  it(`are ${lines.length}, of which ${known.length} have a known form`, () => {
    const unknown = lines.filter(({ facts }) => facts.place === null).map(({ record }) => record.title);

    expect(lines.length).toBeGreaterThanOrEqual(200);
    expect(unknown).toEqual(UNKNOWN);
  });

  it.each(lines)('$record.title', ({ record, facts, forms }) => {
    expect(Facts.parse(facts)).toEqual(facts);
    expect(facts.place === null).toBe(facts.effect === null);

    const said = [facts.place, facts.effect, facts.cause].filter((part) => part !== null);
    for (const part of [...said, ...forms]) {
      expect(part).not.toMatch(/#\p{L}|https?:|…|\.\.\.$|\s{2}|^\s|\s$|\.$/u);
      // Shouting: a word of five or more capitals.
      expect(part).not.toMatch(/\p{Lu}{5,}/u);
    }
    expect(forms.length).toBeGreaterThan(0);
    for (const [at, form] of forms.entries())
      if (at > 0) expect(form.length).toBeLessThan(forms[at - 1]!.length);
    if (facts.place === null || facts.effect === null) return;

    // No number of the title is lost; a clock time is the expected end.
    const all = [...said, ...facts.roads, facts.expected_clear ?? '', facts.delay_minutes ?? ''].join(' ');
    if (!/^(?:airport|met-office|nsi)/.test(record.event_id))
      for (const number of numbersIn(record.title)) expect(all).toContain(number);
    // Nothing is invented: each number comes from the record.
    const whole = JSON.stringify(record);
    for (const number of numbersIn(said.join(' ')).filter((one) => !isSum(one, record)))
      expect(whole).toContain(number);

    // The effect does not repeat the place.
    expect(facts.effect.toLowerCase()).not.toContain(facts.place.toLowerCase());
    // Words that differ between two alerts of one road stay in every form.
    for (const form of forms) {
      for (const kept of facts.effect
        .split(', ')[0]!
        .match(/\d+|\b(?:severe|minor|amber|red|yellow|not|no)\b/g) ?? [])
        expect(form).toContain(kept);
      for (const way of facts.place.match(/\b(?:\w+bound|(?:anti-)?clockwise|both ways)\b/g) ?? [])
        expect(form).toContain(way);
    }
    // A form has only whole words of the full title, except "and 2 more" and a cause as one noun.
    const words = new Set(forms[0]!.split(/[\s,;:()]+/));
    const added = new Set(['and', 'more', 'breakdown', 'flood']);
    for (const form of forms)
      for (const word of form.split(/[\s,;:()]+/))
        expect(words.has(word) || added.has(word) || /^\d+$/.test(word), `"${word}" of "${form}"`).toBe(true);
  });
});

/** The closed and the open lanes add up to the number of all lanes. */
function isSum(number: string, { metadata }: Reported): boolean {
  const { lanes_restricted: closed, lanes_operational: open } = metadata;
  return Number(number) === Number(closed) + Number(open);
}

it('gives place and effect for the two lines of the wall', () => {
  const facts = {
    place: 'M62 eastbound, J26 Chain Bar to J27 Gildersome',
    effect: 'closed',
    cause: 'overturned lorry, recovery under way',
  };

  expect(placeForms(facts.place)).toEqual([facts.place, 'M62 eastbound, J26 to J27']);
  expect(effectForms(facts)).toEqual([
    'Closed, overturned lorry, recovery under way',
    'Closed, overturned lorry',
    'Closed, lorry',
    'Closed',
  ]);
  expect(titleForms(facts, '')).toEqual([
    'M62 eastbound, J26 Chain Bar to J27 Gildersome: closed, overturned lorry, recovery under way',
    'M62 eastbound, J26 to J27: closed, overturned lorry, recovery under way',
    'M62 eastbound, J26 to J27: closed, overturned lorry',
    'M62 eastbound, J26 to J27: closed, lorry',
    'M62 eastbound, J26 to J27: closed',
  ]);
});

it('calls the M6 Toll by its whole name: the M6 is another road', () => {
  expect(placeForms('M6 Toll northbound, Weeford')).toEqual(['M6 Toll northbound, Weeford']);
  expect(placeForms('River Tame at Weeford, M6 Toll').at(-1)).toBe('River Tame, M6 Toll');
  expect(isRoadAlone('M6 Toll northbound: closed')).toBe(true);
  expect(isRoadAlone('M6 northbound: closed')).toBe(true);
});

it('the name of a route is never cut: without its end it is another route', () => {
  const part = 'km 14 to 17 of York to Leeds Bradford Airport';
  expect(placeForms(part)).toEqual([part]);
  expect(placeForms(`A64 Bilbrough to Bramham, ${part}`)).toEqual([
    `A64 Bilbrough to Bramham, ${part}`,
    'A64 Bilbrough to Bramham',
    'A64 Bilbrough',
  ]);
  const facts = { place: `A64 Bilbrough to Bramham, ${part}`, effect: 'Lorry over', cause: null };
  expect(titleForms(facts, '').filter((form) => /km/.test(form) && !form.includes(part))).toEqual([]);
});

it.each([
  [
    'A11 northbound, Tuttles Lane Interchange to Thickthorn Roundabout',
    'A11 northbound, Tuttles Lane Interchange',
  ],
  ['A40 both ways, Carmarthen Pensarn to Abergwili', 'A40 both ways, Carmarthen Pensarn'],
  ['A27 westbound, Falmer exit slip road', 'A27 westbound, Falmer exit slip road'],
  ['M62 near Leeds', 'M62 near Leeds'],
  ['Victoria line, Seven Sisters to Walthamstow Central', 'Seven Sisters to Walthamstow Central'],
  ['River Aire at Kirkstall, Leeds, including the A65 Kirkstall Road', 'River Aire, A65'],
  ['North East England, North West England and 3 more', 'North East England and 4 more'],
  ['North Sea at Sandsend', 'North Sea at Sandsend'],
])('shortens a place, but calls no part the whole: %s', (place, shortest) => {
  expect(placeForms(place).at(-1)).toBe(shortest);
});

it.each([
  [
    'M9 westbound, something new - and more of it',
    ['M9 westbound, something new - and more of it', 'M9 westbound, something new'],
  ],
  ['A1 Haggerston - Something New', ['A1 Haggerston - Something New']],
  [
    'Buses replace trains to Alton: the line is closed after a landslip, and it will…',
    ['Buses replace trains to Alton: the line is closed after a landslip', 'Buses replace trains to Alton'],
  ],
  ['We will tell you more soon. #London', ['We will tell you more soon']],
])('shows a title of an unknown form as it is, without what was cut off: %s', (title, forms) => {
  expect(titleForms({ place: null, effect: null, cause: null }, title)).toEqual(forms);
});
