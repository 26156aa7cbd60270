/** Foreign XML as a small tree of local names. Refuses a DTD and entities that a document defines itself. */
import { decodeXML } from 'entities';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { cutField, plainText } from './plainText.ts';
import { refuseTooMany } from './records.ts';

const DEPTH_MAX = 64;
/** As one tree, a document takes about twenty times its size, so a longer one is read in parts. */
const LENGTH_MAX = 8 * 1024 * 1024;
/** The most tags, comments and so on in one tree: each takes memory, however short it is. */
const MARKS_MAX = 400_000;
const SPLIT_LENGTH_MAX = 16 * 1024 * 1024;

export interface XmlNode {
  /** The name without its namespace prefix, because publishers change prefixes. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** The elements, in document order. */
  children: readonly XmlNode[];
  /** All text directly within, with CDATA, trimmed, and cut to FIELD_MAX as attributes are. */
  text: string;
}

const TEXT = '#text';
const CDATA = '#cdata';
const ATTRIBUTES = ':@';

const parser = new XMLParser({
  preserveOrder: true,
  removeNSPrefix: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  // Decoded below, and only the five names that XML defines: the parser's own limits on their number refuse genuine
  // large feeds.
  processEntities: false,
  cdataPropName: CDATA,
  textNodeName: TEXT,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: DEPTH_MAX,
});

/** The root element. Throws with a message when the text is empty, an HTML page, cut off or not well-formed, or when
 *  it declares its own document type (which could define entities that expand without end). */
