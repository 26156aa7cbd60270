/** The limit: node:http sending ready bytes. Answers `/NAME` with the bytes that it was sent under that name. */
import { createServer } from 'node:http';

export interface Bytes {
  name: string;
  status: number;
  headers: Record<string, string>;
  /** Base64. */
  body: string;
}

const ready = new Map<string, Omit<Bytes, 'body'> & { body: Buffer }>();

const server = createServer((request, response) => {
  const { status, headers, body } = ready.get(request.url!.slice(1))!;
  response.writeHead(status, headers).end(body);
});
process.on('message', (bytes: Bytes) => {
  ready.set(bytes.name, { ...bytes, body: Buffer.from(bytes.body, 'base64') });
  process.send!('ready');
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send!(server.address()));
