import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { downloadedFile } from '../../../../../server/geography/events/import/downloadedFile.ts';

const { signal } = new AbortController();
const server = createServer((request, response) => answers[request.url!.split('?')[0]!]!(response));
const answers: Record<string, (response: ServerResponse) => void> = {
  '/whole.csv': (response) => response.end('event_id\n1\n'),
  '/silent.csv': () => {},
  '/stuck.csv': (response) => response.write('event_id\n1'),
  '/moved.csv': (response) => response.writeHead(302, { location: '/whole.csv' }).end(),
  '/inside.csv': (response) =>
    response.writeHead(302, { location: `http://localhost:${here.split(':')[1]}/whole.csv` }).end(),
  '/round.csv': (response) => response.writeHead(302, { location: '/round.csv' }).end(),
  '/file.csv': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/gone.csv': (response) => response.writeHead(404).end(),
};
let here: string;
beforeEach(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  here = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('names what it downloads, without the query, and keeps the answer', async () => {
  const begun: string[] = [];
  const file = await downloadedFile(`http://${here}/whole.csv?key=secret`, {
    signal,
    onBegin: (where) => begun.push(where),
  });
  expect(begun).toEqual([`${here}/whole.csv`]);
  expect(await readFile(file.path, 'utf8')).toBe('event_id\n1\n');
  await file.remove();
});

it.each(['/silent.csv', '/stuck.csv'])('gives up in words on %s, which sends nothing more', async (path) => {
  await expect(downloadedFile(`http://${here}${path}`, { signal, patienceMs: 50 })).rejects.toThrow(
    `${here}${path} sent nothing for 0.05 seconds: the download was stopped, and nothing was changed.`,
  );
});

it('refuses an address that fails, and one with a password, which it never shows', async () => {
  await expect(downloadedFile(`http://${here}/gone.csv`, { signal })).rejects.toThrow('answered 404.');
  for (const user of ['ann:pw-1234@', 'ann@']) {
    const begun: string[] = [];
    const refused = downloadedFile(`http://${user}${here}/whole.csv`, {
      signal,
      onBegin: (where) => begun.push(where),
    });
    await expect(refused).rejects.toThrow(/^An address with a password in it is not accepted\.$/);
    expect(begun).toEqual([]);
  }
});

it('follows a redirect on the same host, and none to the inside of the network or without end', async () => {
  const file = await downloadedFile(`http://${here}/moved.csv`, { signal });
  expect(await readFile(file.path, 'utf8')).toBe('event_id\n1\n');
  await file.remove();

  for (const path of ['/inside.csv', '/round.csv', '/file.csv'])
    await expect(downloadedFile(`http://${here}${path}`, { signal }), path).rejects.toThrow(
      /leads on to an address|could not be downloaded/,
    );
});

it('stops at the largest size that is read', async () => {
  await expect(downloadedFile(`http://${here}/whole.csv`, { signal, maxBytes: 5 })).rejects.toThrow(
    `${here}/whole.csv sends more than 0 MB; nothing was changed.`,
  );
});
