/** Railways: National Rail's incidents, train operators, the lines of Transport for London. */
import type { Read, Reported } from './reported.ts';
import { readStatement } from './statement.ts';
import { isCause } from './vocabulary.ts';
import {
  capital,
  lower,
  quiet,
  sentencesOf,
  splitOnce,
  textsIn,
  tidy,
  uncapital,
  withoutArticle,
} from './words.ts';

/** National Rail's summary line, made stronger by the standard sentences below it. */
export function rail({ title, summary_line }: Reported): Read | null {
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
export function operator({ title, summary_line, metadata }: Reported): Read | null {
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

/** A line of Transport for London: the status is its grade, the reason says where and why. */
export function line({ title, metadata }: Reported): Read | null {
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