export function readXml(document: string): XmlNode {
  const text = document.replace(/^\uFEFF/, '').trim();
  if (text === '') throw new Error('The document is empty.');
  if (text.length > LENGTH_MAX) throw new Error('The document is too large to be read as XML.');
  if (!text.startsWith('<')) throw new Error('The document is not XML.');
  refuseTooManyMarks(text);

  const content = withoutDoctype(text);
  const verdict = XMLValidator.validate(content);
  if (verdict !== true) {
    throw new Error(
      `The document is not well-formed XML, or cut off: ${oneLine(verdict.err.msg)} (line ${verdict.err.line})`,
    );
  }

  let parsed: ParsedNode[];
  try {
    parsed = parser.parse(content) as ParsedNode[];
  } catch (error) {
    throw new Error(`The document cannot be read as XML: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
  const root = parsed.map(toNode).find((node) => node !== null);
  if (!root) throw new Error('The document is XML without any element.');
  if (root.name.toLowerCase() === 'html')
    throw new Error('The document is an HTML page, not the XML that was expected.');
  return root;
}

/** Like `readXml`, for a document that is a list of elements with that local name. An element that cannot be read is
 *  left out and reported; the tree does not say which one it was. Throws when most cannot be read. */
export function readXmlList(document: string, name: string, onTorn: (problem: string) => void): XmlNode {
  try {
    return readXml(document);
  } catch (error) {
    const { rest, problems } = withoutTorn(document, name);
    if (problems.length === 0) throw error;

    const root = readXml(rest);
    for (const problem of problems) onTorn(problem);
    return root;
  }
}

function withoutTorn(document: string, name: string): { rest: string; problems: string[] } {
  let spans: Span[];
  try {
    spans = spansOf(document, name);
  } catch {
    // By design: the fault is then not in a record, and the error about the whole document is right.
    return { rest: document, problems: [] };
  }
  const torn: Span[] = [];
  const problems = spans.flatMap((span, index) => {
    const fault = faultIn(document.slice(span.begin, span.end));
    if (fault === null) return [];
    torn.push(span);
    return [`Record ${index + 1} left out: ${fault}`];
  });
  if (torn.length * 2 > spans.length) return { rest: document, problems: [] };
  return { rest: without(document, torn), problems };
}

/** A record that passes the validator can still be too much for the parser: it may use names of its own, or too many
 *  levels. */
function faultIn(record: string): string | null {
  const verdict = XMLValidator.validate(record);
  if (verdict !== true) return `not well-formed, ${oneLine(verdict.err.msg)}`;
  try {
    parser.parse(record);
    return null;
  } catch (error) {
    return oneLine(error instanceof Error ? error.message : 'it cannot be read');
  }
}

/** A large document in parts: the source text of each element with that local name, for `readXml` one after another,
 *  and the root without them. Throws like `readXml` when the text around the parts is cut off or not well-formed. */
export function splitXml(document: string, name: string): { root: XmlNode; parts: string[] } {
  const spans = spansOf(document, name);
  return {
    root: readXml(without(document, spans)),
    parts: spans.map(({ begin, end }) => document.slice(begin, end)),
  };
}

interface Span {
  begin: number;
  end: number;
}

/** The places of elements with that local name, in document order. Throws when the document or their number is too
 *  big. */
function spansOf(document: string, name: string): Span[] {
  if (document.length > SPLIT_LENGTH_MAX) throw new Error('The document is too large to be read as XML.');
  // In comments and CDATA the name is only text.
  const token = new RegExp(`<!--|<!\\[CDATA\\[|<(/?)(?:[\\w.-]+:)?${name}(?=[\\s/>])`, 'g');
  const spans: Span[] = [];
  let begin = -1;

  for (let match = token.exec(document); match; match = token.exec(document)) {
    const close = match[0] === '<!--' ? '-->' : match[0] === '<![CDATA[' ? ']]>' : '>';
    const end = document.indexOf(close, token.lastIndex);
    if (end === -1) break;

    token.lastIndex = end + close.length;
    if (close !== '>') continue;
    const isEnd = match[1] === '/';
    if (!isEnd && begin === -1) begin = match.index;
    if (begin === -1 || !(isEnd || document.charAt(end - 1) === '/')) continue;
    spans.push({ begin, end: end + 1 });
    begin = -1;
  }
  refuseTooMany(spans.length);
  return spans;
}

function without(document: string, spans: readonly Span[]): string {
  const begins = [0, ...spans.map(({ end }) => end)];
  return begins.map((begin, at) => document.slice(begin, spans[at]?.begin)).join('');
}

/** All elements at a path of local names below `node`, in document order: `all(feed, 'entry/link')`. */
export function all(node: XmlNode, path: string): XmlNode[] {
  let found: XmlNode[] = [node];
  for (const name of path.split('/')) {
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name));
  }
  return found;
}

/** The text of the first element at the path that has any; undefined when there is none. */
export function text(node: XmlNode, path: string): string | undefined {
  return all(node, path).find((found) => found.text !== '')?.text;
}

/** The same text as one line of plain text. */
export const plainTextAt = (node: XmlNode, path: string): string | undefined =>
  plainText(text(node, path) ?? '') || undefined;

/** An attribute by its local name; `xsi:type` is `type`. */
export function attribute(node: XmlNode, name: string): string | undefined {
  return Object.hasOwn(node.attributes, name) ? node.attributes[name] : undefined;
}

function refuseTooManyMarks(text: string): void {
  let marks = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) marks++;
  if (marks > MARKS_MAX)
    throw new Error(`The document has ${marks} tags. More than ${MARKS_MAX} are treated as a fault.`);
}

const oneLine = (message: string) => message.replace(/\s+/g, ' ');

/** The parser's form of a node: one key that is the name (or TEXT, CDATA), and perhaps ATTRIBUTES. */
type ParsedNode = Record<string, unknown>;

function toNode(parsed: ParsedNode): XmlNode | null {
  const name = Object.keys(parsed).find((key) => key !== ATTRIBUTES);
  if (name === undefined || name === TEXT || name === CDATA || name.startsWith('?')) return null;

  const content = parsed[name] as ParsedNode[];
  const attributes = Object.entries((parsed[ATTRIBUTES] ?? {}) as Record<string, unknown>);
  return {
    name,
    attributes: Object.fromEntries(
      attributes.map(([key, value]) => [key, cutField(decodeXML(String(value)))]),
    ),
    children: content.map(toNode).filter((child) => child !== null),
    text: cutField(content.map(textOf).join('').trim()),
  };
}

function textOf(parsed: ParsedNode): string {
  if (TEXT in parsed) return decodeXML(String(parsed[TEXT]));
  if (CDATA in parsed)
    return (parsed[CDATA] as ParsedNode[]).map((part) => String(part[TEXT] ?? '')).join('');
  return '';
}

/** Skips the declaration, comments and instructions before the root element. A document type must be empty. */
function withoutDoctype(text: string): string {
  const prolog = /^(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/.exec(text)?.[0] ?? '';
  const rest = text.slice(prolog.length);
  if (!/^<!DOCTYPE/i.test(rest)) return text;
  if (/^<!DOCTYPE\s+html/i.test(rest))
    throw new Error('The document is an HTML page, not the XML that was expected.');

  const end = /[[>]/.exec(rest);
  if (end?.[0] === '[')
    throw new Error('The document declares a document type with entities of its own: refused.');
  if (!end) throw new Error('The document is not well-formed XML, or cut off: its document type never ends.');
  return prolog + rest.slice(end.index + 1);
}
