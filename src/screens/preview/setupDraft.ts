/** Draft of the event setup. Kept on this device only, for the user who typed it, and never sent. */
import { addDays, isValid } from 'date-fns';
import { z } from 'zod/mini';

export const EVENT_TYPES = ['Concert', 'Conference', 'Sports', 'Festival', 'Corporate', 'Other'] as const;
export const TRANSPORT_MODES = ['tube', 'rail', 'bus', 'road', 'ferry'] as const;
export const WATCH_TYPES = ['rail', 'tube', 'bus', 'road', 'weather', 'protest'] as const;
export const MONITORING_WINDOWS = ['week-before', '3-days-before', 'event-day-only', 'continuous'] as const;
export const ALERT_METHODS = ['email', 'sms', 'dashboard only'] as const;

/** The step of the sensitivities, which go from 0 to 100. */
export const SENSITIVITY_STEP = 5;
const SENSITIVITY = 50;
export const BROADER_AREA_KM = 2;
/** A placeholder: nothing is gathered yet. */
export const GATHERED_PERCENT = 86;

export const STEPS = ['Event Basics', 'Location', 'Schedule', 'Settings'] as const;

const count = z.catch(z.int().check(z.minimum(0)), 0);
const text = z.catch(z.string(), '');
const sensitivity = z.catch(z.number().check(z.minimum(0), z.maximum(100)), SENSITIVITY);

/** Every field has its default: a draft of an older version loses only the fields that it lacks. */
export const SetupDraft = z.object({
  eventName: text,
  organisation: text,
  eventType: z.catch(z.enum(EVENT_TYPES), 'Concert'),
  attendance: count,
  description: text,
  venueName: text,
  venueAddress: text,
  transportModes: z.catch(z.array(z.enum(TRANSPORT_MODES)), []),
  watchTypes: z.catch(z.array(z.enum(WATCH_TYPES)), []),
  includeBroaderArea: z.catch(z.boolean(), false),
  /** YYYY-MM-DD, or empty. */
  startDate: text,
  endDate: text,
  setupDays: count,
  breakdownDays: count,
  monitoringWindow: z.catch(z.enum(MONITORING_WINDOWS), '3-days-before'),
  alertMethods: z.catch(z.array(z.enum(ALERT_METHODS)), []),
  transportSensitivity: sensitivity,
  weatherSensitivity: sensitivity,
  crowdSensitivity: sensitivity,
  overlapSensitivity: sensitivity,
  autoNotify: z.catch(z.boolean(), false),
});
export type SetupDraft = z.infer<typeof SetupDraft>;

export const EMPTY_DRAFT: SetupDraft = SetupDraft.parse({});

/** The whole number typed; 0 when it is not one. */
export function parseCount(typed: string): number {
  const number = Number.parseInt(typed, 10);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

const DAYS_BEFORE = { 'week-before': 7, '3-days-before': 3, 'event-day-only': 0 } as const;

/** The first day on which the event is watched: today when it is watched at once, or its start is not known. */
export function watchedFrom({ startDate, setupDays, monitoringWindow }: SetupDraft, today: Date): Date {
  // Noon, so that the day is the same in the device's time zone, whichever it is.
  const start = new Date(`${startDate}T12:00:00Z`);
  if (monitoringWindow === 'continuous' || !isValid(start)) return today;
  const from = addDays(start, -DAYS_BEFORE[monitoringWindow] - setupDays);
  return from > today ? from : today; // also when this many days go back past the earliest date
}
