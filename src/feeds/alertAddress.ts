/** Where an alert is shown. */
import { pageAddress, pageAddressOf } from '#contract/addresses.ts';
import type { Alert } from '../api/disruptions.ts';

export const alertAddress = ({ event_id }: Pick<Alert, 'event_id'>): string =>
  pageAddressOf('alert', event_id);

/** What the map shows around it, with the disruptions on; null where its place is not known. */
export function mapAddress({ latitude, longitude }: Pick<Alert, 'latitude' | 'longitude'>): string | null {
  if (latitude == null || longitude == null || (latitude === 0 && longitude === 0)) return null;
  return pageAddress('map', {
    disruptions: 'on',
    lat: String(latitude),
    lng: String(longitude),
    zoom: '11',
  });
}
