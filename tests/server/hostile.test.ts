/** Acts of a broken or hostile upstream, applied to the documents of every collector: each time the source says in
 *  words what is wrong, and no known incident is lost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Disruption } from '#contract/incidents/disruptions.ts';
import { COLLECTORS, collectorFor } from '../../server/sources/allSources.ts';
import type { Collector } from '../../server/incidents/collector.ts';
import { downloader } from '../../server/http/documents/download.ts';
import { startSchedule } from '../../server/sources/polling/pollRunners.ts';
import { splitXml } from '../../server/http/documents/xml.ts';
import { collections } from '../../server/incidents/collectionState.ts';
import { disruptions } from '../../server/incidents/list/disruptions.ts';
import { openMemoryDatabase } from '../../server/db/open.ts';
import { startReplay, type Replay } from '../../server/operate/replay.ts';
import { isLong } from '../support/long.ts';
import { fixture } from '../support/upstream.ts';

/** The documents of one source: the replay's first scene, or a recording if there is one. */
interface Documents {
  name: string;
  collector: Collector;
  now: string;
  /** Null: the replay answers. */
  recorded: ((url: URL) => string | undefined) | null;
}

const NOW = '2026-11-21T09:00:00.000Z';

const RECORDED: readonly Documents[] = [
  {
    name: 'tfl, recorded',
    collector: collectorFor('tfl')!,
    now: '2023-09-18T20:00:00.000Z',
    recorded: () => fixture('tfl/line-status-2023-09-18.json'),
  },
  {
    name: 'ea-flood, recorded',
    collector: collectorFor('ea-flood')!,
    now: '2025-10-24T21:00:00.000Z',
    // Each of its areas is asked for once, and then known.
    recorded: ({ pathname }) =>
      pathname.endsWith('/floods')
        ? fixture('ea-flood/floods-2025-10-24.json')
        : fixture('ea-flood/flood-area.synthetic.json'),
  },
  {
    name: 'national-highways, recorded',
    collector: collectorFor('national-highways')!,
    now: '2026-07-07T20:00:00.000Z',
    recorded: ({ searchParams }) =>
      fixture(
        searchParams.get('closureType') === 'planned'
          ? 'national-highways/closures-planned-2026-07-07.json'
          : 'national-highways/closures-empty.synthetic.json',
      ),
  },
];

const DOCUMENTS: readonly Documents[] = [
  ...COLLECTORS.map((collector) => ({ name: collector.source, collector, now: NOW, recorded: null })),
  ...RECORDED,
];

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

interface Variant {
  name: string;
  /** The body in place of the document; null: the document cannot be changed like that. */
  of(document: string): Body | null;
  /** Sources whose publishers do this themselves, so that it needs no word. */
  usualFor?: readonly string[];
  contentType?: string;
  /** Words of the source about it, as its failure or among its problems. Null: it may take the document without a
   *  word. */
  words: RegExp | null;
  /** How far event times may move, in ms, without a word from the source. */
  movesTimesBy?: readonly number[];
}

const isXml = (document: string) => document.trimStart().startsWith('<');

/** The text put after the declaration, which is the place of a document type. */
const withDoctype = (document: string, doctype: string) =>
  document.replace(/^\s*(?:<\?xml[\s\S]*?\?>)?/, (declaration) => declaration + doctype);

/** The text put into the first words of the document that give no severity. */
const withText = (document: string, text: string) =>
  document.replace(
    isXml(document)
      ? /[A-Z][a-z]+ (?=[a-z][^<>]*(?:<\/|\]\]>))/
      : /(?<=: ?")(?:[^"]* (?=[a-z])|[A-Z][a-z]+\/(?=[A-Z]))/,
    `$&${text}`,
  );

/** The XML that the document is, or a stand-in for it. */
const xmlOf = (document: string) =>
  isXml(document) ? document : '<list><item>Some words here</item></list>';

const BOMB = `<!DOCTYPE bomb [<!ENTITY e0 "ha">${Array.from(
  { length: 20 },
  (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
).join('')}]>`;

