/** The licences and publishers that several sources share. */
import type { Publisher } from '../../incidents/collector.ts';

export const OGL = {
  name: 'Open Government Licence v3.0',
  url: 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
};
const RAIL = { name: 'Terms of the Rail Data Marketplace', url: 'https://raildata.org.uk' };
const RAIL_ATTRIBUTION = 'National Rail Enquiries, by the Rail Data Marketplace.';
export const OF_AUTHORS = { name: 'Copyright of its authors: headline, short extract and link', url: null };

/** The publisher of both feeds of National Rail. */
export const NATIONAL_RAIL: Publisher = {
  publisher: 'National Rail Enquiries',
  licence: RAIL,
  attribution: RAIL_ATTRIBUTION,
};
