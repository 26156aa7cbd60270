/** The facts of a title: where, what and why. */
import { effectWords } from './effectWords.ts';
import { joined, withDirection } from './placeWords.ts';
import type { Read, Reported } from './reported.ts';
import { readStatement, type Statement } from './titleStatement.ts';
import { sentencesOf, tidy } from './publisherWords.ts';

/** The facts of the title. If it says only what happened, the first sentence below it gives the effect. */
export function readTitle({ title, summary_line, event_type }: Reported): Read | null {
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
