/** `webhooks` of the OpenAPI document: the bodies that are posted to the addresses of users. */
import { example, exampleOf } from './examples.ts';

interface Webhook {
  summary: string;
  description: string;
  tag: 'Messages';
  /** The schema's name in the contract. */
  body: 'ChangeDelivery' | 'SourceDelivery' | 'TestDelivery' | 'MessageDelivery';
}

const WEBHOOKS: Readonly<Record<string, Webhook>> = {
  incidentChanged: {
    summary: 'An incident began, changed or ended',
    description:
      'To a webhook that gets `changes`. `match.`: it touches a route or an area, and `data.watches` says which, where and ' +
      'why; `disruption.`: feeds alone let it through.',
    tag: 'Messages',
    body: 'ChangeDelivery',
  },
  sourceChanged: {
    summary: 'A source fell silent, or answers again',
    description: 'Silence of a source is no all-clear.',
    tag: 'Messages',
    body: 'SourceDelivery',
  },
  webhookTested: {
    summary: 'A test',
    description:
      'When a webhook is made, and asked for with `POST /api/v1/channels/{id}/test`. It works once this was taken.',
    tag: 'Messages',
    body: 'TestDelivery',
  },
  messageSent: {
    summary: 'A message about the team’s routes, areas and feeds',
    description: 'To a webhook that gets `alerts` or the `digest`, as devices and e-mail addresses do.',
    tag: 'Messages',
    body: 'MessageDelivery',
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
    Object.entries(WEBHOOKS).map(([name, { summary, description, tag, body }]) => [
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
            content: {
              'application/json': { schema: { $ref: `${schemas}${body}` }, example: exampleOf(name).sent },
            },
          },
          responses: RESPONSES,
        },
      },
    ]),
  );
