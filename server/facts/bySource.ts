/** Which of a record's fields and words say where, what and why, for each source. */
import type { Facts } from '#contract/facts.ts';
import { joined, placeIn, withDirection } from './place.ts';
import { effectWords, readStatement, type Statement } from './statement.ts';
import { isCause, PROGRESS } from './vocabulary.ts';
import { capital, lower, quiet, sentencesOf, textsIn, tidy, uncapital, withoutArticle } from './words.ts';
import type { Reported } from './reported.ts';

export interface Read {
  place: string | null;
  effect: string | null;
  cause: string | null;
  lanes?: Facts['lanes'];
  delay_minutes?: number | null;
}

const UNKNOWN: Read = { place: null, effect: null, cause: null };

/** Both or neither: half a form is unknown, and so is one with a text that was cut off. */
function whole(read: Read | null): Read {
  const tidied = (text: string | null | undefined) =>
    text
      ?.replace(/\s+/g, ' ')
      .replace(/^[ ,;:.–-]+/, '')
      .trim() || null;
  const [place, effect, cause] = [tidied(read?.place), tidied(read?.effect), tidied(read?.cause)];
  const isWhole = [place, effect].every((text) => text && /[\p{L}\d]/u.test(text) && !text.includes('…'));
  const { lanes, delay_minutes } = read ?? {};
  const figures = { ...(lanes && { lanes }), ...(delay_minutes && { delay_minutes }) };
  if (!isWhole) return { ...UNKNOWN, ...figures };
  return { place, effect, cause: cause?.includes('…') ? null : cause, ...figures };
}

export function readBySource(source: string, record: Reported): Read {
  const reader = Object.hasOwn(READERS, source) ? READERS[source]! : general;
  return whole(reader(record));
}

const READERS: Readonly<Record<string, (record: Reported) => Read | null>> = {
  'national-highways': nationalHighways,
  'kb-incidents': rail,
  'nsi-service': operator,
  tfl: line,
  'bods-bus': bus,
  'airport-status': airport,
  'met-office': weather,
  'ea-flood': flood,
  'nrw-flood': flood,
  'sepa-flood': flood,
  'twitter.metpoliceuk': post,
};

/** The title; where it says only what happened, the first sentence below it says what that does. */
function general({ title, summary_line, event_type }: Reported): Read | null {
  const said = readStatement(title);
  if (!said) return null;
  const [first = ''] = sentencesOf(summary_line);
  const more = first && first !== title ? readStatement(first) : null;
  const read = more ? withMore(said, more, first) : said;
  return !read.effect && event_type === 'road.roadworks' ? { ...read, effect: 'roadworks' } : read;
}

function withMore(said: Statement, more: Statement, words: string): Read {
  const isOnRoad = (place: string | null) => /^(?:[AMB]\d|M6 Toll)/.test(place ?? '');
  const ways = new Set(tidy(words).match(/\b(?:north|south|east|west)bound\b|\b(?:anti-)?clockwise\b/g));
  const way = ways.size === 1 ? [...ways][0] : undefined;
  const isSame = !isOnRoad(more.place) || more.place?.split(/[ ,]/)[0] === said.place?.split(/[ ,]/)[0];
  const place =
    said.place && isOnRoad(said.place) && way && isSame ? withDirection(said.place, way) : said.place;
  // "Reopened. Delays remain."
  if (/^reopened\b/.test(said.effect ?? '') && /\bdelays\b/.test(more.effect ?? '') && !more.place)
    return { ...said, place, effect: `${said.effect}, ${more.effect}` };
  if (!said.isCauseOnly || more.isCauseOnly || !more.effect) return { ...said, place };
  return {
    place: isOnRoad(more.place) && !isOnRoad(place) ? joined(more.place, place) : (place ?? more.place),
    effect: effectWords(way ? more.effect.replace(` ${way}`, '') : more.effect, {
      place: isOnRoad(place) ? place : (more.place ?? place),
      isRail: false,
    }),
    cause: said.effect,
  };
}

/** The comment, and the fields that say more: junctions, lanes, cause. */
function nationalHighways(record: Reported): Read | null {
  const { metadata } = record;
  const said = readStatement(record.title);
  if (!said) return null;
  const closed = numberIn(metadata.lanes_restricted);
  const open = numberIn(metadata.lanes_operational);
  const of = closed !== null && open !== null ? closed + open : null;
  const lanes = closed && of && open ? { closed, of } : null;
  const isClosed = metadata.upstream_severity === 'carriagewayClosures' || (open === 0 && closed !== 0);
  const byFields = isClosed ? 'closed' : lanes ? `${lanes.closed} of ${lanes.of} lanes closed` : null;
  const own = said.effect && !said.isCauseOnly ? said.effect : null;
  // "lanes 1 and 2 closed" of how many?
  const effect =
    own && lanes ? own.replace(/^(lanes? \d(?:(?:, | and )\d)*) closed/, `$1 of ${lanes.of} closed`) : own;
  const cause = said.isCauseOnly ? joinedCause(said.effect, said.cause) : said.cause;
  const byField = causeByField(metadata.cause);
  const because = cause && byField && PROGRESS.test(cause) ? `${byField}, ${cause}` : (cause ?? byField);
  return {
    place: placeByFields(said.place, metadata),
    effect: effect ?? byFields ?? because,
    cause: (effect || byFields) && !effect?.includes(because ?? ' ') ? because : null,
    lanes,
  };
}

