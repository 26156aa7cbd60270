/** What may be told of an error: never a key, a query string, or where a configured address leads. */

const LENGTH_MAX = 500;
/** No more is read: the patterns take time by the square of it, and some of it comes from upstreams. */
const READ_MAX = 4000;
/** Shorter values stand in too many innocent words. */
const SECRET_LENGTH_MIN = 4;
const HIDDEN = '[redacted]';

/**
 * The text on one line of at most 500 characters, without control characters. Of addresses the host alone is left,
 * `hidden` (see `hiddenValues`) is blacked out wherever it stands, and so is what looks like a credential.
 */
export function redacted(text: string, hidden: readonly string[] = []): string {
  let told = text
    .slice(0, READ_MAX)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  for (const value of hidden) told = told.replaceAll(value, HIDDEN);
  return (
    told
      // No scheme is longer; without a limit each letter of a long word would be read for as many times as letters follow it.
      .replace(/\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s"'<>]+/gi, hostsOf)
      .replace(/\?[^\s"'<>=?]*=[^\s"'<>]*/g, '?…')
      .replace(/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${HIDDEN}`)
      .replace(
        /(api[-_]?key|app[-_]?key|subscription-key|authorization|password|secret|token)(\s*[:=]\s*(?:(?:bearer|basic)\s)?)(?!\[|(?:bearer|basic)\s)[^\s,;]+/gi,
        `$1$2${HIDDEN}`,
      )
      .slice(0, LENGTH_MAX)
      .toWellFormed()
  );
}

/** What a collector's settings hold that nobody else may read: secrets, and the ways to configured addresses. Longest first. */
export function hiddenValues(
  { settings: declared }: { settings: readonly { name: string; secret?: boolean }[] },
  settings: Readonly<Record<string, string | undefined>>,
): string[] {
  const found = declared.flatMap(({ name, secret }) =>
    // A setting may list several addresses.
    (settings[name]?.trim() ?? '').split(/(?<![\s,])[\s,]+(?=https?:)/i).flatMap((value) => {
      const url = URL.parse(value);
      if (url?.host)
        return [value, url.href, `${url.pathname}${url.search}`, url.pathname, ...url.searchParams.values()];
      return secret ? [value, encodeURIComponent(value)] : [];
    }),
  );
  return [...new Set(found)]
    .filter((value) => value.length >= SECRET_LENGTH_MIN)
    .sort((a, b) => b.length - a.length);
}

/** "https://name:password@api.example.org/v1/x?key=y" to "api.example.org/…". */
/** The punctuation at its end is the sentence's. */
function hostsOf(found: string): string {
  const address = found.replace(/(?<![:.,;)])[:.,;)]+$/, '');
  return hostOf(address) + found.slice(address.length);
}

function hostOf(address: string): string {
  const url = URL.parse(address);
  if (!url?.host) return HIDDEN;
  return url.pathname.length > 1 || url.search ? `${url.host}/…` : url.host;
}

/** An error in words. */
export function faultOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}
