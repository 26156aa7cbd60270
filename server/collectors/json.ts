/** Foreign JSON, with failures in words: what a source answers when it is unwell is seldom JSON. */

/** The document as data. Throws when it is empty, an HTML page or another XML document, cut off, or no JSON at all. */
export function readJson(document: string): unknown {
  const text = document.replace(/^\uFEFF/, '').trim();
  if (text === '') throw new Error('The document is empty.');
  if (/^<(?:!DOCTYPE\s+html|html)\b/i.test(text))
    throw new Error('The document is an HTML page, not the JSON that was expected.');
  if (text.startsWith('<')) throw new Error('The document is XML, not the JSON that was expected.');

  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's own message quotes the document, which belongs in no log.
    throw new Error('The document is not JSON, or cut off.', { cause: error });
  }
}

/** The named fields of a JSON object; of anything else an empty object. */
export function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
