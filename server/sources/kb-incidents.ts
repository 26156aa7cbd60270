/**
 * National Rail Knowledgebase: incidents and engineering works, by the Rail Data Marketplace (product
 * P-cf16832d-d971-46e7-8883-4fca2101d3fa, its own licence, attribution to National Rail). XML, schema
 * nre-incident-v5-0; the address is shown to subscribers. https://raildata.org.uk
 *
 * Rhythm: every 5 minutes, as the publisher asks (RSPS5050). The list is mostly works planned
 * weeks ahead, so it is never empty.
 * Identity: `IncidentNumber`, the same through all updates; service-indicator entries of several operators use it.
 * End: `ClearedIncident` (stays listed for a while), works with "CANCELLED:" before their summary, the end of the
 * last validity period, or absence.
 */
import { phaseAt } from '../incidents/phase.ts';
import { z } from 'zod';
import type { Severity } from '#contract/incidents/severity.ts';
import type { Collector, DisruptionRecord } from '../incidents/collector.ts';
import { toUtc } from '../http/documents/londonTime.ts';
import { summarised, summaryLine, webAddress } from '../http/documents/plainText.ts';
import { isMostlyRead, leftOut, problems, readRecords, type Problems } from '../http/documents/records.ts';
import { all, readXmlList, plainTextAt, text, type XmlNode } from '../http/documents/xml.ts';
import { NATIONAL_RAIL } from './parts/licences.ts';
import { byRailway, listOf, textOf } from '../incidents/place/placeByWords.ts';
import { regionsIn } from '../geography/names/placeNames.ts';
import { operatorsIn, railNames } from '../geography/names/stationNames.ts';
import type { Read, Reported } from '../incidents/facts/reported.ts';
import { readStatement } from '../incidents/facts/titleStatement.ts';
import { isCause } from '../incidents/facts/vocabulary.ts';
import { lower, sentencesOf, withoutArticle } from '../incidents/facts/publisherWords.ts';

interface Words {
  pattern: RegExp;
  severity: Severity;
}

/** The publisher gives no usable grade: `IncidentPriority` has no public meaning and is always 2. So the words of
 *  the summary and of the beginning of the description decide; the first matching line counts. */
const UNPLANNED: readonly Words[] = [
  // "Disruption caused by … has now ended": the words after it are history.
  { pattern: /\b(?:has|have) now ended\b|\bresidual\b/, severity: 'low' },
  // "All lines have now reopened": trains are still late, but nothing is blocked.
  {
    pattern:
      /\bnow (?:been |fully )*(?:re-?opened|open|resumed|lifted)\b|\bno longer (?:blocked|suspended)\b/,
    severity: 'medium',
  },
  {
    pattern:
      /\b(?:all|both) lines\b[^.]*\b(?:blocked|closed)\b|\bno trains?\b|\bsuspended\b|\bdo not travel\b/,
    severity: 'critical',
  },
  {
    pattern: /\bcancel(?:led|lations?)\b|\bmajor\b|\bblock(?:ed|ing)\b|\bclosed\b|\bsevere(?:ly)?\b/,
    severity: 'high',
  },
  { pattern: /\bminor\b/, severity: 'low' },
  {
    pattern:
      /\bdelay(?:s|ed)?\b|\balter(?:ed|ations?)\b|\b(?:amended|revised|diverted|reduced|disrupt(?:ed|ion))\b/,
    severity: 'medium',
  },
];
const PLANNED: readonly Words[] = [
  { pattern: /\bno trains?\b|\blines?\b[^.]*\bclosed\b|\bclosed\b[^.]*\blines?\b/, severity: 'medium' },
];

/** Characters that are read of each description. Single trains, tickets and compensation come further down. */
const LEAD_LENGTH = 500;

const ROUTES_LENGTH_MAX = 500;

const Text = z.string().nullish();

const Incident = z.object({
  number: z.string({ error: 'IncidentNumber is missing' }).max(64, { error: 'IncidentNumber is too long' }),
  version: Text,
  created: Text,
  changed: Text,
  periods: z.array(z.object({ start: Text, end: Text })),
  planned: Text,
  summary: Text,
  description: Text,
  links: z.array(z.object({ url: Text, label: Text })),
  operators: z.array(z.object({ code: Text, name: Text })),
  routes: Text,
  cleared: Text,
  priority: Text,
});
type Incident = z.infer<typeof Incident>;

