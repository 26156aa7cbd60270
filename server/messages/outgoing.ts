/**
 * The one client for addresses that users give: https only, no redirects, public unicast addresses only, checked when the
 * connection is made, so that no name can lead to the inside of the network. `OUTGOING_ALLOW` lists the operator's own.
 */
import { Agent, request } from 'node:https';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';

const TIMEOUT_MS = 15_000;
/** Of an answer; the rest is not read. */
const ANSWER_BYTES = 16 * 1024;
const CONNECTIONS = 10;

export interface OutgoingAnswer {
  status: number;
  /** Ms to wait before the next try, as `Retry-After` says. */
  retryAfterMs: number | null;
  /** The beginning, for people who look for a fault. */
  text: string;
}

/** The address may not be called. Its message is for the user who gave it. */
export class NotAllowed extends Error {}

export interface Outgoing {
  /** Rejects with NotAllowed, or when nobody answers in time. A redirect is an answer like any other. */
  post(
    url: string,
    options: { headers: Readonly<Record<string, string>>; body: string | Buffer },
  ): Promise<OutgoingAnswer>;
  close(): void;
}

/** `allow`: hosts as in an address, with a port where it is not 443. `ca`: a further authority, in PEM. */
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
  const allowed = new Set(allow.map((host) => host.toLowerCase()));

  return {
    post: (address, { headers, body }) =>
      new Promise((resolve, reject) => {
        const url = httpsUrl(address);
        if (!url) return reject(new NotAllowed('Only https addresses are called.'));
        const isOwn = allowed.has(url.host) || allowed.has(url.hostname);
        const call = request(url, {
          method: 'POST',
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
          agent: isOwn ? own : filtered,
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
          // The status counts, also of an answer that never ends or is torn.
          answered = done;
          for (const over of ['end', 'error', 'close']) answer.on(over, done);
        });
        call.end(body);
      }),
    close() {
      filtered.destroy();
      own.destroy();
    },
  };
}

const NOT_PUBLIC = 'This address is inside a private network. The operator can allow it with OUTGOING_ALLOW.';

/** The filter throws before it connects, and its message ends with the family of the address. */
const isRefusal = (error: Error) => / is not allowed\. Because,? /.test(error.message);

function httpsUrl(address: string): URL | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.protocol === 'https:' && !url.username && !url.password ? url : null;
}

/** Seconds, or a date; null without one that can be read. */
export function retryAfter(said: string | undefined, now: number): number | null {
  if (said === undefined) return null;
  if (/^\d{1,9}$/.test(said.trim())) return Number(said) * 1000;
  const at = Date.parse(said);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
