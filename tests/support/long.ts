/** How much of a slow proof is done: a part in `npm test`, all of it in `npm run test:long`, whose last result is in
 *  bench/README.md, and any number with its own variable. */
export const isLong = process.env['CLEARWAY_LONG'] === '1';

export const amount = (variable: string, { whole, part }: { whole: number; part: number }): number =>
  Number(process.env[variable] ?? (isLong ? whole : part));
