import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import {
  DownloadFailed,
  downloader,
  readBody,
  userAgent,
} from '../../../../server/http/documents/download.ts';

const servers: Server[] = [];

/** A far end on loopback; answers its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** Failure that asking ends with. */
async function failureOf(promise: Promise<unknown>): Promise<DownloadFailed> {
  const error = await promise.then(
    () => new Error('did not fail'),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(DownloadFailed);
  return error as DownloadFailed;
}

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding);

const movedToNew = async (input: unknown) =>
  String(input).endsWith('/new')
    ? new Response('moved here')
    : new Response(null, { status: 308, headers: { location: '/new' } });

describe('downloader', () => {
  it('says who asks, and sends the headers it is given', async () => {
    let seen = {};
    const far = await serve((request, response) => {
      seen = request.headers;
      response.end('{}');
    });

    const { body } = await downloader().newGet().get(far, { 'X-ApiKey': 'k' });

    expect(body).toBe('{}');
    expect(seen).toMatchObject({ 'user-agent': userAgent(), 'x-apikey': 'k', accept: '*/*' });
    await downloader({ userAgent: 'Us/1' }).newGet().get(far, { Accept: 'application/json' });
    expect(seen).toMatchObject({ 'user-agent': 'Us/1', accept: 'application/json' });
    expect(userAgent('ops@coaches.example')).toMatch(/^Clearway\/\d+\.\d+\.\d+ \(\+ops@coaches\.example\)$/);
  });

  it('asks whether something changed, and answers a 304 with the last body', async () => {
    const asked: (string | undefined)[] = [];
    let version = 1;
    const far = await serve((request, response) => {
      asked.push(request.headers['if-none-match']);
      const etag = `"v${version}"`;
      if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
      else response.setHeader('etag', etag).end(`body ${version}`);
    });
    const download = downloader();
    const poll = async () => {
      const { get, allNotModified } = download.newGet();
      return [(await get(far)).body, allNotModified()];
    };

    expect(await poll()).toEqual(['body 1', false]);
    expect(await poll()).toEqual(['body 1', true]);
    version = 2;
    expect(await poll()).toEqual(['body 2', false]);
    expect(await poll()).toEqual(['body 2', true]);
    expect(asked).toEqual([undefined, '"v1"', '"v1"', '"v2"']);
  });

  it('asks without the ETag again if the answer could not be read', async () => {
    const asked: (string | undefined)[] = [];
    const far = await serve((request, response) => {
      asked.push(request.headers['if-none-match']);
      const isTorn = asked.length === 1;
      if (request.headers['if-none-match']) response.writeHead(304).end();
      else response.setHeader('etag', '"v1"').end(isTorn ? '<html>Back soon</html>' : 'body');
    });
    const download = downloader();
    await failureOf(download.newGet().get(far));
    expect((await download.newGet().get(far)).body).toBe('body');
    expect(asked).toEqual([undefined, undefined]);
  });

  it('asks by time if there is no ETag, and tells a partly changed poll from an unchanged one', async () => {
    const modified = 'Sat, 14 Mar 2026 18:00:00 GMT';
    const far = await serve((request, response) => {
      if (request.url === '/changes') response.end(`${Math.random()}`);
      else if (request.headers['if-modified-since'] === modified) response.writeHead(304).end();
      else response.setHeader('last-modified', modified).end('same');
    });
    const download = downloader();
    await download.newGet().get(far);
    const { get, allNotModified } = download.newGet();

    expect(allNotModified()).toBe(false);
    await get(far);
    expect(allNotModified()).toBe(true);
    await get(`${far}/changes`);
    expect(allNotModified()).toBe(false);
  });

  it('keeps the answers to different requests separate', async () => {
    const far = await serve((request, response) => {
      const etag = `"${request.headers.form}"`;
      if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
      else response.setHeader('etag', etag).end(String(request.headers.form));
    });
    const { get } = downloader().newGet();

    expect((await get(far, { form: 'json' })).body).toBe('json');
    expect((await get(far, { form: 'xml' })).body).toBe('xml');
    expect((await get(far, { form: 'json' })).body).toBe('json');
  });

  it('reads compressed answers and the encoding that a document declares', async () => {
    const latin = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-1"?><a>Caf\xe9 \x96 \xa35</a>',
      'latin1',
    );
    const far = await serve((request, response) => {
      if (request.url === '/gzip') response.setHeader('content-encoding', 'gzip').end(gzipSync('{"a":1}'));
      else response.setHeader('content-type', 'text/xml').end(latin);
    });
    const { get } = downloader().newGet();

    expect((await get(`${far}/gzip`)).body).toBe('{"a":1}');
    expect((await get(far)).body).toContain('<a>Café – £5</a>');
  });

  it('reports bytes that do not belong to the encoding, and goes on', async () => {
    const far = await serve((_, response) => response.end(Buffer.from('Caf\xe9', 'latin1')));
    const { get, problems } = downloader().newGet();

    expect((await get(`${far}/feed`)).body).toBe('Caf\ufffd');
    expect(problems()).toEqual([
      `GET ${far.slice(7)}/feed: some bytes are not utf-8; they are shown as "\ufffd"`,
    ]);
  });

  it.each([
    ['/empty', 200, '', 'the answer is empty'],
    ['/blank', 200, ' \n', 'the answer is empty'],
    ['/none', 204, '', 'the answer is empty'],
    [
      '/page',
      200,
      '<!doctype html><html>Sign in</html>',
      'the answer is an HTML page where data was expected',
    ],
    ['/bare', 200, '\n<HTML><body>', 'the answer is an HTML page where data was expected'],
    ['/gone', 404, 'x', 'answered 404 (not found)'],
    ['/fault', 500, 'x', 'answered 500 (server error)'],
    ['/key', 401, 'x', 'answered 401 (unauthorised: is the key right?)'],
    ['/teapot', 418, 'x', 'answered 418'],
    ['/first', 304, '', 'answered 304 (not modified) to a first request'],
    ['/nowhere', 302, 'x', 'answered 302'],
  ])('fails in words on %s (%i)', async (path, status, body, words) => {
    const far = await serve((_, response) => response.writeHead(status).end(body));

    const { message } = await failureOf(downloader().newGet().get(`${far}${path}?app_key=secret`));

    expect(message).toBe(
      `GET ${far.slice(7)}${path}: ${words}`.replace('empty', status === 204 ? 'empty (204)' : 'empty'),
    );
  });

  it('passes on the Retry-After of a busy upstream', async () => {
    const far = await serve((request, response) => {
      const date = 'Sat, 14 Mar 2026 18:00:00 GMT';
      const after = request.url === '/date' ? 'Sat, 14 Mar 2026 18:01:30 GMT' : '120';
      response.sendDate = false;
      response.writeHead(request.url === '/date' ? 503 : 429, { date, 'retry-after': after }).end('busy');
    });
    const { get } = downloader().newGet();

    const busy = await failureOf(get(far));
    expect(busy).toMatchObject({ status: 429, retryAfterMs: 120_000 });
    expect(busy.message).toMatch(/answered 429 \(too many requests\), asks to wait 120 s$/);
    expect(await failureOf(get(`${far}/date`))).toMatchObject({ status: 503, retryAfterMs: 90_000 });
  });

  it('gives up on an upstream that accepts and never answers, and on one that never ends', async () => {
    const far = await serve((request, response) => {
      if (request.url === '/drip') response.write('{"a":');
    });
    const { get } = downloader({ timeoutMs: 100 }).newGet();

    for (const path of ['/', '/drip']) {
      const { message } = await failureOf(get(`${far}${path}`));
      expect(message).toBe(`GET ${far.slice(7)}${path}: no complete answer within 0.1 s`);
    }
  });

  it('stops half-way when it is aborted', async () => {
    const stop = new AbortController();
    const far = await serve(() => stop.abort());

    const { message } = await failureOf(downloader().newGet(stop.signal).get(far));

    expect(message).toMatch(/: stopped$/);
  });

  it('reads no more than its limit, even of an answer that is small only while compressed', async () => {
    let sent = 0;
    const far = await serve((request, response) => {
      if (request.url === '/bomb') {
        response.setHeader('content-encoding', 'gzip').end(gzipSync('x'.repeat(5_000_000)));
        return;
      }
      const more = () => {
        sent += 100_000;
        if (sent < 50_000_000 && !response.destroyed)
          response.write('x'.repeat(100_000), () => setImmediate(more));
      };
      more();
    });
    const { get } = downloader({ maxBytes: 1_000_000 }).newGet();

    for (const path of ['/', '/bomb']) {
      const { message } = await failureOf(get(`${far}${path}`));
      expect(message).toBe(`GET ${far.slice(7)}${path}: the answer is larger than 1000000 bytes`);
    }
    expect(sent).toBeLessThan(50_000_000);
  });

  it('fails on an answer that breaks off', async () => {
    const far = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('[{"half":');
      setImmediate(() => response.destroy());
    });

    expect((await failureOf(downloader().newGet().get(far))).message).toMatch(
      /: the connection failed \(\w+\)$/,
    );
  });

  it('fails on a part, which would end everything that is missing from it', async () => {
    const far = await serve((_, response) => {
      response.writeHead(206, { 'content-range': 'bytes 0-1/40' }).end('[]');
    });

    expect((await failureOf(downloader().newGet().get(far))).message).toMatch(/: answered 206/);
  });

  it('fails in words on a refused connection', async () => {
    const far = await serve(() => undefined);
    servers.at(-1)?.close();
    await once(servers.pop() as Server, 'close');

    const { message } = await failureOf(downloader().newGet().get(`${far}/x?key=secret`));

    expect(message).toBe(`GET ${far.slice(7)}/x: the connection failed (ECONNREFUSED)`);
  });

  it('follows a few redirects on its own machine', async () => {
    const far = await serve((request, response) => {
      if (request.url === '/three') response.writeHead(302, { location: '/two' }).end();
      else if (request.url === '/two') response.writeHead(301, { location: `${far}/one` }).end();
      else if (request.url === '/one') response.end('arrived');
      else response.writeHead(307, { location: request.url }).end();
    });
    const { get } = downloader().newGet();

    expect((await get(`${far}/three`)).body).toBe('arrived');
    expect((await failureOf(get(`${far}/circle`))).message).toMatch(/: more than 3 redirects$/);
  });

  it.each([
    ['https://api.example/data', 'https://evil.example/data?k=1', 'redirects to https://evil.example,'],
    ['https://api.example/data', 'http://api.example/data', 'redirects to http://api.example,'],
    ['https://api.example/data', 'file:///etc/passwd', 'redirects to file://,'],
    ['https://api.example/data', 'http://127.0.0.1/', 'redirects to http://127.0.0.1,'],
    ['https://api.example/data', 'https://', 'redirects to an unreadable address,'],
  ])('carries a key from %s not to %s', async (from, to, words) => {
    const asked: string[] = [];
    const fetch = async (input: unknown) => {
      asked.push(String(input));
      return new Response(null, { status: 302, headers: { location: to } });
    };

    const { message } = await failureOf(
      downloader({ fetch }).newGet().get(`${from}?key=secret`, { 'x-apikey': 'k' }),
    );

    expect(message).toBe(`GET api.example/data: ${words} which is not followed`);
    expect(asked).toEqual([`${from}?key=secret`]);
  });

  it('follows a redirect within the same https host', async () => {
    expect((await downloader({ fetch: movedToNew }).newGet().get('https://api.example/old')).body).toBe(
      'moved here',
    );
  });

  it.each(['', 'not an address', 'ftp://files.example/?key=secret', 'https://user:secret@api.example/'])(
    'refuses to ask %j, and keeps quiet about what stands in it',
    async (address) => {
      const { message } = await failureOf(downloader().newGet().get(address));

      expect(message).not.toContain('secret');
    },
  );
});

