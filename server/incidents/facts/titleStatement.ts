/** The statement of one title: where, what, why. The title is divided at its punctuation, and each piece must be a
 *  known place, effect, cause or instruction. A title with any other piece has an unknown form, and nothing is read
 *  from it. */
import { MONTH_NAMES } from '#contract/london.ts';
import { everyMatch } from '../../geography/roads/everyMatch.ts';
import { effectWords } from './effectWords.ts';
import { joined, placeIn, withDirection } from './placeWords.ts';
import {
  withoutTime,
  BECAUSE,
  causeAt,
  EFFECTS,
  INSTRUCTION,
  isCause,
  PERHAPS_BECAUSE,
  PROGRESS,
  PURPOSE,
  strength,
  SUBJECT_FIRST,
  atWord,
  firstAt,
} from './vocabulary.ts';
import { capital, lower, tidy, uncapital, withoutArticle } from './publisherWords.ts';

export interface Statement {
  place: string | null;
  effect: string | null;
  cause: string | null;
  /** True: its effect is what happened, and no effect is stated. */
  isCauseOnly: boolean;
}

const PIECE_MAX = 240;
const PIECES_MAX = 12;
const CAUSE_MAX = 80;

/** Null: we do not know the form. */
export function readStatement(title: string, options: { isRail?: boolean } = {}): Statement | null {
  const { words, kind } = withoutKind(
    tidy(title).replace(
      // The standard sentence of the railway.
      /\bmay be cancelled, delayed(?: by (up to \d{1,3} minutes))?,? or (?:revised|diverted)\b/gi,
      (_, late?: string) => `may be cancelled or ${late ? `${late} late` : 'delayed'}`,
    ),
  );
  const whole: Whole = { place: null, effects: [], causes: [], progress: null, whens: [] };
  for (const [at, piece] of piecesOf(words).entries()) {
    if (piece.words.length > PIECE_MAX || at >= PIECES_MAX) return null;
    const part = partOf(piece.words, whole);
    if (!part) return null;
    add(part, piece.mark, whole);
  }

  // The words of the kind count if nothing else gives the cause.
  if (kind && whole.causes.length === 0) whole.causes.push(kind);
  const statement = put(whole, options);
  return keepsWhatMatters(words, statement, whole) ? statement : null;
}

interface Part {
  place?: string | null;
  effects?: string[];
  cause?: string | null;
  progress?: string;
  /** "eastbound only" */
  way?: string;
  /** True: its place is what the effect happens to: "Park Lane closed". */
  isSubject?: boolean;
  /** "until further notice", "next week": no time of day. */
  when?: string;
  /** Words that are kept in another field or not needed. */
  dropped?: string;
}

interface Whole {
  place: string | null;
  effects: { words: string; when: string | null }[];
  causes: string[];
  progress: string | null;
  whens: string[];
  dropped?: string;
}

/** "Incident:" and "Road works -" repeat the alert's symbol, so they are taken off. Works are its cause too. */
function withoutKind(title: string): { words: string; kind: string | null } {
  let words = title;
  let kind: string | null = null;
  for (let round = 0; round < 3; round++) {
    const found =
      /^(?:(?:travel |traffic |service |police |news )?(?:update|updated|incident|alert|news|breaking|breaking news|latest|live|reminder)|(?:planned |overrunning |emergency )?(?:road ?works?|works|engineering works?))(?: \d{2}:\d{2})?(?:: ?| [-–] )(?=\S)/i.exec(
        words,
      );
    if (!found) break;
    if (/works?\W*$/i.test(found[0]))
      kind = (/[\w ]+/.exec(found[0])?.[0] ?? '').trim().toLowerCase().replace('road works', 'roadworks');
    words = words.slice(found[0].length);
  }
  return { words, kind };
}

/** The sign between a piece and the one before it. */
type Mark = '' | ':' | '-' | ',' | '.';

const MARK = / ?[:;](?=\s)|(?<=\s)[-–—|](?=\s)|,(?=\s)(?!(?<=\d,) \d)|[.!?](?=\s+[\p{Lu}\d])/gu;

