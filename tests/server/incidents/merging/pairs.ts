/** The pairs of reports that were judged by hand, as their collectors hand them over. */
import { readFileSync } from 'node:fs';
import type { LocationMethod } from '#contract/incidents/disruptions.ts';
import { factsOf, placeAsItsSource } from '../../../support/readAs.ts';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import { type Report, reportOf } from '../../../../server/incidents/merging/comparedReport.ts';

export interface Pair {
  name: string;
  isSame: boolean;
  why: string;
  records: [DisruptionRecord, DisruptionRecord];
}

const DAY = '2026-11-20';

const idOf = ([, source]: readonly string[]) => `${source}:1`;

export const PAIRS: readonly Pair[] = readFileSync(
  new URL('../../../fixtures/merging/pairs.md', import.meta.url),
  'utf8',
)
  .split(/^### /m)
  .slice(1)
  .map((text) => {
    const [name = '', , judgement = '', ...lines] = text.split('\n');
    const [, label, why = ''] = /^\*\*(same|different)\*\*: (.+)$/.exec(judgement) ?? [];
    const rows = lines.filter((line) => /^\| (?!source|---)/.test(line));
    if (!label || rows.length !== 2) throw new Error(`"${name}" is no pair.`);
    const [one, other] = rows.map((row) => row.split('|').map((cell) => cell.trim())) as [string[], string[]];
    return {
      name,
      isSame: label === 'same',
      why,
      records: [recordOf(one, idOf(other)), recordOf(other, idOf(one))],
    };
  });

function recordOf(
  [
    ,
    source = '',
    event_type = '',
    begins = '',
    where = '',
    how = '',
    title = '',
    text = '',
    about = '',
  ]: readonly string[],
  other: string,
): DisruptionRecord {
  const [latitude = null, longitude = null] = where === '-' ? [] : where.split(', ').map(Number);
  const [, planned, day, time] = /^(planned )?(?:(\d{2}) Nov )?(\d{2}:\d{2})$/.exec(begins) ?? [];
  if (!time) throw new Error(`"${begins}" is no time.`);
  const start = `${day ? DAY.replace(/\d+$/, day) : DAY}T${time}:00.000Z`;
  const record: DisruptionRecord = {
    event_id: `${source}:1`,
    severity: 'medium',
    event_type,
    title,
    summary_line: text,
    updated_at: start,
    start_time: start,
    end_time: null,
    phase: planned ? 'planned' : 'active',
    kind: 'alert',
    latitude,
    longitude,
    metadata: {
      ...detailsOf(source, { title, text, about, other }),
      ...(latitude !== null && { location_method: how as LocationMethod }),
    },
  };
  placeAsItsSource(record);
  return { ...record, facts: factsOf({ ...record, metadata: record.metadata }) };
}

/** The source's own fields, from "about". */
function detailsOf(
  source: string,
  { title, text, about, other }: { title: string; text: string; about: string; other: string },
): DisruptionRecord['metadata'] {
  const [first = '', second = ''] = about.split('; ');
  switch (source) {
    case 'national-highways': {
      const [, road, direction] = /^(.+) (\S+)$/.exec(first) ?? [];
      return { roads: [road], direction, places: [second] };
    }
    case 'kb-incidents': {
      const operators = first.split(' ').map((code) => ({ code, name: null }));
      return { operators, routes: second || null };
    }
    case 'nsi-service':
      return {
        nsi: { toc_code: first, toc_name: title, status: '', status_description: text, service_groups: [] },
        ...(second && { related_event_ids: [other] }),
      };
    case 'tfl':
      return { line: about, statuses: [{ reason: text }] };
    case 'airport-status':
      return { airport: about };
    case 'news-rss':
    case 'twitter.metpoliceuk':
      return { publisher: about };
    default:
      return {};
  }
}

export const sourceOf = ({ event_id }: DisruptionRecord) => event_id.slice(0, event_id.indexOf(':'));

/** The reports in the form in which the store gives them to the rule. */
export const asReports = (records: readonly DisruptionRecord[], seenAt = ''): Report[] =>
  records.flatMap(
    (record) =>
      reportOf({ ...record, source: sourceOf(record), start_time: record.start_time ?? seenAt }) ?? [],
  );