describe('readBody', () => {
  it.each([
    [
      'a byte order mark',
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes('é')]),
      'text/xml; charset=iso-8859-1',
      'é',
    ],
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), bytes('é', 'utf16le')]), undefined, 'é'],
    [
      'the declaration before the content type',
      bytes('<?xml version="1.0" encoding="windows-1252"?><a>\x80</a>', 'latin1'),
      'text/xml; charset=utf-8',
      '<?xml version="1.0" encoding="windows-1252"?><a>€</a>',
    ],
    [
      'the bytes, which are no UTF-16 although .NET says so',
      bytes('<?xml version="1.0" encoding="utf-16"?><a>é</a>'),
      'text/xml; charset=utf-8',
      '<?xml version="1.0" encoding="utf-16"?><a>é</a>',
    ],
    [
      'the bytes, whatever the content type says',
      bytes('{"a":"é"}'),
      'text/json; charset=utf-16',
      '{"a":"é"}',
    ],
    [
      'UTF-16 without a byte order mark',
      bytes('<?xml version="1.0" encoding="UTF-16"?><a>é</a>', 'utf16le'),
      undefined,
      '<?xml version="1.0" encoding="UTF-16"?><a>é</a>',
    ],
    [
      'UTF-16 the other way round',
      bytes('<?xml version="1.0" encoding="UTF-16"?><a>é</a>', 'utf16le').swap16(),
      'text/xml; charset=utf-8',
      '<?xml version="1.0" encoding="UTF-16"?><a>é</a>',
    ],
    ['the content type', bytes('Caf\xe9', 'latin1'), 'text/plain; charset="ISO-8859-1"', 'Café'],
    ['UTF-8 without any hint', bytes('Café'), undefined, 'Café'],
  ])('goes by %s', (_, document, contentType, body) => {
    expect(readBody(document, contentType)).toEqual({ body, problem: null });
  });

  it('reads an unknown encoding as UTF-8 and says so', () => {
    expect(readBody(bytes('Café'), 'text/plain; charset=klingon')).toEqual({
      body: 'Café',
      problem: 'unknown encoding "klingon", read as UTF-8',
    });
  });
});
