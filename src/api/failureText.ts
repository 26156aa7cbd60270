import { Refused, Unreachable } from './http.ts';

/** Text for the user: the server's own words when it gave any, otherwise ours. */
export function failureText(error: unknown, otherwise: string): string {
  const detail = error instanceof Refused || error instanceof Unreachable ? error.detail : undefined;
  return detail?.trim() || otherwise;
}
