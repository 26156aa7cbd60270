/** The words for an event on the map, in its list and on its page. */
import type { MapEvent } from '../../../api/places/events.ts';
import { formatClock, formatDate, formatDateTime } from '../../../time/london.ts';

export const eventName = ({ name }: Pick<MapEvent, 'name'>) => name?.trim() || 'Event without a name';

/** "Hyde Park, London". */
export const placeText = ({ venue_name, venue_town }: Pick<MapEvent, 'venue_name' | 'venue_town'>) =>
  [venue_name, venue_town].filter((part) => part?.trim()).join(', ');

/** "Wales v Australia, Principality Stadium, Cardiff, 21 Nov 2026, 15:10". */
export const eventInWords = (event: MapEvent) =>
  [eventName(event), placeText(event), startText(event)].filter(Boolean).join(', ');

type Times = Pick<MapEvent, 'start_datetime' | 'end_datetime'>;

/** Whether an event lasts whole days. A record holds only times: whole days run from 00:00 to 23:59 in London. */
export const isWholeDays = ({ start_datetime, end_datetime }: Times) =>
  formatClock(start_datetime ?? '') === '00:00' && formatClock(end_datetime ?? '') === '23:59';

/** "5 Dec 2026, 19:30"; for whole days "5 Dec 2026". */
export const startText = (times: Times) =>
  (isWholeDays(times) ? formatDate : formatDateTime)(times.start_datetime ?? '');

/** The words for the end; empty when there is no end, or when the event lasts one whole day. */
export function endText(times: Times): string {
  if (!isWholeDays(times)) return formatDateTime(times.end_datetime ?? '');
  const end = formatDate(times.end_datetime ?? '');
  return end === startText(times) ? '' : end;
}
