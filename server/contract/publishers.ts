/**
 * Who publishes each source, by what licence, and what must be shown with it. Apart from the directory of sources, which
 * the board loads first: an alert's own answer brings this.
 */

export interface Publisher {
  publisher: string;
  licence: { name: string; url: string | null };
  /** Must be shown with what the source says. */
  attribution: string;
}

const OGL = {
  name: 'Open Government Licence v3.0',
  url: 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
};
const RAIL = { name: 'Terms of the Rail Data Marketplace', url: 'https://raildata.org.uk' };
const RAIL_ATTRIBUTION = 'National Rail Enquiries, by the Rail Data Marketplace.';
const OF_AUTHORS = { name: 'Copyright of its authors: headline, short extract and link', url: null };

const PUBLISHERS: Readonly<Record<string, Publisher>> = {
  'kb-incidents': { publisher: 'National Rail Enquiries', licence: RAIL, attribution: RAIL_ATTRIBUTION },
  'nsi-service': { publisher: 'National Rail Enquiries', licence: RAIL, attribution: RAIL_ATTRIBUTION },
  tfl: {
    publisher: 'Transport for London',
    licence: {
      name: 'TfL open data terms',
      url: 'https://tfl.gov.uk/corporate/terms-and-conditions/transport-data-service',
    },
    attribution:
      'Powered by TfL Open Data. Contains OS data © Crown copyright and database rights 2016 and Geomni UK Map data © ' +
      'and database rights 2019.',
  },
  'national-highways': {
    publisher: 'National Highways',
    licence: OGL,
    attribution:
      'Contains public sector information licensed under the Open Government Licence v3.0 (National Highways).',
  },
  'traffic-scotland': {
    publisher: 'Traffic Scotland',
    licence: { name: 'Terms of Traffic Scotland', url: 'https://developer.trafficscotland.org' },
    attribution: 'Traffic Scotland, by the terms of developer.trafficscotland.org.',
  },
  'traffic-wales': {
    publisher: 'Traffic Wales',
    licence: { name: 'Free use with credit', url: null },
    attribution: 'Traffic Wales.',
  },
  'bods-bus': {
    publisher: 'Department for Transport, Bus Open Data Service',
    licence: OGL,
    attribution:
      'Contains public sector information licensed under the Open Government Licence v3.0 (Department for Transport, ' +
      'Bus Open Data Service).',
  },
  'airport-status': {
    publisher: 'Aviation Weather Center, US National Weather Service',
    licence: { name: 'Weather: US government work. Delays: terms of AeroDataBox', url: null },
    attribution: 'Aviation Weather Center, US National Weather Service. Delays: AeroDataBox.',
  },
  'met-office': {
    publisher: 'Met Office',
    licence: { name: 'Terms equivalent to CC BY 4.0 (MeteoAlarm), or the Met Office’s own', url: null },
    attribution: 'Contains Met Office data © Crown copyright.',
  },
  'ea-flood': {
    publisher: 'Environment Agency',
    licence: OGL,
    attribution:
      'This uses Environment Agency flood and river level data from the real-time data API (Beta).',
  },
  'sepa-flood': {
    publisher: 'Scottish Environment Protection Agency',
    licence: OGL,
    attribution: 'Contains SEPA data © Scottish Environment Protection Agency and database right.',
  },
  'nrw-flood': {
    publisher: 'Natural Resources Wales',
    licence: OGL,
    attribution: 'Contains Natural Resources Wales information © Natural Resources Wales and Database Right.',
  },
  'met-police': {
    publisher: 'Metropolitan Police',
    licence: OF_AUTHORS,
    attribution: 'Copyright Metropolitan Police; headline, short extract and link.',
  },
  'news-rss': {
    publisher: 'The newsroom that the alert links to',
    licence: OF_AUTHORS,
    attribution: 'Headline and lead-in © its newsroom.',
  },
  'twitter.metpoliceuk': {
    publisher: 'The account that the alert links to',
    licence: OF_AUTHORS,
    attribution: 'Posts belong to their authors.',
  },
};

/** Whether what it says may be passed on in the form of a warning: its licence allows more than a headline and a link. */
export const mayBeRelayed = (source: string): boolean => {
  const licence = publisherOf(source)?.licence;
  return licence !== undefined && licence !== OF_AUTHORS;
};

/** Null for a source that is not in the directory. */
export const publisherOf = (source: string): Publisher | null =>
  Object.hasOwn(PUBLISHERS, source) ? PUBLISHERS[source]! : null;