/** DATEX codes in a dispatcher's words. */
const CODES: Readonly<Record<string, string>> = {
  'road improvement or upgrading': 'roadworks',
  'maintenance work': 'maintenance',
  'resurfacing work': 'resurfacing',
  'animal presence': 'animals on the road',
  'overturned heavy lorry': 'overturned lorry',
};

function causeByField(code: unknown): string | null {
  if (typeof code !== 'string' || code.length > 60) return null;
  return Object.hasOwn(CODES, code)
    ? CODES[code]!
    : isCause(code) && !/\boperation\b/.test(code)
      ? code
      : null;
}

const joinedCause = (one: string | null, other: string | null) =>
  [one, other].filter(Boolean).join(', ') || null;

/** The title's place, or the longer one of the location's description where the title gives the road alone. */
function placeByFields(said: string | null, metadata: Reported['metadata']): string | null {
  const [first] = textsIn(metadata.places);
  const described = first ? placeIn(tidy(first)) : null;
  if (!said || !described) return said ?? described;
  if (!/^\S+(?: Toll)?(?: (?:\w+bound|(?:anti-)?clockwise|both ways))?$/.test(said)) return said;
  return described.startsWith(said.split(' ')[0]!)
    ? described
    : `${said}, ${described.charAt(0).toLowerCase()}${described.slice(1)}`;
}

const numberIn = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 10_000 ? value : null;

/** National Rail's summary line, made stronger by the standard sentences below it. */
function rail({ title, summary_line }: Reported): Read | null {
  // "Disruption to CrossCountry services between …"
  const named = /^(\w+(?: and \w+)?) to ([A-Z][\w &]{2,40}?) (?:train )?services\b/.exec(title);
  const read = readStatement(named ? named[1]! + title.slice(named[0].length) : title, { isRail: true });
  const said = read && { ...read, place: [named?.[2], read.place].filter(Boolean).join(', ') || null };
  if (!said?.effect) return null;
  const sentences = sentencesOf(summary_line);
  const text = sentences.join(' ');
  const works = said.isCauseOnly && effectOfWorks(text);
  if (works) {
    const [cause = said.effect] = /^.*?(?= (?:on|until|for|next) |$)/.exec(said.effect) ?? [];
    return { place: said.place, effect: works + said.effect.slice(cause.length), cause };
  }
  return {
    place: said.place,
    effect: railEffect(said.effect, text),
    cause: said.cause ?? (said.isCauseOnly ? null : causeOfText(sentences)),
  };
}

/** What engineering work does to the trains. */
function effectOfWorks(text: string): string | null {
  if (/\bbuses (?:will )?replace (?:all )?trains\b/i.test(text)) return 'buses replace trains';
  if (/\bno trains\b/i.test(text)) return 'no trains';
  return /\btrains (?:are|will be) diverted\b/i.test(text) ? 'trains diverted' : null;
}

/** "delays" and "disruption" say little: the text says how long, or that nothing runs. */
function railEffect(effect: string, text: string): string {
  const weak = /^(residual |major )?(?:delays|disruption)( and (?:cancellations|alterations))?/.exec(effect);
  if (!weak) return effect;
  const rest = effect.slice(weak[0].length);
  const minutes = /\b(?:delayed by|delays of|late by) (up to |about |around )?(\d{1,3}) min/i.exec(text);
  const late = minutes && `${minutes[1]?.toLowerCase() ?? ''}${minutes[2]} minutes`;
  const blocked = /\b[Aa]ll lines (towards [A-Z]\w+(?: [A-Z]\w+)? )?(?:are )?blocked\b/.exec(text);
  if (blocked && !/\breopened\b/i.test(text)) return `all lines ${blocked[1] ?? ''}blocked${rest}`;
  if (/\b(?:has|have) closed all lines\b|\b[Aa]ll lines are closed\b/.test(text))
    return `all lines closed${rest}`;
  if (/\b(?:lines?|line has|lines have) (?:now )?(?:has |have )?(?:now )?reopened\b/i.test(text))
    return `lines reopened, ${late ? `${late} late` : weak[0]}${rest}`;
  if (/\bmay be cancelled\b/i.test(text))
    return `${late ? `trains may be cancelled or ${late} late` : 'trains may be cancelled or delayed'}${rest}`;
  if (!late) return effect;
  if (weak[2]) return `${weak[2].slice(' and '.length)}, ${late} late${rest}`;
  return weak[1] === 'residual ' ? `residual delays, ${late}${rest}` : `${late} late${rest}`;
}

