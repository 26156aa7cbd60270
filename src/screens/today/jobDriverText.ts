/** The text for a job's driver: the worst alert ahead, in a few words without a link. */
import type { Arrival } from '#contract/watches/arrival.ts';
import { mayBeBehind, metAt, reachedAt, type Trip } from '#contract/watches/departures.ts';
import { titleForms } from '#contract/incidents/titleForms.ts';
import { titleOf } from '../../feeds/alerts/alerts.ts';
import { clearAt, untilWords } from '../../feeds/alerts/alertTimes.ts';
import { DRIVER_MAX, plain, sentence } from '../alert/copyTexts.ts';
import { formatClock } from '../../time/london.ts';
import { timesOf, type Touch } from '../../watches/timeWindow.ts';
import type { RouteState } from '../../watches/watchState.ts';

/** "M62 J26 to J27 eastbound closed until about 18:32. You reach it about 06:28. Follow the A58."; '' when nothing
 *  is certainly ahead. It holds whole sentences; one without room is left out. */
export function driverWords(state: RouteState, arrival: Arrival | null, now: Date): string {
  const [touch] = state.certain;
  const alert = touch?.alert;
  if (!touch || !alert) return '';
  const until = clearAt(alert) ? untilWords(alert, now).replace(/^until /, 'until about ') : '';
  const heads = titleForms(alert.facts, plain(titleOf(alert))).map((form) =>
    sentence([plain(form), until].filter(Boolean).join(' ')),
  );
  const head = heads.find((one) => one.length <= DRIVER_MAX) ?? '';
  const delay = arrival?.counted.find(({ event_id }) => event_id === alert.event_id)?.delay;
  const more = [
    metWords(state.trip, touch, now),
    ...(alert.facts?.advice ?? [])
      .filter((words) => !/https?:|www\.|@/i.test(words))
      .map(plain)
      .map(sentence),
    delay ? (delay.least === delay.most ? `${delay.most} min.` : `Up to ${delay.most} min.`) : '',
  ];
  return more.reduce(
    (text, part) => (part && `${text} ${part}`.length <= DRIVER_MAX ? `${text} ${part}`.trim() : text),
    head,
  );
}

/** "You reach it about 22:46. It begins at 23:25."; '' when the vehicle is there, or may have passed it. */
function metWords(trip: Trip | null, touch: Touch, now: Date): string {
  const { match } = touch;
  if (!trip || match.from_km === null || mayBeBehind(trip, match, now)) return '';
  const reached = reachedAt(trip, match.from_km);
  const { at, begins } = metAt(trip, match.from_km, timesOf(touch, now) ?? []);
  return [
    reached > now && `You reach it about ${formatClock(reached)}.`,
    begins && at > now && `It begins at ${formatClock(at)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
