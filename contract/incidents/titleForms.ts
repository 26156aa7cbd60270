/** One alert's title in several lengths, the fullest first; a screen takes the first that fits its measured width.
 *  Nothing is cut inside a name, a number or a unit, and no form ends in an ellipsis. */
/** The facts from which a title is made. */
type TitleFacts = { [Fact in 'place' | 'effect' | 'cause']?: string | null | undefined };

/** "M62 eastbound, J26 Chain Bar to J27 Gildersome: closed, overturned lorry" to "M62 eastbound, J26 to J27: closed". */
export function titleForms(facts: TitleFacts | null | undefined, title: string): string[] {
  if (!facts?.place || !facts.effect) return publisherForms(title);
  const [full = '', ...shorter] = placeForms(facts.place);
  const effects = effectsOf(facts.effect, facts.cause ?? null);
  // The names of junctions go first, then words of effect and cause, then the rest of the place.
  const isNameless = shorter[0] === withoutNames(facts.place);
  const place = isNameless ? shorter[0]! : full;
  return shortening([
    `${full}: ${effects[0]}`,
    ...effects.map((effect) => `${place}: ${effect}`),
    ...shorter.slice(isNameless ? 1 : 0).map((form) => `${form}: ${effects.at(-1)}`),
  ]);
}

/** The place on a route of the team: "A64 Bilbrough to Bramham, km 14 to 17 of York to Hull". */
const OF_ROUTE = /(?:^|, )km [\d.]+(?: to [\d.]+)? of (?=.)/;

/** The place alone: "M62 eastbound, J26 Chain Bar to J27 Gildersome", "M62 eastbound, J26 to J27". */
export function placeForms(place: string): string[] {
  // The name of a route is not shortened: without its end it is the name of another route.
  const [inPart, ofRoute] = place.split(OF_ROUTE);
  if (inPart === '') return [place];
  if (ofRoute !== undefined) return [place, ...placeForms(inPart!)];
  const forms = [place];
  const add = (shorten: (form: string) => string) => {
    const form = shorten(forms.at(-1)!).trim(); // `forms` is never empty
    if (form !== '') forms.push(form);
  };
  add(withoutNames);
  add(withoutListed);
  add(withoutOperator);
  add(withoutFarEnd);
  // Each cut removes the last preposition and its words, or the words after the last comma.
  for (let round = 0; round < 4; round++) add(cut);
  return shortening(forms);
}

/** Effect and cause, to stand alone: "Closed, overturned lorry", "Closed, lorry", "Closed". */
export function effectForms({ effect, cause }: TitleFacts): string[] {
  return effect ? effectsOf(effect, cause ?? null).map((form) => capital(form)) : [];
}

/** With a capital first. */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Numbers, grades, directions and "not": they are in every form. */
const KEPT =
  /\d|\b(?:no|not|without|only|severe|minor|major|amber|red|yellow|(?:north|south|east|west|coast|London)bound|(?:anti-)?clockwise|both ways|reopened|open|cancelled)\b/;

function effectsOf(effect: string, cause: string | null): string[] {
  const because = (form: string, why: string | null) =>
    why === null ? form : `${form}${why.startsWith('to ') ? '' : ','} ${why}`;
  const [strongest = effect, ...others] = effect.split(/, (?=\D)/).filter(Boolean);
  // "diverted until further notice" has no clock time.
  const short = (form: string) => form.replace(/ until (?!.*\d)[a-z ]+?(?= on |$)/, '');
  // "Open again" without "long delays remain" promises too much.
  const isBetter = /\breopened\b|\bagain\b/.test(strongest);
  const one = [strongest, ...others.filter((other) => isBetter || KEPT.test(other))].map(short).join(', ');
  if (cause === null) return shortening([effect, one]);

  const [first = ''] = cause.split(', ');
  const noun = nounOf(first);
  const forms = [
    because(effect, cause),
    ...(KEPT.test(cause.slice(first.length))
      ? []
      : [because(effect, first), because(one, first), because(one, noun)]),
    ...(KEPT.test(cause) ? [because(one, cause)] : [one]),
  ];
  return shortening(forms);
}

/** "overturned lorry" is "lorry", "points failure at Slough" is "points failure". */
function nounOf(cause: string): string {
  const where = / (?:at(?! work\b)|near|on|in|between|from) /.exec(cause);
  const noun = (where ? cause.slice(0, where.index) : cause)
    .replace(/^broken[- ]down .*/, 'breakdown')
    .replace(/^(?:earlier|overturned|fallen|serious|high|strong|heavy|multi-vehicle) (?=\S)/, '')
    .replace(/^flooding$/, 'flood');
  return KEPT.test(cause) && !KEPT.test(noun) ? cause : noun;
}

/** Removes names after a junction's number, and in brackets: "J26 Chain Bar" is "J26". */
export function withoutNames(place: string): string {
  return place
    .replace(/ \(([^()\d]*)\)/g, '')
    .replace(
      /\b(J\d{1,2}[A-Z]?(?:\/\d{1,2}[A-Z]?)?)((?: (?!(?:to|and|at|near|exit|entry|slip|[a-z-]+bound|clockwise|anti-clockwise|both)\b)[^\s,()]+)+)/g,
      '$1',
    );
}

