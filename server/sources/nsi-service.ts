/** National Service Indicator: the state of each train operator, by the Rail Data Marketplace (product
 *  P-7a5989cb-4600-4727-9ab0-baa7e483a0f2, its own licence, attribution to National Rail). XML, schema
 *  nre-service-indicator-v4-0; the address is shown to subscribers. https://raildata.org.uk */
import { z } from 'zod';
import type { RailOperatorStatus } from '#contract/incidents/disruptions.ts';
import type { Severity } from '#contract/incidents/severity.ts';
import { railStatusText } from '#contract/incidents/railStatus.ts';
import type { Collector, DisruptionRecord } from '../incidents/collector.ts';
import { summarised, summaryLine, webAddress } from '../http/documents/plainText.ts';
import { isMostlyRead, leftOut, problems, readRecords, type Problems } from '../http/documents/records.ts';
import { all, readXmlList, plainTextAt, text, type XmlNode } from '../http/documents/xml.ts';
import { withoutDuplicates } from '../incidents/listedTwice.ts';
import { NATIONAL_RAIL } from './parts/licences.ts';
import { byRailway } from '../incidents/place/placeByWords.ts';
import { operatorsIn, railNames } from '../geography/names/stationNames.ts';
import { afterTheFirst, type Read, type Reported } from '../incidents/facts/reported.ts';
import { readStatement } from '../incidents/facts/titleStatement.ts';
import { lower, quiet, sentencesOf, textsIn, tidy, uncapital } from '../incidents/facts/publisherWords.ts';

/** Only these words mean good service. A missing status or unknown words do not. */
const GOOD = ['good service', 'normal service'];

/** Words of the status, worst first. A "Custom" status says nothing, so its description is read. */
const WORDS: readonly { pattern: RegExp; severity: Severity }[] = [
  { pattern: /\bno (?:train )?services?\b|\bsuspen/, severity: 'critical' },
  { pattern: /\bmajor\b|\bsevere(?:ly)?\b/, severity: 'high' },
  { pattern: /\bminor\b/, severity: 'medium' },
];

/** Severity by image, used only for a status without such words. */
const IMAGES: Readonly<Record<string, Severity>> = {
  'icon-disruption.png': 'high',
  'icon-note-noshadow.png': 'medium',
  // A tick beside words other than "Good service".
  'icon-tick2.png': 'low',
};

const Operator = z.object({
  code: z.string({ error: 'TocCode is missing' }).min(1).max(16),
  name: z.string().nullish(),
  status: z.string({ error: 'Status is missing' }).min(1),
  image: z.string().nullish(),
  description: z.string().nullish(),
  additionalInfo: z.string().nullish(),
  account: z.string().nullish(),
  groups: z.array(
    z.object({
      name: z.string().nullish(),
      disruption: z.string().nullish(),
      detail: z.string().nullish(),
      url: z.string().nullish(),
    }),
  ),
});
type Operator = z.infer<typeof Operator>;

