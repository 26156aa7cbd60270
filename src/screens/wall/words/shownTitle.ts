/** The title of an alert on the wall: place, colon, effect, cause. All titles on the wall are made here. */
import { knownSource, type Nation } from '#contract/feeds/knownSources.ts';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import { gradeOf, lineOf } from '../../../feeds/alerts/alerts.ts';
import {
  BOTH_WAYS,
  formsOf,
  saying,
  sayingForms,
  shortEffects,
  shortPlaces,
} from '../../../feeds/alerts/titles.ts';
import { GRADE_WORDS } from '../../../ui/signs/Severity.tsx';
import { DIRECTION_WORDS } from '../../../watches/routeWords.ts';
import { type Face, fits, fitting } from './textFit.ts';
import { nameOnMap, townOf } from '../mapMarks.ts';
import { isRoadAlone, ROAD, withoutNames } from '#contract/incidents/titleForms.ts';

/** The title in the fullest form that fits. If not even one word of it fits, "High alert", because no line may be
 *  empty. */
export const shownTitle = (alert: Alert, width: number, face: Face): string =>
  inWords(alert, wallForms(alert), width, face);

const inWords = (alert: Alert, forms: readonly string[], width: number, face: Face): string =>
  fitting(forms, width, face) || `${GRADE_WORDS[gradeOf(alert)]} alert`;

/** The title in all its lengths, from the fullest. The last forms are the place alone. */
export function shortForms(alert: Alert): string[] {
  const forms = sayingForms(alert);
  const { place } = alert.facts ?? {};
  const [, see] = (alert.see && forms[0]?.split(': ')) ?? [];
  return [...forms, ...(see ? [see] : place ? shortPlaces(place) : [])];
}

/** The forms of the title, the fullest first. After the forms of its own place, the near end of a stretch or the town
 *  beside a road takes that place; the last forms are the place alone. */
export function wallForms(listed: Alert): string[] {
  const alert = placed(listed);
  const { place, effect } = alert.facts ?? {};
  if (alert.see || !place || !effect) return shortForms(alert);
  const near = /^([^\d,]+?) to /.exec(place)?.slice(1) ?? [];
  const [road] = (!/\bJ\d/.test(place) && ROAD.exec(place)) || [];
  const town = road && townOf(alert);
  const beside = town ? [`${road.replace(BOTH_WAYS, '')}, ${town}`] : [];
  return [
    ...sayingOnWall(listed),
    ...saying([...near, ...beside], alert),
    ...withoutRoads(shortPlaces(asInFeed(place))),
  ];
}

/** The forms with the whole place that still say what happens. */
export function sayingOnWall(listed: Alert): string[] {
  const alert = placed(listed);
  const { see, facts } = alert;
  if (see || !facts?.place || !facts.effect) return sayingForms(alert);
  const named = { ...alert, facts: { ...facts, place: asInFeed(facts.place) } };
  return withoutRoads([formsOf(alert)[0]!, ...sayingForms(named)]); // there is one
}

/** The place without names of junctions; an airport with the name of its feed. */
const asInFeed = (place: string) => withoutNames(place).replace(/ Airport$/, '');

/** A road alone is not a place: "M62: closed" would say more than is known. */
function withoutRoads(forms: string[]): string[] {
  const kept = forms.filter((form) => !isRoadAlone(form));
  return kept.length > 0 ? kept : forms;
}

/** Place and effect on two lines of their own, the place within a width. If they are not known, the title, divided
 *  at its colon, and its line. */
export function placeAndEffects(
  alert: Alert,
  width: number,
  face: Face,
): { place: string; effects: string[] } {
  const { facts } = placed(alert);
  if (facts?.place && facts.effect)
    return {
      place: inWords(alert, shortPlaces(facts.place), width, face),
      effects: shortEffects({ ...alert, facts }),
    };
  const [title = ''] = formsOf(alert);
  const [where = '', ...what] = title.split(': ');
  if (what.length > 0 && fits(where, width, face)) {
    const effect = what.join(': ');
    return { place: where, effects: [effect.charAt(0).toUpperCase() + effect.slice(1)] };
  }
  const [first = ''] = lineOf(alert).split(/(?<=\.)\s/);
  const detail = first.replace(/\.$/, '');
  return {
    place: inWords(alert, formsOf(alert), width, face),
    effects: [detail === title ? `${GRADE_WORDS[gradeOf(alert)]} alert` : detail],
  };
}

const SIDE = /bound\b|clockwise|both (?:ways|directions)/i;

const NATIONS: Readonly<Record<Nation, string>> = {
  england: 'England',
  scotland: 'Scotland',
  wales: 'Wales',
  'northern-ireland': 'Northern Ireland',
};

/** The alert with a road that says where: its direction or, if it is named alone, a junction, a town or the nation. */
export function placed(alert: Alert): Alert {
  const { facts, source, metadata } = alert;
  const [, road] = ROAD.exec(facts?.place ?? '') ?? [];
  if (!facts?.place || !road || alert.see) return alert;
  const { direction, stretch } = facts;
  const sided =
    direction && !SIDE.test(facts.place)
      ? `${road} ${DIRECTION_WORDS[direction]}${facts.place.slice(road.length)}`
      : facts.place;
  const isAlone = isRoadAlone(sided);
  return sided === facts.place && !isAlone
    ? alert
    : { ...alert, facts: { ...facts, place: isAlone ? `${sided}${where()}` : sided } };

  function where(): string {
    const on = stretch?.find((part) => part.road === road);
    if (on?.from) return `, ${on.to && on.to !== on.from ? `${on.from} to ${on.to}` : on.from}`;
    const nation = NATIONS[knownSource(source ?? '').where as Nation];
    const name =
      metadata?.location_names?.find((one) => !ROAD.test(one)) || nameOnMap({ ...alert, facts: {} });
    return name || nation ? `, ${name || nation}` : '';
  }
}
