/** `npm run bench -- NAME`: runs bench/NAME.ts; each prints a table for bench/README.md. Not part of `npm test`. */
import { readdirSync } from 'node:fs';

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.replace(/\.ts$/, ''));
const name = process.argv[2] ?? '';

if (names.includes(name)) await import(`./${name}.ts`);
else {
  console.error(`Name a benchmark: ${names.join(', ')}.`);
  process.exitCode = 1;
}
