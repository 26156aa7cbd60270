import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Resolved, type Leg } from '#contract/watches/watches.ts';
import { findRoutePlaces } from '../../../../server/geography/names/routePlaces.ts';
import { roadTable } from '../../../../server/geography/roads/roadTable.ts';
import { resolveText } from '../../../../server/watches/typed/typedLegs.ts';
import { readRouteText } from '../../../../server/watches/typed/typedWords.ts';
import {
  km,
  placesOf,
  type FindPlaces,
  type KnownPlace,
} from '../../../../server/watches/typed/typedNames.ts';
import { ROUTE_STRINGS } from './routeStrings.ts';

const legWords = (legs: readonly Leg[]) =>
  legs
    .map((leg) =>
      leg.type === 'road'
        ? `${leg.road} ${leg.from}>${leg.to}`
        : leg.type === 'line'
          ? `drawn ${leg.road}`
          : leg.type,
    )
    .join(', ');

describe('a route as people type it', () => {
  it.each(ROUTE_STRINGS.map(([text, legs, problems]) => ({ text, legs, problems })))(
    '$text',
    async ({ text, legs, problems }) => {
      const resolved = await resolveText(text, findRoutePlaces);
      expect(legWords(resolved.legs)).toBe(legs);
      // A row without an expected proposal tests its other words: with more roads in the table, more ways are known.
      const isProposed = problems.some((words) => words.startsWith('proposal'));
      const said = resolved.problems
        .filter(({ level }) => isProposed || level !== 'proposal')
        .map(({ level, text }) => `${level}: ${text}`);
      expect(said.map((words, index) => upToDots(words, problems[index]))).toEqual(problems);
    },
  );

  it('is one of at least 60', () => {
    expect(ROUTE_STRINGS.length).toBeGreaterThan(60);
  });
});

/** Expected words may end in "…": the rest depends on how many roads the table has. */
const upToDots = (words: string, expected = '') =>
  expected.endsWith('…') && words.startsWith(expected.slice(0, -1)) ? expected : words;

describe('words that are not understood', () => {
  it('is marked in the text, and repaired by a press', async () => {
    const text = 'Leeds, M62 J26, M1 J3, M1 J6';
    const { problems } = await resolveText(text, findRoutePlaces);
    const [problem] = problems;
    expect(text.slice(problem!.at!.from, problem!.at!.to)).toBe('M1 J3');
    expect(problem!.repairs).toEqual([
      { label: 'Use J2', text: 'Leeds, M62 J26, M1 J2, M1 J6' },
      { label: 'Use J4', text: 'Leeds, M62 J26, M1 J4, M1 J6' },
    ]);
    const repaired = await resolveText(problem!.repairs[0]!.text, findRoutePlaces);
    expect(repaired.problems.filter(({ level }) => level === 'stop')).toEqual([]);
  });

  it('offers other places of the name', async () => {
    const { problems } = await resolveText('Newport to M5 J26', findRoutePlaces);
    const { repairs } = problems.find(({ text }) => text.startsWith('“Newport”'))!;
    expect(repairs.map(({ label }) => label)).toContain('Use Newport, Shropshire');
    const { text } = repairs.find(({ label }) => label === 'Use Newport, Shropshire')!;
    const other = await resolveText(text, findRoutePlaces);
    expect(other.places[0]).toMatchObject({ name: 'Newport', latitude: expect.closeTo(52.77, 1) });
  });

  it.each([
    ['Newport Cardiff', 'Use Newport, Isle of Wight', 'Newport Isle of Wight, Cardiff'],
    ['Cardiff Newport', 'Use Newport, Isle of Wight', 'Cardiff , Newport Isle of Wight'],
    ['Manchester to Bangor', 'Use Bangor, County Down', 'Manchester to Bangor County Down'],
  ])('offers names that do not run into the next one: %s', async (text, label, repaired) => {
    const { problems } = await resolveText(text, findRoutePlaces);
    const repair = problems.flatMap(({ repairs }) => repairs).find((one) => one.label === label)!;
    expect(repair.text).toBe(repaired);
    const then = await resolveText(repair.text, findRoutePlaces);
    expect(then.places.filter(({ minor }) => !minor)).toHaveLength(2);
    expect(then.problems.map(({ text }) => text).join(' ')).not.toContain('We do not know');
  });

  it.each([
    ['newport to cowes', 'Use Newport, Wales'],
    ['cowes to newport', 'Use Newport, Wales'],
  ])('takes the namesake beside the other end, and offers the larger place: %s', async (text, label) => {
    const { legs, problems } = await resolveText(text, findRoutePlaces);
    expect(legs).toHaveLength(1);
    const repair = problems.flatMap(({ repairs }) => repairs).find((one) => one.label === label)!;
    expect(problems.map((one) => one.text)).toContain('“newport” is read as Newport, Isle of Wight.');
    const larger = await resolveText(repair.text, findRoutePlaces);
    expect(larger.places.map(({ longitude }) => Math.round(longitude))).toContain(-3);
  });

  it('offers the place that it may be', async () => {
    const { problems } = await resolveText('Bulb to Leeds', findRoutePlaces);
    expect(problems[0]).toMatchObject({
      level: 'stop',
      text: 'We do not know the place “Bulb”.',
      repairs: [{ label: 'Use Swaffham Bulbeck, Cambridgeshire' }],
    });
  });
});

