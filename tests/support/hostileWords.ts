/** Texts of 5,000 characters that nobody would write, to measure how long the reader takes at worst. */
import { readIncident } from '../../server/operate/commands/readIncident.ts';
import { labelledTexts } from './roadLabels.ts';

export const HOSTILE = [
  'M62 ',
  'J1 ',
  'M1 J1 to J2. ',
  'between ',
  'between A and ',
  'from A to ',
  '(',
  'J1 (',
  'A a ',
  'and ',
  '1',
  'A',
  'é',
  '🚧',
  ' Aa',
  'Leeds ',
  'Leeds and ',
  'Newcastle upon Tyne, ',
  'Sutton / ',
  'A1 A, ',
  'St. ',
  '#A1 ',
  'B1234,',
  'X-',
  '\n',
  '"',
  'towards London ',
  'London-bound ',
  'diverted via the A1 ',
  'queueing back to the ',
  'at the junction of [A1] ',
  'rhwng ',
  'road closed ',
  'lanes 1 and ',
  'no lanes ',
  'until 10:00 ',
  'since ',
  'tan 05:00 ',
  'on Monday ',
  'from 1 to 2 November ',
  'each night 20:00 to 06:00 ',
  'Monday and ',
  '1, 2, ',
  'the 06:45 and ',
  'for two weeks ',
  'between 7 and 9am and ',
  'at Leeds Roundabout ',
  'not ',
  'taken to hospital after crash at ',
];

const LENGTH = 5000;
const filled = (text: string) => text.repeat(Math.ceil(LENGTH / text.length)).slice(0, LENGTH);

export const hostileText = (kind: string): string => filled(kind);

/** Publishers' own words, as much of them. */
export const ordinaryText = (): string =>
  filled(
    labelledTexts('roads.txt')
      .map(({ text }) => text)
      .join('. '),
  );

/** Roads, place, times and all other facts in an incident's words. */
export const readAll = (text: string): unknown =>
  readIncident({
    source: 'council',
    title: 'High Street, Lincoln',
    text,
    published_at: '2026-11-24T10:00:00.000Z',
  });

/** Milliseconds of processor time: the least of some runs, because others share the machine. */
export function leastMs(run: () => unknown, runs = 4): number {
  let least = Infinity;
  for (let at = 0; at < runs; at++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