export const kbIncidents: Collector = {
  source: 'kb-incidents',
  publisher: NATIONAL_RAIL,
  everyMinutes: 5,
  maxAgeMinutes: 30,
  settings: [
    {
      name: 'RDM_KB_INCIDENTS_URL',
      required: true,
      about: "address of the product, from the Rail Data Marketplace's page",
    },
    {
      name: 'RDM_KB_INCIDENTS_KEY',
      required: true,
      secret: true,
      about: 'consumer key of the subscription, sent as x-apikey',
    },
  ],
  absentPolls: 1,
  neverEmpty: true,

  read: readIncident,
  locate({ title, summary_line, metadata }) {
    const listed = listOf(metadata.operators).map(({ code }) => textOf(code));
    const texts = [title, summary_line];
    const operators = listed.length > 0 ? listed : operatorsIn(texts.join('. '));
    const routes = textOf(metadata.routes);
    return byRailway(
      texts,
      railNames(operators, regionsIn(texts.join('. '))),
      isOneRoute(routes) ? [routes] : [],
    );
  },

  async collect({ get, settings, now }) {
    const found = problems();
    const { RDM_KB_INCIDENTS_URL = '', RDM_KB_INCIDENTS_KEY = '' } = settings;
    const { body } = await get(RDM_KB_INCIDENTS_URL, { 'x-apikey': RDM_KB_INCIDENTS_KEY });
    const { incidents, isWhole } = incidentsOf(readXmlList(body, 'PtIncident', found.tear), found);

    const readable = readRecords(
      Incident,
      incidents.map(fieldsOf),
      found,
      (item, index) => nameOfIncident(item as RawIncident, index),
      (item) => idOf((item as RawIncident).number),
    );
    if (readable.length === 0)
      throw new Error(`None of the ${found.skipped} incidents can be read: ${found.list[0]}`);
    const listed = newestOfEach(readable, found);
    const ended = listed.filter(isCalledOver).map(({ number }) => `kb-incidents:${number}`);
    return {
      records: listed.flatMap((incident) => toRecord(incident, now, found) ?? []),
      ...leftOut(found),
      complete: isWhole && isMostlyRead(found, readable.length),
      ...(ended.length > 0 && { ended }),
    };
  },
};

/** The list of incidents, or the single incident that the publisher pushes. A single incident is read, but it ends
 *  no others. */
function incidentsOf(root: XmlNode, found: Problems): { incidents: XmlNode[]; isWhole: boolean } {
  if (root.name === 'Incidents') {
    const incidents = all(root, 'PtIncident');
    if (incidents.length === 0)
      throw new Error('The list has no incidents; it always has planned works, so this is a fault.');
    return { incidents, isWhole: true };
  }
  // `PtIncident`, or the publisher's Java name `uk.co.nationalrail.xml.incident.PtIncidentStructure`.
  if (!/(?:^|\.)PtIncident(?:Structure)?$/.test(root.name))
    throw new Error(`The document is not a list of Knowledgebase incidents, but "${root.name}".`);
  found.note('The document is the message of one incident, not the list of all; nothing ends by it');
  return { incidents: [root], isWhole: false };
}

/** The fields as the document gives them, unchecked. */
type RawIncident = ReturnType<typeof fieldsOf>;

function fieldsOf(incident: XmlNode) {
  return {
    number: plainTextAt(incident, 'IncidentNumber'),
    version: plainTextAt(incident, 'Version'),
    created: plainTextAt(incident, 'CreationTime'),
    changed: plainTextAt(incident, 'ChangeHistory/LastChangedDate'),
    periods: all(incident, 'ValidityPeriod').map((period) => ({
      start: plainTextAt(period, 'StartTime'),
      end: plainTextAt(period, 'EndTime'),
    })),
    planned: plainTextAt(incident, 'Planned')?.toLowerCase(),
    summary: plainTextAt(incident, 'Summary'),
    description: plainTextAt(incident, 'Description'),
    links: all(incident, 'InfoLinks/InfoLink').map((link) => ({
      url: webAddress(text(link, 'Uri')),
      label: plainTextAt(link, 'Label'),
    })),
    operators: all(incident, 'Affects/Operators/AffectedOperator').map((operator) => ({
      code: plainTextAt(operator, 'OperatorRef'),
      name: plainTextAt(operator, 'OperatorName'),
    })),
    routes: plainTextAt(incident, 'Affects/RoutesAffected'),
    cleared: plainTextAt(incident, 'ClearedIncident')?.toLowerCase(),
    priority: plainTextAt(incident, 'IncidentPriority'),
  };
}

const nameOfIncident = ({ number, summary }: RawIncident, index: number) =>
  `Incident ${summaryLine(number ?? summary ?? String(index + 1), 80)}`;

const idOf = (number: string | undefined) => (number ? `kb-incidents:${number}` : null);

/** The newest version of each incident. Call it before ended incidents are dropped: a newer version that is cleared
 *  also ends the older one. */
