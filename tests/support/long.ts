/**
 * How much a slow proof does: a part in `npm test`, the whole in `npm run test:long`, whose last result stands in
 * bench/README.md, and any number by its own variable.
 */
export const isLong = process.env['CLEARWAY_LONG'] === '1';

export const amount = (variable: string, { whole, part }: { whole: number; part: number }): number =>
  Number(process.env[variable] ?? (isLong ? whole : part));