function piecesOf(words: string): { mark: Mark; words: string }[] {
  const pieces: { mark: Mark; words: string }[] = [];
  let mark: Mark = '';
  let from = 0;
  for (const { 0: said, index } of everyMatch(words, MARK)) {
    if (said === '.' && /\b(?:St|Mt|No|Dr)$/.test(words.slice(Math.max(0, index - 3), index))) continue;
    pieces.push({ mark, words: words.slice(from, index).trim() });
    from = index + said.length;
    const sign = said.trim();
    mark = sign === ',' ? ',' : /[-–—|]/.test(sign) ? '-' : /[.!?;]/.test(sign) ? '.' : ':';
  }
  pieces.push({ mark, words: words.slice(from).trim() });
  return pieces.filter((piece) => piece.words !== '');
}

function partOf(given: string, whole: Whole): Part | null {
  if (INSTRUCTION.test(given)) return { dropped: given };
  if (PROGRESS.test(given)) return { progress: uncapital(lower(given)) };
  if (/^[a-z-]+ only$/.test(given) && WAY.test(given) && whole.place) return { way: given };
  if (
    /^(?:including|excluding|especially|and) /i.test(given) &&
    whole.place &&
    placeIn(given.replace(/^\S+ /, ''))
  )
    return { place: given };

  const { words, when, dropped } = withoutTime(
    given.replace(
      /^(?:and|but|so|with|where|as|(?:drivers|motorists|(?:rail |train |bus |air )?passengers|commuters|travellers) face) (?=\S)/i,
      '',
    ),
  );
  if (words === '') return when || dropped ? { ...(when && { when }), ...(dropped && { dropped }) } : null;

  const why = firstAt(words, BECAUSE);
  const before = why ? withoutTime(words.slice(0, why.at).trim()) : { words, when: null, dropped: null };
  const head = before.words;
  const whens = [before.when, when].filter(Boolean).join(' ');
  const left = [before.dropped, dropped].filter(Boolean).join(' ');
  const time = { ...(whens && { when: whens }), ...(left && { dropped: left }) };
  const [because = '', but] = why ? words.slice(why.end).split(/ but (?=\S)/, 2) : [];
  const reason = why ? causeIn(because) : null;
  const rest = but === undefined ? null : effectIn(but);
  if ((why && !reason) || (but !== undefined && !rest)) return null;
  if (head === '') return { cause: reason!.cause, place: reason!.place, ...time }; // `why` exists, because the head is not everything

  const said = byVerb(head) ?? effectIn(head) ?? causeFirst(head) ?? placeOnly(head);
  if (!said) return null;
  return {
    ...said,
    ...time,
    ...(rest && { effects: [...(said.effects ?? []), ...(rest.effects ?? [])] }),
    ...(reason && { cause: [said.cause, reason.cause].filter(Boolean).join(', ') }),
    place: joined(said.place ?? null, reason?.place ?? null),
  };
}

const VERBS: Readonly<Record<string, string>> = {
  shuts: 'closed',
  closes: 'closed',
  blocks: 'blocked',
  halts: 'halted',
  delays: 'delayed',
  disrupts: 'disrupted',
};

const VERB = atWord(String.raw`(?:${Object.keys(VERBS).join('|')}|causes|brings) (?=\S)`);

/** "Lorry fire shuts M6 in Cheshire" is read as "M6 in Cheshire closed". */
function byVerb(words: string): Part | null {
  const verb = firstAt(words, VERB);
  const cause = verb && words.slice(0, verb.at).trim();
  if (!cause || causeAt(cause) !== cause) return null;
  // In "Snow causes delays on the A9" the effect follows the verb.
  const part = effectIn(`${words.slice(verb.end)} ${VERBS[verb.said.trim().toLowerCase()] ?? ''}`.trim());
  return part && { ...part, cause: withoutArticle(uncapital(lower(cause))) };
}

function placeOnly(words: string): Part | null {
  const place = placeIn(words);
  return place ? { place } : null;
}