/** "A points failure at Slough means that …", "… because of flooding". */
function causeOfText(sentences: readonly string[]): string | null {
  for (const sentence of sentences.slice(0, 3)) {
    if (/\bperson (?:has been |was )?hit by a train\b/.test(sentence)) return 'person hit by a train';
    const subject =
      /^(.{3,70}?) (?:means?|meant) that /.exec(sentence)?.[1] ??
      /^((?:An? )?[A-Z]?[a-z ]{3,40}(?: at [A-Z][\w' ]{2,30}| near [A-Z][\w' ]{2,30})?) (?:has|have|is|are) (?:spread|block|clos|caus|damag)/.exec(
        sentence,
      )?.[1];
    const named =
      /\b(?:because of|due to|caused by|following) ((?:an? |the )?[^.;:()]{3,70}?)(?= which\b| has now\b| between\b| yesterday\b| this morning\b|[,.;]|$)/.exec(
        sentence,
      )?.[1];
    for (const one of [subject, named]) {
      const cause = one && withoutArticle(one.charAt(0).toLowerCase() + one.slice(1));
      if (cause && isCause(cause)) return lower(cause);
    }
  }
  return null;
}

const STATUS_MAX = 60;

const ownWords = (text: string) => uncapital(lower(tidy(text))) || null;

/** A train operator: its name is the place, with the stretch or the routes that it names. */
function operator({ title, summary_line, metadata }: Reported): Read | null {
  const { status, status_description, service_groups } = (metadata.nsi ?? {}) as {
    status?: unknown;
    status_description?: unknown;
    service_groups?: { group_name?: unknown }[];
  };
  const name = quiet(title.slice(0, 80));
  const groups = (Array.isArray(service_groups) ? service_groups : []).flatMap((group) =>
    textsIn(group?.group_name),
  );
  const text = textsIn(status_description)[0] ?? (groups.length > 0 ? '' : summary_line);
  if (text === '' && typeof status === 'string') {
    const effect = readStatement(status, { isRail: true })?.effect;
    const routes = groups.slice(0, 3).map((group) => group.slice(0, 40));
    if (!effect) return null;
    return {
      place: [
        name,
        routes.join('; ') +
          (groups.length > routes.length ? ` and ${groups.length - routes.length} more` : ''),
      ]
        .filter(Boolean)
        .join(', '),
      effect: routes.length > 0 ? effect.replace(/ on some routes$/, '') : effect,
      cause: null,
    };
  }
  const said = readStatement(sentencesOf(`${text}.`)[0] ?? '', { isRail: true });
  // A short status that we do not know is still what the operator says of itself.
  if (!said?.effect)
    return text.length <= STATUS_MAX ? { place: name, effect: ownWords(text), cause: null } : null;
  return { place: [name, said.place].filter(Boolean).join(', '), effect: said.effect, cause: said.cause };
}

