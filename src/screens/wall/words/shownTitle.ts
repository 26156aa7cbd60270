/** The title of an alert on the wall: place, colon, effect, cause. All titles on the wall are made here. */
import { knownSource, type Nation } from '#contract/feeds/knownSources.ts';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import { gradeOf, lineOf } from '../../../feeds/alerts/alerts.ts';
import { formsOf, sayingForms, shortEffects, shortForms, shortPlaces } from '../../../feeds/alerts/titles.ts';
import { GRADE_WORDS } from '../../../ui/signs/Severity.tsx';
import { DIRECTION_WORDS } from '../../../watches/routeWords.ts';
import { type Face, fits, fitting } from './textFit.ts';
import { nameOnMap, townOf } from '../mapMarks.ts';
import { withoutNames } from '#contract/incidents/titleForms.ts';

/** The title in the fullest form that fits. If not even one word of it fits, "High alert", because no line may be
 *  empty. */
export const shownTitle = (alert: Alert, width: number, face: Face): string =>
  inWords(alert, wallForms(alert), width, face);

const inWords = (alert: Alert, forms: readonly string[], width: number, face: Face): string =>
  fitting(forms, width, face) || `${GRADE_WORDS[gradeOf(alert)]} alert`;

/** The forms of the title, the fullest first. The cause is left out first, then parts of the effect, then parts of
 *  the place: its second name, its far end. Then the town beside a road replaces the place. The effect is left out
 *  only if no place fits beside it. */
export function wallForms(listed: Alert): string[] {
  const alert = placed(listed);
  const { place, effect } = alert.facts ?? {};
  if (alert.see || !place || !effect) return shortForms(alert);
  const near = /^([^\d,]+?) to /.exec(place)?.[1];
  const road = ROAD_AND_SIDE.exec(place)?.[0];
  const town = road && !JUNCTION.test(place) ? townOf(alert) : '';
  const beside = town ? `${road!.replace(BOTH_WAYS, '')}, ${town}` : '';
  return [
    ...sayingOnWall(listed),
    ...[near, beside].flatMap((where) => (where ? saying([where], alert) : [])),
    ...placesOf(place),
  ];
}

/** The forms with the whole place that still say what happens. */
export function sayingOnWall(listed: Alert): string[] {
  const alert = placed(listed);
  const forms = sayingForms(alert);
  if (alert.see || !alert.facts?.place || !alert.facts.effect) return forms;
  return [
    forms[0] ?? '',
    ...saying(placesOf(alert.facts.place), alert),
    ...forms.filter((form) => !ROAD_ALONE.test(form)), // "Amber wind, Wales"
  ];
}

const saying = (places: readonly string[], alert: Alert): string[] =>
  places.flatMap((where) =>
    shortEffects(alert).map((what) => `${where}: ${what.charAt(0).toLowerCase()}${what.slice(1)}`),
  );

/** The places without names of junctions, with an airport's name as in its feed, and without "both ways", which
 *  excludes nothing. A road alone is not a place: "M62: closed" would say more than is known. */
function placesOf(place: string): string[] {
  const sideless = BOTH_WAYS.test(place) ? shortPlaces(place.replace(BOTH_WAYS, '')) : [];
  const forms = [...new Set([...shortPlaces(withoutNames(place).replace(/ Airport$/, '')), ...sideless])];
  const places = forms.filter((form) => !ROAD_ALONE.test(`${form}: `));
  return places.length > 0 ? places : forms;
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

const JUNCTION = /\bJ\d/;
const ROAD = /^(?:[AMB]\d{1,4}(?:\(M\))?|M6 Toll)/;
const ROAD_AND_SIDE = new RegExp(`${ROAD.source}(?: (?:\\S*bound|both ways|(?:anti-)?clockwise))?`);
const ROAD_ALONE = new RegExp(`${ROAD_AND_SIDE.source}: `);
const BOTH_WAYS = / both (?:ways|directions)(?=, |$)/;
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
  const road = ROAD.exec(facts?.place ?? '')?.[0];
  if (!facts?.place || !road || alert.see) return alert;
  const { direction, stretch } = facts;
  const sided =
    direction && !SIDE.test(facts.place)
      ? `${road} ${DIRECTION_WORDS[direction]}${facts.place.slice(road.length)}`
      : facts.place;
  const isAlone = sided.replace(road, '').replace(/^ (?:\S*bound|both ways|(?:anti-)?clockwise)$/, '') === '';
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