export const nsiService: Collector = {
  source: 'nsi-service',
  publisher: NATIONAL_RAIL,
  everyMinutes: 5,
  maxAgeMinutes: 30,
  settings: [
    {
      name: 'RDM_NSI_URL',
      required: true,
      about: "address of the product, from the Rail Data Marketplace's page",
    },
    {
      name: 'RDM_NSI_KEY',
      required: true,
      secret: true,
      about: 'consumer key of the subscription, sent as x-apikey',
    },
  ],
  absentPolls: 1,
  neverEmpty: true,

  read: readOperator,
  texts({ metadata }) {
    const said = textsIn(nsiOf(metadata).status_description);
    return said.length > 0 ? { said, advice: afterTheFirst(said) } : {};
  },
  locate({ title, summary_line, metadata: { nsi } }) {
    if (!nsi) {
      const operators = operatorsIn(`${title} ${summary_line}`);
      return byRailway([title, summary_line], railNames(operators), []);
    }
    const groups = (nsi.service_groups ?? []).flatMap(({ group_name }) => group_name ?? []);
    // An entry that names several parts of its network is not about any single one of them.
    const parts = groups.length === 1 ? groups : [];
    const said = [nsi.status_description ?? '', nsi.status ?? ''];
    // The title is the operator's name, which can contain the name of a town.
    return byRailway(said, railNames([nsi.toc_code ?? '']), parts);
  },

  async collect({ get, settings }) {
    const found = problems();
    const { RDM_NSI_URL = '', RDM_NSI_KEY = '' } = settings;
    const { body } = await get(RDM_NSI_URL, { 'x-apikey': RDM_NSI_KEY });
    const root = readXmlList(body, 'TOC', found.tear);
    if (root.name !== 'NSI')
      throw new Error(`The document is not a National Service Indicator, but "${root.name}".`);

    const operators = all(root, 'TOC').map(fieldsOf);
    if (operators.length === 0) {
      throw new Error('The indicator lists no operators; it always lists every one, so this is a fault.');
    }
    const readable = readRecords(
      Operator,
      operators,
      found,
      (item, index) => nameOfOperator(item as RawOperator, index),
      (item) => idOfOperator(item as RawOperator),
    );
    if (readable.length === 0)
      throw new Error(`None of the ${found.skipped} operators can be read: ${found.list[0]}`);
    return {
      records: withoutDuplicates(
        readable.map((operator) => toRecord(operator, found)),
        found,
      ),
      ...leftOut(found),
      complete: isMostlyRead(found, readable.length),
    };
  },
};

/** The fields as the document gives them, unchecked. */
type RawOperator = ReturnType<typeof fieldsOf>;

function fieldsOf(operator: XmlNode) {
  return {
    code: plainTextAt(operator, 'TocCode'),
    name: plainTextAt(operator, 'TocName'),
    status: plainTextAt(operator, 'Status'),
    image: plainTextAt(operator, 'StatusImage'),
    description: plainTextAt(operator, 'StatusDescription'),
    additionalInfo: plainTextAt(operator, 'AdditionalInfo'),
    account: plainTextAt(operator, 'TwitterAccount'),
    groups: all(operator, 'ServiceGroup').map((group) => ({
      name: plainTextAt(group, 'GroupName'),
      disruption: plainTextAt(group, 'CurrentDisruption'),
      detail: plainTextAt(group, 'CustomDetail'),
      url: webAddress(text(group, 'CustomURL')),
    })),
  };
}

const nameOfOperator = ({ code, name }: RawOperator, index: number) =>
  `Operator ${code ?? name ?? index + 1}`;

const idOfOperator = ({ code }: RawOperator) => (code ? `nsi-service:${code}` : null);

function toRecord(operator: Operator, problems: Problems): DisruptionRecord {
  const { code, status, description, groups } = operator;
  const name = operator.name ?? code;
  const isGood = GOOD.includes(status.toLowerCase().replace(/\.$/, ''));
  const rated = isGood ? null : severityOf(operator);
  if (!isGood && !rated) problems.note(`${name}: unknown status "${status}", counted as medium, unrated`);
  if (isGood && operator.image === 'icon-disruption.png') {
    problems.note(`${name}: says "${status}" beside the image of a disruption; the words are believed`);
  }

  return {
    event_id: `nsi-service:${code}`,
    severity: isGood ? 'low' : (rated ?? 'medium'),
    event_type: 'rail.operator_status',
    title: summaryLine(name),
    ...summarised(description || summaryOf(operator)),
    // The document has no times at all.
    updated_at: null,
    start_time: null,
    end_time: null,
    phase: 'active',
    kind: isGood ? 'status' : 'alert',
    latitude: null,
    longitude: null,
    metadata: {
      upstream_severity: status,
      ...(!isGood && !rated && { severity_unrated: true }),
      nsi: boardEntry(operator, name),
      ...(groups.some(({ url }) => url) && { links: linksOf(groups) }),
      // Several operators can share one Knowledgebase incident.
      ...(groups.some(({ disruption }) => isIncidentNumber(disruption)) && {
        related_event_ids: [
          ...new Set(
            groups
              .map(({ disruption }) => disruption)
              .filter(isIncidentNumber)
              .map((id) => `kb-incidents:${id}`),
          ),
        ],
      }),
      ...(operator.account && { twitter_account: operator.account }),
    },
  };
}

