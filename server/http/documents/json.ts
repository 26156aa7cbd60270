/** Foreign JSON, with errors in words, because a faulty source seldom answers with JSON. */
import { cutField, FIELD_MAX } from './plainText.ts';

/** The most lists, objects and values of one document: five times the busiest source. The parser cannot be stopped,
 *  and each value takes memory. */
const VALUES_MAX = 300_000;
const DEPTH_MAX = 10_000;

/** The document as data, with its texts cut to FIELD_MAX. Throws when it is empty, an HTML page or another XML
 *  document, cut off, not JSON, or has more values or levels than any publisher would send. */
export function readJson(document: string): unknown {
  const text = document.replace(/^\uFEFF/, '').trim();
  if (text === '') throw new Error('The document is empty.');
  if (/^<(?:!DOCTYPE\s+html|html)\b/i.test(text))
    throw new Error('The document is an HTML page, not the JSON that was expected.');
  if (text.startsWith('<')) throw new Error('The document is XML, not the JSON that was expected.');

  const { values, depth, hasLongText } = shapeOf(text);
  if (values > VALUES_MAX)
    throw new Error(`The document has ${values} values. More than ${VALUES_MAX} are treated as a fault.`);
  if (depth > DEPTH_MAX) throw new Error(`The document is nested more than ${DEPTH_MAX} levels deep.`);
  try {
    const read: unknown = JSON.parse(text);
    return hasLongText ? withFieldsCut(read) : read;
  } catch (error) {
    // The parser's own message quotes the document, which must not be logged.
    throw new Error('The document is not JSON, or cut off.', { cause: error });
  }
}

/** The named fields of a JSON object; for anything else an empty object. */
export function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** Describes the document before it is parsed. For text that is not JSON, the result describes only its characters. */
function shapeOf(text: string): { values: number; depth: number; hasLongText: boolean } {
  let values = 1;
  let level = 0;
  let depth = 0;
  let hasLongText = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const begin = at;
      do {
        at = text.indexOf('"', at + 1);
      } while (at !== -1 && isEscaped(text, at));
      if (at === -1) break;
      if (at - begin > FIELD_MAX) hasLongText = true;
    } else if (character === '[' || character === '{') {
      values++;
      depth = Math.max(depth, ++level);
    } else if (character === ']' || character === '}') {
      level--;
    } else if (character === ',') {
      values++;
    }
  }
  return { values, depth, hasLongText };
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

/** Cuts in place and without recursion, because a document can be deep. */
function withFieldsCut(root: unknown): unknown {
  const holder = { root };
  const open: object[] = [holder];
  for (let inner = open.pop(); inner; inner = open.pop()) {
    for (const [name, value] of Object.entries(inner)) {
      if (typeof value === 'string' && value.length > FIELD_MAX) Reflect.set(inner, name, cutField(value));
      else if (typeof value === 'object' && value !== null) open.push(value as object);
    }
  }
  return holder.root;
}
