/** How much of a slow proof runs: a part in `npm test`, all of it in `npm run test:long`, or any number by its own
 *  variable. bench/README.md has the last result of the whole. */
export const isLong = process.env['CLEARWAY_LONG'] === '1';

export const amount = (variable: string, { whole, part }: { whole: number; part: number }): number =>
  Number(process.env[variable] ?? (isLong ? whole : part));
