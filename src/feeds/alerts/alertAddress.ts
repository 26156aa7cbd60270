/** Where an alert is shown. */
import { pageAddress, pageAddressOf } from '#contract/addresses.ts';
import { alertNumber } from '#contract/incidents/alertNumber.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';

export const alertAddress = ({ event_id }: Pick<Alert, 'event_id'>): string =>
  pageAddressOf('alert', event_id);

/** A short one that can be read from a wall and typed: "/a/48213". */
export const numberAddress = ({ event_id }: Pick<Alert, 'event_id'>): string =>
  pageAddressOf('alertNumber', alertNumber(event_id));

/** The map around it, where it is selected; null where its place is not known. */
export function mapAddress({
  event_id,
  latitude,
  longitude,
}: Pick<Alert, 'event_id' | 'latitude' | 'longitude'>): string | null {
  if (latitude == null || longitude == null || (latitude === 0 && longitude === 0)) return null;
  return pageAddress('map', {
    disruptions: 'on',
    alert: event_id,
    lat: String(latitude),
    lng: String(longitude),
    zoom: '11',
  });
}
