/** Ids and names as sources send them: ordinary characters among those with a meaning in an address. */
import * as fc from 'fast-check';

const CHARACTERS = [':', '/', '@', '.', '%', '&', '+', 'é', '#', '?', '=', ' ', 'a', 'B', '2', '5', '6', 'F'];

/** Names as in Ticketmaster, calendars and web pages, and names that become wrong when they are decoded twice. */
export const KNOWN_ODD = [
  'ticketmaster:1',
  'x@example.com',
  'calendar:party@example.com',
  'Rock & Pop',
  'A%26B',
  '100%',
  '%2F',
  '%252F',
  '../secret',
  'a/../b',
  '//elsewhere.example',
  'script.js',
  'archive.tar.gz',
  '.env',
  'viewport-7',
  'venue',
  'a/venue',
  'café/bar?x=1#top',
  'one+one=two',
  "O'Brien “live”",
];

/** Names that stay the same when their spaces are tidied, and that are no dot segment, which an address cannot hold. */
export const oddName = fc
  .array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 12 })
  .map((characters) => characters.join('').trim())
  .filter((name) => !['', '.', '..'].includes(name));

/** Every name of KNOWN_ODD, then `runs` others; the same ones in each run. */
export const withOddNames = (runs: number) => ({
  seed: 11,
  endOnFailure: true, // otherwise each shrinking attempt could wait until its time-out
  numRuns: KNOWN_ODD.length + runs,
  examples: KNOWN_ODD.map((name) => [name] as [string]),
});