describe('destinations of coaches', () => {
  it.each([
    ['Alton Towers', 'Alton Towers', 52.99, -1.89],
    ['Leigh Delamere', 'Leigh Delamere services', 51.51, -2.16],
    ['Watford Gap', 'Watford Gap services', 52.31, -1.12],
    ['Tebay service area', 'Tebay services', 54.45, -2.61],
    ['the Trafford Centre', 'Trafford Centre', 53.47, -2.35],
    ['Etihad Stadium Manchester', 'Etihad Stadium', 53.48, -2.2],
    ['NEC', 'NEC', 52.45, -1.72],
    ['York Racecourse', 'York Racecourse', 53.94, -1.09],
    ['Edinburgh Castle', 'Edinburgh Castle', 55.95, -3.2],
    ['Leeds City Bus Station', 'Leeds City Bus Station', 53.8, -1.53],
    ['Port of Dover', 'Port of Dover', 51.13, 1.33],
    ['Center Parcs Sherwood Forest', 'Center Parcs Sherwood Forest', 53.18, -1.04],
    ['Goodwood', 'Goodwood', 50.87, -0.74],
    // Towns of the name go first.
    ['Exeter', 'Exeter', 50.72, -3.53],
    ['Newark', 'Newark on Trent', 53.07, -0.81],
    ['Headingley', 'Headingley', 53.82, -1.58],
  ])('%s', async (text, name, latitude, longitude) => {
    const { legs, problems } = await resolveText(`Crewe, ${text}`, findRoutePlaces);
    const links = legs.flatMap((leg) => (leg.type === 'link' ? [leg] : []));
    expect(problems.filter(({ text }) => text.startsWith('We do not know'))).toEqual([]);
    expect(links).toHaveLength(1);
    const [east, north] = links[0]!.points.at(-1)!;
    expect(links[0]!.names?.at(-1)).toBe(name);
    expect(Math.hypot(north - latitude, east - longitude)).toBeLessThan(0.03);
  });

  it('drives to a destination, and not first to the town that is named before it', async () => {
    const { legs, name } = await resolveText('York A64 A1(M) M1 Sheffield Meadowhall', findRoutePlaces);

    expect(name).toBe('York to Meadowhall');
    expect(legs.filter(({ type }) => type === 'link')).toHaveLength(1); // from York
    const towns = await resolveText('Worthing A27 Brighton Hove', findRoutePlaces);
    expect(towns.problems.map(({ text }) => text).join(' ')).toMatch(/to Brighton .* to Hove /);
  });

  it('are places one after another, without anything between them', async () => {
    const { legs } = await resolveText('Leeds Harrogate York', findRoutePlaces);
    expect(legs.flatMap((leg) => (leg.type === 'link' ? leg.names : []))).toEqual([
      'Leeds',
      'Harrogate',
      'Harrogate',
      'York',
    ]);
  });

  it('is one place where each part of the name would be a place', async () => {
    const { legs, problems } = await resolveText('Leeds, Aldwark Manor', findRoutePlaces);
    expect(problems.filter(({ level }) => level === 'stop').length + legs.length).toBe(1);
  });
});

