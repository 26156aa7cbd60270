/** `npm run collect -- SOURCE`: the records of one source, live or from files, without server or database. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Disruption } from '#contract/incidents/disruptions.ts';
import { severityRank } from '#contract/incidents/severity.ts';
import { COLLECTORS, collectorFor } from '../../sources/allSources.ts';
import { flagAhead } from '../../sources/polling/readSource.ts';
import type { Collector, DisruptionRecord } from '../../incidents/collector.ts';
import { place } from '../../incidents/place/placeByWords.ts';
import { downloader, nameOf, readBody, userAgent, type Download } from '../../http/documents/download.ts';
import { oneLine, resultOf, runCommand, Unusable } from './running.ts';
import { toUtc } from '../../http/documents/londonTime.ts';
import type { Facts } from '../../http/documents/upstream.ts';

const HELP = `Usage: npm run collect -- SOURCE [--from FILE]... [--now ISO_TIME] [--all]

Runs one collector once and prints the result as JSON:
  { "source": "...", "events": [...], "skipped": n, "problems": [...] }

  SOURCE           one of: ${COLLECTORS.map(({ source }) => source).join(', ')}
  --from FILE      answers the collector's next request; repeat it for one that asks several times. The network is
                   not used, and no key needs to be set. A request beyond the last file fails like one to an upstream
                   that does not answer: a collector that can do without it continues and says so in "problems".
                   Without --from the source itself is asked, with the settings of the environment.
  --now ISO_TIME   the time to use as now, with or without a zone (without: Europe/London). The same files and time give
                   the same output.
  --all            includes rail operators that run normally. They are not incidents and are otherwise left out; here
                   they are in "events" with "kind": "status" in their metadata.
  --help           this text

Events are sorted by severity, worst first, then by id. "metadata.phase" is "active" or "planned". An "updated_at" or
"start_time" of null means that the publisher gives none: the server then uses the time when it first saw that state.
"skipped" counts the records that could not be read. When the source as a whole cannot be read, one line on stderr says
why, nothing is printed on stdout, and the exit code is 1.

Settings, from the environment:
${COLLECTORS.flatMap(({ settings }) => settings)
  .map(({ name, required, about }) => `  ${name}${required ? ' (needed)' : ''}: ${about}`)
  .join('\n')}
`;

type Env = Readonly<Record<string, string | undefined>>;

/** The command's output and exit code, in any process. */
export const collect = (args: string[], env: Env) =>
  resultOf('collect', HELP, (given) => collected(given, env), args);

async function collected(args: string[], env: Env): Promise<string> {
  const { values, positionals } = readArguments(args);
  const collector = chosen(positionals);
  const now = values.now === undefined ? new Date() : readNow(values.now);
  const download = values.from
    ? await filesInOrder(values.from)
    : downloader({ userAgent: userAgent(env['CONTACT_EMAIL'] || undefined) }).newGet();
  const settings = settingsOf(collector, values.from !== undefined, env);

  const found = await collector.collect({ get: download.get, now, settings, facts: nothingKnown() });
  for (const record of found.records) place(record, collector);
  const { records, skipped, problems } = flagAhead(found, now);
  const events = records
    .filter(({ kind }) => values.all || kind === 'alert')
    .sort((a, b) => severityRank(a.severity) - severityRank(b.severity) || (a.event_id < b.event_id ? -1 : 1))
    .map((record) => toEvent(collector.source, record));
  const output = {
    source: collector.source,
    events,
    skipped,
    problems: [...download.problems(), ...problems],
  };
  return JSON.stringify(output, null, 2);
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        from: { type: 'string', multiple: true },
        now: { type: 'string' },
        all: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new Unusable(`${oneLine(error)} (see --help)`, { cause: error });
  }
}

function chosen(positionals: string[]): Collector {
  const known = `Known sources: ${COLLECTORS.map(({ source }) => source).join(', ')}.`;
  const [source, ...more] = positionals;
  if (source === undefined) throw new Unusable(`Name a source. ${known}`);
  if (more.length > 0)
    throw new Unusable(`One source at a time; what is "${more.join(' ')}"? Files need --from.`);

  const collector = collectorFor(source);
  if (!collector) throw new Unusable(`Unknown source "${source}". ${known}`);
  return collector;
}

function readNow(text: string): Date {
  const utc = toUtc(text);
  if (!utc) throw new Unusable(`--now is not an ISO time such as 2026-11-21T08:30:00Z: "${text}"`);
  return new Date(utc);
}

/** Reads all files before the collector starts, and answers with them as if a server had sent them. */
async function filesInOrder(names: readonly string[]): Promise<Pick<Download, 'get' | 'problems'>> {
  const files = await Promise.all(names.map(async (name) => ({ name, bytes: await readBytes(name) })));
  const problems: string[] = [];
  let asked = 0;

  return {
    async get(address) {
      const file = files[asked++];
      const url = URL.parse(address);
      if (!file) throw new Unusable(`no file answers request ${asked}: ${url ? nameOf(url) : 'GET'}`);

      let answer;
      try {
        answer = readBody(file.bytes);
      } catch (error) {
        throw new Unusable(`${file.name}: ${oneLine(error)}`, { cause: error });
      }
      if (answer.problem) problems.push(`${file.name}: ${answer.problem}`);
      return { body: answer.body, headers: {} };
    },
    problems: () => [
      ...problems,
      ...files
        .slice(asked)
        .map(
          ({ name }) =>
            `${name}: not used, because the collector made only ${asked} ${asked === 1 ? 'request' : 'requests'}`,
        ),
    ],
  };
}

async function readBytes(name: string): Promise<Uint8Array> {
  try {
    return await readFile(name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'EISDIR'
          ? 'is a folder'
          : `cannot be read (${code})`;
    throw new Unusable(`${name}: ${why}`, { cause: error });
  }
}

/** Only the settings that the collector declares. With files, missing required settings get a placeholder. */
function settingsOf(collector: Collector, fromFiles: boolean, env: Env): Record<string, string | undefined> {
  const set = Object.fromEntries(collector.settings.map(({ name }) => [name, env[name] || undefined]));
  const missing = collector.settings.filter(({ name, required }) => required && !set[name]);
  if (missing.length === 0) return set;
  if (!fromFiles) {
    const list = missing.map(({ name, about }) => `${name} (${about})`).join(', ');
    throw new Unusable(
      `${collector.source} is not configured. Set ${list}, or give its answers in files with --from.`,
    );
  }

  for (const { name } of missing)
    set[name] = /_(?:URL|FEEDS)$/.test(name) ? `https://${collector.source}.invalid/` : 'not-set';
  return set;
}

function nothingKnown(): Facts {
  const facts = new Map<string, string>();
  return {
    get: async (key) => facts.get(key) ?? null,
    set: async (key, value) => void facts.set(key, value),
  };
}

/** An event as in the API, without `collected_at`: nothing was stored, and it would differ in every run. */
function toEvent(source: string, record: DisruptionRecord): Omit<Disruption, 'collected_at'> {
  const { event_id, phase, kind, metadata, ...content } = record;
  return {
    event_id,
    source,
    ...content,
    metadata: { phase, ...(kind === 'status' && { kind }), ...metadata },
  };
}

if (import.meta.main) await runCommand('collect', HELP, (args) => collected(args, process.env));
