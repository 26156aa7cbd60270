import { expect, it } from 'vitest';
import { csvOf } from '#contract/csv.ts';

it.each(['=', '+', '-', '@', '\t', '\r'])('a text that begins with %j is no formula', (sign) => {
  const cell = csvOf(['title'], [{ title: `${sign}SUM(A1)` }]).slice('\uFEFFtitle\r\n'.length);
  expect(cell.replaceAll('"', '')).toBe(`'${sign}SUM(A1)\r\n`);
});

it('numbers below zero stay numbers', () => {
  expect(csvOf(['km'], [{ km: -1 }, { km: null }])).toBe('\uFEFFkm\r\n-1\r\n\r\n');
});
