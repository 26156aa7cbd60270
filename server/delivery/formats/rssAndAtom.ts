/** RSS 2.0 and Atom 1.0: silent sources first, then the newest changes. */
import { Feed } from 'feed';
import type { Numbered } from '../../incidents/list/filteredDisruptions.ts';
import type { DataState } from '#contract/watches/formats.ts';
import { alertPage, bodyOf, headline, line, silence, SILENCE_MEANS, standingOf } from './formatWords.ts';
import { html } from '../../http/documents/plainText.ts';

export interface Channel {
  /** The service's address: `https://clearway.example`. */
  origin: string;
  /** Its own address; null if that is secret. */
  self: string | null;
  /** A name that is different for each feed: `urn:clearway:…`. */
  id: string;
  title: string;
  now: Date;
}

function feedOf(changes: readonly Numbered[], state: DataState, channel: Channel): Feed {
  const { origin, self, id, title, now } = channel;
  const newest = [...changes.map(({ seen_at }) => seen_at), ...(state.data_time ? [state.data_time] : [])];
  const feed = new Feed({
    id,
    title: line(title),
    description:
      state.silent.length === 0
        ? 'The newest changes.'
        : 'Not complete: some sources are silent. A short or empty list is no all-clear.',
    link: `${origin}/disruptions/list`,
    language: 'en-GB',
    generator: 'Clearway',
    updated: new Date(newest.toSorted().at(-1) ?? now),
    copyright: state.attribution.map(({ text }) => text).join(' ') || 'No source is contained.',
    author: { name: 'Clearway' },
    ...(self && { feedLinks: { rss: self, atom: self } }),
  });
  for (const source of state.silent) {
    const since = source.since ? new Date(source.since) : now;
    feed.addItem({
      title: html(silence(source, now)),
      id: addressed(`urn:clearway:silent:${encodeURIComponent(source.source)}`),
      guid: `silent:${source.source}:${source.since ?? 'always'}`,
      link: `${origin}/disruptions`,
      date: since,
      description: html(SILENCE_MEANS),
    });
  }
  for (const { incident, seen_at, number } of changes) {
    feed.addItem({
      title: html(headline(incident, standingOf(incident, state.silent))),
      id: addressed(incident.event_id),
      guid: line(`${incident.event_id}:${number}`),
      link: alertPage(origin, incident.event_id),
      date: new Date(seen_at),
      description: html(bodyOf(incident)).replaceAll('\n', '<br/>'),
    });
  }
  return feed;
}

/** An id as a URI, as Atom requires. Characters from a source that a URI cannot hold are escaped. */
function addressed(id: string): string {
  const clean = line(id);
  return clean === id && URL.canParse(id) ? id : `urn:clearway:${encodeURIComponent(id.toWellFormed())}`;
}

export const rssOf = (changes: readonly Numbered[], state: DataState, channel: Channel): string =>
  feedOf(changes, state, channel).rss2();

export const atomOf = (changes: readonly Numbered[], state: DataState, channel: Channel): string =>
  feedOf(changes, state, channel).atom1();
