/** Title of an alert on the wall: place, colon, effect, cause. Every title of it is made here. */
import { knownSource, type Nation } from '#contract/feeds/knownSources.ts';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import { gradeOf, lineOf } from '../../../feeds/alerts/alerts.ts';
import { formsOf, sayingForms, shortEffects, shortForms, shortPlaces } from '../../../feeds/alerts/titles.ts';
import { GRADE_WORDS } from '../../../ui/signs/Severity.tsx';
import { DIRECTION_WORDS } from '../../../watches/routeWords.ts';
import { type Face, fits, fitting } from './wallFit.ts';
import { nameOnMap } from '../mapMarks.ts';

/** The title in the fullest form that fits; where not even a word of it does, "High alert": no line is empty. */
export const shownTitle = (alert: Alert, width: number, face: Face): string =>
  inWords(alert, titleForms(placed(alert)), width, face);

const inWords = (alert: Alert, forms: readonly string[], width: number, face: Face): string =>
  fitting(forms, width, face) || `${GRADE_WORDS[gradeOf(alert)]} alert`;

/** The fullest first. Before what happens goes the far end of a stretch that is not between junctions. */
function titleForms(alert: Alert): string[] {
  const place = alert.facts?.place ?? '';
  const near = /^([^\d,]+?) to /.exec(place)?.[1];
  // Both ways is a direction that excludes nothing.
  const sideless = BOTH_WAYS.test(place) ? place.replace(BOTH_WAYS, '') : undefined;
  const effects = alert.see ? [] : shortEffects(alert);
  const at = (where: string | undefined) =>
    where ? effects.map((effect) => `${where}: ${effect.charAt(0).toLowerCase()}${effect.slice(1)}`) : [];
  const saying = [...sayingForms(alert), ...at(near), ...at(sideless)];
  // A road alone is no place: its cause goes before where on it.
  const forms = [
    ...saying.toSorted((a, b) => Number(ROAD_ALONE.test(a)) - Number(ROAD_ALONE.test(b))),
    ...shortForms(alert),
  ];
  // "M62: closed" would say more than is known: the junctions go last of all.
  const isBetween = JUNCTION.test(place);
  return isBetween ? forms.toSorted((a, b) => Number(JUNCTION.test(b)) - Number(JUNCTION.test(a))) : forms;
}

/** Place and effect for two lines of their own, the place within so much; where they are not known the title, divided at its
 *  colon, and what is said of it. */
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
const ROAD_ALONE = new RegExp(`${ROAD.source}(?: (?:\\S*bound|both ways|(?:anti-)?clockwise))?: `);
const BOTH_WAYS = / both (?:ways|directions)(?=, )/;
const SIDE = /bound\b|clockwise|both (?:ways|directions)/i;

const NATIONS: Readonly<Record<Nation, string>> = {
  england: 'England',
  scotland: 'Scotland',
  wales: 'Wales',
  'northern-ireland': 'Northern Ireland',
};

/** A road with its direction; one that is named alone with where on it: a junction, a town, or the nation. */
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
