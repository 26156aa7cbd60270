/** An alert's title in all its lengths, the fullest first. A screen takes the first that fits. */
import { knownFeed } from '#contract/feeds/feeds.ts';
import {
  capital,
  effectForms,
  placeForms,
  ROAD,
  titleForms,
  withoutNames,
} from '#contract/incidents/titleForms.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { detailOf, titleOf } from './alerts.ts';

/** The title's forms, the fullest first. */
export const formsOf = (alert: Alert): string[] => titleForms(factsOf(alert), titleOf(alert));

/** The facts for the title. If another feed counts the alert, they name that feed. */
function factsOf(alert: Alert): NonNullable<Alert['facts']> {
  const { facts, see } = alert;
  if (!see?.feed) return facts ?? {};
  const [place] = (facts?.place ?? titleOf(alert).split(': ')[0]!).split(', '); // there is at least one part
  return { place, effect: `see ${knownFeed(see.feed)?.title ?? see.feed}` };
}

/** The first form of at most `most` characters, otherwise the shortest. */
export const formWithin = (forms: readonly string[], most: number): string =>
  forms.find((form) => form.length <= most) ?? forms.at(-1) ?? '';

/** The place, and its effect with the cause: "M62 eastbound, J26 to J27", "Closed, overturned lorry". If the facts
 *  lack one of them, `place` is the publisher's title and `effect` is ''. */
export function headOf(alert: Alert): { place: string; effect: string } {
  const [effect] = effectForms(alert.facts ?? {});
  return alert.facts?.place && effect
    ? { place: alert.facts.place, effect }
    : { place: titleOf(alert), effect: '' };
}

/** The forms of the title that still say what happens. The names of junctions go first, then the cause, then parts
 *  of the effect, then parts of the place. */
export function sayingForms(alert: Alert): string[] {
  const forms = formsOf(alert);
  const { place, effect } = factsOf(alert);
  if (!place || !effect) return forms;
  const places = [...shortPlaces(withoutNames(place)), ...(ROAD.exec(place)?.slice(0, 1) ?? [])];
  return [...new Set([forms[0]!, ...saying(places, alert), ...warningForms(alert)])]; // there is one
}

/** Each place with each form of the effect. */
export function saying(places: readonly string[], alert: Alert): string[] {
  const effects = shortEffects(alert).map((what) => what.charAt(0).toLowerCase() + what.slice(1));
  return places.flatMap((where) => effects.map((what) => `${where}: ${what}`));
}

/** "Amber wind, North East England", then "Amber wind". The warning comes before its places, because there may be
 *  many. */
function warningForms({ facts }: Alert): string[] {
  const [, kind = ''] = /^((?:red|amber|yellow) .+) warning$/.exec(facts?.effect ?? '') ?? [];
  return kind ? [...namedPlaces(capital(kind), facts?.place ?? ''), capital(kind)] : [];
}

/** The event and its place, in all lengths of the place. The last is only the first part of the place. */
export function namedPlaces(what: string, place: string): string[] {
  const [first = ''] = place.split(/, |; | and /);
  return [...new Set([...shortPlaces(place), first])].map((form) => `${what}, ${form}`);
}

/** Words that travellers leave out: they say Paddington for "London Paddington", and a town's Interchange is its
 *  station. */
