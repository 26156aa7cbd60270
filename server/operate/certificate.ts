/**
 * The certificate for https. It is read again without a restart, when its files change or when somebody asks for it.
 */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createSecureContext, Server as TlsServer } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';

/** How often the files are read. The system's notices of changes do not help, because a renewal often replaces the
 *  folder of the files. */
const LOOK_MS = 30_000;

interface Pair {
  cert: string;
  key: string;
}

interface CertificateParts {
  server: Server | TlsServer;
  /** The files of certificate and key. */
  files: Pair;
  /** The contents that the server has read from them, so that a change since then is noticed too. */
  inUse: Pair;
  log: Pick<FastifyBaseLogger, 'info' | 'error'>;
  lookMs?: number;
}

/** `renew` keeps the certificate in use when the new one cannot be read, because a renewal writes two files one
 *  after the other. */
export function keepCertificate({ server, files, inUse, log, lookMs = LOOK_MS }: CertificateParts): {
  renew(): boolean;
  stop(): void;
} {
  let tried = contents(inUse);
  const read = (): Pair => ({ cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') });
  const renew = () => {
    tried = '';
    try {
      const pair = read();
      tried = contents(pair);
      createSecureContext(pair);
      (server as TlsServer).setSecureContext(pair); // only called for a server with a certificate
      log.info({ file: files.cert }, 'The certificate was read again');
      return true;
    } catch (error) {
      log.error({ err: error, file: files.cert }, 'The new certificate cannot be used; the old one stays');
      return false;
    }
  };
  const look = () => {
    let found = ''; // files that cannot be read are reported once
    try {
      found = contents(read());
    } catch {}
    if (found !== tried) renew();
  };
  const looks = setInterval(look, lookMs).unref();
  return { renew, stop: () => clearInterval(looks) };
}

const contents = ({ cert, key }: Pair) => `${cert}\n${key}`;
