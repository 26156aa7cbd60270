/**
 * Common Alerting Protocol 1.2: one file for each incident, and an Atom index of the files.
 * https://docs.oasis-open.org/emergency/cap/v1.2/CAP-v1.2-os.html
 */
import { XMLBuilder } from 'fast-xml-parser';
import type { DisruptionHistory } from '#contract/incidents/disruptionHistory.ts';
import { type Geometry, statedStart } from '#contract/incidents/disruptions.ts';
import type { Severity } from '#contract/incidents/severity.ts';
import type { DataState, SilentSource } from '#contract/watches/formats.ts';
import { feedOf } from '#contract/feeds/feeds.ts';
import { mayBeRelayed } from '../../sources/allSources.ts';
import type { Numbered } from '../../incidents/list/filteredDisruptions.ts';
import type { NumbersBefore } from '../../incidents/lifecycle/versions.ts';
import { attributionOf } from './formatScope.ts';
import type { Channel } from './rssAndAtom.ts';
import {
  alertPage,
  headline,
  line,
  nameOf,
  silence,
  SILENCE_MEANS,
  standingOf,
  TITLE_MAX,
} from './formatWords.ts';

const SEVERITY: Readonly<Record<Severity, string>> = {
  critical: 'Extreme',
  high: 'Severe',
  medium: 'Moderate',
  low: 'Minor',
};

const CATEGORY: Readonly<Record<string, string>> = { Weather: 'Met', Safety: 'Safety' };

/** The number of earlier messages to which one refers: an incident that lasts for weeks has hundreds. */
const REFERENCES_MAX = 20;

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true });
const DECLARATION = { '?xml': { '@version': '1.0', '@encoding': 'UTF-8' } };

/** A time in a form that CAP allows: without a zone's letter and a fraction; UTC is -00:00. */
const capTime = (at: string): string => `${new Date(at).toISOString().slice(0, 19)}-00:00`;

/** CAP forbids spaces, commas, < and & in these fields. */
const token = (text: string): string => encodeURIComponent(text.toWellFormed());

const senderOf = (origin: string): string => `clearway@${new URL(origin).hostname}`;

interface Message {
  number: number;
  at: string;
}

/** Each version of an incident and each end of it is a message; the last one is the present state. */
function messagesOf({ history, ended_at }: DisruptionHistory, before: NumbersBefore | null): Message[] {
  let number = before?.numbers ?? 0;
  // Numbers go on after the versions that are no longer shown: otherwise an update would be an incident's first
  // message.
  const messages: Message[] = before ? [{ number, at: before.last_at }] : [];
  for (const [at, version] of history.entries()) {
    messages.push({ number: ++number, at: version.seen_at });
    const isLast = at === history.length - 1;
    const end = isLast ? ended_at : version.ended_at;
    if (end) messages.push({ number: ++number, at: end });
  }
  return messages;
}

/** `before`: the numbers of the versions that its history no longer shows. */
export function capOf(
  incident: DisruptionHistory,
  before: NumbersBefore | null,
  silent: readonly SilentSource[],
  { origin, now }: Pick<Channel, 'origin' | 'now'>,
): string {
  const { event_id, source, severity, event_type, summary_line, facts, metadata } = incident;
  const messages = messagesOf(incident, before);
  const present = messages.at(-1)!; // it has a version
  const sender = senderOf(origin);
  const identifier = ({ number }: Message) => `${token(event_id)}:${number}`;
  const earlier = messages.slice(0, -1).slice(-REFERENCES_MAX);
  const listed = {
    ...incident,
    ended_at: incident.ended_at ?? undefined,
    ended_reason: incident.ended_reason ?? undefined,
  };
  const { geometry: _, ...shown } = listed;
  const standing = standingOf(shown, silent);
  const isOver = standing === 'ended';
  const own = silent.find((one) => one.source === source);
  const type = isOver ? 'Cancel' : earlier.length > 0 ? 'Update' : 'Alert';
  const start = statedStart(incident);
  const advice = (facts?.advice ?? []).slice(0, 5).map((one) => line(one));

  return builder.build({
    ...DECLARATION,
    alert: {
      '@xmlns': 'urn:oasis:names:tc:emergency:cap:1.2',
      identifier: identifier(present),
      sender,
      sent: capTime(present.at),
      status: 'Actual',
      msgType: type,
      source: line(nameOf(source)),
      scope: 'Restricted',
      restriction: 'For people who were given this address; not for the public.',
      note: `Relayed from ${nameOf(source)}; not an official warning`,
      ...(earlier.length > 0 && {
        references: earlier.map((one) => `${sender},${identifier(one)},${capTime(one.at)}`).join(' '),
      }),
      info: {
        language: 'en-GB',
        category: CATEGORY[feedOf(source)?.category ?? ''] ?? 'Transport',
        event: line(event_type.replaceAll(/[._]/g, ' '), TITLE_MAX) || 'incident',
        ...(isOver && { responseType: 'AllClear' }),
        urgency: isOver
          ? 'Past'
          : standing === 'lost'
            ? 'Unknown'
            : standing === 'planned'
              ? 'Future'
              : 'Immediate',
        severity: metadata.severity_unrated ? 'Unknown' : SEVERITY[severity],
        certainty: standing === 'lost' ? 'Unknown' : standing === 'planned' ? 'Likely' : 'Observed',
        effective: capTime(present.at),
        ...(start && { onset: capTime(start) }),
        ...(incident.end_time && { expires: capTime(incident.end_time) }),
        senderName: `Clearway, for ${nameOf(source)}`,
        headline: headline(shown, standing),
        description: [
          own && `${silence(own, now)}. ${SILENCE_MEANS}`,
          line(summary_line),
          attributionOf(source),
        ]
          .filter(Boolean)
          .join('\n'),
        ...(advice.length > 0 && { instruction: advice.join('\n') }),
        web: alertPage(origin, event_id),
        parameter: [
          { valueName: 'clearway:standing', value: standing },
          { valueName: 'clearway:attribution', value: attributionOf(source) },
        ],
        ...areaOf(incident),
      },
    },
  }) as string;
}