/** Names of a record, in one format or another. */
const RECORD_NAMES = ['PtSituationElement', 'PtIncident', 'situation', 'TOC', 'entry', 'item'];
/** Fields that identify a record. */
const IDENTITY =
  /^(?:id|idG|guid|link|identifier|TocCode|TocName|ParticipantRef|SituationNumber|IncidentNumber|floodAreaID|FWACODE|icaoId|airportIcao|title)$/;

/** The document with its records, as text, changed. */
function withRecords(
  document: string,
  change: (records: string[], blank: string) => string[],
): string | null {
  if (!isXml(document)) {
    const root: unknown = JSON.parse(document);
    const list = firstList(root);
    if (!list) return null;
    list.splice(
      0,
      list.length,
      ...change(
        list.map((item) => JSON.stringify(item)),
        'null',
      ).map((item) => JSON.parse(item)),
    );
    return JSON.stringify(root);
  }

  for (const name of RECORD_NAMES) {
    const { parts } = splitXml(document, name);
    if (parts.length === 0) continue;
    const begin = document.indexOf(parts[0]!);
    const end = document.lastIndexOf(parts.at(-1)!) + parts.at(-1)!.length;
    const tag = /<([\w:.-]+)/.exec(parts[0]!)![1];
    return document.slice(0, begin) + change(parts, `<${tag}></${tag}>`).join('\n') + document.slice(end);
  }
  return null;
}

/** The outermost list of objects. */
function firstList(root: unknown): unknown[] | null {
  const level = [root];
  for (const value of level) {
    if (Array.isArray(value) && typeof value[0] === 'object') return value;
    if (typeof value === 'object' && value !== null) level.push(...Object.values(value));
  }
  return null;
}

/** The fields that identify a record stay; in JSON all others get a wrong type. */
const gutted = (record: string) =>
  isXml(record)
    ? record.replace(/<(?:\w+:)?(\w+)([^>]*)>(?:[^<]|<!\[CDATA\[[\s\S]*?\]\]>)*<\/[\w:]+>/g, (leaf, name) =>
        IDENTITY.test(name) ? leaf : '',
      )
    : JSON.stringify(JSON.parse(record), (name, value) =>
        name === '' || typeof value === 'object' || IDENTITY.test(name) ? value : [],
      );