describe('a way between two towns', () => {
  it('is proposed, and taken only when it is confirmed', async () => {
    const asked = await resolveText('Cardiff to Gatwick', findRoutePlaces);
    expect(legWords(asked.legs)).toBe('link');
    const proposal = asked.problems.find(({ level }) => level === 'proposal')!;
    const [use] = proposal.repairs;
    expect(use!.label).toBe('Use this way');

    const taken = await resolveText(use!.text, findRoutePlaces);
    expect(taken.problems.filter(({ level }) => level === 'stop' || level === 'proposal')).toEqual([]);
    expect(legWords(taken.legs)).toMatch(/M4 J\w+>J4B, M25 J15>/);
    expect(taken.name).toBe('Cardiff to Gatwick Airport');
    expect(taken.length_km).toBeGreaterThan(asked.length_km);
  });

  it.each(['London to Leeds', 'Glasgow to Carlisle', 'Belfast to Dungannon', 'Penzance to Exeter'])(
    'can be taken as it is proposed: %s',
    async (text) => {
      const { problems } = await resolveText(text, findRoutePlaces);
      const { repairs } = problems.find(({ level }) => level === 'proposal')!;
      const taken = await resolveText(repairs[0]!.text, findRoutePlaces);
      expect(taken.problems.filter(({ level }) => level === 'stop')).toEqual([]);
      const off = taken.course.filter(({ line }) => line === 'link');
      const offKm = off.reduce((sum, { from_km, to_km }) => sum + to_km - from_km, 0);
      expect(offKm / taken.length_km).toBeLessThan(0.2);
    },
  );

  it.each([
    'Manchester to York',
    'London to Leeds',
    'London to Hull',
    'Leeds to Nottingham',
    'Leeds to Preston',
    'Nottingham to Leicester',
    'Oxford to Bristol',
    'Glasgow to Aberdeen',
    'Norwich to London',
  ])('is taken as it was proposed, without a way back: %s', async (text) => {
    const { problems } = await resolveText(text, findRoutePlaces);
    const proposal = problems.find(({ level }) => level === 'proposal')!;
    const stretches = proposal.text.split('there is a way: ')[1]!.split(', then ');
    const roads = stretches.map((words) => words.split(' ', 1)[0]);
    const taken = await resolveText(proposal.repairs[0]!.text, findRoutePlaces);
    const driven = taken.course.flatMap(({ road }) => road ?? []);
    const isNew = (road: string, index: number) => road !== driven[index - 1];
    expect(driven.filter(isNew)).toEqual(roads);
    const turns = taken.course.filter(
      ({ road, direction }, index) =>
        road !== null &&
        taken.course[index - 1]?.road === road &&
        taken.course[index - 1]?.direction !== direction,
    );
    expect(turns).toEqual([]);
  });

  it('ends in the town, not at the junction that is named after it', async () => {
    const { legs } = await resolveText('M1 J24, M1 J21A, Leicester', findRoutePlaces);
    expect(legWords(legs)).toBe('M1 J24>J21A, link');
  });

  it('is looked for at most six times in one text, because each time takes a while', async () => {
    const text = Array.from({ length: 5 }, () => 'Leeds, Luton').join(', ');
    const { legs, problems } = await resolveText(text, findRoutePlaces);
    expect(legs).toHaveLength(9);
    expect(problems.filter(({ level }) => level === 'proposal')).toHaveLength(6);
  });

  it('is no longer looked for after six times in vain', async () => {
    const text = [...Array.from({ length: 4 }, () => 'Stornoway, Lerwick'), 'Leeds, Luton'].join(', ');
    const { problems } = await resolveText(text, findRoutePlaces);
    expect(problems.filter(({ level }) => level === 'proposal')).toEqual([]);
  });

  it('prefers motorways', async () => {
    const { problems } = await resolveText('Leeds to Luton', findRoutePlaces);
    const { text } = problems.find(({ level }) => level === 'proposal')!;
    expect(text).toContain('M1 J43 to J');
  });
});