/** Without an area if nobody says where the incident is. */
function areaOf({ facts, latitude, longitude, metadata, geometry, title }: DisruptionHistory): object {
  const described = line(facts?.place ?? title, TITLE_MAX) || 'Place not known';
  const polygons = geometry ? ringsOf(geometry) : [];
  const isKnown = latitude !== null && longitude !== null && !(latitude === 0 && longitude === 0);
  if (polygons.length > 0) return { area: { areaDesc: described, polygon: polygons } };
  if (isKnown)
    return {
      area: { areaDesc: described, circle: `${latitude},${longitude} ${metadata.location_reach_km ?? 0}` },
    };
  return facts?.place ? { area: { areaDesc: described } } : {};
}

/** Outer rings, latitude first. */
function ringsOf({ type, coordinates }: Geometry): string[] {
  const areas =
    type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? (coordinates as unknown[][]) : [];
  return areas.map((rings) =>
    (rings[0] as [number, number][]).map(([longitude, latitude]) => `${latitude},${longitude}`).join(' '),
  );
}

/** The changes that may be passed on, and the names of the sources of the others. */
export function relayed(changes: readonly Numbered[]): { shown: Numbered[]; leftOut: string[] } {
  const leftOut = changes.filter(({ incident }) => !mayBeRelayed(incident.source));
  return {
    shown: changes.filter(({ incident }) => mayBeRelayed(incident.source)),
    leftOut: [...new Set(leftOut.map(({ incident }) => nameOf(incident.source)))].toSorted(),
  };
}

/** `addressOf`: where the file of an incident is. */
export function capIndexOf(
  changes: readonly Numbered[],
  state: DataState,
  { origin, self, id, title, now }: Channel,
  addressOf: (eventId: string) => string,
): string {
  const { shown, leftOut } = relayed(changes);
  const newest = [...shown.map(({ seen_at }) => seen_at), ...(state.data_time ? [state.data_time] : [])];
  const subtitle = [
    'CAP 1.2, relayed; not official warnings.',
    leftOut.length > 0 && `Left out, because their licence does not allow it: ${leftOut.join(', ')}.`,
  ];
  return builder.build({
    ...DECLARATION,
    feed: {
      '@xmlns': 'http://www.w3.org/2005/Atom',
      id,
      title: line(title, TITLE_MAX),
      subtitle: subtitle.filter(Boolean).join(' '),
      updated: newest.toSorted().at(-1) ?? now.toISOString(),
      author: { name: 'Clearway' },
      rights: state.attribution.map(({ text }) => text).join(' ') || 'No source is contained.',
      link: [
        { '@rel': 'alternate', '@href': `${origin}/disruptions/list` },
        ...(self ? [{ '@rel': 'self', '@href': self }] : []),
      ],
      entry: [
        ...state.silent.map((source) => ({
          id: `urn:clearway:silent:${token(source.source)}`,
          title: silence(source, now),
          updated: source.since ?? now.toISOString(),
          summary: SILENCE_MEANS,
          link: { '@rel': 'alternate', '@href': `${origin}/disruptions` },
        })),
        ...shown.map(({ incident, seen_at, number }) => ({
          id: `urn:clearway:cap:${token(incident.event_id)}:${number}`,
          title: headline(incident, standingOf(incident, state.silent)),
          updated: seen_at,
          summary: attributionOf(incident.source),
          link: {
            '@rel': 'alternate',
            '@type': 'application/cap+xml',
            '@href': addressOf(incident.event_id),
          },
        })),
      ],
    },
  }) as string;
}
