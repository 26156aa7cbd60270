/** All collectors. */
import { airportStatus } from './airport-status.ts';
import { bodsBus } from './bods-bus.ts';
import { eaFlood } from './ea-flood.ts';
import { kbIncidents } from './kb-incidents.ts';
import { metOffice } from './met-office.ts';
import { metPolice } from './met-police.ts';
import { nationalHighways } from './national-highways.ts';
import { nrwFlood } from './nrw-flood.ts';
import { newsRss } from './news-rss.ts';
import { nsiService } from './nsi-service.ts';
import { sepaFlood } from './sepa-flood.ts';
import { tfl } from './tfl.ts';
import { trafficScotland } from './traffic-scotland.ts';
import { trafficWales } from './traffic-wales.ts';
import { socialPosts } from './twitter.metpoliceuk.ts';
import type { Collector } from '../incidents/collector.ts';

export const COLLECTORS: readonly Collector[] = [
  tfl,
  nsiService,
  metOffice,
  eaFlood,
  nationalHighways,
  sepaFlood,
  nrwFlood,
  metPolice,
  newsRss,
  socialPosts,
  airportStatus,
  bodsBus,
  kbIncidents,
  trafficScotland,
  trafficWales,
];

export function collectorFor(source: string): Collector | undefined {
  return COLLECTORS.find((collector) => collector.source === source);
}
