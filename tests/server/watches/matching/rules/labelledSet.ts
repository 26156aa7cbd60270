/** The labelled set of tests/fixtures/matching: its incidents as the collectors read them, its routes and labels. */
import { COLLECTORS } from '../../../../../server/sources/allSources.ts';
import type { DisruptionRecord } from '../../../../../server/incidents/collector.ts';
import { readSource } from '../../../../../server/sources/polling/readSource.ts';
import type { WatchRequest } from '#contract/watches/watches.ts';
import { fixture, upstream } from '../../../../support/upstream.ts';

export type Level = 'certain' | 'possible' | 'none';

export interface Label {
  level: Level;
  /** Levels that count as right as well. */
  or?: Level;
  reason: string;
}

export interface LabelledIncident {
  /** Its `event_id`. */
  incident: string;
  /** Labels by route; routes that are not named are `none`. */
  labels: Record<string, Label>;
}

export type LabelledRoute = { id: string } & Pick<
  WatchRequest,
  'kind' | 'name' | 'made_by' | 'legs' | 'geometry' | 'reach_m'
>;

interface Documents {
  now: string;
  /** `url`: a part of the request's address. */
  documents: { source: string; url: string; body: unknown }[];
}

const read = <Content>(file: string) => JSON.parse(fixture(`matching/${file}`)) as Content;

export const labelledRoutes = (): LabelledRoute[] =>
  read<Partial<LabelledRoute>[]>('routes.json').map(
    (route) => ({ geometry: null, reach_m: null, ...route }) as LabelledRoute,
  );

export const labels = (): LabelledIncident[] => read('labels.json');

/** Incidents as a poll reads and places them; `problems` names the records that could not be read. */
export async function labelledIncidents(): Promise<{ records: DisruptionRecord[]; problems: string[] }> {
  const { now, documents } = read<Documents>('incidents.json');
  const records: DisruptionRecord[] = [];
  const problems: string[] = [];
  for (const collector of COLLECTORS) {
    const own = documents.filter(({ source }) => source === collector.source);
    if (own.length === 0) continue;
    const tools = upstream(
      (url) => {
        const body = own.find((document) => url.includes(document.url))?.body;
        return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      },
      { now, settings: Object.fromEntries(collector.settings.flatMap(settingOf)) },
    );
    const collected = await readSource(collector, tools);
    records.push(...collected.records);
    problems.push(...collected.problems.map((problem) => `${collector.source}: ${problem}`));
  }
  return { records, problems };
}

/** Settings that let the collector ask the service whose documents the set has. */
function settingOf({ name, required }: { name: string; required?: boolean }): [string, string][] {
  if (name === 'NEWS_RSS_FEEDS') return [[name, 'https://courier.example/news/rss.xml']];
  if (name === 'RDM_KB_INCIDENTS_URL') return [[name, 'https://raildata.example/knowledgebase-incidents']];
  return required || name === 'MET_OFFICE_NSWWS_KEY' ? [[name, 'labelled']] : [];
}