it('has a bounded number of problems and repairs, the worst first', async () => {
  const text = `${'Newton > Sutton > '.repeat(80)}Xyzzyville`;
  const { problems } = await resolveText(text, findRoutePlaces);
  expect(problems).toHaveLength(100);
  expect(problems[0]).toMatchObject({ level: 'stop' });
  expect(problems.flatMap(({ repairs }) => repairs).length).toBeLessThanOrEqual(20);
});

it('is named after its first and last place', async () => {
  const nameOf = async (text: string) => (await resolveText(text, findRoutePlaces)).name;
  expect(await nameOf('Leeds, M1 J43, M1 J6A, M25 J21, M25 J15, Heathrow')).toBe('Leeds to Heathrow');
  expect(await nameOf('M1 J43 to J6A')).toBeNull();
});

describe('hostile text', () => {
  const known: KnownPlace = {
    name: 'Leeds',
    label: 'Leeds, West Yorkshire',
    point: [-1.5478, 53.7965],
    isInNorthernIreland: false,
  };
  const onlyLeeds: FindPlaces = async (name) => (/^leeds/i.test(name) ? [known] : []);

  it('is answered in the shape of the contract, never with an error', async () => {
    const word = fc.constantFrom(
      'M1',
      'm25',
      'A1',
      'A1(M)',
      'M62',
      'NI',
      'B6265',
      'M60',
      'J1',
      'j8/9',
      'J6A',
      'junction 26',
      '43',
      '6a',
      'to',
      'via',
      'then',
      'from',
      '-',
      '->',
      ',',
      '\n',
      ';',
      'Leeds',
      'Foo',
      'northbound',
      'clockwise',
      'the',
      'J',
      '(',
      '/',
      'M',
      '😀',
    );
    const text = fc
      .array(fc.oneof(word, fc.string({ maxLength: 6 })), { maxLength: 40 })
      .map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(text, async (text) => {
        const resolved = await resolveText(text, onlyLeeds);
        const read = Resolved.parse(resolved);
        expect(read.legs.length).toBeLessThanOrEqual(60);
        for (const { at } of read.problems)
          if (at) {
            expect(at.from).toBeLessThan(at.to);
            expect(at.to).toBeLessThanOrEqual(text.length);
          }
      }),
      { numRuns: 300 },
    );
  });

  it.each(['M1 J43, M25 J15, ', 'M1 M25 ', 'a, ', 'Leeds M1 London M25 ', '-', 'x y,', 'J1 '])(
    'is looked at only so far: %j over and over',
    async (text) => {
      let lookups = 0;
      const counted: FindPlaces = async (name) => (lookups++, onlyLeeds(name));
      const { legs, problems } = await resolveText(text.repeat(4000).slice(0, 4000), counted);
      expect(lookups).toBeLessThanOrEqual(150);
      expect(legs.length).toBeLessThanOrEqual(60);
      expect(problems.length).toBeLessThan(250);
    },
  );

  it.each(['*M6 ', '"M6 ', '\u202EM6 ', 'Newport Bangor Newcastle ', 'Leeds Harrogate York, '])(
    'is split into names in steps in proportion to its words: %j over and over',
    async (text) => {
      const hostile = text.repeat(1000).slice(0, 1000);
      const words = hostile.split(' ').length;
      // A step cuts the long rest of a text in two. For each word there are five gaps with two halves each, twice.
      const slices = vi.spyOn(String.prototype, 'slice');
      const route = readRouteText(hostile);
      slices.mockClear();
      await placesOf(route, findRoutePlaces, roadTable());
      const rests = slices.mock.contexts.filter((whole) => String(whole).length > 80);
      slices.mockRestore();
      expect(rests.length).toBeLessThanOrEqual(words * 20);
      expect(route.stops.length).toBeLessThanOrEqual(100);
    },
  );

  it('may have 60 legs', async () => {
    const { problems, legs } = await resolveText('M1 J43, M25 J15, '.repeat(100), onlyLeeds);
    expect(legs).toEqual([]);
    expect(problems[0]!.text).toMatch(/^A route may have 60 legs and 4,000 points\. This has \d+ legs\.$/);
  });
});

