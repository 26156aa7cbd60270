/** `webhooks` of the OpenAPI document: the bodies that are posted to the addresses of users. */
import * as example from './sharedExamples.ts';

const ofWatchExample = { id: example.watch.id, name: example.watch.name };

interface Webhook {
  summary: string;
  description: string;
  tag: 'Messages';
  /** The schema's name in the contract. */
  body: 'ChangeDelivery' | 'SourceDelivery' | 'TestDelivery' | 'MessageDelivery';
  example: object;
}

const WEBHOOKS: Readonly<Record<string, Webhook>> = {
  incidentChanged: {
    summary: 'An incident began, changed or ended',
    description:
      'To a webhook that gets `changes`. `match.`: it touches a route or an area, and `data.watches` says which, where and ' +
      'why; `disruption.`: feeds alone let it through.',
    tag: 'Messages',
    body: 'ChangeDelivery',
    example: {
      type: 'match.worse',
      timestamp: '2026-11-21T08:12:00.000Z',
      data: {
        batch: 4180,
        n: 1,
        at: '2026-11-21T08:12:00.000Z',
        event_id: example.closure.event_id,
        source: example.closure.source,
        kind: 'worse',
        severity_from: 'high',
        severity_to: 'critical',
        phase_to: 'active',
        other_id: null,
        standing: 'stays',
        watches: [
          {
            ...ofWatchExample,
            level: 'certain',
            why: 'names the M62, J26 to J27, eastbound',
            from_km: 0,
            to_km: 3.1,
          },
        ],
        source_name: 'National Highways',
        attribution: 'National Highways, Open Government Licence v3.0.',
        title: example.closure.title,
        severity_unrated: false,
        url: `https://clearway.example/disruptions/${encodeURIComponent(example.closure.event_id)}`,
        disruption: example.closure,
      },
    },
  },
  sourceChanged: {
    summary: 'A source is silent, or answers again',
    description: 'That nothing comes from a silent source does not mean that nothing happens.',
    tag: 'Messages',
    body: 'SourceDelivery',
    example: {
      type: 'source.stale',
      timestamp: '2026-11-21T08:40:00.000Z',
      data: {
        source: 'national-highways',
        name: 'National Highways',
        since: '2026-11-21T08:30:00.000Z',
        watches: [ofWatchExample],
      },
    },
  },
  webhookTested: {
    summary: 'A test',
    description:
      'When a webhook is made, and asked for with `POST /api/v1/channels/{id}/test`. It works once this was taken.',
    tag: 'Messages',
    body: 'TestDelivery',
    example: {
      type: 'test.ping',
      timestamp: '2026-11-21T08:12:00.000Z',
      data: { channel: { id: '0b5c1b7e-4b1a-4f0e-a6a1-2f0c5d9e7a44', name: 'Control room' } },
    },
  },
  messageSent: {
    summary: 'A message about the team’s routes, areas and feeds',
    description: 'To a webhook that gets `alerts` or the `digest`: what devices and mailboxes get as well.',
    tag: 'Messages',
    body: 'MessageDelivery',
    example: {
      type: `clearway.${example.message.kind}`,
      timestamp: example.message.created_at,
      data: {
        id: example.message.id,
        title: example.message.title,
        text: example.message.text,
        severity: example.message.severity,
        event_ids: example.message.event_ids,
        watch_id: example.message.watch_id,
        url: `https://clearway.example/routes/${example.watch.id}`,
      },
    },
  },
};

/** Headers of a webhook. Slack and Teams get other bodies, in their own form. */
const HEADERS = [
  ['webhook-id', 'The same delivery can come twice, with the same id.', example.message.id],
  ['webhook-timestamp', 'When it was sent, in seconds since 1970.', '1795248720'],
  ['webhook-signature', 'One signature, or two separated by a space while two secrets sign.', 'v1,K5oZ…'],
].map(([name, description, shown]) => ({
  name: name!,
  in: 'header' as const,
  required: true,
  description: description!,
  schema: { type: 'string' },
  example: shown,
}));

const RESPONSES = {
  '2XX': { description: 'It has arrived, if this comes within 15 seconds.' },
  410: { description: 'Nothing more is wanted: the channel is turned off.' },
  429: { description: 'Tried again later, after `Retry-After` at the earliest. So are 502 and 504.' },
};

export const webhooksDocument = (schemas: string) =>
  Object.fromEntries(
    Object.entries(WEBHOOKS).map(([name, { summary, description, tag, body, example: shown }]) => [
      name,
      {
        post: {
          operationId: name,
          summary,
          description: `${description}\n\nSigned by the rules of [Standard Webhooks](https://www.standardwebhooks.com).`,
          tags: [tag],
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: `${schemas}${body}` }, example: shown } },
          },
          responses: RESPONSES,
        },
      },
    ]),
  );
