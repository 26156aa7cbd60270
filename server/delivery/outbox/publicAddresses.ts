/** The only client for addresses that users give. It allows https, no redirects, and public unicast addresses, which
 *  are checked when the connection is made, so that no name can lead into the network. `OUTGOING_ALLOW` lists the
 *  operator's own hosts. */
import dns from 'node:dns';
import { Agent, request } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';

const TIMEOUT_MS = 15_000;
/** The bytes of an answer that are read. */
const ANSWER_BYTES = 16 * 1024;
const CONNECTIONS = 10;

export interface OutgoingAnswer {
  status: number;
  /** Ms to wait before the next try, as `Retry-After` says. */
  retryAfterMs: number | null;
  /** The beginning of the answer, for people who look for a fault. */
  text: string;
}

/** The server may not call the address. The message is for the user who gave it. */
export class NotAllowed extends Error {}

export interface Outgoing {
  /** Rejects with NotAllowed, or if there is no answer in time. A redirect is an answer like any other. */
  post(
    url: string,
    options: { headers: Readonly<Record<string, string>>; body: string | Buffer },
  ): Promise<OutgoingAnswer>;
  close(): void;
}

/**
 * `allow`: hosts as in an address, with a port if it is not 443, or ranges (CIDR). `ca`: a further authority, in PEM.
 */
export function outgoing({
  allow = [],
  ca,
  timeoutMs = TIMEOUT_MS,
}: {
  allow?: readonly string[];
  ca?: string;
  timeoutMs?: number;
} = {}): Outgoing {
  const common = { maxSockets: CONNECTIONS, ...(ca && { ca }) };
  const filtered = new RequestFilteringHttpsAgent(common);
  const own = new Agent(common);
  const hosts = new Set(allow.map((host) => host.toLowerCase()));
  const ranges = rangesOf(allow);
  const ranged = ranges && new Agent({ ...common, lookup: lookupWithin(ranges) });

  async function agentFor({ host, hostname }: URL): Promise<Agent> {
    if (hosts.has(host) || hosts.has(hostname)) return own;
    return ranged && (await isWithin(ranges, hostname)) ? ranged : filtered;
  }

  return {
    async post(address, { headers, body }) {
      const url = httpsUrl(address);
      if (!url) throw new NotAllowed('Only https addresses are called.');
      const agent = await agentFor(url);
      return new Promise((resolve, reject) => {
        const call = request(url, {
          method: 'POST',
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
          agent,
          signal: AbortSignal.timeout(timeoutMs),
        });
        let answered: (() => void) | undefined;
        call.on('error', (error) => {
          if (answered) answered();
          else reject(isRefusal(error) ? new NotAllowed(NOT_PUBLIC) : error);
        });
        call.on('response', (answer) => {
          let text = '';
          const done = () =>
            resolve({
              status: answer.statusCode ?? 0,
              retryAfterMs: retryAfter(answer.headers['retry-after'], Date.now()),
              text,
            });
          answer.setEncoding('utf8');
          answer.on('data', (part: string) => {
            text = (text + part).slice(0, ANSWER_BYTES);
            if (text.length < ANSWER_BYTES) return;
            done();
            answer.destroy();
          });
          // The status counts, even if the rest of the answer never ends or is broken off.
          answered = done;
          for (const over of ['end', 'error', 'close']) answer.on(over, done);
        });
        call.end(body);
      });
    },
    close() {
      for (const agent of [filtered, own, ranged]) agent?.destroy();
    },
  };
}

function rangesOf(allow: readonly string[]): BlockList | null {
  const all = allow.filter((one) => one.includes('/')).map((one) => one.split('/') as [string, string]);
  if (all.length === 0) return null;
  const ranges = new BlockList();
  for (const [address, bits] of all) ranges.addSubnet(address, Number(bits), familyOf(address));
  return ranges;
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether the host is an address of these ranges, or a name whose addresses are all in them. */
async function isWithin(ranges: BlockList, hostname: string): Promise<boolean> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const found = isIP(literal)
    ? [{ address: literal }]
    : await dns.promises.lookup(hostname, { all: true }).catch(() => []); // the call itself says why
  return found.length > 0 && found.every(({ address }) => ranges.check(address, familyOf(address)));
}

/** Looks up the name again when the connection is made: by then it may lead elsewhere. */
const lookupWithin =
  (ranges: BlockList): LookupFunction =>
  (hostname, options, done) =>
    dns.lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '');
      const other = found.find(({ address }) => !ranges.check(address, familyOf(address)));
      if (other)
        return done(new Error(`${other.address} is not allowed. Because it is not of the ranges.`), '');
      return options.all ? done(null, found) : done(null, found[0]!.address, found[0]!.family); // not empty
    });

const NOT_PUBLIC = 'This address is inside a private network. The operator can allow it with OUTGOING_ALLOW.';

/** The filter throws before the connection is made, and its message ends with the address family. */
const isRefusal = (error: Error) => / is not allowed\. Because,? /.test(error.message);

function httpsUrl(address: string): URL | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.protocol === 'https:' && !url.username && !url.password ? url : null;
}

/** Seconds, or a date; null if neither can be read. */
export function retryAfter(said: string | undefined, now: number): number | null {
  if (said === undefined) return null;
  if (/^\d{1,9}$/.test(said.trim())) return Number(said) * 1000;
  const at = Date.parse(said);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