const STATION_WORDS =
  /\bLondon (?=(?:Blackfriars|Cannon Street|Charing Cross|Euston|Fenchurch Street|Kings? ?[’']?s? Cross|Liverpool Street|Marylebone|Paddington|St\.? Pancras|Victoria|Waterloo)\b)|(?<=[a-z]) Interchange\b(?= to |$)/g;

/** Words that leave out no direction. */
export const BOTH_WAYS = / both (?:ways|directions)(?=, |$)/;

/** The place, from its fullest form to the shortest. An airport's last form has only its name, because its feed says
 *  that it is one. */
export const shortPlaces = (place: string): string[] => {
  const forms = placeForms(place);
  const bare = forms
    .at(-1)! // there is at least one form
    .replace(/ (?:Airport|Terminals)$/, '')
    .replace(/^Coast from (?=.+ to )/, '')
    .replace(STATION_WORDS, (words) => (place.includes(' to ') ? '' : words))
    .replace(BOTH_WAYS, '');
  const [first, second, ...others] = place.split(/, | and /);
  const isOfTwo =
    second !== undefined && others.length === 0 && place.includes(' and ') && !/\d| to /.test(place);
  return [...new Set([...forms, bare, ...(isOfTwo ? [`${first} and 1 more`] : [])])];
};

/** The effect on its own, from its fullest form: with its cause, without it, then only the first and strongest of
 *  several. */
export function shortEffects(alert: Alert): string[] {
  const facts = factsOf(alert);
  const forms = effectForms(facts);
  for (const shorten of SHORTENINGS) {
    const last = forms.at(-1);
    const form = last && capital(shorten(last, facts.place ?? ''));
    if (form && form.length < last.length) forms.push(form);
  }
  return forms;
}

/** Last words of a state. Without them the text would say something else. */
const STATE = /\b(?:blocked|closed|shut|suspended|diverted|delayed|late|open|reopened|again|overnight)$/;

type Shorten = (effect: string, place: string) => string;

const SHORTENINGS: readonly Shorten[] = [
  (effect) => effect.replace(/^Trains may be cancelled(?:,| or)(?: delayed)? (?=up to \d)/, ''),
  (effect) => effect.replace(/^Weather risk, /, ''),
  (effect) => effect.replace(/ until (?!.*\d).*$/, ''),
  // "all lines towards Huddersfield blocked", when the place names Huddersfield.
  (effect, place) =>
    effect.replace(/ towards ([A-Z]\w+)(?= \w+$)/, (all, where: string) =>
      place.includes(where) ? '' : all,
    ),
  (effect) =>
    effect.replace(/ (?:to|at|in|on|from|near|towards|between|with) [^\d]+$/, (all) =>
      STATE.test(all) ? all : '',
    ),
  // "Reopened" alone would promise too much when long delays remain, so only the delays are kept.
  (effect) =>
    /^[^,]*\b(?:reopened|again)\b/i.test(effect)
      ? effect.replace(/^[^,]*, (?=.*\b(?:delay|late|cancel|disrupt|queue|congest|close|block)\w*)/, '')
      : effect.replace(/, (?!\d+(?:,| and )).*$/, ''), // "buses 33, 34 and 508 delayed" has a list
  (effect) => effect.replace(/(\d) minutes?\b/g, '$1 min'),
  (effect) => effect.replace(/^(Severe flood) warning$/, '$1'),
  // An airport where departures are late is late.
  (effect) => effect.replace(/^Departures (?=(?:up to )?\d+ min late)/, ''),
];

/** Places where a title or sentence on the board must not wrap. */

const BINDINGS: readonly RegExp[] = [
  /\bup (?=to \d)/g,
  /\d (?=(?:minutes?|hours?|miles?|metres?|knots|min|mph|km|m|lanes?)\b)/g, // number and unit
  /\d(?:\(M\))? (?=(?:north|south|east|west)bound\b|both ways\b|(?:anti-?)?clockwise\b)/g, // road and direction
  /\b(?:lanes?|platforms?|Terminals?|about|since|until|from|to) (?=J?\d)/g, // a number and its word
  /\bRiver (?=[A-Z])/g,
  /\bLeeds (?=Bradford\b)/g,
];

/** The text with no-break spaces between words that belong together: "45 minutes", "M62 eastbound", "until 11:00",
 *  "River Aire". */
export const keptTogether = (text: string): string =>
  BINDINGS.reduce((kept, binding) => kept.replace(binding, (words) => words.replace(/ $/, '\u00a0')), text);

// Shorter forms of long texts on the board. They leave out whole sentences and clauses, and never cut inside one.

/** The text, then the forms without its last sentences and clauses, one after the other. */
export function clausesOf(text: string): string[] {
  const clauses = text.split(/(?<=[.;]) /);
  return clauses.map((_, index) =>
    clauses
      .slice(0, clauses.length - index)
      .join(' ')
      .replace(/;$/, '.'),
  );
}

/** Like `clausesOf`; a list of names ends in "and more". A name with a number is a place or a figure, so then only
 *  its end is left out. */
export function namesOf(text: string): string[] {
  const names = /[.;] /.test(text) ? [] : text.replace(/\.$/, '').split(', ');
  const more = /\d/.test(text) ? '' : ' and more';
  const fewer = names.slice(1).map((_, index) => names.slice(0, -1 - index).join(', ') + more);
  return [...clausesOf(text), ...fewer];
}

/** The words of the publisher's line that the title does not hold, without hashtags. */
export function beyondTitle(alert: Alert): string {
  const said = wordsOf(formsOf(alert)[0]!); // there is at least one form
  return detailOf(alert)
    .replaceAll(HASHTAG, '')
    .trim()
    .split(/(?<=[.;]) /)
    .filter((sentence) => wordsOf(sentence).some((word) => !said.includes(word)))
    .join(' ');
}

const HASHTAG = /(?<!\S)#\p{L}[\p{L}\d_]*/gu;
const SMALL = new Set(['and', 'at', 'between', 'from', 'in', 'is', 'near', 'of', 'on', 'the', 'to']);
const wordsOf = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).filter((word) => !SMALL.has(word));
