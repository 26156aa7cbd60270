/** A process that uses a data folder: `node folderUser.ts <folder>`. Writes a row, says "open" or why not, and stays. */
import { facts } from '../../../server/http/documents/fetchedFacts.ts';
import { openDatabase } from '../../../server/db/open.ts';

try {
  const { db } = await openDatabase({ dataDir: process.argv[2]! });
  await facts(db).set('written by', String(process.pid));
  console.log('open');
  setInterval(() => {}, 60_000);
} catch (error) {
  console.log((error as Error).message);
}
