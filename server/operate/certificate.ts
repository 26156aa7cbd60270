/** The certificate of https: read again when its files change, or when somebody asks for it, without a restart. */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createSecureContext, Server as TlsServer } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';

/** By reading the files, not by the system's notices: a renewal often replaces the folder that they are in. */
const LOOK_MS = 30_000;

interface Pair {
  cert: string;
  key: string;
}

interface CertificateParts {
  server: Server | TlsServer;
  /** The files of certificate and key. */
  files: Pair;
  /** Contents read from them for the server: a change since then is noticed too. */
  inUse: Pair;
  log: Pick<FastifyBaseLogger, 'info' | 'error'>;
  lookMs?: number;
}

/** `renew` keeps the certificate in use where the new one cannot be read: a renewal writes two files one by one. */
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
      (server as TlsServer).setSecureContext(pair); // only asked for where the server has one
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
