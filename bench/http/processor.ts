/** Processor time of processes while they are called. */
import { readdirSync, readFileSync } from 'node:fs';
import { type Agent, request as send } from 'node:http';

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** The processor time of all threads of each process during the work, by the system's scheduler, to the nanosecond. */
export async function processorMs(pids: readonly number[], work: () => Promise<unknown>): Promise<number[]> {
  const before = pids.map(spentByThread);
  await work();
  const after = pids.map(spentByThread);
  // The time of a thread that has ended meanwhile is not known.
  if (before.some((threads, at) => [...threads.keys()].some((thread) => !after[at]!.has(thread))))
    return processorMs(pids, work);
  return after.map(
    (threads, at) =>
      [...threads].reduce((sum, [thread, ns]) => sum + ns - (before[at]!.get(thread) ?? 0), 0) / 1e6,
  );
}

function spentByThread(pid: number): Map<string, number> {
  return new Map(
    readdirSync(`/proc/${pid}/task`).map((thread) => {
      const [ns] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      return [thread, Number(ns)] as const;
    }),
  );
}

/** Sends a GET by this agent, or the given request. */
export const callsBy =
  (agent: Agent) =>
  (
    url: string,
    headers: Record<string, string>,
    { method = 'GET', body }: { method?: string; body?: string } = {},
  ): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const request = send(url, { agent, method, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers as Record<string, string>,
            body: Buffer.concat(parts),
          }),
        );
      });
      request.on('error', reject);
      request.end(body);
    });

export function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[list.length >> 1]!;
}