const ISO = /(\d{4})-(\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?)(Z|[+-]\d\d:\d\d)?/g;
const RFC = /(\d\d? [A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d(?::\d\d)?) (?:[+-]\d{4}|GMT)/g;

/** UTF-8, except for one byte. */
function latin1Letter(document: string): Uint8Array<ArrayBuffer> | null {
  const [before = '', after] = withText(document, '\uE000').split('\uE000');
  if (after === undefined) return null;
  return Buffer.concat([Buffer.from(before), Buffer.from([0xe9]), Buffer.from(after)]);
}

const MB = 1024 * 1024;

/** The document, followed by this many bytes of white space: a parser that reads to the end accepts it. */
function padded(document: string, bytes: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const blank = new Uint8Array(MB).fill(0x20);
  let sent = 0;
  return new ReadableStream({
    pull(stream) {
      stream.enqueue(sent === 0 ? new TextEncoder().encode(document) : blank);
      sent += MB;
      if (sent > bytes) stream.close();
    },
  });
}

const HTML = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>';

const VARIANTS: readonly Variant[] = [
  {
    name: 'an entity bomb',
    of: (document) => withDoctype(withText(xmlOf(document), '&e20;'), BOMB),
    words: /entities of its own: refused|XML, not the JSON/,
  },
  {
    name: 'an external entity',
    of: (document) =>
      withDoctype(withText(xmlOf(document), '&x;'), '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
    words: /entities of its own: refused|XML, not the JSON/,
  },
  {
    name: 'a document type elsewhere',
    of: (document) =>
      withDoctype(withText(xmlOf(document), '&x;'), '<!DOCTYPE x SYSTEM "file:///etc/passwd">'),
    words: null,
  },
  {
    name: 'a nesting without end',
    of: (document) =>
      (isXml(document) ? '<a>' : '[').repeat(100_000) + (isXml(document) ? '</a>' : ']').repeat(100_000),
    words: /./,
  },
  {
    name: '50 MB',
    of: (document) => padded(document, 50 * MB),
    words: /the answer is larger than \d+ bytes/,
  },
  {
    name: 'UTF-16 that says it is UTF-8',
    of: (document) => Buffer.from(document, 'utf16le'),
    words: /not (?:XML|JSON)|well-formed/,
  },
  {
    name: 'a letter in another encoding',
    of: (document) => latin1Letter(document),
    words: /some bytes are not utf-8/,
  },
  {
    name: 'an encoding that nobody knows',
    of: (document) => document.replace(/(<\?xml[^>]*encoding=")[^"]*/i, '$1x-klingon'),
    contentType: 'text/plain; charset=x-klingon',
    words: /unknown encoding "x-klingon", read as UTF-8/,
  },
  { name: 'a page', of: () => HTML, contentType: 'text/html', words: /HTML page/ },
  {
    name: 'a page that says it is data',
    of: () => `\n<!-- proxy -->${HTML.replace('<!DOCTYPE html>', '')}`,
    words: /HTML page/,
  },
  { name: 'nothing', of: () => '', words: /the answer is empty/ },
  { name: 'white space', of: () => ' \r\n\t', words: /the answer is empty/ },
  { name: 'another document', of: (document) => (isXml(document) ? '<other/>' : '{"other":[]}'), words: /./ },
  { name: 'one word', of: () => 'null', words: /./ },
  {
    name: 'half of it',
    of: (document) => document.slice(0, document.length / 2),
    words: /cut off|never ends/,
  },
  {
    name: 'all but its end',
    of: (document) => document.trimEnd().slice(0, -1),
    words: /cut off/,
  },
  {
    name: 'a record without anything',
    of: (document) => withRecords(document, (records, blank) => [blank, ...records]),
    words: /left out|no record/,
  },
  {
    name: 'a record that is not well-formed',
    of: (document) =>
      withRecords(document, (records, blank) => [
        isXml(document) ? (records[0] ?? blank).replace('>', '><b>a & b') : blank,
        ...records,
      ]),
    words: /left out|no record/,
  },
  {
    name: 'a record with nothing but its identity',
    of: (document) => withRecords(document, ([first = '', ...others]) => [gutted(first), ...others]),
    words: null,
  },
  {
    name: 'every record twice',
    of: (document) => withRecords(document, (records) => [...records, ...records]),
    words: /more than once/,
    // Several feeds tell one story, and a situation or an airport has several versions.
    usualFor: ['news-rss', 'twitter.metpoliceuk', 'airport-status', 'bods-bus'],
  },
  {
    name: 'dates without zone',
    of: (document) => document.replace(ISO, '$1-$2').replace(RFC, '$1 $2 $3'),
    words: null,
    // The time is then London's, in summer as in winter.
    movesTimesBy: [0, 60 * 60_000],
  },
  {
    name: 'dates without year',
    of: (document) => document.replace(ISO, '$2').replace(RFC, '$1 $3'),
    words: null,
    // The text is then no time, and certainly not one in 2001.
    movesTimesBy: [0],
  },
];

/** A source that has collected its documents once, and whose upstream then does what the test asks for. */
async function openWorld({ collector, now, recorded }: Documents) {
  const { db, close } = await openMemoryDatabase();
  let time = Date.parse(now);
  let asked: string[] = [];
  let played: { url: string; variant: Variant } | null = null;
  let isPlayed = false;

  const upstream: typeof fetch = async (input, init) => {
    const url = new URL(input as URL);
    asked.push(url.href);
    const text = recorded ? recorded(url) : await (await fetch(url, { headers: init?.headers })).text();
    if (text === undefined) return new Response('', { status: 404 });
    if (played?.url !== url.href) return new Response(text);

    const body = played.variant.of(text);
    isPlayed = body !== null;
    const headers = { 'content-type': played.variant.contentType ?? 'text/plain' };
    return new Response(body ?? text, { headers });
  };
  const schedule = startSchedule({
    db,
    collectors: [collector],
    settings: recorded
      ? Object.fromEntries(
          collector.settings.filter(({ required }) => required).map(({ name }) => [name, 'set']),
        )
      : replay.settings,
    download: downloader({ fetch: upstream }),
    now: () => new Date(time),
    random: () => 1,
    log: { info() {}, warn() {}, error() {} },
    owner: 'the only node',
  });

  return {
    /** One poll, and its result: the requests, whether the variant could be played, the source's words, and the
     *  incidents in force afterwards. */
    async poll(variant: { url: string; variant: Variant } | null = null) {
      time += 1000;
      asked = [];
      played = variant;
      isPlayed = false;
      await schedule.collectNow(collector.source);
      const row = (await collections(db).of(collector.source))!;
      const { events } = await disruptions(db).ofSource(collector.source, { limit: 10_000 });
      return {
        asked,
        isPlayed,
        events,
        said: [
          ...(row.last_error === null ? [] : [row.last_error]),
          ...(JSON.parse(row.problems ?? '[]') as string[]),
        ],
      };
    },
    async close() {
      await schedule.stop();
      await close();
    },
  };
}

let replay: Replay;
beforeAll(async () => {
  replay = await startReplay({ stepSeconds: 0, now: () => new Date(NOW) });
});
afterAll(() => replay.close());

/** Differences in ms, for every time of every event; NaN for an event that appeared or disappeared. */
function movesBetween(before: readonly Disruption[], after: readonly Disruption[]): number[] {
  const known = new Map(before.map((event) => [event.event_id, event]));
  return after.flatMap((event) =>
    (['start_time', 'end_time'] as const).map((field) => {
      const [from, to] = [known.get(event.event_id)?.[field] ?? null, event[field] ?? null];
      return from === to ? 0 : Date.parse(from ?? '') - Date.parse(to ?? '');
    }),
  );
}

const ids = (events: readonly Disruption[]) => events.map(({ event_id }) => event_id).sort();

/** Each act is played to a third of the sources in the command, a different third for each, and to all of them in
 *  `npm run test:long`. */
const playedTo = (documents: Documents) =>
  VARIANTS.filter((_, at) => isLong || (at + DOCUMENTS.indexOf(documents)) % 3 === 0);

describe.each(DOCUMENTS)('$name', (documents) => {
  let world: Awaited<ReturnType<typeof openWorld>>;
  let known: Awaited<ReturnType<typeof world.poll>>;
  beforeAll(async () => {
    world = await openWorld(documents);
    // Data that is kept for good is asked for a few at a time, and then no more.
    for (let times = 0; times < 4; times++) known = await world.poll();
  });
  afterAll(() => world.close());

  it('has records to lose', () => {
    expect(known.events.length).toBeGreaterThan(0);
    expect(known.said).toEqual([]);
  });

  it.each(playedTo(documents))('loses nothing by $name', async (variant) => {
    let played = 0;
    for (const url of known.asked) {
      const { said, events, isPlayed } = await world.poll({ url, variant });
      if (!isPlayed) continue;
      played++;

      if (variant.words && !variant.usualFor?.includes(documents.collector.source))
        expect(said.join('\n')).toMatch(variant.words);
      // The words contain no data of ours or of the document.
      for (const line of said)
        expect(line).not.toMatch(/\[object|TypeError|connection failed|at file:|root:/);
      expect(ids(events)).toEqual(expect.arrayContaining(ids(known.events)));
      expect(JSON.stringify(events)).not.toMatch(/root:|hahaha/);
      if (variant.movesTimesBy && said.length === 0)
        for (const move of movesBetween(known.events, events)) expect(variant.movesTimesBy).toContain(move);
    }
    expect(played).toBeGreaterThan(0);

    // The next good poll makes all well again.
    const after = await world.poll();
    expect({ said: after.said, ids: ids(after.events) }).toEqual({ said: [], ids: ids(known.events) });
  });
});
