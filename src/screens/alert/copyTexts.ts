/** The texts to copy about an alert: a short one for a driver, and whole sentences for a customer. Both are made
 *  from its fields. A part that does not fit is left out; no word, number or name is ever cut. */
import { isPlanned } from '#contract/incidents/disruptions.ts';
import { isOwn, knownSource } from '#contract/feeds/knownSources.ts';
import type { AlertRecord } from '../../api/alerts/alerts.ts';
import { alertTime, dateOf, titleOf } from '../../feeds/alerts/alerts.ts';
import {
  askWords,
  clearAt,
  fromToday,
  shortTime,
  sinceWords,
  untilWords,
} from '../../feeds/alerts/alertTimes.ts';
import { capital, titleForms } from '#contract/incidents/titleForms.ts';
import { cutAtWord } from '#contract/wholeWords.ts';

export const DRIVER_MAX = 160;
export const CUSTOMER_MAX = 400;

/** "M62 eastbound, J26 to J27: closed, overturned lorry. At J26 take the A58. Until 11:00. National Highways, 08:10." */
export function driverText(alert: AlertRecord, now: Date): string {
  const time = timeSentence(alert, now);
  const from = (!alert.ended_at && sentence(askWords(alert, now))) || sourceSentence(alert, now);
  const more = adviceOf(alert);
  const [first] = more;
  // The first piece of advice (the way round) is worth more than the longer forms of the head. If even the shortest
  // form leaves no room for it, the source is left out, then the time.
  for (const tail of first ? [[time, from], [time], []] : []) {
    const room = DRIVER_MAX - lengthOf(tail);
    const head = formsOf(alert).find((form) => lengthOf([form, first!]) <= room);
    if (head) return fitted({ head, tail, more, max: DRIVER_MAX });
  }
  const tail = [time, from];
  const head = headOf(alert, DRIVER_MAX - lengthOf(tail));
  return fitted({ head, tail, more, max: DRIVER_MAX });
}

/** The text for people who do not drive: junctions in words, and whole sentences. */
export function customerText(alert: AlertRecord, now: Date): string {
  const end = clearAt(alert);
  const isOver = Boolean(alert.ended_at);
  const delay = alert.facts?.delay_minutes;
  const tail = [
    delay && !isOver ? `Expect about ${delay} ${delay === 1 ? 'minute' : 'minutes'} more.` : '',
    end && !isOver && !isPlanned(alert) && end > now
      ? `It should be clear by about ${shortTime(end, now)}.`
      : timeSentence(alert, now),
    `Source: ${sourceSentence(alert, now)}`,
  ].map(withoutJargon);
  const head = headOf(alert, CUSTOMER_MAX - lengthOf(tail), withoutJargon);
  const more = adviceOf(alert).map(withoutJargon);
  return fitted({ head, tail, more, max: CUSTOMER_MAX });
}

/** The head, then as many further sentences as fit, in their order, then the tail. */
function fitted({
  head,
  tail,
  more,
  max,
}: {
  head: string;
  tail: readonly string[];
  more: readonly string[];
  max: number;
}): string {
  let text = head;
  for (const sentence of more) {
    if (head.includes(sentence) || lengthOf([text, sentence, ...tail]) > max) continue;
    text = `${text} ${sentence}`;
  }
  return [text, ...tail].filter(Boolean).join(' ');
}

/** The length of these parts when they are joined by spaces. */
const lengthOf = (parts: readonly string[]) => parts.filter(Boolean).join(' ').length + 1;

/** The place and the effect, the fullest form first. */
function formsOf(alert: AlertRecord, form: (text: string) => string = (text) => text): string[] {
  return titleForms(alert.facts, plain(titleOf(alert))).map((one) => sentence(form(plain(one))));
}

/** The fullest form of place and effect that fits. */
function headOf(alert: AlertRecord, room: number, form: (text: string) => string = (text) => text): string {
  const fits = formsOf(alert, form).find((one) => one.length <= room);
  return fits ?? sentence(cutAtWord(plain(form(titleOf(alert))), room - 1));
}

function timeSentence(alert: AlertRecord, now: Date): string {
  const ended = dateOf(alert.ended_at);
  if (ended) return `${overWords(alert)} since ${shortTime(ended, now)}.`;
  if (isPlanned(alert)) return sentence(fromToday(alert, now));
  return sentence(untilWords(alert, now) || sinceWords(alert, now));
}

/** "Over" if its publisher said so; otherwise only that it is no longer listed, or no longer known. */
function overWords(alert: AlertRecord): string {
  if (alert.ended_reason === 'expired') return 'No longer known';
  const isSaid = isOwn(alert) || alert.ended_reason === 'publisher' || alert.ended_reason === 'end_time';
  return isSaid ? 'Over' : 'No longer listed';
}

/** "National Highways, 08:10." */
function sourceSentence(alert: AlertRecord, now: Date): string {
  const at = alertTime(alert);
  if (isOwn(alert)) return sentence(['Our own report', at && shortTime(at, now)].filter(Boolean).join(', '));
  const name = cutAtWord(plain(alert.published?.name ?? knownSource(alert.source ?? '').displayName), 40);
  return sentence([name || 'Clearway', at && shortTime(at, now)].filter(Boolean).join(', '));
}

/** The pieces of advice. Those that only a screen can use are left out. */
const adviceOf = ({ facts, ended_at }: AlertRecord): string[] =>
  ended_at
    ? []
    : (facts?.advice ?? [])
        .map(plain)
        .filter((words) => words !== '' && !/https?:|www\.|@/i.test(words))
        .map(sentence);

const withoutJargon = (text: string) =>
  text
    .replaceAll(/\bJ(?=\d{1,2}[A-Z]?\b)/g, 'junction ')
    .replaceAll(/\bboth ways\b/g, 'in both directions')
    .replaceAll(/\b(\d+)\s?mins?\b/g, '$1 minutes');

/** The text on one line, without control characters and marks that turn the direction of writing. */
export const plain = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The text with a capital and a full stop; '' stays ''. */
export const sentence = (text: string) =>
  text === '' ? '' : `${capital(text)}${/[.!?]$/.test(text) ? '' : '.'}`;
