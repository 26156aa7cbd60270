/** The container's health check: whether the server with the same settings can serve requests. It is a file without
 *  other imports, because it runs every half minute, and reading all settings takes most of a second. */
import { get as getPlain } from 'node:http';
import { get as getSealed } from 'node:https';

const TIMEOUT_MS = 4000;

const setting = (name: string) => process.env[name]?.trim() || undefined;

const host = setting('HOST') ?? '0.0.0.0';
const isSealed = setting('TLS_CERT') !== undefined;
const options = {
  host: host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host,
  port: setting('PORT') ?? '8080',
  path: '/readyz',
  timeout: TIMEOUT_MS,
  rejectUnauthorized: false, // the certificate has the names that other machines use
};

const request = (isSealed ? getSealed : getPlain)(options, (response) => {
  process.exitCode = response.statusCode === 200 ? 0 : 1;
  response.pipe(process.stdout);
});
request.on('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} seconds`)));
request.on('error', ({ message }) => {
  console.error(`The server does not answer: ${message}`);
  process.exitCode = 1;
});
