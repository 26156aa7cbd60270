/**
 * `npm start -- --replay`: recorded sources on loopback, so that the whole product runs without internet access. They
 * repeat one wet and windy day: scene files in each publisher's exact format, with their times moved to now.
 *
 * A scene is tests/fixtures/replay/<source>/NN-name[.document][.status].(json|xml|html). A source with several
 * documents (`planned`, `unplanned`) has a file only in scenes where that document changes. Times are written
 * `{{format:offset}}`. The offset counts from the start of this round (`-35m`, `+2d`) or of one of its scenes
 * (`@03-1m`). So the time of a change stays the same during a round, and an unchanged scene answers 304. `now` is the
 * time of the request, for documents that state when they were made.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LONDON } from '#contract/london.ts';
import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns/format';
import { enGB } from 'date-fns/locale/en-GB';

const SCENES = new URL('../../tests/fixtures/replay/', import.meta.url);

/** The key that recorded sources expect for real sources that need a key. */
const KEY = 'replay';

/** The key is sent in a header, in the query, or as the HTTP Basic password; then `user` is the setting for the user
 *  name. */
type Key = { setting: string } & ({ header: string } | { query: string } | { user: string });

interface Upstream {
  source: string;
  /** The publisher's path; here it is below `/<source>`. */
  path: string;
  /** The collector's setting for the address. */
  setting: string;
  key?: Key;
  /** The query parameter that names the document of a scene. */
  documentBy?: string;
  /** For an address with several documents below it: the document by the rest of the path. */
  below?: Readonly<Record<string, string>>;
  /** Folder of documents that never change, named by the last part of their path. */
  constants?: { path: string; folder: string };
  /** A second service of the same source: one document of its scenes, at a separate address. */
  beside?: { path: string; setting: string; key: Key; document: string };
}

const UPSTREAM_FILE = 'upstream.json';

/** The sources that have scenes, each described by the `upstream.json` beside them. */
const upstreams = (): Upstream[] =>
  readdirSync(SCENES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name: source }) => ({
      source,
      ...JSON.parse(readFileSync(new URL(`${source}/${UPSTREAM_FILE}`, SCENES), 'utf8')),
    }));

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

export interface Replay {
  /** Addresses and keys for the collectors, by setting name. */
  settings: Record<string, string>;
  /** The current scene of each source: `{ tfl: '02-heathrow-severe', ... }`. */
  scenes(): Record<string, string>;
  /** Number of scenes of a source before it starts again. */
  length(source: string): number;
  /** Moves every source to its next scene immediately. */
  step(times?: number): void;
  close(): Promise<void>;
}

/** Starts the recorded sources on a free port of 127.0.0.1. Each source moves to its next scene once per
 *  `stepSeconds`, at a moment of its own, for the first time after one whole `stepSeconds`. With 0, only `step`
 *  moves them. Throws when a scene file is wrong. */
