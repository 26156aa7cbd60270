/** `npm run restore -- FILE`: puts a backup into an empty folder. */
import { parseArgs } from 'node:util';
import { restoreBackup } from '../backup/backup.ts';
import { readDatabasePlace } from '../../config.ts';
import { runCommand, Unusable } from './running.ts';

const HELP = `Usage: npm run restore -- FILE

Puts a backup into the folder DATA_DIR (data/ when unset), which must not exist or be empty. Everything in the file is
checked first. Then start the server with the same DATA_DIR: a backup of an earlier version is brought up to date.

  --help  this text
`;

await runCommand('restore', HELP, async (args) => {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [file, ...more] = positionals;
  if (file === undefined) throw new Unusable('Name the file to restore (see --help).');
  if (more.length > 0) throw new Unusable(`One file only; what is "${more.join(' ')}"?`);
  const { dataDir, databaseUrl } = readDatabasePlace(process.env);
  if (databaseUrl)
    throw new Unusable('DATABASE_URL is set: restore PostgreSQL by pg_restore, as docs/operating.md says.');

  const { made_at, counts, secret } = await restoreBackup({ file, dataDir });
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return [
    `Restored into ${dataDir}: ${rows.toLocaleString('en-GB')} rows as of ${made_at}.`,
    secret
      ? 'Its secret came with it: sessions, displays and keys go on.'
      : 'No secret came with it. Put the old one into DATA_DIR/secret or SECRET before the start, or a new one is made: then ' +
        'people sign in again, second factors are set up again, displays are paired again, and the full value of existing API keys can no longer be shown (the keys work).',
  ].join('\n');
});
