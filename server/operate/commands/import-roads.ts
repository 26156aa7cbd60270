/** `npm run import-roads -- FILE.gpkg`: surveyed roads in place of the table's straight lines. */
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { readDatabasePlace } from '../../config.ts';
import { surveyedRoads } from '../../geography/roads/openRoads.ts';
import { readRoadTable, surveyedRoadsFile } from '../../geography/roads/roadTable.ts';
import { runCommand, Unusable } from './running.ts';

const HELP = `Usage: npm run import-roads -- FILE.gpkg

Reads OS Open Roads (the GeoPackage oproad_gb.gpkg, Open Government Licence) and keeps in DATA_DIR where the motorways and
A roads of our table run: surveyed junctions, and lines in place of straight ones from junction to junction. The server uses
them from its next start. The same file again changes nothing; delete ${basename(surveyedRoadsFile('.'))} in DATA_DIR to go back to the table.

  --help   this text

A file of another kind changes nothing. Exit code: 0 when the roads were kept, 1 when nothing was.
`;

await runCommand('import-roads', HELP, async (args) => {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [file, ...more] = positionals;
  if (file === undefined) throw new Unusable('Name a file (see --help).');
  if (more.length > 0) throw new Unusable(`One file at a time; what is "${more.join(' ')}"?`);
  const { dataDir } = readDatabasePlace(process.env);

  const { surveyed, report } = read(file);
  const path = surveyedRoadsFile(dataDir);
  mkdirSync(dataDir, { recursive: true });
  // The file appears whole or not at all, because a server may start meanwhile.
  writeFileSync(`${path}.new`, JSON.stringify(surveyed));
  renameSync(`${path}.new`, path);

  const { roads, junctions, lines, missing } = report;
  return [
    `Kept ${roads} roads with ${junctions} positions and ${lines} lines in ${path}. Start the server again to use them.`,
    ...(missing.length > 0 ? [`Not in the file: ${missing.join(', ')}.`] : []),
  ].join('\n');
});

function read(file: string) {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Unusable(`There is no file ${file}.`);
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return surveyedRoads(db, basename(file), readRoadTable(null));
  } catch (error) {
    if (error instanceof Database.SqliteError)
      throw new Unusable(`${file} is no GeoPackage that we can read: ${error.message}.`, {
        cause: error,
      });
    throw error;
  } finally {
    db.close();
  }
}