/** "A, B and C"; with semicolons where a name holds a comma. */
function listed(names: readonly string[], more: number): string {
  const by = names.some((name) => name.includes(',')) ? '; ' : ', ';
  if (more > 0) return `${names.join(by)} and ${more} more`;
  if (by === '; ') return names.join(by);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(by)} and ${names.at(-1)}`;
}

/** A line of Transport for London: the status is its grade, the reason says where and why. */
function line({ title, metadata }: Reported): Read | null {
  const [name = '', status = ''] = splitOnce(title, ': ');
  const own = lineName(name);
  const grade = lower(tidy(status)).toLowerCase();
  if (!own || !grade) return null;
  const [first] = (Array.isArray(metadata.statuses) ? metadata.statuses : []) as { reason?: unknown }[];
  const reason = typeof first?.reason === 'string' ? first.reason : '';
  const sentences = sentencesOf(reason.replace(/^[^:.]{1,60}:\s*/, '').replace(DAYS_FIRST, '')).map(
    (sentence) => quiet(capital(sentence)),
  );
  const read = sentences.map((sentence) => readStatement(sentence, { isRail: true }));
  const [said] = read;
  const rest = sentences
    .slice(1)
    .map((sentence) =>
      /^((?:severe|minor) delays) on the rest of the line/i.exec(sentence)?.[1]?.toLowerCase(),
    )
    .find(Boolean);
  const isPart =
    grade.startsWith('part ') && said?.place && said.effect && /^no (?:service|trains)/.test(said.effect);
  // "severe delays northbound only"
  const whole = said?.effect?.startsWith(grade) ? said.effect : worded(grade, own);
  // "Severe delays between Acton Town and Cockfosters, eastbound only."
  const elsewhere = read
    .slice(1)
    .find(
      (one) => one?.place && one.place !== said?.place && /^(?:severe|minor) delays$/.test(one.effect ?? ''),
    );
  const effect = [
    isPart ? said.effect : whole,
    rest && `${rest} on the rest`,
    elsewhere && `${elsewhere.effect} ${elsewhere.place}`,
  ]
    .filter(Boolean)
    .join(', ');
  return { place: [own, said?.place].filter(Boolean).join(', '), effect, cause: said?.cause ?? null };
}

/** "Sunday 22 November and Monday 23 November, no service …" */
const DAYS_FIRST =
  /^(?:from |on |until )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?,? ?(?:\d{1,2} ?)?(?:[a-z]{3,9} ?)?(?:and |to |until |, )?){1,6},\s*/i;

/** "part closure" is "part closed". */
const worded = (grade: string, line: string) =>
  grade
    .replace(/\bclosure\b/, 'closed')
    .replace(/^planned (?=closed)/, '')
    .replace(/^bus service$/, line === TRAMS ? 'buses replace trams' : 'buses replace trains');

const TRAMS = 'London Trams';

function lineName(name: string): string {
  const said = name.trim();
  if (said === '' || said.length > 60) return '';
  return /\bline$|^dlr$|^tram|^london|^thames|cable car$/i.test(said)
    ? said.replace(/^Tram$/, TRAMS)
    : `${said} line`;
}

function bus(record: Reported): Read | null {
  const read = general(record);
  return read && { ...read, delay_minutes: numberIn(record.metadata.delay_minutes) };
}

/** "Weather risk at X: reasons", "Delays at X: departures and arrivals". */
function airport({ title, metadata }: Reported): Read | null {
  const found = /^(Weather risk|Delays) at ([^:]{2,80}): (.{1,150})$/.exec(title);
  if (!found) return null;
  const [, kind, name = '', what = ''] = found;
  const place = /airport|airfield/i.test(name)
    ? name
    : `${name.replace(/^London (?=Heathrow|Gatwick|Stansted|Luton)/, '')} Airport`;
  if (kind === 'Weather risk') return { place, effect: 'weather risk', cause: lower(what) };

  const minutes = ['departures', 'arrivals']
    .filter((side) => what.includes(side))
    .map((side) => ({
      side,
      late: numberIn((metadata[side] as { median_minutes?: unknown } | undefined)?.median_minutes),
    }));
  const late = minutes.flatMap(({ side, late: by }) => (by ? [`${side} ${by} minutes late`] : []));
  const most = Math.max(0, ...minutes.map(({ late: by }) => by ?? 0));
  return {
    place,
    effect: late.length === minutes.length && late.length > 0 ? late.join(', ') : `${what} delayed`,
    cause: null,
    delay_minutes: most || null,
  };
}

const REGIONS_MAX = 3;

/** "Amber wind warning: North East England; North West England and 1 more"; the fields name all regions. */
function weather({ title, metadata }: Reported): Read | null {
  const [name = '', regions = ''] = splitOnce(title, ': ');
  const all = textsIn(metadata.regions);
  const place =
    all.length > 0
      ? listed(
          all.slice(0, all.length > REGIONS_MAX ? REGIONS_MAX - 1 : REGIONS_MAX),
          all.length > REGIONS_MAX ? all.length - REGIONS_MAX + 1 : 0,
        )
      : regions.replaceAll('; ', ', ');
  if (place === '' || place.length > 140 || !/\bwarning\b/i.test(name)) return null;
  return {
    place: capital(place),
    effect: lower(name.charAt(0).toLowerCase() + name.slice(1)).replace(/, (?=\w+ warning)/, ' and '),
    cause: null,
  };
}

/** "Flood warning: River Aire at Kirkstall": the level, then the area's own name. */
function flood({ title }: Reported): Read | null {
  const [level = '', area = ''] = splitOnce(title, ': ');
  const place = capital(
    area
      .replace(/^the (?=\S)/i, '')
      .replace(/ - /g, ', ')
      .trim(),
  );
  if (
    !/^(?:severe )?flood (?:warning|alert)$/i.test(level) ||
    place === '' ||
    place.length > 140 ||
    place.endsWith('…')
  )
    return null;
  return { place: quiet(place), effect: level.toLowerCase(), cause: null };
}

/** A post has no title: its first sentence says it. */
function post(record: Reported): Read | null {
  const [first = ''] = sentencesOf(record.summary_line || record.title);
  return general({
    ...record,
    title: first,
    summary_line: sentencesOf(record.summary_line).slice(1).join(' '),
  });
}

function splitOnce(text: string, by: string): [string, string] {
  const at = text.indexOf(by);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + by.length)];
}
