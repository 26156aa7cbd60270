/**
 * Slow proofs run at about a tenth in `npm test` and whole in `npm run test:long`, whose last result stands in
 * bench/README.md.
 */
const isLong = process.env['CLEARWAY_LONG'] === '1';

export const inWhole = <T>(whole: T, tenth: T): T => (isLong ? whole : tenth);
