import { Refused, Unreachable } from './http.ts';

/** The text for the user: the server's own words if it gave any, otherwise ours. */
export function failureText(error: unknown, otherwise: string): string {
  const detail = error instanceof Refused || error instanceof Unreachable ? error.detail : undefined;
  return detail?.trim() || otherwise;
}