export async function startReplay({
  stepSeconds = 40,
  now = () => new Date(),
}: { stepSeconds?: number; now?: () => Date } = {}): Promise<Replay> {
  const stages = upstreams().map((upstream) => ({ upstream, stage: stageOf(upstream.source, now) }));

  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '/', 'http://loopback');
    const found = stages.find(({ upstream }) => url?.pathname.startsWith(`/${upstream.source}/`));
    if (url && found) answer(found.upstream, found.stage, url, request, response);
    else send(response, 404, 'json', '{"message":"Not found"}');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  // No source moves in the first turns, so that every first scene is seen.
  let turn = -stages.length;
  const timer =
    stepSeconds > 0
      ? setInterval(
          () => {
            turn++;
            if (turn >= 0) stages[turn % stages.length]?.stage.advance();
          },
          (stepSeconds * 1000) / stages.length,
        ).unref()
      : undefined;

  return {
    settings: Object.fromEntries(
      stages.flatMap(({ upstream: { source, beside, ...first } }) =>
        [first, ...(beside ? [beside] : [])].flatMap(({ path, setting, key }) => [
          [setting, `http://127.0.0.1:${port}/${source}${path}`],
          ...(key ? [[key.setting, KEY]] : []),
          ...(key && 'user' in key ? [[key.user, KEY]] : []),
        ]),
      ),
    ),
    scenes: () => Object.fromEntries(stages.map(({ upstream, stage }) => [upstream.source, stage.name()])),
    length: (source) => stages.find(({ upstream }) => upstream.source === source)?.stage.length ?? 0,
    step(times = 1) {
      for (let time = 0; time < times; time++) for (const { stage } of stages) stage.advance();
    },
    close: () =>
      new Promise((resolve) => {
        clearInterval(timer);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(
  upstream: Upstream,
  stage: Stage,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { source, constants, beside, below } = upstream;
  const asked = decoded(url.pathname.slice(source.length + 1));
  const isBeside = asked === beside?.path;
  const { path, key } = isBeside ? beside : upstream;
  if (request.method !== 'GET') {
    send(response, 405, 'json', '{"message":"Only GET is answered here"}');
  } else if (key && !isGiven(key, url, request)) {
    send(response, 401, 'json', '{"message":"Access denied due to missing or invalid subscription key"}');
  } else if (constants && asked.startsWith(constants.path)) {
    const constant = constantsOf(source, constants.folder).get(asked.slice(constants.path.length));
    if (constant === undefined) send(response, 404, 'json', '{"message":"Not found"}');
    else send(response, 200, 'json', constant);
  } else if (asked === path && !below) {
    const asksFor = upstream.documentBy ? url.searchParams.get(upstream.documentBy) : null;
    const scene = stage.document(isBeside ? beside.document : (asksFor ?? ''));
    if (!scene) send(response, 400, 'json', '{"message":"Unknown query"}');
    else sendScene(scene, request, response);
  } else {
    const name = asked.startsWith(path) ? below?.[asked.slice(path.length)] : undefined;
    const scene = name && stage.document(name);
    if (!scene) send(response, 404, 'json', '{"message":"Not found"}');
    else sendScene(scene, request, response);
  }
}

function isGiven(key: Key, url: URL, { headers }: IncomingMessage): boolean {
  if ('user' in key) return headers.authorization === `Basic ${btoa(`${KEY}:${KEY}`)}`;
  return ('header' in key ? headers[key.header] : url.searchParams.get(key.query)) === KEY;
}

/** The decoded path. A path that cannot be decoded matches none of our addresses. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function sendScene({ status, type, body }: Shown, request: IncomingMessage, response: ServerResponse): void {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  if (status !== 200) send(response, status, type, body, { 'retry-after': '10' });
  else if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
  else send(response, status, type, body, { etag });
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': CONTENT_TYPES[type] ?? 'text/plain', ...headers }).end(body);
}

interface SceneFile {
  number: string;
  name: string;
  document: string;
  status: number;
  type: string;
  text: string;
}

interface Shown {
  status: number;
  type: string;
  body: string;
}

type Stage = ReturnType<typeof stageOf>;

/** The scenes of one source, and the current one. */
function stageOf(source: string, now: () => Date) {
  const files = sceneFiles(source);
  const numbers = [...new Set(files.map(({ number }) => number))];
  let at = 0;
  /** When each scene of this round began. */
  let began = new Map([[numbers[0], now()]]);

  const show = ({ status, type, text }: SceneFile): Shown => ({
    status,
    type,
    body: withTimes(text, began, now()),
  });
  // All times in the scenes are checked at the start, and not when a scene is shown.
  const rehearsal = new Map(numbers.map((number) => [number, now()]));
  for (const { text } of files) withTimes(text, rehearsal, now());

  return {
    length: numbers.length,
    name: () => {
      const file = files.find(({ number }) => number === numbers[at]);
      return `${file?.number}-${file?.name}`;
    },
    advance(): void {
      at = (at + 1) % numbers.length;
      if (at === 0) began = new Map();
      began.set(numbers[at], now());
    },
    /** The newest version of a document up to the current scene; undefined when there is no such document. */
    document(document: string): Shown | undefined {
      const current = numbers[at] ?? '';
      const file = files.findLast((file) => file.document === document && file.number <= current);
      return file && show(file);
    },
  };
}

const SCENE_NAME = /^(\d\d)-([a-z0-9-]+)(?:\.([a-z]+))?(?:\.(\d{3}))?\.(json|xml|html)$/;

/** Sorted by number. */
function sceneFiles(source: string): SceneFile[] {
  const folder = new URL(`${source}/`, SCENES);
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== UPSTREAM_FILE)
    .map((entry) => entry.name)
    .sort();
  if (files.length === 0) throw new Error(`Replay has no scenes of ${source}.`);

  return files.map((file) => {
    const match = SCENE_NAME.exec(file);
    if (!match) throw new Error(`Replay does not know what the scene file ${source}/${file} is.`);
    const [, number = '', name = '', document = '', status = '200', type = ''] = match;
    return {
      number,
      name,
      document,
      status: Number(status),
      type,
      text: readFileSync(new URL(file, folder), 'utf8'),
    };
  });
}

/** Documents that never change, by name. */
function constantsOf(source: string, folder: string): Map<string, string> {
  const place = new URL(`${source}/${folder}/`, SCENES);
  return new Map(
    readdirSync(place).map((file) => [
      file.replace(/\.json$/, ''),
      readFileSync(new URL(file, place), 'utf8'),
    ]),
  );
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The formats in which the publishers write times. */
const FORMATS: Readonly<Record<string, (time: Date) => string>> = {
  iso: (time) => `${time.toISOString().slice(0, 19)}Z`,
  /** CAP: with an offset. */
  cap: (time) => `${time.toISOString().slice(0, 19)}+00:00`,
  /** The time in a CAP identifier: yyMMddHHmmss. */
  capid: (time) => time.toISOString().replace(/\D/g, '').slice(2, 14),
  /** A Knowledgebase version: YYYYMMDDHHMMSS. */
  digits: (time) => time.toISOString().replace(/\D/g, '').slice(0, 14),
  /** RSS: Sat, 21 Nov 2026 09:00:00 +0000 */
  rss: (time) => time.toUTCString().replace('GMT', '+0000'),
  /** National Highways: the fraction repeats the seconds. */
  datex: (time) => `${time.toISOString().slice(0, 19)}.${time.toISOString().slice(17, 19)}Z`,
  /** METAR: seconds since 1970 in the fields; day, hour and minute in the report. */
  epoch: (time) => String(Math.floor(time.getTime() / 1000)),
  metar: (time) => `${time.toISOString().slice(8, 16).replace(/\D/g, '')}Z`,
  /** AeroDataBox: to the minute. */
  minute: (time) => `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`,
  minutelocal: (time) => format(new TZDate(time, LONDON), 'yyyy-MM-dd HH:mmxxx'),
  /** Environment Agency: local time, without a zone. */
  london: (time) => format(new TZDate(time, LONDON), "yyyy-MM-dd'T'HH:mm:ss"),
  /** Traffic Wales: local time, even when it says +0000. */
  wales: (time) => format(new TZDate(time, LONDON), 'dd/MM/yyyy H:mm'),
  walesrss: (time) => format(new TZDate(time, LONDON), "EEE, dd MMM yyyy HH:mm:ss '+0000'", { locale: enGB }),
  /** In a sentence: Saturday 22 November. */
  day: (time) => format(new TZDate(time, LONDON), 'EEEE d MMMM', { locale: enGB }),
};

/** `began`: the time when each scene of this round began, by number, in order. */
function withTimes(text: string, began: ReadonlyMap<string | undefined, Date>, now: Date): string {
  const firstScene = began.values().next().value;
  return text.replace(/\{\{([^{}]*)\}\}/g, (whole, inside: string) => {
    const match = /^([a-z]+):(?:@(\d\d)|(now))?(?:([+-]\d+)([smhd]))?$/.exec(inside);
    const [, name = '', scene, isNow, count = '0', unit = 's'] = match ?? [];
    const from = isNow ? now : scene ? began.get(scene) : firstScene;
    const written = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
    if (!match || !from || !written) throw new Error(`Replay cannot write the time ${whole}.`);
    return written(new Date(from.getTime() + Number(count) * (UNIT_MS[unit] ?? 0)));
  });
}
