/** The directory of sources: the feed and the name of each source, independent of its collector's state. Each has
 *  its collector in server/sources/<source>.ts. Within a feed they have the order of this list. */

type SourceCategory = 'news' | 'transport' | 'weather' | 'environment' | 'aviation' | 'social' | 'other';

export type Nation = 'england' | 'scotland' | 'wales' | 'northern-ireland';

/** The subject on which a source reports. */
export type Subject = 'roads' | 'trains' | 'buses' | 'airports' | 'weather' | 'floods' | 'news';

interface KnownSource {
  /** The slug of its feed; null for a source that is not in this directory. */
  feed: string | null;
  displayName: string;
  /** The name for places with room for one line; absent if the full name fits there. */
  shortName?: string;
  category: SourceCategory;
  /** 1 is shown first. */
  priority: number;
  /** For other clients; not used in our app, where colour is only for severity. */
  accentColor: string;
  /** Null for a source that is not in this directory. */
  subject: Subject | null;
  /** The part of the United Kingdom on which it reports. */
  where: Nation | 'london' | 'uk';
  /** Its end times are our own limits on how long its news counts. */
  ownEnds?: true;
  /** It says how each train operator runs. Such an entry only refers to incidents, each of which is an alert itself. */
  listsOperators?: true;
  tagline: string;
}

export const KNOWN_SOURCES: Readonly<Record<string, KnownSource>> = {
  'kb-incidents': {
    feed: 'rail-network',
    displayName: 'Knowledgebase incidents',
    shortName: 'Rail incidents',
    category: 'transport',
    priority: 2,
    accentColor: '#1d3f6e',
    subject: 'trains',
    where: 'uk',
    tagline: 'National Rail incidents and engineering works',
  },
  tfl: {
    feed: 'rail-network',
    displayName: 'Transport for London',
    shortName: 'TfL',
    category: 'transport',
    priority: 3,
    accentColor: '#10409e',
    subject: 'trains',
    where: 'london',
    tagline: 'Tube, Overground, DLR, Elizabeth line and trams',
  },
  'nsi-service': {
    feed: 'rail-network',
    displayName: 'National Rail service indicators',
    shortName: 'Train operators',
    category: 'transport',
    priority: 1,
    accentColor: '#1d3f6e',
    subject: 'trains',
    where: 'uk',
    listsOperators: true,
    tagline: 'How each train operator is running',
  },
  'national-highways': {
    feed: 'roads-uk',
    displayName: 'National Highways',
    category: 'transport',
    priority: 1,
    accentColor: '#005ea5',
    subject: 'roads',
    where: 'england',
    tagline: "Closures on England's motorways and trunk roads",
  },
  'traffic-scotland': {
    feed: 'roads-uk',
    displayName: 'Traffic Scotland',
    category: 'transport',
    priority: 2,
    accentColor: '#0a4f8f',
    subject: 'roads',
    where: 'scotland',
    tagline: "Incidents and roadworks on Scotland's trunk roads",
  },
  'traffic-wales': {
    feed: 'roads-uk',
    displayName: 'Traffic Wales',
    category: 'transport',
    priority: 3,
    accentColor: '#a1202c',
    subject: 'roads',
    where: 'wales',
    tagline: "Incidents and roadworks on Wales's trunk roads",
  },
  'bods-bus': {
    feed: 'roads-uk',
    displayName: 'Bus Open Data Service',
    shortName: 'Buses, England',
    category: 'transport',
    priority: 4,
    accentColor: '#00703c',
    subject: 'buses',
    where: 'england',
    tagline: 'Bus disruptions in England',
  },
  'airport-status': {
    feed: 'aviation',
    displayName: 'Airport status',
    shortName: 'Airports',
    category: 'aviation',
    priority: 1,
    accentColor: '#54319f',
    subject: 'airports',
    where: 'uk',
    ownEnds: true,
    tagline: 'Weather risk and delays at UK airports',
  },
  'met-office': {
    feed: 'weather-flood',
    displayName: 'Met Office warnings',
    shortName: 'Met Office',
    category: 'weather',
    priority: 1,
    accentColor: '#b9dc0c',
    subject: 'weather',
    where: 'uk',
    tagline: 'Severe weather warnings for the UK',
  },
  'ea-flood': {
    feed: 'weather-flood',
    displayName: 'Environment Agency floods',
    shortName: 'Rivers, England',
    category: 'environment',
    priority: 2,
    accentColor: '#00794d',
    subject: 'floods',
    where: 'england',
    tagline: 'Flood warnings and alerts in England',
  },
  'sepa-flood': {
    feed: 'weather-flood',
    displayName: 'SEPA floods',
    shortName: 'Rivers, Scotland',
    category: 'environment',
    priority: 3,
    accentColor: '#0b6a8a',
    subject: 'floods',
    where: 'scotland',
    tagline: 'Flood warnings and alerts in Scotland',
  },
  'nrw-flood': {
    feed: 'weather-flood',
    displayName: 'Natural Resources Wales floods',
    shortName: 'Rivers, Wales',
    category: 'environment',
    priority: 4,
    accentColor: '#0a6b5a',
    subject: 'floods',
    where: 'wales',
    tagline: 'Flood warnings and alerts in Wales',
  },
  'met-police': {
    feed: 'public-safety',
    displayName: 'Metropolitan Police',
    shortName: 'Met Police',
    category: 'news',
    priority: 1,
    accentColor: '#1c2b5a',
    subject: 'news',
    where: 'london',
    ownEnds: true,
    tagline: 'Notices that affect travel in London',
  },
  'news-rss': {
    feed: 'public-safety',
    displayName: 'News headlines',
    shortName: 'News',
    category: 'news',
    priority: 2,
    accentColor: '#8b1a1a',
    subject: 'news',
    where: 'uk',
    ownEnds: true,
    tagline: 'Transport stories from UK newsrooms',
  },
  'twitter.metpoliceuk': {
    feed: 'public-safety',
    displayName: 'Social posts',
    category: 'social',
    priority: 3,
    accentColor: '#1c2b5a',
    subject: 'news',
    where: 'london',
    ownEnds: true,
    tagline: 'Travel posts of chosen accounts',
  },
};