describe('the way that is offered for a long straight line', () => {
  const straightKm = ({ legs }: Resolved) =>
    legs.flatMap((leg) => (leg.type === 'link' ? [km(leg.points[0]!, leg.points.at(-1)!)] : []));

  it.each([
    'Leeds to Hull',
    'Manchester to York',
    'Manchester Airport to York',
    'London to Cambridge',
    'Norwich to London',
    'Aberystwyth to Shrewsbury',
    'Manchester to Bangor',
    'Lincoln to Grimsby',
    'Taunton to Minehead',
  ])('needs no further question and leaves no long straight line: %s', async (text) => {
    const asked = await resolveText(text, findRoutePlaces);
    const { repairs } = asked.problems.find(({ level }) => level === 'proposal')!;
    const taken = await resolveText(repairs[0]!.text, findRoutePlaces);
    expect(taken.problems.filter(({ level }) => level === 'stop' || level === 'proposal')).toEqual([]);
    expect(Math.max(0, ...straightKm(taken))).toBeLessThan(10);
    expect(taken.name).toBe(asked.name);
  });

  it.each(['Birmingham to Nottingham', 'London to Portsmouth'])(
    'prefers trunk roads to a way round by motorways: %s',
    async (text) => {
      const { problems } = await resolveText(text, findRoutePlaces);
      const { repairs } = problems.find(({ level }) => level === 'proposal')!;
      const taken = await resolveText(repairs[0]!.text, findRoutePlaces);
      const { longitude, latitude } = taken.places[0]!;
      const last = taken.places.at(-1)!;
      const straight = km([longitude, latitude], [last.longitude, last.latitude]);
      expect(taken.length_km).toBeLessThan(1.35 * straight);
    },
  );

  it.each([
    'London M1 M6 Glasgow',
    'London, M1, M6, Glasgow',
    'London M40 Glasgow',
    'London to Edinburgh via A1(M)',
    'Birmingham M5 Penzance',
    'LTN M1 M25 M3 M27 Bournmouth',
    'London M11 Norwich',
    'Hull M62 Holyhead',
    'Holyhead A55 M6 Birmingham',
    'York A64 M62 Liverpool',
    'Cambridge M11 M1 Leeds',
    'Salisbury A303 Exeter',
  ])('is inserted where it is missing: %s', async (text) => {
    const first = await resolveText(text, findRoutePlaces);
    const repairs = first.problems.flatMap(({ repairs }) =>
      repairs.filter(({ label }) => label === 'Use this way'),
    );
    expect(repairs.length).toBeGreaterThan(0);
    for (const repair of repairs) {
      const then = await resolveText(repair.text, findRoutePlaces);
      expect(Math.max(0, ...straightKm(then)), repair.text).toBeLessThan(60);
      expect(then.length_km, repair.text).toBeLessThanOrEqual(1.4 * first.length_km);
    }
  });

  it('is left out if it goes far round, and a short straight line is drawn without a question', async () => {
    const { problems, legs } = await resolveText('Bakewell to Sheffield', findRoutePlaces);
    expect(legWords(legs)).toBe('link');
    expect(problems.map(({ level }) => level)).toEqual(['done']);
  });

  it('is only asked for if its place in the text is not sure', async () => {
    const { problems } = await resolveText('London M1 Xyzzyq M6 Glasgow', findRoutePlaces);
    expect(problems.filter(({ level }) => level === 'proposal')).toEqual([]);
    expect(problems.map(({ text }) => text).join(' ')).toContain('By which road do you go from M6');
  });

  it.each([
    ['Leeds A999 Manchester', 'Leeds Manchester'],
    ['Birmingham A999 Carlisle', 'Birmingham Carlisle'],
    ['Leeds M62 A999 Holyhead', 'Leeds M62 Holyhead'],
  ])('is the same beside a road that is not in the table: %s', async (text, without) => {
    const [asked, other] = [
      await resolveText(text, findRoutePlaces),
      await resolveText(without, findRoutePlaces),
    ];
    const way = ({ problems }: Resolved) => problems.find(({ level }) => level === 'proposal');
    expect(way(asked)?.text).toBe(way(other)?.text);
    expect(way(asked)?.repairs).toEqual(way(other)?.repairs);
    expect(asked.problems.map(({ text }) => text).join(' ')).toMatch(/the A999, which is|The A999 is not/i);
  });
});
