/**
 * The rules of the schema of CAP 1.2 (CAP-v1.2.xsd): which elements, in which order, how often, with which content;
 * and the rules of its text that a schema cannot express.
 * https://docs.oasis-open.org/emergency/cap/v1.2/CAP-v1.2-os.html
 */
import { readXml as xmlTree, type XmlNode } from '../../../../server/http/documents/xml.ts';

interface Rule {
  name: string;
  /** How often at least, and at most. */
  times: readonly [number, number];
  content?: RegExp;
  children?: readonly Rule[];
}

const MANY = Infinity;
const ONE = [1, 1] as const;
const MAYBE = [0, 1] as const;
const ANY = [0, MANY] as const;
const SOME = [1, MANY] as const;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[-+]\d\d:\d\d$/;
/** Text without spaces, commas, < or &. */
const NAME = /^[^\s,<&]+$/;
/** The words, between spaces. */
const oneOf = (words: string) => new RegExp(`^(?:${words.split(' ').join('|')})$`);

const PAIR: readonly Rule[] = [
  { name: 'valueName', times: ONE },
  { name: 'value', times: ONE },
];

const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
const POINT = `${NUMBER},${NUMBER}`;

const AREA: readonly Rule[] = [
  { name: 'areaDesc', times: ONE, content: /\S/ },
  { name: 'polygon', times: ANY, content: new RegExp(`^${POINT}(?: ${POINT}){3,}$`) },
  { name: 'circle', times: ANY, content: new RegExp(`^${POINT} ${NUMBER}$`) },
  { name: 'geocode', times: ANY, children: PAIR },
  { name: 'altitude', times: MAYBE, content: new RegExp(`^${NUMBER}$`) },
  { name: 'ceiling', times: MAYBE, content: new RegExp(`^${NUMBER}$`) },
];

const INFO: readonly Rule[] = [
  { name: 'language', times: MAYBE, content: /^[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*$/ },
  {
    name: 'category',
    times: SOME,
    content: oneOf('Geo Met Safety Security Rescue Fire Health Env Transport Infra CBRNE Other'),
  },
  { name: 'event', times: ONE, content: /\S/ },
  {
    name: 'responseType',
    times: ANY,
    content: oneOf('Shelter Evacuate Prepare Execute Avoid Monitor Assess AllClear None'),
  },
  { name: 'urgency', times: ONE, content: oneOf('Immediate Expected Future Past Unknown') },
  { name: 'severity', times: ONE, content: oneOf('Extreme Severe Moderate Minor Unknown') },
  { name: 'certainty', times: ONE, content: oneOf('Observed Likely Possible Unlikely Unknown') },
  { name: 'audience', times: MAYBE },
  { name: 'eventCode', times: ANY, children: PAIR },
  { name: 'effective', times: MAYBE, content: TIME },
  { name: 'onset', times: MAYBE, content: TIME },
  { name: 'expires', times: MAYBE, content: TIME },
  { name: 'senderName', times: MAYBE },
  { name: 'headline', times: MAYBE },
  { name: 'description', times: MAYBE },
  { name: 'instruction', times: MAYBE },
  { name: 'web', times: MAYBE, content: /^https?:\/\/\S+$/ },
  { name: 'contact', times: MAYBE },
  { name: 'parameter', times: ANY, children: PAIR },
  { name: 'resource', times: ANY },
  { name: 'area', times: ANY, children: AREA },
];

const ALERT: readonly Rule[] = [
  { name: 'identifier', times: ONE, content: NAME },
  { name: 'sender', times: ONE, content: NAME },
  { name: 'sent', times: ONE, content: TIME },
  { name: 'status', times: ONE, content: oneOf('Actual Exercise System Test Draft') },
  { name: 'msgType', times: ONE, content: oneOf('Alert Update Cancel Ack Error') },
  { name: 'source', times: MAYBE },
  { name: 'scope', times: ONE, content: oneOf('Public Restricted Private') },
  { name: 'restriction', times: MAYBE },
  { name: 'addresses', times: MAYBE },
  { name: 'code', times: ANY },
  { name: 'note', times: MAYBE },
  { name: 'references', times: MAYBE, content: /^[^\s,]+,[^\s,]+,[^\s,]+(?: [^\s,]+,[^\s,]+,[^\s,]+)*$/ },
  { name: 'incidents', times: MAYBE },
  { name: 'info', times: ANY, children: INFO },
];

export function capFaults(document: string): string[] {
  const faults: string[] = [];
  if (!/<alert xmlns="urn:oasis:names:tc:emergency:cap:1\.2">/.test(document)) faults.push('the namespace');
  const alert = xmlTree(document);
  check(alert, ALERT, faults);
  const text = (name: string) => alert.children.find((child) => child.name === name)?.text ?? '';
  if (text('scope') === 'Restricted' && !text('restriction')) faults.push('a restricted alert says to whom');
  if (['Update', 'Cancel'].includes(text('msgType')) && !text('references'))
    faults.push(`${text('msgType')} refers to nothing`);
  for (const polygon of alert.children.flatMap(polygonsIn)) {
    const points = polygon.split(' ');
    if (points[0] !== points.at(-1)) faults.push('a polygon is closed');
  }
  return faults;
}

const polygonsIn = (node: XmlNode): string[] =>
  node.name === 'polygon' ? [node.text] : node.children.flatMap(polygonsIn);

function check(node: XmlNode, rules: readonly Rule[], faults: string[]): void {
  const names = rules.map(({ name }) => name);
  const places = node.children.map(({ name }) => names.indexOf(name));
  if (places.includes(-1)) faults.push(`${node.name} has an element that the schema does not know`);
  if (places.some((place, at) => at > 0 && place < places[at - 1]!)) faults.push(`${node.name}: the order`);
  for (const { name, times, content, children } of rules) {
    const found = node.children.filter((child) => child.name === name);
    if (found.length < times[0] || found.length > times[1]) faults.push(`${name}: ${found.length} times`);
    for (const one of found) {
      if (content && !content.test(one.text)) faults.push(`${name}: ${one.text.slice(0, 80)}`);
      if (children) check(one, children, faults);
    }
  }
}
