/** `npm run backup -- FILE`: all data in one file, while the server runs. */
import { parseArgs } from 'node:util';
import { makeBackup } from '../backup/backup.ts';
import { readDatabasePlace } from '../../config.ts';
import { runCommand, Unusable } from './running.ts';

const HELP = `Usage: npm run backup -- FILE [--with-secret]

Writes the data of DATA_DIR (data/ when unset) into one file, as it is at one moment. The server may go on meanwhile.

  --with-secret  also the file "secret": with it a restored server keeps everybody signed in and can show the full value
                 of API keys. Anyone who has that file can sign in as anybody: keep it apart.
  --help         this text

npm run restore -- FILE puts it back. Data in PostgreSQL (DATABASE_URL) is backed up by pg_dump; see docs/operating.md.
`;

await runCommand('backup', HELP, async (args) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'with-secret': { type: 'boolean' } },
  });
  const [file, ...more] = positionals;
  if (file === undefined) throw new Unusable('Name the file to write (see --help).');
  if (more.length > 0) throw new Unusable(`One file only; what is "${more.join(' ')}"?`);
  const { dataDir, databaseUrl } = readDatabasePlace(process.env);
  if (databaseUrl)
    throw new Unusable('DATABASE_URL is set: back up PostgreSQL by pg_dump, as docs/operating.md says.');

  const withSecret = values['with-secret'] ?? false;
  const { counts, database, schema } = await makeBackup({ dataDir, file, withSecret, now: new Date() });
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const megabytes = (database.bytes / 1e6).toFixed(1);
  return [
    `${file}: ${rows.toLocaleString('en-GB')} rows, ${megabytes} MB before compression, schema ${schema}.`,
    withSecret
      ? 'The secret is in it: anyone who has this file can sign in as anybody.'
      : 'The secret is not in it: keep DATA_DIR/secret, or the setting SECRET, in another place.',
  ].join('\n');
});
