/** The messages between the service's thread and the reading thread. */
import type { Collected, DisruptionRecord } from '../../incidents/collector.ts';

/** A message to the reading thread. It answers each with one or more `Said`; the last of these is `isDone`. */
export type Step =
  | {
      kind: 'begin';
      job: number;
      source: string;
      now: Date;
      settings: Readonly<Record<string, string | undefined>>;
    }
  | { kind: 'answer'; call: number; value: unknown }
  | { kind: 'refusal'; call: number; fault: Fault }
  /** Asks for a few more records of a job. They come in small groups, because receiving them blocks the service. */
  | { kind: 'more'; job: number };

/** A message from the reading thread. */
export type Said =
  | { kind: 'call'; job: number; call: number; asked: Asked }
  | { kind: 'forget' }
  | { kind: 'records'; job: number; records: DisruptionRecord[]; isLast: boolean }
  | { kind: 'collected'; job: number; collected: Omit<Collected, 'records'> }
  | { kind: 'failed'; job: number; fault: Fault }
  | { kind: 'isDone' };

export type Asked =
  | { tool: 'get'; url: string; headers: Record<string, string> | undefined }
  | { tool: 'factOf'; key: string }
  | { tool: 'setFact'; key: string; value: string };

/** The parts of an error that are sent to the other thread. */
export interface Fault {
  message: string;
  retryAfterMs?: number | null;
  status?: number | null;
}

export function faultFor(error: unknown): Fault {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, name } = error;
  const { status, retryAfterMs } = error as Partial<Fault>;
  return { message: message || name, status, retryAfterMs };
}

export const errorOf = ({ message, ...rest }: Fault) => Object.assign(new Error(message), rest);
