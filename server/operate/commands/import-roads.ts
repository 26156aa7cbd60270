/** `npm run import-roads -- FILE.gpkg`: surveyed roads in place of the table's straight lines. */
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { readDatabasePlace } from '../../config.ts';
import { surveyedRoads, UnusableRoads } from '../../geography/roads/openRoads.ts';
import { readRoadTable, surveyedRoadsFile } from '../../geography/roads/roadTable.ts';

const HELP = `Usage: npm run import-roads -- FILE.gpkg

Reads OS Open Roads (the GeoPackage oproad_gb.gpkg, Open Government Licence) and keeps in DATA_DIR where the motorways and
A roads of our table run: surveyed junctions, and lines in place of straight ones from junction to junction. The server uses
them from its next start. The same file again changes nothing; delete ${basename(surveyedRoadsFile('.'))} in DATA_DIR to go back to the table.

  --help   this text

A file of another kind changes nothing. Exit code: 0 when the roads were kept, 1 when nothing was.
`;

function main(args: string[]): number {
  const { values, positionals } = parseArgs({
    args,
    options: { help: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const [file, ...more] = positionals;
  if (file === undefined) throw new UnusableRoads('Name a file (see --help).');
  if (more.length > 0) throw new UnusableRoads(`One file at a time; what is "${more.join(' ')}"?`);
  const { dataDir } = readDatabasePlace(process.env);

  const { surveyed, report } = read(file);
  const path = surveyedRoadsFile(dataDir);
  mkdirSync(dataDir, { recursive: true });
  // The file appears whole or not at all, because a server may start meanwhile.
  writeFileSync(`${path}.new`, JSON.stringify(surveyed));
  renameSync(`${path}.new`, path);

  const { roads, junctions, lines, missing } = report;
  process.stdout.write(
    `Kept ${roads} roads with ${junctions} positions and ${lines} lines in ${path}. Start the server again to use them.\n`,
  );
  if (missing.length > 0) process.stdout.write(`Not in the file: ${missing.join(', ')}.\n`);
  return 0;
}

function read(file: string) {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new UnusableRoads(`There is no file ${file}.`);
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return surveyedRoads(db, basename(file), readRoadTable(null));
  } catch (error) {
    if (error instanceof Database.SqliteError)
      throw new UnusableRoads(`${file} is no GeoPackage that we can read: ${error.message}.`, {
        cause: error,
      });
    throw error;
  } finally {
    db.close();
  }
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`import-roads: ${error.message}\n`);
  process.exitCode = 1;
}
