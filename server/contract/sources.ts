/**
 * The directory of sources: which feed a source belongs to and what it is called, whatever its collector is doing. Each
 * has its collector in server/collectors/<source>.ts. In a feed they stand in the order of this list.
 */

type SourceCategory = 'news' | 'transport' | 'weather' | 'environment' | 'aviation' | 'social' | 'other';

export interface KnownSource {
  /** The slug of its feed; null for a source that this directory does not have. */
  feed: string | null;
  displayName: string;
  /** For where one line has to do; the other where there is none. */
  shortName?: string;
  category: SourceCategory;
  /** 1 is shown first. */
  priority: number;
  /** For other clients; not used in our app, where colour is only for severity. */
  accentColor: string;
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
    tagline: 'National Rail incidents and engineering works',
  },
  tfl: {
    feed: 'rail-network',
    displayName: 'Transport for London',
    shortName: 'TfL',
    category: 'transport',
    priority: 3,
    accentColor: '#10409e',
    tagline: 'Tube, Overground, DLR, Elizabeth line and trams',
  },
  'nsi-service': {
    feed: 'rail-network',
    displayName: 'National Rail service indicators',
    shortName: 'Train operators',
    category: 'transport',
    priority: 1,
    accentColor: '#1d3f6e',
    tagline: 'How each train operator is running',
  },
  'national-highways': {
    feed: 'roads-uk',
    displayName: 'National Highways',
    category: 'transport',
    priority: 1,
    accentColor: '#005ea5',
    tagline: "Closures on England's motorways and trunk roads",
  },
  'traffic-scotland': {
    feed: 'roads-uk',
    displayName: 'Traffic Scotland',
    category: 'transport',
    priority: 2,
    accentColor: '#0a4f8f',
    tagline: "Incidents and roadworks on Scotland's trunk roads",
  },
  'traffic-wales': {
    feed: 'roads-uk',
    displayName: 'Traffic Wales',
    category: 'transport',
    priority: 3,
    accentColor: '#a1202c',
    tagline: "Incidents and roadworks on Wales's trunk roads",
  },
  'bods-bus': {
    feed: 'roads-uk',
    displayName: 'Bus Open Data Service',
    shortName: 'Buses, England',
    category: 'transport',
    priority: 4,
    accentColor: '#00703c',
    tagline: 'Bus disruptions in England',
  },
  'airport-status': {
    feed: 'aviation',
    displayName: 'Airport status',
    shortName: 'Airports',
    category: 'aviation',
    priority: 1,
    accentColor: '#54319f',
    tagline: 'Weather risk and delays at UK airports',
  },
  'met-office': {
    feed: 'weather-flood',
    displayName: 'Met Office warnings',
    shortName: 'Met Office',
    category: 'weather',
    priority: 1,
    accentColor: '#b9dc0c',
    tagline: 'Severe weather warnings for the UK',
  },
  'ea-flood': {
    feed: 'weather-flood',
    displayName: 'Environment Agency floods',
    shortName: 'Rivers, England',
    category: 'environment',
    priority: 2,
    accentColor: '#00794d',
    tagline: 'Flood warnings and alerts in England',
  },
  'sepa-flood': {
    feed: 'weather-flood',
    displayName: 'SEPA floods',
    shortName: 'Rivers, Scotland',
    category: 'environment',
    priority: 3,
    accentColor: '#0b6a8a',
    tagline: 'Flood warnings and alerts in Scotland',
  },
  'nrw-flood': {
    feed: 'weather-flood',
    displayName: 'Natural Resources Wales floods',
    shortName: 'Rivers, Wales',
    category: 'environment',
    priority: 4,
    accentColor: '#0a6b5a',
    tagline: 'Flood warnings and alerts in Wales',
  },
  'met-police': {
    feed: 'public-safety',
    displayName: 'Metropolitan Police',
    shortName: 'Met Police',
    category: 'news',
    priority: 1,
    accentColor: '#1c2b5a',
    tagline: 'Notices that affect travel in London',
  },
  'news-rss': {
    feed: 'public-safety',
    displayName: 'News headlines',
    shortName: 'News',
    category: 'news',
    priority: 2,
    accentColor: '#8b1a1a',
    tagline: 'Transport stories from UK newsrooms',
  },
  'twitter.metpoliceuk': {
    feed: 'public-safety',
    displayName: 'Social posts',
    category: 'social',
    priority: 3,
    accentColor: '#1c2b5a',
    tagline: 'Travel posts of chosen accounts',
  },
};

/** Whether a team reports it itself: then only the team sees it. */
export const isOwn = ({ source }: { source?: string | null | undefined }): boolean =>
  source?.startsWith('own:') ?? false;

const OURS: KnownSource = {
  feed: null,
  displayName: 'Ours',
  category: 'other',
  priority: 0,
  accentColor: '#4d5356',
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
    tagline: '',
  };
}

/** Its name on a screen that is read from across a room. */
export const shortNameOf = (source: string): string => {
  const { shortName, displayName } = knownSource(source);
  return shortName ?? displayName;
};
