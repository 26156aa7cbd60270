/** A day sheet of an invented coach operator: 41 jobs around the present hour, on roads that the replay has
 *  incidents on. */
import { london } from '#contract/london.ts';

/** Minutes from now until it leaves, and its two ends. */
const JOBS: readonly [minutes: number, from: string, to: string, closes?: number][] = [
  [-70, 'Leeds', 'Heathrow Airport'],
  [-55, 'Huddersfield', 'Manchester Airport', 70],
  [-40, 'Manchester Airport', 'York'],
  [-35, 'Leeds', 'Newcastle'],
  [-20, 'Manchester', 'York'],
  [-10, 'Leeds', 'East Midlands Airport', 150],
  [5, 'Manchester Airport', 'Leeds', 95],
  [10, 'Huddersfield', 'Leeds'],
  [15, 'Leeds', 'Birmingham'],
  [20, 'Liverpool', 'Leeds', 110],
  [25, 'Gatwick Airport', 'Heathrow Airport', 80],
  [30, 'Bristol', 'Cardiff'],
  [35, 'Morley', 'Malham'],
  [40, 'Manchester', 'York'],
  [45, 'Glasgow', 'Edinburgh'],
  [55, 'Leeds', 'Newcastle'],
  [60, 'York', 'Leeds'],
  [65, 'Huddersfield', 'Manchester Airport', 75],
  [75, 'Manchester Airport', 'Leeds'],
  [80, 'Leeds', 'Heathrow Airport', 290],
  [90, 'Liverpool', 'Leeds'],
  [95, 'Leeds', 'Birmingham'],
  [105, 'Huddersfield', 'Leeds'],
  [110, 'Bristol', 'Cardiff'],
  [130, 'Manchester', 'York', 140],
  [140, 'Leeds', 'East Midlands Airport'],
  [150, 'Gatwick Airport', 'Heathrow Airport'],
  [165, 'Manchester Airport', 'York'],
  [180, 'Leeds', 'Newcastle'],
  [195, 'Malham', 'Morley'],
  [210, 'Glasgow', 'Edinburgh'],
  [225, 'Huddersfield', 'Manchester Airport'],
  [240, 'Manchester Airport', 'Leeds', 100],
  [255, 'York', 'Leeds'],
  [270, 'Leeds', 'Birmingham'],
  [300, 'Liverpool', 'Leeds'],
  [330, 'Manchester', 'Birmingham'],
  [360, 'Leeds', 'Heathrow Airport', 300],
  [390, 'Huddersfield', 'Leeds'],
  [420, 'Manchester Airport', 'York'],
  [480, 'Bristol', 'Cardiff'],
];

const DRIVERS = [
  'M. Hussain',
  'A. Sykes',
  'R. Dhillon',
  'L. Firth',
  'S. Begum',
  'P. Okafor',
  'J. Ward',
  'N. Rahman',
];
const VEHICLES = [
  'YN21 ABC',
  'MX71 TUB',
  'YX24 AEO',
  'YJ70 KTR',
  'FJ69 RKE',
  'YN72 GZH',
  'YX19 OPL',
  'BU18 YSK',
];

const CLOCK = london({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** The sheet as it would be pasted: tabs between the cells. After midnight the hours count on, as in day sheets:
 *  25:15. */
export function sampleDay(now: Date): string {
  const [hour = 0, minute = 0] = CLOCK.format(now).split(':').map(Number);
  const start = Math.ceil((hour * 60 + minute) / 5) * 5;
  const clock = (minutes: number) =>
    [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  // Just after midnight no job has left yet, because a sheet begins at 00:00.
  const first = Math.max(start, -JOBS[0]![0]); // there are 41
  const rows = JOBS.map(([minutes, from, to, closes], index) => [
    clock(first + minutes),
    `PC-${2400 + index}`,
    from,
    to,
    VEHICLES[index % VEHICLES.length],
    DRIVERS[index % DRIVERS.length],
    8 + ((index * 7) % 45),
    closes === undefined ? '' : `Check-in ${clock((first + minutes + closes) % 1440)}`,
  ]);
  return [['Dep', 'Ref', 'From', 'To', 'Veh', 'Driver', 'Pax', 'Notes'], ...rows]
    .map((cells) => cells.join('\t'))
    .join('\n');
}