/** It stands among the sources of a route for roads of the route without a source. It never counts as heard. */
export const UNCOVERED_ROADS = 'uncovered-roads';
/** The same for parts of a route where no road is known. */
export const UNKNOWN_ROADS = 'unknown-roads';
/** The same for the towns where a route begins and ends: a route that is clear except for them may be called clear,
 *  if they are named with it. */
export const TOWN_ROADS = 'town-roads';

/** Words on them. */
export const UNCOVERED_WORDS: ReadonlyMap<string, string> = new Map([
  [UNCOVERED_ROADS, 'No source covers this road'],
  [UNKNOWN_ROADS, 'No known road, so no source can be named'],
  [TOWN_ROADS, 'No known road in town, so no source can be named'],
]);

/** Whether it is a team's own report, which only the team sees. */
export const isOwn = ({ source }: { source?: string | null | undefined }): boolean =>
  source?.startsWith('own:') ?? false;

const OURS: KnownSource = {
  feed: null,
  displayName: 'Ours',
  category: 'other',
  priority: 0,
  accentColor: '#4d5356',
  subject: null,
  where: 'uk',
  tagline: '',
};

/** The directory's entry; an unknown source gets a readable name and the category `other`. */
export function knownSource(source: string): KnownSource {
  const known = Object.hasOwn(KNOWN_SOURCES, source) ? KNOWN_SOURCES[source] : undefined;
  if (known) return known;
  if (isOwn({ source })) return OURS;

  const words = source.split(/[-_.\s]+/).filter(Boolean);
  const displayName = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  return {
    feed: null,
    displayName: displayName || source,
    category: 'other',
    priority: 99,
    accentColor: '#4d5356',
    subject: null,
    where: 'uk',
    tagline: '',
  };
}

/** The sources that report on this subject, in the directory's order. */
export const sourcesOn = (subject: Subject): string[] =>
  Object.keys(KNOWN_SOURCES).filter((source) => KNOWN_SOURCES[source]?.subject === subject);

/** The name for a screen that is read from across a room. */
export const shortNameOf = (source: string): string => {
  const { shortName, displayName } = knownSource(source);
  return shortName ?? displayName;
};
