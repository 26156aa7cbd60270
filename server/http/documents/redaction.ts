/** Error texts that are safe to show: without keys, query strings and the paths of configured addresses. */

const LENGTH_MAX = 500;
/** The most characters that are read: the patterns take quadratic time, and some of the text comes from upstreams. */
const READ_MAX = 4000;
/** Shorter secrets are not searched for, because they occur in too many harmless words. */
const SECRET_LENGTH_MIN = 4;
const HIDDEN = '[redacted]';

/** The text on one line of at most 500 characters, without control characters. Of each address only the host is
 *  kept. All texts in `hidden` (see `hiddenValues`) are removed, and so is anything that looks like a credential. */
export function redacted(text: string, hidden: readonly string[] = []): string {
  let clean = text
    .slice(0, READ_MAX)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  for (const value of hidden) clean = clean.replaceAll(value, HIDDEN);
  return (
    clean
      // No scheme is longer. Without a limit, the search would start again at each letter of a long word.
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

/** The private values in a collector's settings: secrets, and the paths of configured addresses. The longest come
 *  first. */
export function hiddenValues(
  { settings: declared }: { settings: readonly { name: string; secret?: boolean }[] },
  settings: Readonly<Record<string, string | undefined>>,
): string[] {
  const found = declared.flatMap(({ name, secret }) =>
    // A setting can list several addresses.
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
/** The address without punctuation at its end, which belongs to the sentence. */
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