function newestOfEach(incidents: readonly Incident[], found: Problems): Incident[] {
  const byNumber = new Map<string, Incident>();
  for (const incident of incidents) {
    const kept = byNumber.get(incident.number);
    if (kept) found.note(`Incident ${incident.number} appears more than once; the newest version is kept`);
    if (!kept || age(incident).localeCompare(age(kept)) > 0) byNumber.set(incident.number, incident);
  }
  return [...byNumber.values()];
}

/** `Version` is the time of the change as YYYYMMDDHHMMSS, without a zone. */
const age = ({ version, changed }: Incident) => `${version ?? ''} ${toUtc(changed) ?? ''}`;

/** The incident is cleared, or its works were called off. */
const isCalledOver = ({ cleared, planned, summary }: Incident) =>
  cleared === 'true' || (planned === 'true' && /^cancelled\s*[:–-]/i.test(summary ?? ''));

/** Null when the incident is over. */
function toRecord(incident: Incident, now: Date, found: Problems): DisruptionRecord | null {
  const { number, summary, description, routes, operators, links } = incident;
  const planned = incident.planned === 'true';
  if (!planned && incident.planned !== 'false')
    found.note(`Incident ${number}: Planned is "${incident.planned ?? ''}", counted as unplanned`);
  if (isCalledOver(incident)) return null;

  const periods = periodsOf(incident, found);
  const last = periods.some(({ end }) => end === null) ? null : lastOf(periods.map(({ end }) => end));
  if (last && Date.parse(last) <= now.getTime()) return null;
  const current = periods.find(({ end }) => end === null || Date.parse(end) > now.getTime());
  const start = current?.start ?? toUtc(incident.created);

  const said = wordsOf(incident, planned ? PLANNED : UNPLANNED);
  if (!said && !planned) found.note(`Incident ${number}: no words to grade it by; medium, unrated`);
  const names = operators.flatMap(({ name, code }) => name ?? code ?? []);
  const kind = planned ? 'Engineering works' : 'Rail incident';

  return {
    event_id: `kb-incidents:${number}`,
    severity: said?.severity ?? (planned ? 'low' : 'medium'),
    event_type: planned ? 'rail.engineering_works' : 'rail.incident',
    title: summaryLine(summary || [kind, names.join(', ')].filter(Boolean).join(': ')),
    ...summarised(description || routes || names.join(', ')),
    updated_at: toUtc(incident.changed) ?? toUtc(incident.created),
    start_time: start,
    end_time: last,
    phase: phaseAt(start, now),
    kind: 'alert',
    latitude: null,
    longitude: null,
    metadata: {
      ...(said && { upstream_severity: said.words }),
      ...(!said && !planned && { severity_unrated: true }),
      version: incident.version ?? null,
      priority: incident.priority ?? null,
      operators: operators.map(({ code, name }) => ({ code: code ?? null, name: name ?? null })),
      routes: routes ? summaryLine(routes, ROUTES_LENGTH_MAX) : null,
      ...(periods.length > 1 && { validity_periods: periods }),
      ...(links.some(({ url }) => url) && {
        links: links.flatMap(({ url, label }) => (url ? [{ url, label: label ?? null }] : [])),
      }),
    },
  };
}

interface Period {
  start: string | null;
  end: string | null;
}

/** The periods in order of time. A period that ends before it begins gives only its start, and only if no other
 *  period is usable. */
function periodsOf({ number, periods }: Incident, found: Problems): Period[] {
  const read = periods.map(({ start, end }) => {
    for (const time of [start, end]) {
      if (time && !toUtc(time)) found.note(`Incident ${number}: unreadable time "${time}"`);
    }
    return { start: toUtc(start), end: toUtc(end) };
  });
  const inOrder = read
    .filter(({ start, end }) => start !== null || end !== null)
    .sort((a, b) => (a.start ?? '').localeCompare(b.start ?? ''));
  const sound = inOrder.filter(({ start, end }) => start === null || end === null || start < end);
  if (sound.length < inOrder.length)
    found.note(`Incident ${number}: a validity period that ends before it begins`);
  return sound.length > 0 ? sound : inOrder.map(({ start }) => ({ start, end: null }));
}

const lastOf = (times: readonly (string | null)[]) =>
  times
    .filter((time) => time !== null)
    .sort()
    .at(-1) ?? null;

function wordsOf(
  { summary, description }: Incident,
  table: readonly Words[],
): { severity: Severity; words: string } | null {
  const lead =
    `${(summary ?? '').slice(0, LEAD_LENGTH)}. ${(description ?? '').slice(0, LEAD_LENGTH)}`.toLowerCase();
  for (const { pattern, severity } of table) {
    const words = pattern.exec(lead)?.[0];
    if (words) return { severity, words: summaryLine(words, 80) };
  }
  return null;
}

