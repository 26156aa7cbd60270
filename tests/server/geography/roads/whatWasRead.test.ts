import { expect, it } from 'vitest';
import { whatWasRead } from '../../../../server/geography/roads/whatWasRead.ts';

const REPORT = {
  source: 'national-highways',
  title: 'M62 eastbound between J26 and J27: closed',
  summary_line: 'Traffic is diverted by the A58. Queues back to the M606.',
  metadata: {},
};

it('says in a sentence what was read of an incident, and what was ignored', () => {
  expect(whatWasRead(REPORT).sentence).toBe(
    'Read as M62 eastbound, J26 to J27, closed. The A58 is a way round. The M606 is where traffic goes or queues to.',
  );
});

it('marks a way round that is flooded itself as a way round', () => {
  const { text } = whatWasRead({
    ...REPORT,
    summary_line: 'Traffic is diverted by the A65; the A65 is flooded at Kirkstall.',
    metadata: { roads: ['M62'] },
  });
  expect(text.flatMap(({ use }) => use ?? [])).toEqual(['diversion', 'diversion']);
});

it('puts a road that has two roles into the first', () => {
  const read = whatWasRead({
    ...REPORT,
    title: 'A34 northbound at its junction with the M4 J13: lane closed',
    summary_line: 'There are no closures on the M4.',
  });
  expect(read.sentence.match(/The M4/g)).toHaveLength(1);
});

it('marks each word with its use, and leaves the words as they are', () => {
  const { title, text } = whatWasRead(REPORT);
  const used = [...title, ...text].flatMap(({ words, use }) => (use ? [`${words}: ${use}`] : []));

  expect(title.map(({ words }) => words).join('')).toBe(REPORT.title);
  expect(text.map(({ words }) => words).join('')).toBe(REPORT.summary_line);
  expect(used).toEqual([
    'M62: affected',
    'eastbound: direction',
    'J26: stretch',
    'J27: stretch',
    'A58: diversion',
    'M606: destination',
  ]);
});

it('marks names of places that it reads', () => {
  const used = (report: { title: string; metadata?: Record<string, unknown> }) =>
    whatWasRead({ ...REPORT, summary_line: '', ...report }).title.flatMap(({ words, use }) =>
      use === 'stretch' ? [words] : [],
    );

  expect(used({ title: 'A64 westbound between Copmanthorpe and Bilbrough Top: closed' })).toEqual([
    'Copmanthorpe',
    'Bilbrough Top',
  ]);
  const metadata = { location_names: ['Hanger Lane'] };
  expect(used({ title: 'A40 closed at Hanger Lane, queues to Hanger Laneside', metadata })).toEqual([
    'Hanger Lane',
  ]);
  expect(used({ title: 'Delays at Hanger Lane', metadata })).toEqual([]);
});

it('marks the words that were written, also beside short forms', () => {
  const { title } = whatWasRead({
    ...REPORT,
    title: 'M25 c/way clsd btw J9 and J10 clockwise',
    summary_line: '',
  });
  expect(title.flatMap(({ words, use }) => (use ? [words] : []))).toEqual(['M25', 'J9', 'J10', 'clockwise']);
});

it('names the place of the point if the words give no stretch of the road', () => {
  const read = (metadata: Record<string, unknown>) =>
    whatWasRead({ ...REPORT, title: 'A40 westbound closed', summary_line: '', metadata }).sentence;

  expect(read({ location_method: 'place_name', location_names: ['Hanger Lane'] })).toBe(
    'Read as A40 westbound, at Hanger Lane, closed.',
  );
  expect(read({ location_method: 'between_places', location_names: ['Acton', 'Ealing'] })).toBe(
    'Read as A40 westbound, Acton to Ealing, closed.',
  );
  expect(read({ location_method: 'publisher' })).toBe(
    'Read as A40 westbound, at the point that its publisher gives, closed.',
  );
  expect(read({})).toBe('Read as A40 westbound, place on it not told, closed.');
});

it('says nothing about words without a road', () => {
  expect(whatWasRead({ ...REPORT, title: 'Delays in Leeds', summary_line: '' }).sentence).toBe(
    'No road was read.',
  );
});

it('marks the publisher’s road as affected wherever the text names it', () => {
  const { text } = whatWasRead({
    ...REPORT,
    summary_line: 'Traffic is diverted by the M621. M62 eastbound between J26 and J27.',
    metadata: { roads: ['M62'] },
  });

  expect(text.filter(({ use }) => use).map(({ words, use }) => `${words} ${use}`)).toContain('M62 affected');
});