/** "North East England, Wales and Grampian" is "North East England and 2 more"; commas in other places mean no list. */
function withoutListed(place: string): string {
  const more = / and (\d+) more$/.exec(place);
  const listed = more ? place.slice(0, more.index) : place;
  const names = listed.split(place.includes(';') ? '; ' : /, | and /);
  if (!more && names.length < (place.includes(';') ? 2 : 3)) return place;
  if (/\d|\bRivers\b| (?:at|from|near|to) /.test(listed)) return place;
  const count = names.length - 1 + Number(more?.[1] ?? 0);
  return names.length > 1 ? `${names[0]} and ${count} more` : place;
}

/** "Victoria line, Seven Sisters to Walthamstow Central" without its line: "Victoria line: no service" is not true. */
function withoutOperator(place: string): string {
  const [name = '', stretch = '', ...more] = place.split(', ');
  return !ON_ROAD.test(name) && more.length === 0 && /^[^,]+ to [^,]+$/.test(stretch) && !/ from /.test(name)
    ? stretch
    : place;
}

const ON_ROAD = /^(?:[AMB]\d|M6 Toll)/;
/** A road with its direction, before a place on it or its effect. The first group is the road. */
export const ROAD =
  /^(M6 Toll|[AMB]\d{1,4}(?:\(M\))?)(?: (?:[A-Za-z]+bound|(?:anti-)?clockwise|both ways))?(?=[ ,:]|$)/;

/** "M62 eastbound", "M62 eastbound: closed": the text names no place on the road. */
export const isRoadAlone = (text: string): boolean =>
  ROAD.test(text) && /^(?:: |$)/.test(text.replace(ROAD, ''));

/** For a road between two named places: only the first place. Stretches between junctions, and stretches of
 *  railways, are kept in full. */
function withoutFarEnd(place: string): string {
  if (!ON_ROAD.test(place)) return place;
  const to = place.lastIndexOf(' to ');
  const far = place.slice(to + 4);
  return to === -1 || KEPT.test(far) || /\bJ\d/.test(place.slice(0, to).split(', ').at(-1) ?? '')
    ? place
    : place.slice(0, to);
}

/** Cut at the last preposition or comma. A road's number after it is kept ("River Aire at Kirkstall, A65"), and so
 *  is the part that limits the place to a slip road or to a place on the road. */
function cut(place: string): string {
  const marks = [
    ...place.matchAll(/, (?:including )?(?:the )?| \/ | (?:at|from|near|in|on|over|under|including) /g),
  ];
  for (const { index } of marks.toReversed()) {
    const rest = place.slice(index);
    const roads = rest.match(/\b(?:M6 Toll|[AMB]\d{1,4}(?:\(M\))?)(?!\w)/g) ?? [];
    const others = rest.replace(/\b(?:M6 Toll|[AMB]\d{1,4}(?:\(M\))?)(?!\w)/g, '');
    const kept = place.slice(0, index);
    if (KEPT.test(others) || /\b(?:slip|exit|entry|link)\b/.test(others)) continue;
    if (!kept.includes(' ') || isRoadAlone(kept) || kept.endsWith(' Sea') || /\bRivers\b/.test(kept))
      continue;
    // "Merseyrail, Wirral line": the first name alone would be another place.
    if (
      rest.startsWith(', ') &&
      roads.length === 0 &&
      !ON_ROAD.test(kept) &&
      !/ (?:at|from|near|in|to) /.test(kept)
    )
      continue;
    const form = [kept, ...roads.filter((road) => !kept.includes(road))].join(', ');
    if (form.length < place.length) return form;
  }
  return place;
}

/** A title without a known form: in full, then without its last clauses, as long as these contain nothing important. */
function publisherForms(title: string): string[] {
  const words = title
    .replace(/\p{Extended_Pictographic}\uFE0F?/gu, '')
    .trim()
    .split(' ')
    .filter(
      (word, at, all) => !/^#\p{L}/u.test(word) || all.slice(at + 1).some((later) => !/^#\p{L}/u.test(later)),
    )
    .map((word) => word.replace(/^#(?=\p{L})/u, ''))
    .join(' ')
    .trim();
  const isCut = /(?:…|\.{3})$/.test(words);
  const clauses = words.split(/(?<=[^\s,;:.-])(?=[,;:.] | - )/);
  // A clause that is cut in its middle has another meaning, or none.
  const whole = isCut && clauses.length > 1 ? clauses.slice(0, -1) : clauses;
  const forms: string[] = [];
  // The first clause alone may be only the place.
  for (let count = whole.length; count > (isCut ? 0 : 1) || forms.length === 0; count--) {
    if (count < whole.length && KEPT.test(whole[count]!.toLowerCase())) break; // `count` is below the length
    forms.push(
      whole
        .slice(0, count)
        .join('')
        .replace(/(?<![.…\s])[.…\s]+$/, ''),
    );
  }
  return shortening(forms);
}

/** The forms, each shorter than the one before, and each ending at the end of a clause or a name. */
function shortening(forms: readonly string[]): string[] {
  const kept: string[] = [];
  for (const form of forms.map((one) => one.trim())) {
    const last = kept.at(-1);
    if (last === undefined || (form.length < last.length && !/[:,;]$| (?:at|near|from|in|on)$/.test(form)))
      kept.push(form);
  }
  return kept;
}