/** National Rail's summary line, made more exact by the standard sentences below it. */
function readIncident({ title, summary_line }: Reported): Read | null {
  // "Disruption to CrossCountry services between …"
  const named = /^(\w+(?: and \w+)?) to ([A-Z][\w &]{2,40}?) (?:train )?services\b/.exec(title);
  const read = readStatement(named ? named[1]! + title.slice(named[0].length) : title, { isRail: true });
  const said = read && { ...read, place: [named?.[2], read.place].filter(Boolean).join(', ') || null };
  if (!said?.effect) return null;
  const sentences = sentencesOf(summary_line);
  const text = sentences.join(' ');
  const works = said.isCauseOnly && effectOfWorks(text);
  if (works) {
    const [cause = said.effect] = /^.*?(?= (?:on|until|for|next) |$)/.exec(said.effect) ?? [];
    return { place: said.place, effect: works + said.effect.slice(cause.length), cause };
  }
  return {
    place: said.place,
    effect: railEffect(said.effect, text),
    cause: said.cause ?? (said.isCauseOnly ? null : causeOfText(sentences)),
  };
}

/** The effect of engineering work on the trains. */
function effectOfWorks(text: string): string | null {
  if (/\bbuses (?:will )?replace (?:all )?trains\b/i.test(text)) return 'buses replace trains';
  if (/\bno trains\b/i.test(text)) return 'no trains';
  return /\btrains (?:are|will be) diverted\b/i.test(text) ? 'trains diverted' : null;
}

/** "delays" and "disruption" say little; the text says how long the delay is, or that nothing runs. */
function railEffect(effect: string, text: string): string {
  const weak = /^(residual |major )?(?:delays|disruption)( and (?:cancellations|alterations))?/.exec(effect);
  if (!weak) return effect;
  const rest = effect.slice(weak[0].length);
  const minutes = /\b(?:delayed by|delays of|late by) (up to |about |around )?(\d{1,3}) min/i.exec(text);
  const late = minutes && `${minutes[1]?.toLowerCase() ?? ''}${minutes[2]} minutes`;
  const blocked = /\b[Aa]ll lines (towards [A-Z]\w+(?: [A-Z]\w+)? )?(?:are )?blocked\b/.exec(text);
  if (blocked && !/\breopened\b/i.test(text)) return `all lines ${blocked[1] ?? ''}blocked${rest}`;
  if (/\b(?:has|have) closed all lines\b|\b[Aa]ll lines are closed\b/.test(text))
    return `all lines closed${rest}`;
  if (/\b(?:lines?|line has|lines have) (?:now )?(?:has |have )?(?:now )?reopened\b/i.test(text))
    return `lines reopened, ${late ? `${late} late` : weak[0]}${rest}`;
  if (/\bmay be cancelled\b/i.test(text))
    return `${late ? `trains may be cancelled or ${late} late` : 'trains may be cancelled or delayed'}${rest}`;
  if (!late) return effect;
  if (weak[2]) return `${weak[2].slice(' and '.length)}, ${late} late${rest}`;
  return weak[1] === 'residual ' ? `residual delays, ${late}${rest}` : `${late} late${rest}`;
}

/** "A points failure at Slough means that …", "… because of flooding". */
function causeOfText(sentences: readonly string[]): string | null {
  for (const sentence of sentences.slice(0, 3)) {
    if (/\bperson (?:has been |was )?hit by a train\b/.test(sentence)) return 'person hit by a train';
    const subject =
      /^(.{3,70}?) (?:means?|meant) that /.exec(sentence)?.[1] ??
      /^((?:An? )?[A-Z]?[a-z ]{3,40}(?: at [A-Z][\w' ]{2,30}| near [A-Z][\w' ]{2,30})?) (?:has|have|is|are) (?:spread|block|clos|caus|damag)/.exec(
        sentence,
      )?.[1];
    const named =
      /\b(?:because of|due to|caused by|following) ((?:an? |the )?[^.;:()]{3,70}?)(?= which\b| has now\b| between\b| yesterday\b| this morning\b|[,.;]|$)/.exec(
        sentence,
      )?.[1];
    for (const one of [subject, named]) {
      const cause = one && withoutArticle(one.charAt(0).toLowerCase() + one.slice(1));
      if (cause && isCause(cause)) return lower(cause);
    }
  }
  return null;
}

/** "Northern between Leeds and York", without a second operator or route. */
const isOneRoute = (routes: string) => (routes.match(/\bbetween\b|\bfrom\b/gi) ?? []).length === 1;