/** Null when neither the words nor the image are known. */
function severityOf({ status, description, image }: Operator): Severity | null {
  const isCustom = status.toLowerCase() === 'custom';
  const words = (isCustom ? (description ?? '') : status).toLowerCase();
  const byWords = WORDS.find(({ pattern }) => pattern.test(words))?.severity ?? null;
  const byImage = (image && Object.hasOwn(IMAGES, image) && IMAGES[image]) || null;
  // "Custom" with the disruption image is at least high, whatever its words.
  if (isCustom && byImage === 'high') return byWords === 'critical' ? 'critical' : 'high';
  if (byWords) return byWords;
  return isCustom || byImage === 'high' ? byImage : null;
}

function summaryOf({ status, groups }: Operator): string {
  const names = groups.flatMap(({ name }) => name ?? []);
  return names.length > 0 ? `${railStatusText(status)}: ${names.join(', ')}` : railStatusText(status);
}

function boardEntry(operator: Operator, name: string): RailOperatorStatus {
  return {
    toc_code: operator.code,
    toc_name: name,
    status: operator.status,
    status_description: operator.description ?? null,
    additional_info: operator.additionalInfo ?? null,
    service_groups: operator.groups.map((group) => ({
      group_name: group.name ?? null,
      current_disruption: group.disruption ?? null,
      detail: group.detail ?? null,
      url: group.url ?? null,
    })),
  };
}

/** The links of the groups. Groups often share an address; then the label of the first is used. */
function linksOf(groups: Operator['groups']): { url: string; label: string | null }[] {
  const labels = new Map<string, string | null>();
  for (const { url, detail, name } of groups) {
    if (url && !labels.has(url)) labels.set(url, detail ?? name ?? null);
  }
  return [...labels].map(([url, label]) => ({ url, label }));
}

const isIncidentNumber = (text: string | null | undefined): text is string =>
  /^[\dA-F]{32}$/i.test(text ?? '');

const STATUS_MAX = 60;

const ownWords = (text: string) => uncapital(lower(tidy(text))) || null;

/** The fields that this collector puts into its records. */
const nsiOf = ({ nsi }: Reported['metadata']) =>
  (nsi ?? {}) as {
    status?: unknown;
    status_description?: unknown;
    service_groups?: { group_name?: unknown }[];
  };

/** A train operator: its name is the place, with the stretch or the routes that the text names. */
function readOperator({ title, summary_line, metadata }: Reported): Read | null {
  const { status, status_description, service_groups } = nsiOf(metadata);
  const name = quiet(title.slice(0, 80));
  const groups = (Array.isArray(service_groups) ? service_groups : []).flatMap((group) =>
    textsIn(group?.group_name),
  );
  const text = textsIn(status_description)[0] ?? (groups.length > 0 ? '' : summary_line);
  if (text === '' && typeof status === 'string') {
    const effect = readStatement(status, { isRail: true })?.effect;
    const routes = groups.slice(0, 3).map((group) => group.slice(0, 40));
    if (!effect) return null;
    return {
      place: [
        name,
        routes.join('; ') +
          (groups.length > routes.length ? ` and ${groups.length - routes.length} more` : ''),
      ]
        .filter(Boolean)
        .join(', '),
      effect: routes.length > 0 ? effect.replace(/ on some routes$/, '') : effect,
      cause: null,
    };
  }
  const said = readStatement(sentencesOf(`${text}.`)[0] ?? '', { isRail: true });
  // A short status that we do not know is still the operator's own word.
  if (!said?.effect)
    return text.length <= STATUS_MAX ? { place: name, effect: ownWords(text), cause: null } : null;
  return { place: [name, said.place].filter(Boolean).join(', '), effect: said.effect, cause: said.cause };
}