const WHERE = atWord('(?:on|at|in|near|across|over|through|between|along|affecting|outside|from) ');

/** "Collision on the A40 at Hanger Lane", "fallen tree", "Tree down across the A205". */
function causeFirst(words: string): Part | null {
  const known = causeAt(words);
  if (!known) return null;
  const rest = words.slice(known.length).trim();
  const cause = inOne(withoutArticle(uncapital(lower(known))), '');
  if (rest === '') return { cause };
  const where = firstAt(rest, WHERE);
  if (where) {
    const place = /^(?:in|across) (?:lane|the road|the carriageway)\b/i.test(rest.slice(where.at))
      ? null
      : placeIn(rest.slice(where.at));
    const between = rest.slice(0, where.at).trim();
    if (place && /^[a-z' -]*$/.test(between))
      return { cause: [cause, between].filter(Boolean).join(' '), place };
  }
  return /^[a-z\d' -]{1,60}$/.test(rest) ? { cause: `${cause} ${rest}` } : null;
}

function effectIn(words: string): Part | null {
  const found = EFFECTS.map((effect) => firstAt(words, effect))
    .filter((match) => match !== null)
    // The earliest match and, of several, the longest.
    .sort((a, b) => a.at - b.at || b.end - a.end)[0];
  if (!found) return null;

  let effect = found.said;
  let before = words.slice(0, found.at).trim();
  // "Kirkstall Road flooded", "exit slip road closure": the noun belongs to the name before it.
  const noun =
    /^(?:Roads?|Street|Lane|Bridge|Tunnel|Station|Airport|Junction|Roundabout|Interchange|Motorway|station|airport|bridge|tunnel)\b/.exec(
      effect,
    )?.[0];
  const isSlip = /^road\b/i.test(effect) && /\bslip$/i.test(before);
  if (isSlip || (noun && /(?<![\p{L}\d])\p{Lu}[\p{L}'’-]+$/u.test(before))) {
    const word = noun ?? 'road';
    before = `${before} ${word}`;
    effect = effect.slice(word.length).trim();
  }
  const subject = SUBJECT_FIRST.exec(before);
  const subjectPlace =
    subject &&
    / ?(?:at|in|on|near|between|from|to|through|over|across) /i.exec(before.slice(subject[0].length));
  if (subject && subjectPlace?.index === 0 && /^ ?(?:to|from) /i.test(subjectPlace[0])) {
    const place = placeIn(before.slice(subject[0].length + subjectPlace[0].length));
    const last = behind(words.slice(found.end).trim(), effect);
    // "Trains to Portsmouth are delayed": the direction matters.
    return place && last && !last.place
      ? { place: capital(before), effects: [effect, ...last.effects], cause: last.cause }
      : null;
  }
  if (subject && subjectPlace?.index === 0) {
    effect = `${uncapital(subject[0])} ${effect}`;
    before = before.slice(subject[0].length).trim();
  }
  const first = placeBefore(before);
  if (!first) return null;
  const last = behind(words.slice(found.end).trim(), effect);
  if (!last) return null;
  return {
    place: first.place
      ? joined(last.way ? withDirection(first.place, last.way) : first.place, last.place)
      : (last.place?.replace(/^(?:at|near) /, '') ?? null),
    ...(first.place && !last.place && { isSubject: true }),
    effects: [effect + last.suffix + (last.way && !first.place ? ` ${last.way}` : ''), ...last.effects],
    cause: [first.cause, last.cause].filter(Boolean).join(', ') || null,
  };
}

/** The words before an effect: nothing, a place, or a cause at a place. */
function placeBefore(before: string): { place: string | null; cause: string | null } | null {
  const words = before.replace(/(?:^| )(?:the|an?|with|has|have|is|are|to be|and)$/i, '').trim();
  if (words === '') return { place: null, cause: null };
  const place = placeIn(words);
  if (place) return { place, cause: null };
  const part = causeFirst(words);
  return part ? { place: part.place ?? null, cause: part.cause ?? null } : null;
}

const WAY =
  /^((?:northbound|southbound|eastbound|westbound|clockwise|anti-clockwise|coastbound|Londonbound)(?: only)?)\b ?/;

interface Behind {
  place: string | null;
  way: string | null;
  cause: string | null;
  effects: string[];
  /** Words that belong to the effect: "diverted by Burley Road". */
  suffix: string;
}

/** The words after an effect: nothing, a direction, a place, words after "by", "for" or "in", or another effect. */
function behind(after: string, effect: string): Behind | null {
  const way = WAY.exec(after)?.[1] ?? null;
  const words = (way ? after.slice(way.length) : after)
    .replace(/^ ?(?:(?:is|are) )?(?:now )?in (?:place|force|operation)\b/, '')
    .trim();
  const none: Behind = { place: null, way, cause: null, effects: [], suffix: '' };
  if (words === '') return none;

  const purpose = PURPOSE.exec(words);
  if (purpose) return words.length <= CAUSE_MAX ? { ...none, cause: words } : null;
  const more = /^(?:and|but|with) (.+)$/i.exec(words)?.[1];
  if (more) {
    const part = effectIn(more);
    return part
      ? { ...none, place: part.place ?? null, effects: part.effects ?? [], cause: part.cause ?? null }
      : null;
  }
  const slip = /^(?:on|of) (?:the )?((?:exit |entry )?slip(?: roads?)?)$/i.exec(words)?.[1];
  if (slip) return { ...none, place: slip.toLowerCase() };
  if (
    /^(?:by|via|over|along|onto) (?:the )?[\p{Lu}]/u.test(words) &&
    /divert/i.test(effect) &&
    placeIn(words.replace(/^\S+ /, ''))
  )
    return { ...none, suffix: ` ${words}` };
  const place = placeAt(words);
  if (place && isAPlace(words)) return { ...none, place };

  for (const { 0: why, index } of words.matchAll(PERHAPS_BECAUSE)) {
    const where = words.slice(0, index).trim();
    const at = where === '' ? null : placeAt(where);
    if (where !== '' && (!at || !isAPlace(where))) continue;
    const reason = causeIn(
      words.slice(index + why.length),
      why.trim().toLowerCase(),
      /clos|shut|works|restrict|moved|divert|traffic/i.test(effect),
    );
    if (reason) return { ...none, place: joined(at, reason.place), cause: reason.cause };
  }
  return null;
}

/** A place; "at Temple" and "near Leeds" keep their first word beside a road. */
function placeAt(words: string): string | null {
  const place = placeIn(words);
  const near = /^(at|near) (?!J\d)/i.exec(words)?.[1];
  return place && near ? `${near.toLowerCase()} ${place}` : place;
}

/** Whether the words are a place: "on the A1", "J26 to J27", "Leeds", but not the "Monday" of "for Monday". */
const isAPlace = (words: string) =>
  /^(?:on|at|in|near|between|from|across|along|through|around|to|towards|for trains|over|affecting|J\d|[\p{Lu}(])/u.test(
    words,
  );

const CAUSED_AT = atWord(String.raw`(?:near|on(?: the)? [AMB]\d|in|at|between) ?`);

/** The cause in the words after "due to" or, with `by`, after a word that may mean something else. */
function causeIn(words: string, by = '', isWorks = false): { cause: string; place: string | null } | null {
  const said = withoutArticle(words.replace(/ and (?:trains|we|services|staff|all) .*$/, '').trim());
  if (said === '' || said.length > CAUSE_MAX) return null;
  const cause = inOne(said, by);
  const isKnown =
    by === '' ||
    (/^[a-z]/.test(cause) &&
      (isCause(cause) ||
        by === 'while' ||
        (by === 'as' && cause !== said) ||
        (by === 'for' && isWorks && !/\d/.test(cause)))) ||
    // This is the name of an event.
    (by === 'for' &&
      isWorks &&
      /^(?:\p{Lu}[\p{L}'’]+ ){1,4}\p{Lu}[\p{L}'’]+$/u.test(cause) &&
      !CALENDAR.test(cause));
  if (!isKnown) return null;

  const where = firstAt(cause, CAUSED_AT);
  const place =
    where &&
    where.at > 0 &&
    !/^(?:on|in|at) (?:the (?:line|track|road|train|area)|lane)/i.test(cause.slice(where.at))
      ? placeIn(cause.slice(where.at))
      : null;
  const isMoved = place !== null && /^(?:near|on)/i.test(where?.said ?? ''); // a place was found after it
  return {
    cause: lower(isMoved ? cause.slice(0, where!.at).trim() : cause),
    place: isMoved ? (/^near/i.test(where!.said) ? `near ${place}` : place) : null,
  };
}

/** A clause as a noun: "a tree is removed from the track" becomes "tree on the track", "a lorry overturns" becomes
 *  an overturned lorry. */
function inOne(clause: string, by: string): string {
  const words = withoutArticle(clause.replace(/^(?:we|staff|crews|emergency services) (?=[a-z])/i, ''));
  const form = CLAUSES.find(([from, , only]) => from.test(words) && (!only || only === by));
  return form ? words.replace(form[0], form[1]) : words;
}

const DOING = 'remove|recover|fix|repair|investigate|attend to|deal with|respond to|carry out|resolve|clear';
const CLAUSES: readonly (readonly [RegExp, string, string?])[] = [
  [new RegExp(`^(?:${DOING}) (?:an? |the )?(.+?) from (the \\S+)(?! from)`, 'i'), '$1 on $2'],
  [/^recover from (?:an? |the )?(?=\S)/i, ''],
  [new RegExp(`^(?:${DOING}) (?:an? |the )?(?=\\S)`, 'i'), ''],
  [/^(\w+) (?:is|was) removed from (the \w+)/i, '$1 on $2'],
  [/^(\w+) (?:is|was) (?:removed|cleared|repaired|fixed|recovered|investigated)\b/i, '$1'],
  [/^(rain|snow|ice|fog) falls\b/i, '$1'],
  [/^(\w+) (?:floods)\b/i, 'flooded $1'],
  [/^(\w+) overturns\b/i, 'overturned $1'],
  [/^(\w+) rises\b/i, 'rising $1'],
  [/^(\w+) falls\b/i, 'fallen $1'],
  [/^(\w+) crashes\b/i, '$1 crash'],
  [/^trees? (?:is |are )?down\b/i, 'fallen tree'],
  [/^rt[ci]\b/i, 'collision'],
  [/^(.+?) works?$/i, '$1 at work', 'while'],
];

const CALENDAR = new RegExp(String.raw`day\b|\b(?:${MONTH_NAMES})\b`);

function add(part: Part, mark: Mark, whole: Whole): void {
  if (part.place) {
    const isRange = mark === '-' && whole.place && !part.effects && whole.effects.length === 0 && !part.cause;
    const isRoad =
      whole.place &&
      /^(?:[AMB]\d+(?:\(M\))?|M6 Toll)(?: (?:\w+bound|(?:anti-)?clockwise|both ways))?$/.test(whole.place);
    if (isRange) whole.place = `${whole.place} to ${part.place}`;
    else if (isRoad && !part.effects)
      whole.place = placeIn(`${whole.place} ${part.place}`) ?? joined(whole.place, part.place);
    else if (/^(?:exit |entry )?slip/.test(part.place) && whole.place)
      whole.place = `${whole.place} ${part.place}`;
    else if (whole.place && part.effects && !(mark === ',' && whole.effects.length === 0))
      part.effects[0] = part.isSubject
        ? subjectOf(part.place, whole.place) + part.effects[0]
        : part.effects[0] + tail(part.place, whole.place);
    else whole.place = joined(whole.place, part.place);
  }
  if (part.way) whole.place = `${whole.place ?? ''} ${part.way}`.trim();
  // An end belongs to the effect before it.
  const [first, ...more] = part.effects ?? [];
  if (first)
    whole.effects.push(
      { words: first, when: part.when ?? null },
      ...more.map((words) => ({ words, when: null })),
    );
  if (part.cause && !whole.causes.includes(part.cause)) whole.causes.push(part.cause);
  if (part.progress) whole.progress = part.progress;
  if (part.when && !first) whole.whens.push(part.when);
  if (part.dropped) whole.dropped = [whole.dropped, part.dropped].filter(Boolean).join(' ');
}

/** The words for a second place, before its effect, unless the first place contains it. */
const subjectOf = (place: string, of: string) =>
  of.toLowerCase().includes(place.toLowerCase()) ? '' : `${place} `;

/** The words for a second place, after its effect, unless it repeats the first. */
function tail(place: string, of: string): string {
  const known = of.toLowerCase();
  const names = place.match(/\p{Lu}[\p{L}'’-]+|[AMBJ]?\d+\S*/gu) ?? [];
  if (names.every((name) => known.includes(name.toLowerCase()))) return '';
  if (place.endsWith(' line')) return ` on the ${place}`;
  return / to /.test(place) ? ` from ${place}` : ` ${/^(?:near|at) /.test(place) ? '' : 'at '}${place}`;
}

function put(
  { place, effects, causes, progress, whens }: Whole,
  { isRail }: { isRail?: boolean },
): Statement {
  const said = effects
    .map(({ words: effect, when }) => {
      // "2 lanes closed southbound" gives the direction of a road that has none.
      const way = / (\w+bound|(?:anti-)?clockwise)$/.exec(effect);
      const turned = way && place && withDirection(place, way[1]!);
      if (!turned || turned === place) return { effect, when };
      place = turned;
      return { effect: effect.slice(0, way.index), when };
    })
    .map(({ effect, when }) =>
      [effectWords(effect, { place, isRail: isRail ?? false }), when].filter(Boolean).join(' '),
    )
    .filter(Boolean);
  const strongest = said.toSorted((a, b) => strength(a) - strength(b))[0] ?? null;
  const others = said.filter((effect) => effect !== strongest).slice(0, 2);
  // If nothing else is stated, the event itself is the effect.
  const does =
    said.length > 0
      ? [strongest, ...others].join(', ')
      : (causes.at(-1)?.replace(/^planned (?=\S)/, '') ?? null);
  let why = (said.length > 0 ? causes : causes.slice(0, -1)).join(', ');
  // "Services suspended after a landslip at Slough" names no other place.
  const at = isRail || place ? null : / (?:at|near|in) (?=\p{Lu}[^,]*$)/u.exec(why);
  const found = at && placeIn(why.slice(at.index + 1));
  if (at && found) {
    place = found;
    why = why.slice(0, at.index);
  }
  const because = [why, progress].filter(Boolean).join(', ') || null;
  return {
    place: place && capital(place.replace(/^at (?=\S)/, '')),
    effect: does && [does, ...whens].join(' '),
    cause: because,
    isCauseOnly: said.length === 0,
  };
}

/** Whether nothing important is lost: numbers, grades, directions and "not". If one is, the whole form counts as
 *  unknown. */
function keepsWhatMatters(
  title: string,
  { place, effect, cause }: Statement,
  { dropped = '' }: Whole,
): boolean {
  const kept = whatMatters([place, effect, cause, dropped].join(' '));
  return whatMatters(title).every((word) => {
    const at = kept.indexOf(word);
    if (at !== -1) kept.splice(at, 1);
    // A word that occurs twice may be kept once, but each number must be found.
    return at !== -1 || (!/\d/.test(word) && contains(word, { place, effect, cause, dropped }));
  });
}

const contains = (word: string, said: object) =>
  Object.values(said).some((text) => String(text).toLowerCase().includes(word));

const whatMatters = (text: string): string[] =>
  text
    .toLowerCase()
    .match(
      /(?<![\p{L}\d])\p{L}?\d+(?:[.:]\d+)*|\b(?:no|not|without|never|only|severe|severely|minor|major|amber|red|yellow|[a-z]+bound|clockwise|anti-clockwise)\b/gu,
    ) ?? [];
