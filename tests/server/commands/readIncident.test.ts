/** How well words are read, against sets that were labelled by hand: the figures are floors. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kilometres } from '#contract/distance.ts';
import { compareReports, readIncident, type ReportInput } from '../../../server/commands/readIncident.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/reading/${name}`, import.meta.url), 'utf8');

const rowsOf = (name: string) =>
  fixture(name)
    .split('\n')
    .filter((line) => /^\| [AB] /.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

interface Place {
  report: ReportInput;
  where: [latitude: number, longitude: number] | null;
  radius: number;
  isNoneRight: boolean;
}

function judge(places: readonly Place[]) {
  const wrong: string[] = [];
  const missed: string[] = [];
  let right = 0;
  for (const { report, where, radius, isNoneRight } of places) {
    const { place, left_out } = readIncident(report);
    const at = left_out && !where ? null : place;
    const said = `${report.title ?? ''} ${report.text ?? ''}: ${at?.names.join(', ') ?? 'no place'}`;
    const km = at && where ? kilometres(at.latitude, at.longitude, ...where) : null;
    if (!where && at) wrong.push(said);
    if (!where) continue;
    if (km !== null && km > 15 + radius) wrong.push(said);
    if (km === null ? isNoneRight : km <= radius) right++;
    else missed.push(said);
  }
  return { right, missed, wrong };
}

describe('the labels for development', () => {
  const labels = JSON.parse(fixture('labels-places.json')) as {
    source: string;
    text: string;
    lat: number | null;
    lon: number | null;
    radius_km: number | null;
    none_also_right?: boolean;
  }[];
  const pairs = JSON.parse(fixture('labels-merges.json')) as {
    a: ReportInput;
    b: ReportInput;
    same: boolean;
    doubt: boolean;
  }[];

  it('have at least 95 % of their places, none that is not there and none far off', () => {
    const { right, missed, wrong } = judge(
      labels.map(({ source, text, lat, lon, radius_km, none_also_right = false }) => ({
        report: { source, text },
        where: lat === null || lon === null ? null : [lat, lon],
        radius: radius_km ?? 0,
        isNoneRight: none_also_right,
      })),
    );
    console.info(`Places: ${right} of ${right + missed.length}.${['', ...missed].join('\n  missed: ')}`);
    expect(wrong).toEqual([]);
    expect(right / (right + missed.length)).toBeGreaterThanOrEqual(0.95);
  });

  it('are joined in at least 90 % of the pairs that are one incident, and in no other', () => {
    const judged = pairs
      .filter(({ doubt }) => !doubt)
      .map(({ a, b, same }) => ({
        same,
        found: compareReports(a, b).same,
        title: `${a.title} | ${b.title}`,
      }));
    const one = judged.filter(({ same }) => same);
    const missed = one.filter(({ found }) => !found).map(({ title }) => title);
    console.info(
      `Pairs: ${one.length - missed.length} of ${one.length}.${['', ...missed].join('\n  missed: ')}`,
    );
    expect(judged.filter(({ same, found }) => found && !same)).toEqual([]);
    expect(missed.length).toBeLessThanOrEqual(one.length * 0.1);
  });
});

describe('our own texts', () => {
  it('have at least 85 % of their places in each half, and none far off', () => {
    for (const half of ['A', 'B']) {
      const { right, missed, wrong } = judge(
        rowsOf('places.md')
          .filter(([of]) => of === half)
          .map(([, source = '', title = '', text = '', where = '', radius = '']) => ({
            report: { source, title, text },
            where: where === 'none' ? null : (where.split(',').map(Number) as [number, number]),
            radius: Number(radius),
            isNoneRight: false,
          })),
      );
      console.info(`${half}: ${right} of ${right + missed.length}.${['', ...missed].join('\n  missed: ')}`);
      expect(wrong).toEqual([]);
      expect(right / (right + missed.length)).toBeGreaterThanOrEqual(0.85);
    }
  });

  it('are joined in at least 80 % of the pairs that are one incident, and in no other', () => {
    const report = (source = '', title = '', at = '', clock = ''): ReportInput => {
      const [latitude, longitude] = at.split(',').map(Number) as [number, number];
      return {
        source,
        title,
        start_time: `2026-11-20T${clock}:00.000Z`,
        ...(at !== '-' && { latitude, longitude }),
      };
    };
    const judged = rowsOf('pairs.md').map(([, same, ...cells]) => ({
      same: same === 'yes',
      found: compareReports(
        report(...(cells.slice(0, 4) as [string, string, string, string])),
        report(...(cells.slice(4, 8) as [string, string, string, string])),
      ).same,
      title: `${cells[1]} | ${cells[5]}`,
    }));
    const one = judged.filter(({ same }) => same);
    expect(judged.filter(({ same, found }) => found && !same)).toEqual([]);
    expect(one.filter(({ found }) => found).length / one.length).toBeGreaterThanOrEqual(0.8);
  });

  it('have at least 95 % of their times', () => {
    const clock = (cell: string) => {
      const [day = '', hour = '', minute = ''] = cell.split(/[ :]/);
      return cell === '-' ? null : new Date(Date.UTC(2026, 10, +day, +hour, +minute)).toISOString();
    };
    const published_at = '2026-11-24T10:00:00.000Z';
    const missed = rowsOf('times.md').flatMap(([, text = '', start = '', end = '', hours = '']) => {
      const read = readIncident({ source: 'council', title: 'High Street, Lincoln', text, published_at });
      const windows = read.windows.flatMap(({ days, from, to }) =>
        from ? `${days?.join(',') ?? 'daily'} ${from}-${to}` : [],
      );
      const isRight =
        read.start === (clock(start) ?? published_at) &&
        read.end === clock(end) &&
        (windows.join(';') || '-') === hours;
      return isRight ? [] : `${text}: ${read.start} ${read.end} ${windows.join(';')}`;
    });
    console.info(`Times missed: ${missed.join('\n  ')}`);
    expect(missed.length).toBeLessThanOrEqual(2);
  });
});

it('reads 5,000 characters of anything in little more than its first thousand', () => {
  for (const text of [
    'A '.repeat(2500),
    'Leeds, '.repeat(714),
    '12:00 to '.repeat(555),
    '#'.repeat(5000),
    'from Monday to '.repeat(333),
    'between J1 and '.repeat(333),
  ])
    expect(() => readIncident({ source: 'news-rss', title: text, text })).not.toThrow();
});
