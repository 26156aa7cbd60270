/** The certificate of https: read again when its files change, or when somebody asks for it, without a restart. */
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:http';
import { createSecureContext, Server as TlsServer } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';

/** By looking at the files, not by the system's notices: a renewal often replaces the folder that they are in. */
const LOOK_MS = 30_000;

export interface CertificateParts {
  server: Server | TlsServer;
  /** The files of certificate and key. */
  files: { cert: string; key: string };
  log: Pick<FastifyBaseLogger, 'info' | 'error'>;
  lookMs?: number;
}

/** `renew` keeps the certificate in use where the new one cannot be read: a renewal writes two files one by one. */
export function keepCertificate({ server, files, log, lookMs = LOOK_MS }: CertificateParts): {
  renew(): boolean;
  stop(): void;
} {
  const renew = () => {
    try {
      const pair = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
      createSecureContext(pair);
      (server as TlsServer).setSecureContext(pair); // only asked for where the server has one
      log.info({ file: files.cert }, 'The certificate was read again');
      return true;
    } catch (error) {
      log.error({ err: error, file: files.cert }, 'The new certificate cannot be used; the old one stays');
      return false;
    }
  };
  for (const file of Object.values(files)) {
    watchFile(file, { interval: lookMs, persistent: false }, (now, before) => {
      if (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino) renew();
    });
  }
  return {
    renew,
    stop() {
      for (const file of Object.values(files)) unwatchFile(file);
    },
  };
}
