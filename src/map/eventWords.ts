/** How an event is called, on the map, in its list and on its page. */
import type { MapEvent } from '../api/events.ts';
import { formatDateTime } from '../ui/time.ts';

export const eventName = ({ name }: Pick<MapEvent, 'name'>) => name?.trim() || 'Event without a name';

/** "Hyde Park, London". */
export const placeText = ({ venue_name, venue_town }: Pick<MapEvent, 'venue_name' | 'venue_town'>) =>
  [venue_name, venue_town].filter((part) => part?.trim()).join(', ');

/** "Wales v Australia, Principality Stadium, Cardiff, 21 Nov 2026, 15:10". */
export const eventInWords = (event: MapEvent) =>
  [eventName(event), placeText(event), formatDateTime(event.start_datetime ?? '')].filter(Boolean).join(', ');
